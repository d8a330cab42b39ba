"""Detects a server that redirects every request to another origin, and finds headers with which it serves them.

Such a server expects a proxy in front of it that has taken https off (`X-Forwarded-Proto: https`), or accepts some host
names only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, NamedTuple
from urllib.parse import urljoin, urlsplit

import msgspec

from wimble.execute.http.address import Address
from wimble.http.http_messages import HttpRequest, HttpResponse

REDIRECTS: Final = (301, 302, 303, 307, 308)
PROBED: Final = ("/", "/wimble-looks-for-nothing-here")
FORWARDED: Final = ("X-Forwarded-Proto", "https")

Ask = Callable[[Address, HttpRequest], HttpResponse | None]


class Redirected(NamedTuple):
    """A server that redirects every request to another origin."""

    location: str
    """Where `GET /` is redirected."""
    address: Address
    """The address whose headers make the server answer; the address that was asked, if none does."""
    way: str
    """What makes the server answer, for a message; empty if nothing does."""


def redirected(address: Address, ask: Ask) -> Redirected | None:
    """Returns None if the server answers at least one of the probes itself."""
    location = _elsewhere(address, PROBED[0], ask)
    if not location or not _elsewhere(address, PROBED[1], ask):
        return None
    for way, candidate in _candidates(address, location):
        if not _elsewhere(candidate, PROBED[1], ask, other_than=address):
            return Redirected(location, candidate, way)
    return Redirected(location, address, "")


def _candidates(address: Address, location: str) -> Iterator[tuple[str, Address]]:
    """Yields (description, address), those that change least first."""
    host = urlsplit(location).netloc
    local = msgspec.structs.replace(address, host="localhost")
    canonical = (("Host", host),)
    yield "the host localhost", local
    yield "`X-Forwarded-Proto: https`", msgspec.structs.replace(address, headers=(FORWARDED,))
    yield "the host localhost and `X-Forwarded-Proto: https`", msgspec.structs.replace(local, headers=(FORWARDED,))
    yield f"`Host: {host}`", msgspec.structs.replace(address, headers=canonical)
    yield (
        f"`Host: {host}` and `X-Forwarded-Proto: https`",
        msgspec.structs.replace(address, headers=(*canonical, FORWARDED)),
    )


def _elsewhere(address: Address, path: str, ask: Ask, other_than: Address | None = None) -> str:
    """Returns where a request is redirected, if that is another origin or the same URL; else an empty string."""
    response = ask(address, HttpRequest("GET", path, (("Accept", "*/*"),)))
    if response is None:
        return path if other_than is not None else ""
    location = response.header("location")
    if response.status not in REDIRECTS or not location:
        return ""
    there = urljoin(address.url + path, location)
    parts = urlsplit(there)
    is_same = f"{parts.scheme}://{parts.netloc}" == address.url
    return "" if is_same and parts.path != path else there


class RequestForm:
    """The host and headers with which requests to one SUT are sent, over its restarts."""

    def __init__(self) -> None:
        self._host = ""
        self.headers: tuple[tuple[str, str], ...] = ()
        """Headers of every request."""
        self.notes: tuple[str, ...] = ()
        """What is worth telling the user."""

    def applied(self, address: Address) -> Address:
        """Returns the address with the host and headers that are sent."""
        if not self._host and not self.headers:
            return address
        return msgspec.structs.replace(address, host=self._host or address.host, headers=self.headers)

    def learn(self, address: Address, ask: Ask) -> None:
        """Finds the form for a SUT that was started for the first time."""
        seen = redirected(address, ask)
        if seen is None:
            return
        what = f"{address.url} redirects every request to another place, such as `GET /` to {seen.location}"
        if not seen.way:
            advice = "Start the API with the settings in which it serves HTTP itself"
            self.notes = (f"{what}; no host and no `X-Forwarded-Proto: https` changes that. {advice}",)
            return
        self._host = seen.address.host if seen.address.host != address.host else ""
        self.headers = seen.address.headers
        self.notes = (f"{what}; requests are sent with {seen.way}, with which it answers",)
