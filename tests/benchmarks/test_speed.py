from __future__ import annotations

import pytest
import speed


def test_bounds_are_those_of_known_sizes() -> None:
    """A bound on context belongs to a size that can be made."""
    assert set(speed.BOUNDS) <= set(speed.SIZES)


def test_an_unknown_size_is_refused() -> None:
    """The command line names the sizes there are."""
    with pytest.raises(SystemExit):
        speed.main(["--sizes", "7k"])
