"""`session.json`: what the search knew of each target. Written by a run, read by `wimble explain`; docs/reference/session.md."""

from __future__ import annotations

from pathlib import Path

import msgspec

from wimble.errors import UsageError
from wimble.model.session import FORMAT_VERSION, Session
from wimble.report.summary_json import without_surrogates

SESSION_FILE = "session.json"

_decoder = msgspec.json.Decoder(Session)


class _Head(msgspec.Struct):
    version: int = 0


def session_text(session: Session) -> str:
    """Compact JSON, one line per source file: tens of thousands of rows are not for reading."""
    rest = msgspec.json.encode(without_surrogates(msgspec.to_builtins(msgspec.structs.replace(session, files=()))))
    files = b",\n".join(msgspec.json.encode(without_surrogates(msgspec.to_builtins(file))) for file in session.files)
    head = rest.decode().removesuffix('"files":[]}')
    return f'{head}"files":[\n{files.decode()}\n]}}\n'


def read_session(output_dir: Path) -> Session:
    """Raises: UsageError, when there is none or this version cannot read it."""
    path = output_dir / SESSION_FILE
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(
            "no-session",
            f"{output_dir} holds no session of wimble",
            where="--out",
            details=(f"{path}: {error.strerror}",),
            hint="Run the search first: wimble run -- COMMAND; or name its output folder with --out DIR.",
        ) from error
    try:
        session = _decoder.decode(content)
    except msgspec.MsgspecError as error:
        raise _unreadable(path, content, str(error)) from error
    if session.version != FORMAT_VERSION:
        raise _unreadable(path, content, "")
    return session


def _unreadable(path: Path, content: bytes, reason: str) -> UsageError:
    try:
        version = msgspec.json.decode(content, type=_Head).version
    except msgspec.MsgspecError:
        version = FORMAT_VERSION
    if version != FORMAT_VERSION:
        reason = f"it is of version {version}, this wimble reads version {FORMAT_VERSION}"
    return UsageError(
        "bad-session",
        f"{path} cannot be read: {reason}",
        hint="Run the search again: wimble run -- COMMAND.",
    )
