"""Harvesting: sends requests of the program to the real service, beside the search, and keeps what it answers.

Only for hosts that the user has named, only GET, each request once, and without the credentials of the program.
Credentials in answers are not kept either.
"""

from __future__ import annotations

import base64
import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from http.client import HTTPException
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from wimble.describe.secret_names import without_secrets
from wimble.engine.session.recordings import write_recordings
from wimble.json_texts import held_json
from wimble.model.evaluation import Evaluation
from wimble.model.external import DEFAULT_PORTS, ExternalRequest, RecordedAnswer, host_and_port, shown_origin
from wimble.types import ABSENT

MAX_REQUESTS: Final = 200
"""Requests that are sent in a run: services limit them."""
TIMEOUT_S: Final = 10.0
MAX_BODY_BYTES: Final = 500_000
_SENT: Final = frozenset({"accept", "accept-language", "user-agent", "content-type"})
"""Headers that are sent as the program sends them. Others may hold credentials."""
_SECRET: Final = re.compile(r".*(key|token|secret|password|signature|auth|session|appid).*", re.IGNORECASE)
"""Names of query parameters and headers that are neither sent nor kept."""


class Harvest:
    """The harvest of one run. hosts: with or without a port. folder: gets a file for each service.

    redact: removes the secrets that the user gave.
    """

    def __init__(self, hosts: Sequence[str], folder: Path, redact: Callable[[str], str] = str) -> None:
        self._hosts = frozenset(hosts)
        self._folder = folder
        self._redact = redact
        self._asked: set[tuple[str, str]] = set()
        self._requests: SimpleQueue[ExternalRequest] = SimpleQueue()
        self._found: SimpleQueue[RecordedAnswer] = SimpleQueue()
        self._all: list[RecordedAnswer] = []
        self.problems: list[str] = []
        """Why requests got no answer, each host once."""
        if hosts:
            Thread(target=self._work, name="harvest", daemon=True).start()

    def note(self, evaluation: Evaluation) -> None:
        """Sends the requests of an evaluation that were not sent before. It never waits."""
        for request in evaluation.interactions_of(ExternalRequest) if self._hosts else ():
            key = (request.origin, request.target)
            is_wanted = request.method == "GET" and self._is_named(request.origin) and key not in self._asked
            if is_wanted and len(self._asked) < MAX_REQUESTS:
                self._asked.add(key)
                self._requests.put(request)

    def take(self) -> list[RecordedAnswer]:
        """Returns what has arrived since the last call, and writes it to the folder."""
        if not self._asked or self._found.empty():
            return []
        new = []
        while True:
            try:
                new.append(self._found.get_nowait())
            except Empty:
                break
        self._all += new
        write_recordings(self._folder, self._all)
        return new

    def _is_named(self, origin: str) -> bool:
        host, port = host_and_port(origin)
        return host in self._hosts or f"{host}:{port}" in self._hosts

    def _work(self) -> None:
        opener = urllib.request.build_opener(_NoRedirects)
        failed: set[str] = set()
        while True:
            request = self._requests.get()
            if request.origin in failed:
                continue
            try:
                self._found.put(_answer(opener, request, self._redact))
            except (OSError, ValueError, HTTPException) as error:
                failed.add(request.origin)
                self.problems.append(f"harvest of {shown_origin(request.origin)}: {error or type(error).__name__}")


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect is an answer, and may lead to a host that nobody has named."""

    def redirect_request(self, *_: object) -> None:
        return None


def _answer(
    opener: urllib.request.OpenerDirector, request: ExternalRequest, redact: Callable[[str], str]
) -> RecordedAnswer:
    """Raises: OSError, ValueError, HTTPException."""
    target = _without_secrets(request.target)
    headers = {name: value for name, value in request.headers if name.lower() in _SENT}
    scheme = request.origin.partition("://")[0]
    if scheme not in DEFAULT_PORTS:
        raise ValueError(f"no HTTP: {scheme}")
    sent = urllib.request.Request(shown_origin(request.origin) + target, headers=headers, method="GET")
    try:
        response = opener.open(sent, timeout=TIMEOUT_S)
    except urllib.error.HTTPError as error:
        response = error
    with response:
        content = response.read(MAX_BODY_BYTES)
        given = [(name.lower(), value) for name, value in response.headers.items()]
    text, is_base64 = _text(content)
    return RecordedAnswer(
        origin=request.origin,
        method="GET",
        target=target,
        status=response.status or 200,
        headers=tuple((name, value) for name, value in given if name != "set-cookie" and not _SECRET.fullmatch(name)),
        body=text if is_base64 else body_without_secrets(text, redact),
        is_base64=is_base64,
    )


def body_without_secrets(text: str, redact: Callable[[str], str]) -> str:
    """Returns a body with `***` for what may be a secret in it: members by their names, and tokens wherever they are.

    JSON in which nothing is secret stays as it was sent, to the byte.
    """
    document = held_json(text)
    if document is ABSENT:
        return str(without_secrets(text, redact))
    clean = without_secrets(document, redact)
    return text if clean == document else json.dumps(clean, ensure_ascii=False, separators=(",", ":"))


def _without_secrets(target: str) -> str:
    parts = urlsplit(target)
    kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if not _SECRET.match(name)]
    return f"{parts.path}{'?' if kept else ''}{urlencode(kept)}"


def _text(content: bytes) -> tuple[str, bool]:
    try:
        return content.decode(), False
    except UnicodeDecodeError:
        return base64.b64encode(content).decode(), True
