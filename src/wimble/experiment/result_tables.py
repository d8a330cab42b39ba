"""The tables of [WB-JS] §4.3 from the records of an experiment, in Markdown with aligned columns.

For each measure, a table shows, SUT by SUT, the means of two settings with A12, p and the relative difference (tables 2
to 4 and 6). With more than two settings, a table of their means and ranks precedes it (table 5).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from wimble.experiment.experiment_plan import Experiment
from wimble.experiment.markdown_table import table
from wimble.experiment.run_record import Record
from wimble.experiment.sample_statistics import Comparison, compared, mean


class Measure(msgspec.Struct, frozen=True):
    """A number that is compared, with its table's title."""

    key: str
    """The key in `Record.measures`."""
    title: str
    digits: int = 1


MEASURES: tuple[Measure, ...] = (
    Measure("targets", "#Targets covered"),
    Measure("lines", "%Lines covered by calls, as the agent counts"),
    Measure("branches", "%Branch outcomes covered by calls, as the agent counts"),
    Measure("faults", "#Faults"),
    Measure("calls_per_s", "#Calls a second"),
    Measure("c8_lines", "%Lines by c8, on the plain SUT"),
    Measure("c8_branches", "%Branches by c8, on the plain SUT"),
)
"""The measures that have tables, in the order of the tables."""


def tables_text(experiment: Experiment, records: Sequence[Record]) -> str:
    """Returns all tables. A cell without results contains `-`."""
    parts = [f"# {experiment.name}", _how(experiment, records)]
    for measure in MEASURES:
        samples = _samples(records, measure.key)
        names = [setting.name for setting in experiment.settings if any(name == setting.name for _, name in samples)]
        if not names:
            continue
        parts.append(f"## {measure.title}")
        if len(names) != 2:
            parts.append(_means(experiment, names, samples, measure))
        parts += [_pair(experiment, names[0], other, samples, measure) for other in names[1:]]
    lines = _notes(records)
    if lines:
        parts += ["## Notes", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def _notes(records: Sequence[Record]) -> list[str]:
    lines = [f"- {record.plan.title}: {note}" for record in records for note in record.notes]
    shared = sum(not record.has_own_network for record in records)
    return [*lines, f"- {shared} runs shared the network of their machine"] if shared else lines


_Samples = dict[tuple[str, str], list[float]]
"""(SUT, setting) -> the values of one measure in the runs."""


def _samples(records: Sequence[Record], key: str) -> _Samples:
    out: _Samples = {}
    for record in records:
        if key in record.measures:
            out.setdefault((record.plan.sut.name, record.plan.setting.name), []).append(record.measures[key])
    return out


def _how(experiment: Experiment, records: Sequence[Record]) -> str:
    settings = []
    for setting in experiment.settings:
        what = setting.strategy if setting.tool == "wimble" else setting.tool
        less = f", without {', '.join(setting.without)}" if setting.without else ""
        settings.append(f"{setting.name} ({what}{less})")
    n_runs = len(experiment.runs())
    there = f"{n_runs} runs" if len(records) == n_runs else f"{len(records)} of {n_runs} runs are there"
    return (
        f"Settings: {'; '.join(settings)}. Budget: {experiment.budget}. Seeds: "
        f"{', '.join(map(str, experiment.seeds))}. {there}.\n"
        "Bold: p < 0.05 (Mann-Whitney U, two-sided) and A12 not 0.5; ▼: the first is worse."
    )


def _means(experiment: Experiment, names: list[str], samples: _Samples, measure: Measure) -> str:
    """Returns the table of means and ranks. The averages are over the SUTs for which all settings have results."""
    rows = []
    compared_suts: list[dict[str, float]] = []
    for sut in experiment.suts:
        values = {name: mean(samples[sut.name, name]) for name in names if (sut.name, name) in samples}
        cells = [
            f"{_number(values[name], measure)} ({_rank(values, name):g})" if name in values else "-" for name in names
        ]
        rows.append([sut.name, *cells])
        if len(values) == len(names):
            compared_suts.append(values)
    if len(compared_suts) > 1:
        rows.append(["average", *(_average(compared_suts, name, measure) for name in names)])
    return table(["SUT", *names], rows)


def _average(suts: list[dict[str, float]], name: str, measure: Measure) -> str:
    value = mean([values[name] for values in suts])
    return f"{_number(value, measure)} ({mean([_rank(values, name) for values in suts]):.1f})"


def _rank(values: dict[str, float], name: str) -> float:
    """Returns the rank of a setting; 1 is the best. Settings with the same value get the mean of their ranks."""
    better = sum(value > values[name] for value in values.values())
    same = sum(value == values[name] for value in values.values())
    return better + (same + 1) / 2


def _pair(experiment: Experiment, first: str, second: str, samples: _Samples, measure: Measure) -> str:
    rows = []
    for sut in experiment.suts:
        values = samples.get((sut.name, first)), samples.get((sut.name, second))
        means = [_number(mean(one), measure) if one else "-" for one in values]
        found = compared(values[0], values[1]) if values[0] and values[1] else None
        rows.append([sut.name, *means, *(_compared_cells(found) if found else ["-", "-", "-"])])
    return table(["SUT", first, second, "A12", "p", "relative"], rows)


def _compared_cells(found: Comparison) -> list[str]:
    relative = "-" if found.relative is None else f"{100 * found.relative:+.2f} %"
    cells = [f"{found.a12:.2f}", "<0.001" if found.p < 0.001 else f"{found.p:.3f}", relative]
    if found.is_significant:
        cells = [f"**{cell}**" for cell in cells]
    if found.a12 < 0.5:
        cells[2] = f"▼ {cells[2]}"
    return cells


def _number(value: float, measure: Measure) -> str:
    return f"{value:,.{measure.digits}f}"
