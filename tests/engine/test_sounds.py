"""One name in two scripts is one name."""

from __future__ import annotations

import pytest
from selfimprint.engine.sounds import is_cyrillic, sound


@pytest.mark.parametrize(
    ("cyrillic", "latin"),
    [
        ("Андрей", "Andrei"), ("Андрей", "Andrey"), ("Юлия", "Yulia"), ("Юлия", "Julia"), ("Дмитрий", "Dmitry"),
        ("Наташа", "Natasha"), ("Михаил", "Mikhail"), ("Женя", "Zhenya"), ("Тоомас", "Toomas"),
    ],
)  # fmt: skip
def test_spellings_in_two_scripts_share_a_skeleton(cyrillic: str, latin: str) -> None:
    """Whichever of the usual romanisations was used."""
    assert sound(cyrillic) == sound(latin)
    assert is_cyrillic(cyrillic) and not is_cyrillic(latin)


@pytest.mark.parametrize(("one", "other"), [("Андрей", "Anna"), ("Олег", "Olga"), ("Иван", "Iris")])
def test_other_names_differ(one: str, other: str) -> None:
    """A skeleton is no guess."""
    assert sound(one) != sound(other)
