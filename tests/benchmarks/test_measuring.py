from __future__ import annotations

from pathlib import Path

import pytest
from measuring import Row, markdown, number, plot, row, summary, timed


def test_work_is_taken_in_turns_after_a_warm_up() -> None:
    """Each round runs every piece of work once, tidied up before, and the first round is not counted."""
    ran: list[str] = []
    first, _ = timed([lambda: ran.append("a"), lambda: ran.append("b")], 2, tidy=lambda: ran.append("."))
    assert "".join(ran) == ".a.b.a.b.a.b"
    assert first.repetitions == 2


def test_a_summary_is_of_the_middle() -> None:
    """One wild value moves neither the median nor the lower bound."""
    found = summary([5.0, 1.0, 900.0, 2.0, 3.0])
    assert (found.median_ms, found.low_ms) == (3.0, 1.0)


def test_a_row_says_whether_it_holds_and_how_it_compares() -> None:
    """The bound is an upper one for times and a lower one for rates; the ratio is to the baseline."""
    slow = row("work", "10k", summary([20.0]), must_ms=15.0, floor=summary([10.0]), floor_name="plain")
    fast = Row(work="rate", size="10k", value=300.0, unit="/s", must=200.0, higher_is_better=True)
    assert (slow.holds, fast.holds) == (False, True)
    text = markdown([slow, fast])
    assert "| ≤ 15.0 | no | plain: 10.0 ms | 2.00× |" in text
    assert "| ≥ 200 | yes |" in text


@pytest.mark.parametrize(("value", "text"), [(0.0, "0"), (0.123, "0.12"), (12.34, "12.3"), (1234.5, "1234")])
def test_numbers_have_three_digits(value: float, text: str) -> None:
    """A figure is written as exactly as it was measured."""
    assert number(value) == text


def test_a_plot_needs_matplotlib(tmp_path: Path) -> None:
    """A picture is written exactly where matplotlib is installed."""
    path = tmp_path / "speed.png"
    drawn = plot([row("work", "1k", summary([2.0]), must_ms=1.0, floor=summary([1.0]), floor_name="x")], path)
    assert drawn is path.exists()
