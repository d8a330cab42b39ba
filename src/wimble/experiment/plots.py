"""Plots the curves of an experiment ([WB-JS], figure 3).

Each SUT has a picture with one curve per setting: the mean over the runs at every 5 % of the budget, with the range
between the worst and the best run.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from wimble.experiment.experiment_plan import Experiment
from wimble.experiment.library_tables import BINS, histogram
from wimble.experiment.run_record import Record
from wimble.experiment.sample_statistics import mean

PANELS = (("targets", "targets covered"), ("lines", "lines covered by calls"), ("faults", "faults"))
"""(field of CurvePoint, label)."""
PLOTS_DIR = "plots"


def write_plots(experiment: Experiment, records: Sequence[Record], folder: Path) -> list[Path]:
    """Writes a PNG for each SUT that has curves. Returns the files. Raises: OSError."""
    from matplotlib.figure import Figure  # an extra, and slow to load

    written = []
    for sut in experiment.suts:
        curves = {
            setting.name: curve
            for setting in experiment.settings
            if (curve := averaged(_of(records, sut.name, setting.name)))
        }
        if not curves:
            continue
        figure = Figure(figsize=(4.5 * len(PANELS), 3.6), layout="constrained")
        for axes, (field, label) in zip(figure.subplots(1, len(PANELS)), PANELS, strict=True):
            _draw(axes, curves, field, label)
        figure.suptitle(f"{sut.name}, {experiment.budget}")
        path = folder / PLOTS_DIR / f"{sut.name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=110, metadata={"Software": None})
        written.append(path)
    libraries = histogram(experiment, records)
    if libraries:
        written.append(_write_histogram(libraries, folder / PLOTS_DIR / "libraries.png", experiment.budget))
    return written


def _write_histogram(counts: dict[str, list[int]], path: Path, budget: str) -> Path:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 3.6), layout="constrained")
    axes = figure.subplots()
    width = 0.8 / len(counts)
    for number, (name, of_bins) in enumerate(counts.items()):
        places = [index + number * width for index in range(len(BINS))]
        axes.bar(places, [100 * count / sum(of_bins) for count in of_bins], width, label=name)
    axes.set_xticks([index + 0.4 - width / 2 for index in range(len(BINS))], [title for _, title in BINS])
    axes.set_xlabel(f"% of statements covered, {budget}")
    axes.set_ylabel("% of libraries")
    axes.legend()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})
    return path


Curve = dict[str, list[tuple[float, float, float, float]]]
"""Field of CurvePoint -> (share of the budget, mean, worst, best) at each mark."""


def averaged(records: Sequence[Record]) -> Curve:
    """Returns the curve over all runs; empty if no run has one. A run that ended early keeps its last values."""
    runs = [record.curve for record in records if record.curve]
    if not runs:
        return {}
    marks = sorted({point.budget for run in runs for point in run})
    curve: Curve = {field: [(0.0, 0.0, 0.0, 0.0)] for field, _ in PANELS}
    for mark in marks:
        points = [max((p for p in run if p.budget <= mark), key=lambda p: p.budget, default=None) for run in runs]
        for field, _ in PANELS:
            values = [0.0 if point is None else float(getattr(point, field)) for point in points]
            curve[field].append((mark, mean(values), min(values), max(values)))
    return curve


def _of(records: Sequence[Record], sut: str, setting: str) -> list[Record]:
    return [record for record in records if (record.plan.sut.name, record.plan.setting.name) == (sut, setting)]


def _draw(axes: Any, curves: dict[str, Curve], field: str, label: str) -> None:
    for name, curve in curves.items():
        shares, means, worst, best = zip(*curve[field], strict=True)
        percent = [100 * share for share in shares]
        line = axes.plot(percent, means, marker="o", markersize=2.5, linewidth=1.2, label=name)[0]
        axes.fill_between(percent, worst, best, alpha=0.15, color=line.get_color(), linewidth=0)
    axes.set_xlabel("% of the budget")
    axes.set_ylabel(label)
    axes.set_ylim(bottom=0)
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
