"""What an experiment says of many libraries together: how many reach which coverage, and the faults that were found."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from wimble.experiment.experiment_plan import Experiment
from wimble.experiment.markdown_table import table
from wimble.experiment.run_record import Record, Store
from wimble.experiment.sample_statistics import mean

BINS: Final = ((85.0, "85 to 100"), (75.0, "75 to 85"), (50.0, "50 to 75"), (25.0, "25 to 50"), (0.0, "below 25"))
"""(lower end, title) of the groups of the histogram, in percent, as the literature has them."""
COVERED: Final = "c8_lines"
"""c8 counts a statement as covered if its line is."""
SUMMARY: Final = "summary.json"
ORACLE: Final = "exception"


def histogram(experiment: Experiment, records: Sequence[Record]) -> dict[str, list[int]]:
    """Returns for each setting the number of libraries per group of BINS, by the mean over their runs."""
    found = {}
    for setting in experiment.settings:
        counts: Counter[float] = Counter()
        for sut in experiment.suts:
            values = [
                one.measures[COVERED]
                for one in records
                if (one.plan.sut.name, one.plan.setting.name) == (sut.name, setting.name) and sut.library
            ]
            if values:
                counts[next(least for least, _ in BINS if mean(values) >= least)] += 1
        if counts:
            found[setting.name] = [counts[least] for least, _ in BINS]
    return found


def library_text(experiment: Experiment, records: Sequence[Record], store: Store) -> str:
    """Returns the histogram and the faults in Markdown; empty if the experiment has no library with a result."""
    counts = histogram(experiment, records)
    if not counts:
        return ""
    rows = []
    for index, (_, title) in enumerate(BINS):
        rows.append([f"{title} %", *(_share(counts[name], index) for name in counts)])
    rows.append(["75 % or more", *(_share(counts[name], 0, 1) for name in counts)])
    parts = ["## Libraries by statements covered, by c8 on the original source", table(["statements", *counts], rows)]
    faults = _exceptions(records, store)
    if faults:
        parts += ["## Exceptions that are no rejections", "\n".join(f"- {line}" for line in faults)]
    return "\n\n".join(parts) + "\n"


def _share(counts: Sequence[int], *indexes: int) -> str:
    count = sum(counts[index] for index in indexes)
    return f"{count} ({100 * count / sum(counts):.0f} %)"


def _exceptions(records: Sequence[Record], store: Store) -> list[str]:
    """Returns a line per exception of a library: each cause once, whichever run has found it."""
    found: dict[tuple[str, str], str] = {}
    for record in records:
        if not record.plan.sut.library:
            continue
        for finding in _findings(store.place(record.plan) / "out" / SUMMARY):
            if finding.get("oracle") == ORACLE:
                cause = finding.get("cause") or {}
                place = f"{cause.get('file', '')}:{cause.get('line', '')}".strip(":")
                found.setdefault((record.plan.sut.name, place or finding["title"]), f"{finding['title']}  ({place})")
    return [f"{name}: {text}" for (name, _), text in found.items()]


def _findings(path: Path) -> list[dict[str, Any]]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))["findings"]
    except (OSError, ValueError, KeyError, TypeError):
        return []
    return found if isinstance(found, list) else []
