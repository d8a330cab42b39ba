"""Finds the targets that a user names by a target's name, `FILE`, `FILE:LINE` or `FILE:LINE:COLUMN`."""

from __future__ import annotations

import re
from difflib import get_close_matches
from pathlib import Path

import msgspec

from wimble.errors import UsageError
from wimble.model.explain_data import ExplainData, ExplainedFile, TargetRow
from wimble.model.targets import OWN_KINDS
from wimble.report.display_paths import shown_path

N_NEAREST = 3
_PLACE = re.compile(r"(.+?):(\d+)(?::(\d+))?")


class Found(msgspec.Struct, frozen=True):
    """The targets that the user named: the indexes of targets of one file, or the whole file if `targets` is None."""

    file: ExplainedFile
    targets: tuple[int, ...] | None = None


def name_of(row: TargetRow, path: str) -> str:
    """Returns the name of a target as `Target.name()` does, with the given path."""
    if row.kind in OWN_KINDS:
        return f"{row.kind} {row.detail}"
    if row.kind == "file":
        return f"file {path}"
    if row.kind == "line":
        return f"line {path}:{row.line}"
    return f"{row.kind} {path}:{row.line}:{row.column} {row.detail}".rstrip()


def find_targets(explain_data: ExplainData, wanted: str, current_dir: str) -> Found:
    """Finds the targets that `wanted` names. Raises: UsageError, with the nearest names, if there are none."""
    kinds = {row.kind for file in explain_data.files for row in file.targets}
    first_word = wanted.split(" ", 1)[0]
    if " " in wanted and first_word in kinds:
        return _by_name(explain_data, wanted)
    place = _PLACE.fullmatch(wanted)
    text, line, column = (place[1], int(place[2]), place[3]) if place else (wanted, None, None)
    file = _file(explain_data, text, current_dir)
    if line is None:
        return Found(file)
    at_line = tuple(index for index, row in enumerate(file.targets) if row.line == line and row.kind != "file")
    if not at_line:
        raise _unknown_line(explain_data, file, line)
    if column is None:
        return Found(file, at_line)
    exact = tuple(index for index in at_line if str(file.targets[index].column) == column)
    return Found(file, exact or at_line)


def _by_name(explain_data: ExplainData, wanted: str) -> Found:
    names: list[str] = []
    for file in explain_data.files:
        for path in {file.path, shown_path(file.path, explain_data.working_dir)}:
            for index, row in enumerate(file.targets):
                name = name_of(row, path)
                if name == wanted:
                    return Found(file, (index,))
                names.append(name)
    raise UsageError(
        "unknown-target",
        f"no target is called {wanted!r}",
        details=_nearest(wanted, names),
        hint="Name a target as a report prints it, or a place: wimble explain src/orders.js:31",
    )


def _file(explain_data: ExplainData, text: str, current_dir: str) -> ExplainedFile:
    files = [file for file in explain_data.files if file.path]
    absolute = {str(Path(folder, text).absolute()) for folder in (explain_data.working_dir, current_dir)}
    exact = [file for file in files if file.path in absolute]
    if not exact:
        ending = "/" + text.removeprefix("./")
        exact = [file for file in files if file.path.endswith(ending)]
    if len(exact) == 1:
        return exact[0]
    shown = [shown_path(file.path, explain_data.working_dir) for file in (exact or files)]
    if exact:
        raise UsageError(
            "ambiguous-file",
            f"several files end with {text!r}",
            details=tuple(sorted(shown)[:8]),
            hint="Name more of its path.",
        )
    raise UsageError(
        "unknown-file",
        f"no file of the SUT is called {text!r}",
        details=_nearest(text, shown) or (f"the run knew {len(files)} files",),
        hint=(
            "Files that the SUT never loaded are not known; those beside its own are named with --include when it is "
            "run."
        ),
    )


def _unknown_line(explain_data: ExplainData, file: ExplainedFile, line: int) -> UsageError:
    lines = sorted({row.line for row in file.targets if row.line > 0}, key=lambda known: (abs(known - line), known))
    nearest = ", ".join(str(known) for known in sorted(lines[:N_NEAREST]))
    return UsageError(
        "unknown-line",
        f"nothing starts on line {line} of {shown_path(file.path, explain_data.working_dir)} that could be covered",
        details=(f"nearest lines: {nearest}",) if nearest else (),
    )


def _nearest(wanted: str, names: list[str]) -> tuple[str, ...]:
    by_end = {Path(name).name: name for name in names}
    near = get_close_matches(wanted, names, n=N_NEAREST, cutoff=0.5)
    near += [by_end[end] for end in get_close_matches(Path(wanted).name, list(by_end), n=N_NEAREST, cutoff=0.6)]
    return tuple(f"nearest: {name}" for name in list(dict.fromkeys(near))[:N_NEAREST])
