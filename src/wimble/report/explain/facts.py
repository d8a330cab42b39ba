"""Explains targets: their state, what blocks them, what the search has tried, and what a user could do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

import msgspec

from wimble.model.explain_data import ExplainData, ExplainedFile, ExplainedTest, Knowledge
from wimble.model.structure import FunctionBody
from wimble.report.display_paths import shown_path
from wimble.report.explain.advice import Situation, advice_on
from wimble.report.explain.blocks import Blocker, Blocks
from wimble.report.explain.find_targets import name_of
from wimble.report.explain.notation import notation_of
from wimble.types import Json

State = Literal["covered", "close", "never reached", "only at boot"]
"""`close`: reached but not covered."""

MAX_ENDS = 5
"""The number of places at which the process has ended that are shown."""
TOP = 10
"""The number of branches that are shown if the user names no target."""

Sources = Callable[[str], Sequence[str]]
"""Returns the lines of the file at a path; empty if it cannot be read."""


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """The facts about one target."""

    name: str
    kind: str
    path: str
    """The file's path, relative to the project if it is below it; empty for statuses and faults."""
    line: int
    column: int
    detail: str
    state: State
    h: float
    boot_h: float
    source: str
    """The text of the target's line, without indentation."""
    n_blocked: int
    """The number of statements that the target blocks (see `blocks.py`)."""
    n_behind: int
    """The number of statements that the target guards and that never ran."""
    function: str
    """The name of the function around the target; empty if there is none, or it has no name."""
    blocker: Blocker | None
    knowledge: Knowledge | None
    test_case: Json = None
    """The test case of `knowledge`, as wimble/encoding.py writes it; None if none is known."""
    test: ExplainedTest | None
    advice: str

    @property
    def place(self) -> str:
        return f"{self.path}:{self.line}" if self.path else ""


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """The uncovered branches of a file or of the whole SUT; branches that block most code come first."""

    title: str
    branches: tuple[Explanation, ...]
    n_branches: int
    """The number of uncovered branch outcomes as the summary counts them. `branches` may contain only some of them, and
    uncovered `catch` clauses, which the summary does not count."""
    never_entered: tuple[tuple[str, str, int], ...]
    """(place, name, number of blocked statements) of functions that were never entered."""
    stuck: tuple[tuple[str, str, int], ...]
    """(place, source, number of statements after it that never ran) of statements that never complete."""
    n_statements: int
    """The number of statements that never ran."""
    is_whole: bool
    """Whether the overview is of the whole SUT."""
    never_run: tuple[int, ...] = ()
    """For a file: the lines of statements that were entered neither in calls nor during the SUT's start."""
    never_completed: tuple[int, ...] = ()
    """For a file: the lines of statements that were entered and never completed."""
    note: str = ""


class Explainer:
    """Explains the targets of one run."""

    def __init__(self, explain_data: ExplainData, sources: Sources) -> None:
        self.explain_data = explain_data
        self._sources = sources
        self._blocks: dict[str, Blocks] = {}

    def worth_telling(self, file: ExplainedFile, targets: Sequence[int]) -> Sequence[int]:
        """Returns the targets without methods of which no call was seen to be one that the agent replaces.

        `app.get(path, handler)` is no lookup in a `Map`. Returns all of them if no others are left.
        """
        blocks = self.blocks(file)
        others = [at for at in targets if file.targets[at].kind != "method" or blocks.is_counted(at)]
        return others or targets

    def target(self, file: ExplainedFile, index: int) -> Explanation:
        """Returns the explanation of one target of a file."""
        row = file.targets[index]
        blocks = self.blocks(file)
        function = blocks.function_of(index)
        path = shown_path(file.path, self.explain_data.working_dir)
        state: State = (
            "covered" if row.is_covered else "close" if row.h else "only at boot" if row.boot_h else "never reached"
        )
        blocker = None if row.is_covered else blocks.blocker(index)
        text = self._text(file, row.line)
        known = file.known.get(index)
        return Explanation(
            name=name_of(row, path),
            kind=row.kind,
            path=path,
            line=row.line,
            column=row.column,
            detail=row.detail,
            state=state,
            h=row.h,
            boot_h=row.boot_h,
            source=text.strip(),
            n_blocked=blocks.blocked[index],
            n_behind=0 if row.was_run else blocks.behind[index],
            function=function.name if function is not None else "",
            blocker=blocker,
            knowledge=known,
            test_case=self._test_case(known),
            test=self.explain_data.tests[row.test]
            if row.test is not None and row.test < len(self.explain_data.tests)
            else None,
            advice=advice_on(
                Situation(
                    row=row,
                    path=path,
                    condition=blocks.condition_in(text, index),
                    blocker=blocker,
                    before=self._before(file, function, row.line),
                    known=known,
                    file=file,
                    blocks=blocks,
                    explain_data=self.explain_data,
                    notation=notation_of(self.explain_data),
                )
            ),
        )

    def _test_case(self, known: Knowledge | None) -> Json:
        return None if known is None or known.test_case is None else self.explain_data.test_cases[known.test_case]

    def _text(self, file: ExplainedFile, line: int) -> str:
        lines = self._sources(file.path) if file.path else ()
        return lines[line - 1] if 0 < line <= len(lines) else ""

    def _before(self, file: ExplainedFile, function: FunctionBody | None, line: int) -> Sequence[str]:
        return self._sources(file.path)[function.line - 1 : line - 1] if file.path and function is not None else ()

    def blocks(self, file: ExplainedFile) -> Blocks:
        """Returns the structure of a file, which is computed once."""
        known = self._blocks.get(file.path)
        if known is None:
            known = self._blocks[file.path] = Blocks(file)
        return known

    def file(self, file: ExplainedFile) -> Overview:
        """Returns an overview of all uncovered branches of the file."""
        overview = self._overview(shown_path(file.path, self.explain_data.working_dir), [file], limit=None)
        open_rows = [row for row in file.targets if row.kind == "statement" and not row.was_run]
        return msgspec.structs.replace(
            overview,
            never_run=tuple(sorted({row.line for row in open_rows if not (row.h or row.boot_h)})),
            never_completed=tuple(sorted({row.line for row in open_rows if row.h or row.boot_h})),
        )

    def whole(self, limit: int = TOP) -> Overview:
        """Returns an overview of those uncovered branches of the whole SUT that block most code."""
        return self._overview("the whole SUT", [file for file in self.explain_data.files if file.path], limit=limit)

    def _overview(self, title: str, files: list[ExplainedFile], limit: int | None) -> Overview:
        ranked: list[tuple[tuple[int, str, int, int, int], Callable[[], Explanation]]] = []
        entered: list[tuple[int, str, str]] = []
        stuck: list[tuple[int, str, str]] = []
        n_statements = n_branches = 0
        for file in files:
            blocks = self.blocks(file)
            for index, row in enumerate(file.targets):
                n_statements += row.kind == "statement" and not row.was_run
                is_other_method = row.kind == "method" and not blocks.is_counted(index)
                if not row.is_covered and blocks.is_branch(index) and not is_other_method:
                    n_branches += blocks.is_counted(index)
                    key = (-blocks.blocked[index], file.path, row.line, row.column, index)
                    ranked.append((key, partial(self.target, file, index)))
            path = shown_path(file.path, self.explain_data.working_dir)
            for index, number in blocks.stuck.items():
                line = file.targets[index].line
                stuck.append((-number, f"{path}:{line}", self._text(file, line).strip()))
            for function in blocks.never_entered():
                place = f"{path}:{function.line}"
                entered.append((-function.n_statements, place, function.name))
        ranked.sort(key=lambda item: item[0])
        return Overview(
            title=title,
            branches=tuple(make() for _, make in ranked[:limit]),
            n_branches=n_branches,
            never_entered=tuple((place, name, -number) for number, place, name in sorted(entered)[:limit]),
            stuck=tuple((place, text, -number) for number, place, text in sorted(stuck)[:limit]),
            n_statements=n_statements,
            is_whole=limit is not None,
            note=self._note(files),
        )

    def _note(self, files: list[ExplainedFile]) -> str:
        untouched = [file for file in files if file.error]
        if untouched:
            return (
                f"{shown_path(untouched[0].path, self.explain_data.working_dir)} ran without probes: "
                f"{untouched[0].error}"
            )
        if not any(file.targets for file in files):
            return "the agent saw no source file"
        if len(files) == 1 and not self.blocks(files[0]).did_anything_run:
            return "the file was loaded, but none of its statements ran"
        paths = {file.path for file in files}
        ends = [place for place in self.explain_data.ends if place.rpartition(":")[0] in paths]
        if ends:
            places = ", ".join(shown_path(place, self.explain_data.working_dir) for place in ends[:MAX_ENDS])
            return f"calls have ended the process at {places}: what they ran last counts as never reached"
        return ""
