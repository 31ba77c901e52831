"""Language packs: words and patterns as data, read from the TOML files beside this module, validated and cached.

The format is described in `docs/language-packs.md`. All files `<language>.toml` and `<language>.<part>.toml` of one
language are merged: tables by key, lists by concatenation in file order.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from selfimprint.engine.extraction.packs.build import build_pack
from selfimprint.engine.extraction.packs.model import Pack, PackError


def merge(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Tables merge by key and lists concatenate; two plain values for one key are an error."""
    merged = dict(base)
    for key, value in more.items():
        old = merged.get(key)
        if old is None or old == value:
            merged[key] = value
        elif isinstance(old, dict) and isinstance(value, dict):
            merged[key] = merge(old, value)
        elif isinstance(old, list) and isinstance(value, list):
            merged[key] = [*old, *value]
        else:
            raise PackError(f"two values for {key!r}")
    return merged


def pack_from_texts(texts: list[str]) -> Pack:
    """A pack from the contents of its TOML files, in order."""
    data: dict[str, Any] = {}
    for text in texts:
        data = merge(data, tomllib.loads(text))
    return build_pack(data)


@lru_cache(maxsize=16)
def load_pack(language: str) -> Pack:
    """The bundled pack of a language; `PackError` when there is none or it is malformed."""
    folder = files("selfimprint.engine.extraction.packs")
    parts = sorted(
        (entry for entry in folder.iterdir() if entry.name.endswith(".toml") and entry.name.split(".")[0] == language),
        key=lambda entry: (entry.name.count("."), entry.name),
    )
    if not parts:
        raise PackError(f"no pack for language {language!r}")
    return pack_from_texts([entry.read_text(encoding="utf-8") for entry in parts])


@lru_cache(maxsize=1)
def bundled_languages() -> tuple[str, ...]:
    """The languages that have a bundled pack."""
    folder = files("selfimprint.engine.extraction.packs")
    return tuple(sorted({e.name.split(".")[0] for e in folder.iterdir() if e.name.endswith(".toml")}))


@dataclass(frozen=True, slots=True)
class BundledPacks(Mapping[str, Pack]):
    """The bundled packs by language code, each read when first asked for."""

    def __getitem__(self, language: str) -> Pack:
        if language not in bundled_languages():
            raise KeyError(language)
        return load_pack(language)

    def __iter__(self) -> Iterator[str]:
        return iter(bundled_languages())

    def __len__(self) -> int:
        return len(bundled_languages())


__all__ = ["BundledPacks", "Pack", "PackError", "bundled_languages", "load_pack", "pack_from_texts"]
