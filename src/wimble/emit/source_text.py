"""Functions that all formats need: paths, comments, identifiers."""

from __future__ import annotations

import os
import re
import textwrap
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from wimble.model.evaluation import Finding
from wimble.model.suite import Suite, TestFileKind, VerifiedTest

COMMENT_WIDTH = 110
KINDS: tuple[tuple[TestFileKind, str], ...] = (
    ("fault", "faults"),
    ("success", "successes"),
    ("other", "others"),
    ("all", "tests"),
)
"""(kind of the tests of a file, stem of its name)."""

ABOUT: dict[TestFileKind, str] = {
    "fault": (
        "Each test here documents an answer that is wrong today; its comment says what is wrong and where. When "
        "a fault "
        "is mended its test fails: change it to expect the right answer, and it guards the repair."
    ),
    "success": "Calls that succeed.",
    "other": "Calls that are refused, and whatever else covers code that no other test does.",
    "all": (
        "All tests are in one file, since a start of the API takes long. A test whose comment tells of a fault "
        "documents an answer that is wrong today: it fails when the fault is mended."
    ),
}


def one_line(text: str) -> str:
    """Returns the text without characters that could end a line or a comment; readable characters are kept."""
    out = []
    for char in text:
        if char in "\t\n\r":
            out.append(" ")
        elif unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
            out.append(f"\\u{{{ord(char):x}}}")
        else:
            out.append(char)
    return " ".join("".join(out).split())


def comment_lines(text: str, prefix: str, *, indent: str = "") -> list[str]:
    """Returns the text as wrapped comment lines. prefix: `# ` or `// `."""
    width = COMMENT_WIDTH - len(prefix)
    return [
        prefix + line
        for line in textwrap.wrap(
            one_line(text), width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
        )
    ]


def relative_to_project(file: str, working_dir: str) -> str:
    """Returns the path relative to the project if it is below it, otherwise unchanged."""
    if working_dir and Path(file).is_relative_to(working_dir):
        return Path(file).relative_to(working_dir).as_posix()
    return file


def with_relative_places(text: str, working_dir: str) -> str:
    """Returns the text with relative instead of absolute paths below the project, which are valid on any machine."""
    return text.replace(working_dir.rstrip("/") + "/", "") if working_dir.strip("/") else text


def relative_path(target: Path, start: Path) -> str:
    """Returns the path from folder `start` to `target`, with `/`; never empty."""
    return Path(os.path.relpath(target, start)).as_posix()


def identifier(text: str, *, separator: str = "_") -> str:
    """Returns the ASCII letters and digits of a text, with words joined by `separator`.

    The result may be empty or start with a digit.
    """
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    return separator.join(re.findall("[A-Za-z0-9]+", plain))


def unique(names: Iterable[str]) -> list[str]:
    """Returns the names in the same order, with a number after each name that has occurred before."""
    taken: set[str] = set()
    out = []
    for name in names:
        candidate, number = name, 2
        while candidate in taken:
            candidate, number = f"{name}_{number}", number + 1
        taken.add(candidate)
        out.append(candidate)
    return out


def tests_of_kind(suite: Suite, kind: TestFileKind) -> list[VerifiedTest]:
    return [test for test in suite.tests if test.file_kind == kind]


def test_comment(test: VerifiedTest, suite: Suite, prefix: str) -> list[str]:
    """Returns the comment above the calls: the coverage that the test was selected for, and its faults."""
    lines: list[str] = []
    if test.reason and one_line(test.reason) not in test.name:
        lines += comment_lines(
            test.reason[0].upper() + test.reason[1:] + ("; shows a fault, too:" if test.findings else "."), prefix
        )
    for finding in test.findings:
        lines += _fault_comment(finding, suite, prefix)
    if test.is_dated:
        lines += comment_lines("Depends on the date or the time zone: it may fail on another day.", prefix)
    return lines


def _fault_comment(finding: Finding, suite: Suite, prefix: str) -> list[str]:
    lines = comment_lines(f"FAULT: {finding.title}", prefix)
    cause = finding.cause
    if cause.file:
        place = relative_to_project(cause.file, suite.start.working_dir)
        lines += comment_lines(f"Where:    {place}:{cause.line}" if cause.line else f"Where:    {place}", prefix)
    if cause.message and cause.message not in finding.title:
        lines += comment_lines(f"Message:  {cause.message}", prefix)
    if finding.observed and finding.observed not in finding.title:
        observed = with_relative_places(finding.observed, suite.start.working_dir)
        lines += comment_lines(f"Observed: {observed}", prefix)
    if finding.expected:
        lines += comment_lines(f"Expected: {finding.expected}", prefix)
    return lines


def project_dir(suite: Suite) -> Path:
    """Returns the folder in which the project's commands are run."""
    return Path(suite.start.working_dir) if suite.start.working_dir else Path.cwd()


def header_comment(suite: Suite, kind: TestFileKind, prefix: str, *, version: str, run_command: str) -> list[str]:
    """Returns the first lines of a generated file."""
    return [
        *comment_lines(f"Generated by wimble {version} (seed {suite.seed}) for {suite.title}.", prefix),
        *comment_lines("Do not edit: the next run writes this file anew. Copy a test elsewhere to keep it.", prefix),
        *comment_lines(f"Run in the project's folder: {run_command}", prefix),
        *(line for need in suite.needs for line in comment_lines(f"Needs {need}.", prefix)),
        prefix.rstrip(),
        *comment_lines(ABOUT[kind], prefix),
    ]
