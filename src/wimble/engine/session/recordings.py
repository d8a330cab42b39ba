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


def read_recordings(paths: Sequence[Path]) -> list[RecordedAnswer]:
    """Returns the answers in files, and in the files of folders. Raises: UsageError, if one cannot be read."""
    return [one for path in paths for file in _files(path) for one in _read(file)]


def folders_without_recordings(paths: Sequence[Path]) -> tuple[str, ...]:
    """Returns the warnings about folders that have no file of the format."""
    return tuple(f"--recorded {path}: there is no file *{SUFFIX} in this folder" for path in paths if not _files(path))


def _files(path: Path) -> list[Path]:
    return sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]


def _read(file: Path) -> list[RecordedAnswer]:
    """Returns the answers in a file. Entries that cannot be read are left out, unless none can."""
    try:
        content = json.loads(file.read_bytes())
        entries = list(content["log"]["entries"])
    except OSError as error:
        raise UsageError("recording-unreadable", f"cannot be read: {error}", where=str(file)) from error
    except UnicodeDecodeError as error:
        raise _no_har(file, "it is no text") from error
    except ValueError as error:
        raise _no_har(file, f"it is no JSON: {error}") from error
    except (KeyError, TypeError, RecursionError) as error:
        raise _no_har(file, "it has no `log.entries`") from error
    read = [_answer(entry) for entry in entries]
    if read and all(one is _MALFORMED for one in read):
        raise _no_har(file, "none of its entries has a request with a URL and a response with a status")
    return [one for one in read if isinstance(one, RecordedAnswer)]


def _no_har(file: Path, reason: str) -> UsageError:
    return UsageError(
        "recording-unreadable",
        f"is no HAR file: {reason}",
        where=str(file),
        hint="A HAR file is JSON with `log.entries`, as the developer tools of browsers save it.",
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
