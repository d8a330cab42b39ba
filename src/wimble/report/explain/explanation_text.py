"""Explanations as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from wimble.emit.source_text import one_line
from wimble.model.explain_data import Knowledge
from wimble.model.solver_report import SolverReport
from wimble.report.explain.facts import Explanation, Overview
from wimble.runtimes.source_notation import SourceNotation

MAX_SOURCE_LENGTH = 160
MAX_EDITS_SHOWN = 8


def explanation_lines(explained: Explanation, notation: SourceNotation) -> Iterator[Text]:
    """Yields the lines with all facts about one target. notation: of the language of the SUT."""
    yield Text(one_line(explained.name), style="bold")
    if explained.source:
        yield _field("source", explained.source[:MAX_SOURCE_LENGTH])
    yield _field("state", _state(explained))
    if explained.function:
        yield _field("function", explained.function)
    if explained.n_behind and explained.n_blocked:
        yield _field("blocks", f"{_statements(explained.n_blocked)} that never ran")
    elif explained.n_behind:
        yield _field(
            "guards", f"{_statements(explained.n_behind)} that never ran, behind something else that is closed"
        )
    if explained.blocker is not None and explained.state != "covered":
        yield _field("blocked by", _blocker(explained))
    if explained.test is not None:
        yield _field("test", f"{explained.test.name} ({explained.test.file})")
    if explained.knowledge is not None:
        yield from _knowledge_lines(explained.knowledge, notation)
    yield _field("so", explained.advice)


def overview_lines(overview: Overview) -> Iterator[Text]:
    """Yields the lines of an overview of uncovered branches; branches that block most code come first."""
    count = f"{overview.n_branches:,} uncovered branch outcome{'s' * (overview.n_branches != 1)}"
    yield Text(f"{overview.title}: {count}, {_statements(overview.n_statements)} never ran", style="bold")
    if overview.note:
        yield Text(overview.note)
    blocking = [explained for explained in overview.branches if explained.n_blocked]
    yield from _blocking_lines(overview, blocking)
    yield from _other_lines(overview)
    for label, lines in (("never run", overview.never_run), ("entered, never completed", overview.never_completed)):
        if lines:
            yield Text("")
            yield Text(f"lines {label}: {_ranges(lines)}")
    stuck = [(place, source[:MAX_SOURCE_LENGTH], number) for place, source, number in overview.stuck]
    yield from _counted_lines("statements that are entered and never complete, with what comes after them:", stuck)
    never_entered = [(place, name or "(no name)", number) for place, name, number in overview.never_entered]
    yield from _counted_lines("functions that were never entered:", never_entered)
    shown = blocking or (overview.branches if overview.is_whole else ())
    if shown:
        yield Text("")
        yield Text(f"more about one: wimble explain {shown[0].place}")


def _blocking_lines(overview: Overview, blocking: Sequence[Explanation]) -> Iterator[Text]:
    if blocking:
        yield Text("")
        yield Text("branches that block most code first:" if not overview.is_whole else "those that block most code:")
    for explained in blocking:
        yield from _short_lines(explained)


def _other_lines(overview: Overview) -> Iterator[Text]:
    """Yields the lines with the branches of a file that block nothing; of the whole SUT, if none blocks anything."""
    others = [explained for explained in overview.branches if not explained.n_blocked]
    if not others or (overview.is_whole and len(others) < len(overview.branches)):
        return
    yield Text("")
    yield Text("branches that block no statements:")
    for explained in others:
        yield Text(f"  {explained.place}:{explained.column} {explained.detail}  {_short_state(explained)}")
    n_more = overview.n_branches - len(overview.branches)
    if n_more > 0:
        yield Text(f"  and {n_more:,} more; with a file, all of its own are listed")


def _counted_lines(title: str, rows: Sequence[tuple[str, str, int]]) -> Iterator[Text]:
    """Yields a title and a line for each row. rows: (place, text, number of statements)."""
    if rows:
        yield Text("")
        yield Text(title)
    for place, text, number in rows:
        yield Text(f"  {number:>4}  {place} {text}")


def _short_lines(explained: Explanation) -> Iterator[Text]:
    yield Text(
        f"  {explained.n_blocked:>4}  {explained.place}:{explained.column} {explained.kind} {explained.detail}",
        style="bold",
    )
    if explained.source:
        yield Text(f"        {explained.source[:MAX_SOURCE_LENGTH]}")
    yield Text(f"        {_short_state(explained)}; {explained.advice}")


def short_form(knowledge: Knowledge, notation: SourceNotation) -> str:
    """Returns a text such as `last: "a" === "b"`, for a tooltip; empty if no operands are known."""
    operands = knowledge.latest or knowledge.best
    return f"last: {one_line(notation.operation(operands[0]))}" if operands else ""


def _short_state(explained: Explanation) -> str:
    if explained.state == "close":
        return f"best h {explained.h:.2f}"
    return explained.state


def _state(explained: Explanation) -> str:
    match explained.state:
        case "covered":
            return "covered"
        case "close":
            return f"reached, best h {explained.h:.4g} (1 is covered)"
        case "only at boot" if explained.boot_h >= 1.0:
            return "covered, but only while the SUT started"
        case "only at boot":
            return f"reached only while the SUT started, best h {explained.boot_h:.4g}"
    return "never reached"


def _blocker(explained: Explanation) -> str:
    blocker = explained.blocker
    assert blocker is not None
    place = f"{explained.path}:{blocker.line}"
    match blocker.kind:
        case "function":
            return f"{place} function {blocker.text or '(no name)'}, which was never entered"
        case "statement":
            return f"{place}, a statement that is entered and never completes"
    reached = "evaluated, but never so" if blocker.is_reached else "never evaluated"
    return f"{place} `{blocker.text}`, {reached}"


def _knowledge_lines(known: Knowledge, notation: SourceNotation) -> Iterator[Text]:
    seen: set[str] = set()
    for label, operands in (("best operands", known.best), ("latest", known.latest)):
        for one in operands:
            shown = one_line(notation.operation(one))
            if shown in seen:
                continue
            seen.add(shown)
            yield _field(label, shown)
            for side, inputs in (("left", one.left_inputs), ("right", one.right_inputs)):
                if inputs:
                    yield _field("", f"{side} is {' or '.join(inputs)}")
    yield _field("reached by", known.operation)
    for command in known.curl:
        yield _field("", one_line(command))
    tried = known.tried
    n_edits = sum(count for _, count in tried.edits) + tried.other_edits
    mutations = ", ".join(f"{count} mutations of {kind}" for kind, count in tried.mutations.items())
    last = f"last improved in evaluation {tried.last_improvement:,}" if tried.last_improvement else "never came closer"
    yield _field("tried", f"chosen {tried.samplings:,} times, {tried.evaluations:,} test cases made for it; {last}")
    if n_edits or mutations:
        yield _field("", "; ".join(part for part in (f"{n_edits} edits" if n_edits else "", mutations) if part))
    for why, count in tried.edits[:MAX_EDITS_SHOWN]:
        yield _field("", f"{count:>4} x {one_line(why)}")
    if tried.solver is not None:
        yield from _solver_lines(tried.solver)


def _solver_lines(report: SolverReport) -> Iterator[Text]:
    """Says what the solver was asked about the target."""
    if report.condition:
        yield _field("condition", one_line(report.condition))
    has_run = "; its values were run" if report.has_run else ""
    yield _field("solver", f"{report.outcome}{has_run} ({report.n_traced} test cases traced)")
    for said, count in report.answers.items():
        yield _field("", f"{count:>4} x {one_line(said)}")


def _ranges(lines: Sequence[int]) -> str:
    """Returns a text such as `3-5, 9`."""
    rows: list[list[int]] = []
    for line in lines:
        if rows and line == rows[-1][1] + 1:
            rows[-1][1] = line
        else:
            rows.append([line, line])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in rows)


def _statements(number: int) -> str:
    return f"{number:,} statement{'s' * (number != 1)}"


def _field(label: str, text: str) -> Text:
    return Text(f"  {label:<14}{text}")
