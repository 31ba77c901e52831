"""The manifest of a profile: what is neither node, edge nor turn and yet must survive (docs/format.md, §9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from selfimprint.synx.text import decode_document, encode_document

FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """`sent` maps hashes of what was sent out to the instant it last was, `marks` is a table of the state's marks."""

    activity_days: Iterable[int]
    embedder: str
    messages: int
    nodes: int
    edges: int
    last_by_app: Mapping[str, str] = field(default_factory=dict)
    failed: Mapping[str, str] = field(default_factory=dict)
    marks: Any = None
    sent: Mapping[int, int] = field(default_factory=dict)


def manifest_bytes(manifest: Manifest) -> bytes:
    body = {
        "format": FORMAT,
        "activity_days": sorted(manifest.activity_days),
        "embedder": manifest.embedder,
        "messages": manifest.messages,
        "nodes": manifest.nodes,
        "edges": manifest.edges,
        "last_by_app": [{"app": app, "message": message} for app, message in manifest.last_by_app.items()],
        "failed": [{"message": m, "reason": r} for m, r in manifest.failed.items()],
        "marks": manifest.marks,
        "sent": np.array(list(manifest.sent.items()), dtype=np.uint64).tobytes(),
    }
    return encode_document(body).encode()


def read_manifest(data: bytes) -> Manifest:
    """Exact inverse; Damaged or KeyError on anything else."""
    body = decode_document(data.decode())
    pairs = np.frombuffer(body["sent"], dtype=np.uint64).reshape(-1, 2)
    return Manifest(
        activity_days=tuple(body["activity_days"]),
        embedder=body["embedder"],
        messages=body["messages"],
        nodes=body["nodes"],
        edges=body["edges"],
        last_by_app={row["app"]: row["message"] for row in body["last_by_app"]},
        failed={row["message"]: row["reason"] for row in body["failed"]},
        marks=body["marks"],
        sent={int(a): int(b) for a, b in pairs},
    )
