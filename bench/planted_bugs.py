"""The planted bugs of a project in bench/contact: its bugs.toml, and which finding of wimble belongs to which bug.

    stack = "Express 5, pg (PostgreSQL)"
    command = ["node", "server.js"]          # in the project's folder; PORT and the databases' addresses are set
    databases = ["postgresql"]               # started empty for each run
    node = "22.23.3"                         # if another version than the one on PATH is needed
    build = ["npm", "run", "build"]          # if it has to be run after `npm ci`

    [[bugs]]
    id = "label-without-address"
    kind = "null"
    file = "routes/customers.js"
    marker = "customer.address"              # occurs once in the file; the bug starts on its line
    lines = 3                                # length of the bug (default: the lines of the marker)
    description = "..."
    [[bugs.match]]                           # what a finding of it looks like; default: `at = true`
    at = true                                # its cause lies on the bug's lines
    oracles = ["server-error"]               # its oracle is one of these
    operations = ["GET /customers/{id}"]     # its operation is one of these
    text = "address"                         # occurs in what it says
    [[accepted]]                             # right, but not planted: neither found nor false. Fields as of a bug

All conditions of a match have to hold, and one match of a bug is enough.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

NOTE = "note"
"""The oracle of warnings in the summary, which are no findings (one query for each row of another)."""


class Match(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    at: bool = False
    oracles: tuple[str, ...] = ()
    operations: tuple[str, ...] = ()
    text: str = ""


class Bug(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    id: str
    kind: str
    description: str
    file: str = ""
    marker: str = ""
    lines: int = 0
    match: tuple[Match, ...] = (Match(at=True),)


class Project(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    stack: str
    command: tuple[str, ...]
    bugs: tuple[Bug, ...]
    accepted: tuple[Bug, ...] = ()
    databases: tuple[str, ...] = ()
    node: str = ""
    build: tuple[str, ...] = ()


class Place(NamedTuple):
    file: str
    first_line: int
    last_line: int


class Outcome(NamedTuple):
    """The findings of a run, sorted."""

    found: dict[str, float]
    """Planted bugs -> seconds of search after which a finding first showed them."""
    false: list[dict[str, Any]]
    double: list[dict[str, Any]]
    """Findings of a bug, or an accepted entry, that another finding has shown."""


def read_project(folder: Path) -> Project:
    """Raises: ValueError, if bugs.toml is not as described above."""
    try:
        return msgspec.convert(tomllib.loads((folder / "bugs.toml").read_text(encoding="utf-8")), Project)
    except (msgspec.ValidationError, tomllib.TOMLDecodeError) as error:
        raise ValueError(f"{folder / 'bugs.toml'}: {error}") from error


def place_of(bug: Bug, folder: Path) -> Place | None:
    """The lines of a bug; None for an entry without a marker. Raises: ValueError, if the marker is not there once."""
    if not bug.marker:
        return None
    text = (folder / bug.file).read_text(encoding="utf-8")
    count = text.count(bug.marker)
    if count != 1:
        raise ValueError(f"{folder / bug.file}: the marker of {bug.id} occurs {count} times: {bug.marker!r}")
    first_line = text.count("\n", 0, text.index(bug.marker)) + 1
    return Place(bug.file, first_line, first_line + (bug.lines or bug.marker.count("\n") + 1) - 1)


def places_of(project: Project, folder: Path) -> dict[str, Place]:
    """By id. Raises: ValueError, as `place_of` does."""
    places = {bug.id: place_of(bug, folder) for bug in (*project.bugs, *project.accepted)}
    return {name: place for name, place in places.items() if place is not None}


def bug_of(finding: Mapping[str, Any], bugs: Sequence[Bug], places: Mapping[str, Place]) -> Bug | None:
    """The bug that a finding shows. Where several match, what the finding says counts most, then the line of its
    cause."""

    def rank(bug: Bug) -> int:
        place = places.get(bug.id)
        fitting = [match for match in bug.match if _fits(finding, match, place)]
        return max((3 if match.text else 2 if _is_at(finding, place) else 1 for match in fitting), default=0)

    best = max(bugs, key=rank, default=None)  # the first one, if several are equal
    return best if best is not None and rank(best) > 0 else None


def sort_findings(
    findings: Sequence[Mapping[str, Any]], notes: Sequence[str], project: Project, places: Mapping[str, Place]
) -> Outcome:
    """Findings are those of findings.json, in their order; notes are the warnings of summary.json. A note that fits no
    bug is no false finding."""
    outcome = Outcome({}, [], [])
    planted = {bug.id for bug in project.bugs}
    shown: set[str] = set()
    for finding in findings:
        bug = bug_of(finding, (*project.bugs, *project.accepted), places)
        if bug is None:
            outcome.false.append(dict(finding))
            continue
        if bug.id in shown:
            outcome.double.append(dict(finding))
        shown.add(bug.id)
        if bug.id in planted:
            outcome.found.setdefault(bug.id, float(finding["found_after_s"]))
    for note in notes:
        noted = bug_of({"oracle": NOTE, "title": note}, project.bugs, places)
        if noted is not None:
            outcome.found.setdefault(noted.id, float("nan"))
    return outcome


def _fits(finding: Mapping[str, Any], match: Match, place: Place | None) -> bool:
    return (
        (not match.at or _is_at(finding, place))
        and (finding["oracle"] in match.oracles if match.oracles else finding["oracle"] != NOTE)
        and (not match.operations or finding.get("operation") in match.operations)
        and match.text in _text_of(finding)
    )


def _is_at(finding: Mapping[str, Any], place: Place | None) -> bool:
    cause = finding.get("cause")
    if place is None or not cause:
        return False
    file, line = cause["file"], cause["line"]
    return bool(file.endswith(place.file) and place.first_line <= line <= place.last_line)


def _text_of(finding: Mapping[str, Any]) -> str:
    said = [finding.get(name) for name in ("title", "observed", "expected", "note")]
    return "\n".join([*(text for text in said if text), (finding.get("cause") or {}).get("message") or ""])
