"""Repeated timings, and the table and the plot that they become."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Milliseconds: the median of the wall clock, its tenth and ninetieth percentile, and the median of this process's
    processor time, which other people's work on the machine hardly changes."""

    median_ms: float
    low_ms: float
    high_ms: float
    cpu_ms: float
    repetitions: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the table. `must` is in the row's unit, None where nothing is asked; `floor` is what the same work
    costs at least, or costs a plain SQLite + numpy program, measured beside it."""

    work: str
    size: str
    value: float
    unit: str
    must: float | None = None
    higher_is_better: bool = False
    spread: str = ""
    cpu: str = ""
    floor: float | None = None
    floor_name: str = ""

    @property
    def holds(self) -> bool | None:
        if self.must is None:
            return None
        return self.value >= self.must if self.higher_is_better else self.value <= self.must


def timed(
    works: Sequence[Callable[[], object]], repetitions: int, *, tidy: Callable[[], object] | None = None
) -> list[Timing]:
    """Each piece of work, taken in turns with the others, so that all meet the same noise. The first round warms up.

    `tidy` runs before each and is not timed, so that nobody pays for what the one before left behind."""
    wall: list[list[float]] = [[] for _ in works]
    cpu: list[list[float]] = [[] for _ in works]
    for round_number in range(repetitions + 1):
        for number, work in enumerate(works):
            if tidy is not None:
                tidy()
            began, began_cpu = time.perf_counter(), time.process_time()
            work()
            ended, ended_cpu = time.perf_counter(), time.process_time()
            if round_number:
                wall[number].append((ended - began) * 1_000)
                cpu[number].append((ended_cpu - began_cpu) * 1_000)
    return [summary(w, c) for w, c in zip(wall, cpu, strict=True)]


def summary(wall_ms: Sequence[float], cpu_ms: Sequence[float] = ()) -> Timing:
    ordered = sorted(wall_ms)
    return Timing(
        median_ms=statistics.median(ordered),
        low_ms=ordered[len(ordered) // 10],
        high_ms=ordered[len(ordered) * 9 // 10 if len(ordered) > 1 else 0],
        cpu_ms=statistics.median(cpu_ms) if cpu_ms else 0.0,
        repetitions=len(ordered),
    )


def row(
    work: str,
    size: str,
    timing: Timing,
    *,
    must_ms: float | None = None,
    floor: Timing | None = None,
    floor_name: str = "",
) -> Row:
    """A line in milliseconds."""
    return Row(
        work=work,
        size=size,
        value=timing.median_ms,
        unit="ms",
        must=must_ms,
        spread=f"{number(timing.low_ms)}–{number(timing.high_ms)}",
        cpu=number(timing.cpu_ms) if timing.cpu_ms else "",
        floor=None if floor is None else floor.median_ms,
        floor_name=floor_name,
    )


def number(value: float) -> str:
    """Three digits that mean something."""
    if value == 0:
        return "0"
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def markdown(rows: Sequence[Row]) -> str:
    lines = [
        "| work | profile | median | 10–90 % | CPU | must | holds | baseline in the same run | ratio |",
        "| --- | --- | --: | --: | --: | --: | :-: | --- | --: |",
    ]
    for line in rows:
        sign = "≥" if line.higher_is_better else "≤"
        must = "" if line.must is None else f"{sign} {number(line.must)}"
        floor = "" if line.floor is None else f"{line.floor_name}: {number(line.floor)} {line.unit}"
        ratio = f"{number(line.value / line.floor)}×" if line.floor else ""
        holds = {None: "", True: "yes", False: "no"}[line.holds]
        lines.append(
            f"| {line.work} | {line.size} | {number(line.value)} {line.unit} | {line.spread} | {line.cpu} | {must} "
            f"| {holds} | {floor} | {ratio} |"
        )
    return "\n".join(lines) + "\n"


def plot(rows: Sequence[Row], path: Path) -> bool:
    """The times beside their bounds as a picture; False where matplotlib is not there."""
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        return False
    shown = [r for r in rows if r.unit == "ms"]
    names = [f"{r.work} ({r.size})" for r in shown]
    figure, axes = pyplot.subplots(figsize=(10, 0.42 * len(shown) + 1.6))
    places = range(len(shown))
    axes.barh(places, [r.value for r in shown], height=0.55, color="#4a7ab5", label="measured (median)")
    for place, line in zip(places, shown, strict=True):
        if line.must is not None:
            axes.plot([line.must] * 2, [place - 0.4, place + 0.4], color="#b5443a", linewidth=2)
        if line.floor is not None:
            axes.plot(line.floor, place, "o", color="#2f2f2f", markersize=4)
    axes.plot([], [], color="#b5443a", linewidth=2, label="must")
    axes.plot([], [], "o", color="#2f2f2f", markersize=4, label="baseline in the same run")
    axes.set_yticks(list(places), names, fontsize=8)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel("milliseconds")
    axes.legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, dpi=120)
    pyplot.close(figure)
    return True
