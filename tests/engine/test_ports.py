"""Twin of engine/ports.py: what is shipped fits the ports by structure, though none of it knows of them."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import MappingProxyType
from typing import Any, get_args

import pytest
from selfimprint.engine.ports import Clock, Embedder, EmbedKind
from selfimprint.models.process import EmbedderProcess

from selfimprintd.clock import FileClock, SystemClock


def lacking(implementation: type[Any], port: type[Any]) -> list[str]:
    """The members of the port that the implementation has not, or whose calls it would not take."""
    missing: list[str] = []
    for name, wanted in vars(port).items():
        found = inspect.getattr_static(implementation, name, None)
        if name.startswith("_"):
            continue
        if isinstance(wanted, property) or not callable(wanted):
            if not isinstance(found, property):
                missing.append(name)
        elif not callable(found) or not takes(inspect.signature(found), inspect.signature(wanted).parameters):
            missing.append(name)
    return missing


def takes(signature: inspect.Signature, wanted: MappingProxyType[str, inspect.Parameter]) -> bool:
    """Whether every call that the port allows binds: all given by name, all by place, and only what has no default."""
    needed = {name: None for name, parameter in wanted.items() if parameter.default is parameter.empty}
    try:
        signature.bind(**dict.fromkeys(wanted))
        signature.bind(*wanted)
        signature.bind(**needed)
    except TypeError:
        return False
    return True


@pytest.mark.parametrize(
    ("implementation", "port"), [(EmbedderProcess, Embedder), (SystemClock, Clock), (FileClock, Clock)]
)
def test_what_is_shipped_fits_its_port(implementation: type[Any], port: type[Any]) -> None:
    """Each member of the port is there, and every call that the port allows can be made."""
    assert lacking(implementation, port) == []


def test_what_does_not_fit_is_told() -> None:
    """A missing property, another name of an argument and one more that is needed are each noticed."""

    class Other:
        width = 3

        @property
        def fingerprint(self) -> str:
            return "x"

        def embed(self, texts: list[str], kind: str, deadline_s: float, more: int) -> None: ...

    assert sorted(lacking(Other, Embedder)) == ["embed", "width"]
    assert lacking(Other, Clock) == ["now_us"]


def test_a_question_is_embedded_as_one() -> None:
    """The two kinds that models of questions and passages tell apart."""
    assert get_args(EmbedKind) == ("query", "passage")


def test_clocks_tell_microseconds(tmp_path: Path) -> None:
    """A clock's integers are microseconds since 1970 in UTC: the same instant is the same number from either clock."""
    path = tmp_path / "now"
    path.write_text("1970-01-02T01:00:00+01:00", encoding="utf-8")
    assert FileClock(path).now_us() == 86_400_000_000
    path.write_text(str(SystemClock().now_us()), encoding="utf-8")
    assert FileClock(path).now_us() <= SystemClock().now_us()
