"""Recorded answers of services on disk: files in the HAR format, which browsers and proxies write, too."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from wimble.errors import UsageError
from wimble.model.external import RecordedAnswer, origin_of, shown_origin

SUFFIX: Final = ".har"
MAX_BODY: Final = 1_000_000
"""Characters of a body; longer ones are left out."""
_OF_CONNECTION: Final = frozenset(
    {"connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding", "date", "set-cookie"}
)


def read_recordings(paths: Sequence[Path]) -> RecordedServices:
    """Returns the answers in files, and in the files of folders. Raises: UsageError, if one cannot be read."""
    recordings = RecordedServices()
    for path in paths:
        recordings.read(path)
    return recordings


class RecordedServices:
    """The answers of the files that were read."""

    def __init__(self) -> None:
        self.answers: list[RecordedAnswer] = []
        self.warnings: list[str] = []
        """What the user has named in vain: folders without files, files without answers, entries that are left out."""

    def read(self, path: Path) -> None:
        """Adds the answers in a file, or in the files of a folder. Raises: UsageError, if one is no HAR file."""
        files = _files(path)
        if not files:
            self.warnings.append(f"--recorded {path}: there is no file *{SUFFIX} in this folder")
        for file in files:
            entries = _read(file)
            answers = [one for one in entries if isinstance(one, RecordedAnswer)]
            n_malformed = entries.count(_MALFORMED)
            if not answers:
                self.warnings.append(f"--recorded {file}: no request in it has got an answer")
            elif n_malformed:
                self.warnings.append(
                    f"--recorded {file}: {n_malformed} of {len(entries)} entries have no request with a method and a "
                    "URL, or no response with a status and a body, and are left out"
                )
            self.answers += answers


def _files(path: Path) -> list[Path]:
    return sorted(file for file in path.rglob(f"*{SUFFIX}") if file.is_file()) if path.is_dir() else [path]


def _read(file: Path) -> list[RecordedAnswer | _Unusable]:
    """Returns what the entries of a file are. Raises: UsageError, if it is no HAR file or has malformed ones alone."""
    try:
        content = json.loads(file.read_bytes())
        entries = content["log"]["entries"]
    except OSError as error:
        raise UsageError(
            "recording-unreadable", f"cannot be read: {error.strerror or error}", where=f"--recorded {file}"
        ) from error
    except UnicodeDecodeError as error:
        raise _no_har(file, "it is no text, but bytes") from error
    except ValueError as error:
        raise _no_har(file, f"it is no JSON: {error}") from error
    except (KeyError, TypeError, RecursionError) as error:
        raise _no_har(file, "it has no `log.entries`") from error
    if not isinstance(entries, list):
        raise _no_har(file, "its `log.entries` are no list")
    read = [_answer(entry) for entry in entries]
    if read and all(one is _MALFORMED for one in read):
        raise _no_har(file, "none of its entries has a request with a URL and a response with a status")
    return read


def _no_har(file: Path, reason: str) -> UsageError:
    return UsageError(
        "recording-unreadable",
        f"is no HAR file: {reason}",
        where=f"--recorded {file}",
        hint="A HAR file is JSON with `log.entries`, as the developer tools of browsers save it. "
        "Name the files that are, or move this one.",
    )


class _Unusable(Enum):
    """Why an entry has no answer: it breaks the format, or says of a request that it failed."""

    MALFORMED = 1
    EMPTY = 2


_MALFORMED: Final = _Unusable.MALFORMED


def _answer(entry: Any) -> RecordedAnswer | _Unusable:
    try:
        return _well_formed(entry)
    except (KeyError, TypeError, ValueError, AttributeError):
        return _MALFORMED


def _well_formed(entry: dict[str, Any]) -> RecordedAnswer | _Unusable:
    """Raises: KeyError, TypeError, ValueError, AttributeError, where the entry breaks the format."""
    request, response = entry["request"], entry["response"]
    url = urlsplit(request["url"])
    content = response.get("content") or {}
    text = content.get("text") or ""
    status = int(response["status"])
    if not (200 <= status <= 599) or not url.hostname or len(text) > MAX_BODY:
        return _Unusable.EMPTY
    is_base64 = content.get("encoding") == "base64"
    if is_base64:
        base64.b64decode(text, validate=True)
    headers = {str(one["name"]).lower(): str(one["value"]) for one in response.get("headers") or ()}
    if content.get("mimeType"):
        headers.setdefault("content-type", str(content["mimeType"]))
    return RecordedAnswer(
        origin=origin_of(url.scheme, url.hostname, url.port),
        method=request["method"].upper(),
        target=f"{url.path or '/'}{'?' if url.query else ''}{url.query}",
        status=status,
        headers=tuple((name, value) for name, value in headers.items() if name not in _OF_CONNECTION),
        body=str(text),
        is_base64=is_base64,
    )


def write_recordings(folder: Path, recorded: Sequence[RecordedAnswer]) -> None:
    """Writes a file for each service into the folder."""
    by_origin: dict[str, list[RecordedAnswer]] = {}
    for one in recorded:
        by_origin.setdefault(one.origin, []).append(one)
    folder.mkdir(parents=True, exist_ok=True)
    for origin, answers in by_origin.items():
        name = shown_origin(origin).partition("://")[2].replace(":", "-").strip("[]")
        log = {"version": "1.2", "creator": {"name": "wimble", "version": "1"}, "entries": list(map(_entry, answers))}
        text = json.dumps({"log": log}, indent=2, ensure_ascii=False)
        (folder / f"{name}{SUFFIX}").write_text(text + "\n", encoding="utf-8")


def _entry(one: RecordedAnswer) -> dict[str, Any]:
    content = {"size": len(one.body), "mimeType": dict(one.headers).get("content-type", ""), "text": one.body}
    return {
        "startedDateTime": "1970-01-01T00:00:00.000Z",
        "time": 0,
        "request": {
            "method": one.method,
            "url": shown_origin(one.origin) + one.target,
            "httpVersion": "HTTP/1.1",
            "headers": [],
            "queryString": [],
            "cookies": [],
            "headersSize": -1,
            "bodySize": -1,
        },
        "response": {
            "status": one.status,
            "statusText": "",
            "httpVersion": "HTTP/1.1",
            "headers": [{"name": name, "value": value} for name, value in one.headers],
            "cookies": [],
            "content": {**content, "encoding": "base64"} if one.is_base64 else content,
            "redirectURL": "",
            "headersSize": -1,
            "bodySize": -1,
        },
        "cache": {},
        "timings": {"send": 0, "wait": 0, "receive": 0},
    }
