"""`explain.json`: the search's data on each target, which a run writes and `wimble explain` reads.

It is documented in docs/reference/explain.md.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from wimble.errors import UsageError
from wimble.model.explain_data import FORMAT_VERSION, ExplainData
from wimble.report.summary_json import without_surrogates

EXPLAIN_FILE = "explain.json"
FORMER_FILE = "session.json"
"""The name of the file in earlier versions."""

_decoder = msgspec.json.Decoder(ExplainData)


class _Head(msgspec.Struct):
    version: int = 0


def explain_data_text(explain_data: ExplainData) -> str:
    """Returns compact JSON with one line per source file, since people do not read its tens of thousands of rows."""
    rest = msgspec.json.encode(without_surrogates(msgspec.to_builtins(msgspec.structs.replace(explain_data, files=()))))
    files = b",\n".join(
        msgspec.json.encode(without_surrogates(msgspec.to_builtins(file))) for file in explain_data.files
    )
    head = rest.decode().removesuffix('"files":[]}')
    return f'{head}"files":[\n{files.decode()}\n]}}\n'


def read_explain_data(output_dir: Path) -> ExplainData:
    """Reads `explain.json`. Raises: UsageError, if the file does not exist, or this version cannot read it."""
    path = output_dir / EXPLAIN_FILE
    try:
        content = path.read_bytes()
    except OSError as error:
        raise _missing(output_dir, error) from error
    try:
        explain_data = _decoder.decode(content)
    except msgspec.MsgspecError as error:
        raise _unreadable(path, content, str(error)) from error
    if explain_data.version != FORMAT_VERSION:
        raise _unreadable(path, content, "")
    return explain_data


def _missing(output_dir: Path, error: OSError) -> UsageError:
    if (output_dir / FORMER_FILE).exists():
        return UsageError(
            "no-explain-data",
            f"{output_dir} holds no {EXPLAIN_FILE}, but the {FORMER_FILE} of an earlier version of wimble",
            where="--out",
            hint="Run the search again: wimble run -- COMMAND.",
        )
    return UsageError(
        "no-explain-data",
        f"{output_dir} holds no {EXPLAIN_FILE}",
        where="--out",
        details=(f"{output_dir / EXPLAIN_FILE}: {error.strerror}",),
        hint="Run the search first: wimble run -- COMMAND; or name its output folder with --out DIR.",
    )


def _unreadable(path: Path, content: bytes, reason: str) -> UsageError:
    try:
        version = msgspec.json.decode(content, type=_Head).version
    except msgspec.MsgspecError:
        version = FORMAT_VERSION
    if version != FORMAT_VERSION:
        reason = f"it is of version {version}, this wimble reads version {FORMAT_VERSION}"
    return UsageError(
        "bad-explain-data",
        f"{path} cannot be read: {reason}",
        hint="Run the search again: wimble run -- COMMAND.",
    )
