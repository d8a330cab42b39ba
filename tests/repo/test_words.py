"""Words and citations: old private words do not come back, and each key leads to docs/references.md."""

import re
import subprocess
from functools import cache
from pathlib import Path

from source_files import text_of

ROOT = Path(__file__).parents[2]
REFERENCES = ROOT / "docs" / "references.md"
RETIRED = (
    *("seed 00[0-9]", "JVM tool", "hasty", "ledgers?", "doubts", "strays?", "payoffs?", "ridges?", "breach(es)?"),
    *("restage", "forgetful", "lend(er)?", "lent", "rouse", "blind", "BlindObserver", "take_up", "proven-texts"),
)
"""Words that docs/reference/words.md has another one for."""
KEY = re.compile(r"\[([A-Z][\w-]+)\](?= §)")
MAX_COLUMNS = 120
NEWLINE = "\n"


@cache
def texts() -> list[Path]:
    """Sources and documents of the project, committed or not, but this test and the CHANGELOG (with old names)."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    return [
        ROOT / name
        for name in listed
        if name.endswith((".py", ".cjs", ".mjs", ".md"))
        and (ROOT / name).exists()
        and ROOT / name not in (Path(__file__), ROOT / "CHANGELOG.md")
    ]


def test_retired_words_do_not_come_back():
    retired = re.compile(rf"\b(?:{'|'.join(RETIRED)})\b", re.IGNORECASE)
    found = [
        f"{path.relative_to(ROOT)}:{text_of(path).count(NEWLINE, 0, match.start()) + 1}: {match.group()}"
        for path in texts()
        for match in retired.finditer(text_of(path))
    ]
    assert found == []


def test_each_citation_has_its_reference():
    known = set(re.findall(r"^\| \[([^\]]+)\] \|", REFERENCES.read_text(), re.M))
    found = {(str(path.relative_to(ROOT)), match.group(1)) for path in texts() for match in KEY.finditer(text_of(path))}
    assert {one for one in found if one[1] not in known} == set()
    assert {key for _, key in found} >= {"WB-JS", "WB-Advanced"}


def test_documents_keep_to_the_line_length():
    """Tables and blocks of code have lines of their own length."""
    long = []
    for path in texts():
        is_code = False
        is_own = path.suffix == ".md" and path.relative_to(ROOT).parts[0] not in ("agents", "protocol")
        for number, line in enumerate(text_of(path).splitlines(), 1) if is_own else ():
            is_code ^= line.lstrip().startswith("```")
            if (
                len(line) > MAX_COLUMNS
                and not is_code
                and not line.lstrip().startswith("|")
                and not line.startswith("    ")
            ):
                long.append(f"{path.relative_to(ROOT)}:{number}")
    assert long == []


def test_comments_keep_to_the_line_length():
    """Those of wimble itself. Code has its formatters, and tests name their programs by line."""
    comment = re.compile(r"\s*(//|/\*|\*|#)")
    own = ("src", "agents/node/src", "agents/node/mocks", "scripts", "bench/conformance")
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in texts()
        if path.suffix != ".md" and str(path.relative_to(ROOT)).startswith(own)
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if len(line) > MAX_COLUMNS and comment.match(line)
    ]
    assert long == []
