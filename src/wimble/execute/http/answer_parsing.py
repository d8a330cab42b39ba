"""The answer to a request, as httptools finds its parts."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import httptools

from wimble.execute.http.content_decoding import decoded
from wimble.http.http_messages import HttpResponse

MAX_BODY_BYTES: Final = 1 << 20
"""More than any answer that a test could assert. A longer body is cut, and its connection closed."""


class AnswerParts:
    """Collects the parts of an answer that the parser finds; one per request."""

    __slots__ = (
        "chunks",
        "headers",
        "is_bodiless",
        "is_body_full",
        "is_complete",
        "is_endless",
        "is_head",
        "keeps_alive",
        "n_bytes",
        "status",
    )

    def __init__(self, is_head: bool) -> None:
        self.is_head = is_head
        self.status = 0
        self.headers: list[tuple[str, str]] = []
        self.chunks: list[bytes] = []
        self.n_bytes = 0
        self.is_complete = False
        self.is_bodiless = False
        self.is_body_full = False
        self.is_endless = False
        self.keeps_alive = False

    def complete(self, *, is_bodiless: bool = False) -> None:
        """Ends the answer with what has been found. is_bodiless: its headers announce a body that does not follow."""
        self.is_complete = True
        self.is_bodiless = self.is_bodiless or is_bodiless

    def cut_endless(self) -> None:
        """Ends a stream."""
        self.is_endless = True

    def header(self, name: str) -> str:
        for key, value in self.headers:
            if key == name:
                return value
        return ""

    @property
    def has_length(self) -> bool:
        return bool(self.header("content-length"))

    @property
    def is_chunked(self) -> bool:
        return "chunked" in self.header("transfer-encoding").lower()


class ParserEvents:
    """The callbacks of httptools; one per connection, as its parser."""

    __slots__ = ("answer", "has_surplus", "parser")

    def __init__(self) -> None:
        self.answer = AnswerParts(False)
        self.has_surplus = False
        self.parser: Any = httptools.HttpResponseParser(self)

    def begin(self, *, is_head: bool) -> AnswerParts:
        """Returns the parts of the next answer, which are filled as data is parsed."""
        self.answer = AnswerParts(is_head)
        return self.answer

    def note_surplus(self) -> None:
        """Notes that data followed the answer."""
        self.has_surplus = True

    def renew_parser(self) -> None:
        """Drops the parser's state: after an answer without a body, it still waits for one."""
        self.parser = httptools.HttpResponseParser(self)

    def on_message_begin(self) -> None:
        if self.answer.is_complete:
            self.has_surplus = True

    def on_header(self, name: bytes, value: bytes) -> None:
        if not self.has_surplus and not self.answer.status:  # later ones are trailers, which clients ignore
            self.answer.headers.append((_header_name(name), value.decode("latin-1")))

    def on_headers_complete(self) -> None:
        if self.has_surplus:
            return
        answer = self.answer
        status = self.parser.get_status_code()
        if 100 <= status < 200 and status != 101:
            answer.headers.clear()
            return
        answer.status = status
        if answer.is_head or status in (101, 204, 304):
            # llhttp would wait for the body that Content-Length announces.
            answer.complete(is_bodiless=True)

    def on_body(self, body: bytes) -> None:
        answer = self.answer
        if answer.is_complete or answer.is_body_full:
            return
        answer.chunks.append(body)
        answer.n_bytes += len(body)
        answer.is_body_full = answer.n_bytes > MAX_BODY_BYTES

    def on_message_complete(self) -> None:
        answer = self.answer
        if answer.status and not answer.is_complete:
            answer.is_complete = True
            answer.keeps_alive = self.parser.should_keep_alive()  # llhttp resets it after this callback


@lru_cache(maxsize=512)
def _header_name(name: bytes) -> str:
    return name.decode("latin-1").lower()


def response_of(answer: AnswerParts) -> HttpResponse:
    """Returns the response, with its body decoded and cut."""
    chunks = answer.chunks
    body = chunks[0] if len(chunks) == 1 else b"".join(chunks)
    is_truncated, is_readable = answer.is_body_full or answer.is_endless, True
    codings = answer.header("content-encoding")
    if codings and body:
        body, is_cut, is_readable = decoded(body, codings, MAX_BODY_BYTES)
        is_truncated = is_truncated or is_cut
    return HttpResponse(
        answer.status,
        tuple(answer.headers),
        body[:MAX_BODY_BYTES],
        is_truncated,
        is_endless=answer.is_endless,
        is_readable=is_readable,
    )
