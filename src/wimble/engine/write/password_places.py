"""Finds where a password stands in the project's files, so that a suite reads it there when it runs.

The password itself is not known here: its digest is. A place is described by the text before the password on its line:
so the suite contains no part of the password, and finds it again after it was changed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import unquote

from wimble.model.suite import PasswordPlace
from wimble.state.working_files import LEFT_OUT_FOLDERS

SUFFIXES: Final = frozenset(
    (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts", ".json", ".json5", ".yml", ".yaml", ".toml", ".ini", ".conf", ".cfg",
     ".properties", ".env")
)  # fmt: skip
MAX_FILES: Final = 5_000
MAX_FILE_BYTES: Final = 256 << 10
MAX_LINE_LENGTH: Final = 500
"""Longer lines are those of bundles and data."""
QUOTED: Final = re.compile(r"(?P<quote>[\"'`])(?P<text>(?:(?!(?P=quote)).)+)(?P=quote)")
PLAIN: Final = re.compile(r"[:=]\s*(?P<text>[^\s\"'`,;{}\[\]]+)\s*$")
PASSWORD_OF_URL: Final = re.compile(r"^[\w+.-]+://[^:@/\s]*:(?P<password>[^@/\s]+)@")
NAMED: Final = re.compile(r"[\w$\"']+\s*[:=][^,{(]*$")
"""The name and what stands between it and the value: `password: process.env.DB_PASSWORD || `."""


def find_password(folder: Path, database: str, digest: str) -> PasswordPlace | None:
    """Returns the first place where the password of the database stands in a file below the folder; None if none."""
    for path in _files(folder):
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except (OSError, ValueError):
            continue
        for line in lines:
            before = _before_password(line, database, digest) if len(line) <= MAX_LINE_LENGTH else None
            if before is not None:
                same = [other for other in lines if before in other]
                return PasswordPlace(path.relative_to(folder).as_posix(), before, same.index(line))
    return None


def _before_password(line: str, database: str, digest: str) -> str | None:
    """Returns the text that tells where the password begins on the line, up to its quote or name; None if not there."""
    for match in (*QUOTED.finditer(line), *PLAIN.finditer(line)):
        text = match["text"]
        url = PASSWORD_OF_URL.match(text)
        if any(_is_password(one, database, digest) for one in (text, unquote(url["password"]) if url else "")):
            start = line[: match.start()] if "quote" in match.groupdict() else line[: match.start("text")]
            named = NAMED.search(start)
            return (named[0] if named else start).lstrip()
    return None


def _is_password(text: str, database: str, digest: str) -> bool:
    return bool(text) and sha256(f"{database} {text}".encode()).hexdigest() == digest


def _files(folder: Path) -> Iterator[Path]:
    """Returns files of programs and settings, those of the folder itself before those below it."""
    n_files = 0
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in LEFT_OUT_FOLDERS)
        for name in sorted(names):
            path = Path(root) / name
            if path.suffix not in SUFFIXES and not name.startswith(".env"):
                continue
            n_files += 1
            if n_files > MAX_FILES:
                return
            if path.stat().st_size <= MAX_FILE_BYTES:
                yield path
