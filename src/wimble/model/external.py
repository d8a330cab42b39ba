"""Plain data about services that the SUT calls: requests that it sent, and the answers planned for them.

An origin is `scheme://host:port`, always with the port. A path template is a path without its query in which `*` stands
for one segment of any value.
"""

from __future__ import annotations

import base64
import gzip
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, TypeGuard, get_args

import msgspec

from wimble.model.interaction import Interaction

CertificateFault: TypeAlias = Literal["expired", "wrong_name", "self_signed", "unknown_authority", "own_authority"]
"""What is wrong with the certificate of a service over TLS. `unknown_authority`: that of the authority is not sent;
`own_authority`: it is sent, and nobody trusts it."""
ConnectOutcome: TypeAlias = Literal["no_host", "try_again", "refused", "timed_out"] | CertificateFault
"""Outcomes before a connection exists: ENOTFOUND, EAI_AGAIN, ECONNREFUSED, ETIMEDOUT, and certificates that clients
refuse."""
UnmockedKind: TypeAlias = Literal["connection", "program", "reached", "native"]
"""What is told of: a connection that is refused; a program; a connection that is left as it is; native code, of which
no connection is seen."""
MockOutcome: TypeAlias = Literal["answer", "reset", "closed", "truncated", "slow", "hang"] | ConnectOutcome
"""What a service does: `answer` as planned, an outcome before the connection, or a failure on the connection."""
CERTIFICATE_FAULTS: Final[frozenset[str]] = frozenset(get_args(CertificateFault))
CONNECT_OUTCOMES: Final[frozenset[str]] = (
    frozenset({"no_host", "try_again", "refused", "timed_out"}) | CERTIFICATE_FAULTS
)
UNFINISHED_OUTCOMES: Final[frozenset[str]] = frozenset({"hang", "reset", "closed", "truncated"})
"""Outcomes that leave a program waiting for the rest of an answer, unless it heeds errors or has a time-out."""
WILDCARD: Final = "*"
DEFAULT_PORTS: Final = {"http": 80, "https": 443}
PROBE_DOMAIN: Final = "probe.example"
"""The domain of hosts that the search names in inputs, to find inputs that decide where requests go. It exists nowhere
(RFC 2606)."""
INTERNAL_ERROR: Final = "Error: connect ETIMEDOUT db-7.internal:5432"
"""What services say in errors that are planned: a text that no program has of its own."""
GZIP: Final = "application/gzip"
"""The type of a file that is compressed, which clients hand on as it is; one with a content coding they unpack."""
UNPLANNED_STATUS: Final = 404
"""What a mocked service answers to a request for which no answer is planned, with an empty JSON object."""


class ExternalRequest(Interaction, frozen=True, kw_only=True):
    """One request of the SUT to a service outside of it, with what it got."""

    n: int
    """Its number in the evaluation, from 0."""
    origin: str
    method: str
    target: str
    """Path and query as sent: `/v1/charges?limit=3`."""
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""
    """The body as text, bounded; empty if it is no text."""
    occurrence: int = 0
    """How many requests to the same answer's template, or else to the same path, came before it in the evaluation."""
    answered_by: int | None = None
    """Index of the setup action that answered it; None if no answer was planned."""
    reply: str = "404"
    """The status that it got, or the outcome: `503`, `reset`."""
    client: str = ""
    """The package that opened the connection, or `http`, `http2`, `fetch`; empty if it is not known."""
    is_guarded: bool = False
    """Whether the program has set a time-out in the same call, which may guard this request."""

    @property
    def path(self) -> str:
        """The target without its query."""
        return self.target.split("?", 1)[0]

    def header(self, name: str) -> str:
        """Returns the first header of a name in lower case; "" if there is none."""
        return next((value for own, value in self.headers if own.lower() == name), "")

    @property
    def asks_proxy(self) -> bool:
        """Whether it asks a proxy for a tunnel to a service, which it gets unless another answer is planned."""
        return self.method == "CONNECT"

    @property
    def is_mail(self) -> bool:
        """Whether it is a mail, which is accepted unless another answer is planned."""
        return self.origin.startswith("smtp:")

    @property
    def opens_web_socket(self) -> bool:
        """Whether it asks to go on as a WebSocket, to which only messages make sense."""
        return any(name.lower() == "upgrade" and value.lower() == "websocket" for name, value in self.headers)

    @property
    def place(self) -> str:
        """The request as people write it: `POST https://api.payments.example/v1/charges`."""
        return f"{self.method} {shown_origin(self.origin)}{self.path}"


class PlannedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The reaction of the mock server to requests that match. `id` is the index of its setup action."""

    id: int
    origin: str
    method: str
    path: str
    occurrence: int | None = None
    """The request that it is for, counted from 0 among those of its template; None for all of them."""
    outcome: MockOutcome = "answer"
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""
    """Sent byte for byte."""
    body_encoding: Literal["utf8", "base64"] = "utf8"
    chunks: tuple[str, ...] | None = None
    """The parts in which a stream is sent, together the body; None for a body that is sent whole."""
    is_reply: bool = False
    """Whether each part is sent after a message of the client over a WebSocket."""

    @property
    def text(self) -> str | None:
        """The body before it was compressed; None if it is no text."""
        if self.body_encoding == "utf8":
            return self.body
        if not is_compressed(dict(self.headers)):
            return None
        return gzip.decompress(base64.b64decode(self.body)).decode()


def is_compressed(headers: Mapping[str, str]) -> bool:
    """Whether the body of an answer with these headers is compressed with gzip."""
    return headers.get("content-encoding") == "gzip" or headers.get("content-type") == GZIP


class RecordedAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that a real service has given once."""

    origin: str
    method: str
    target: str
    """Path and query."""
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    """Without those of the connection, and without secrets."""
    body: str = ""
    is_base64: bool = False
    """Whether the body is no text, and encoded."""


class ExternalOutcome(msgspec.Struct, frozen=True):
    """An outcome of connecting to a host, which the agent brings about."""

    host: str
    port: int
    outcome: ConnectOutcome


class Unmockable(Interaction, frozen=True, kw_only=True):
    """A connection that no mock can serve, as when the server speaks first, or what may open some beside the mocks."""

    host: str
    """Or the name of the program, the path of the Unix socket, or the package with native code."""
    port: int
    """0 for what has none."""
    reason: str
    kind: UnmockedKind = "connection"


class CalledService(msgspec.Struct, frozen=True, kw_only=True):
    """A service that the SUT was seen to call in a run."""

    origin: str
    """Without the port that its scheme implies; host and port if it could not be mocked."""
    requests: tuple[str, ...] = ()
    """Methods and path templates: `POST /v1/charges`."""
    operations: tuple[str, ...] = ()
    """The operations in which it was called."""
    sites: tuple[str, ...] = ()
    """Where the program calls it: `file:line` with absolute paths."""
    clients: tuple[str, ...] = ()
    """The packages that connected, or `http`, `http2`, `fetch`."""
    replies: tuple[str, ...] = ()
    """Statuses and outcomes that were tried."""
    members: tuple[str, ...] = ()
    """Members that the program reads of answers: `POST /v1/charges: outcome.reason`."""
    notes: tuple[str, ...] = ()
    """What may be a mistake though no call shows it: requests sent again and again, a write sent twice."""
    problem: str = ""
    """Why no mock could serve it; empty if one did."""
    is_program: bool = False
    """Whether it is a program that the API starts, by its name, which may reach services by itself."""
    is_reached: bool = False
    """Whether the API reaches it as without mocks: a Unix socket, or services to which native code connects."""


def origin_of(scheme: str, host: str, port: int | None) -> str:
    """Returns the origin, with the scheme's own port if there is none. host: an IPv6 address may lack its brackets."""
    shown = f"[{host}]" if ":" in host and not host.startswith("[") else host
    return f"{scheme}://{shown}:{port or DEFAULT_PORTS.get(scheme, 0)}"


def is_certificate_fault(outcome: MockOutcome) -> TypeGuard[CertificateFault]:
    """Whether an outcome is that clients refuse the certificate."""
    return outcome in CERTIFICATE_FAULTS


def host_and_port(origin: str) -> tuple[str, int]:
    """Returns host and port of an origin; an IPv6 address without its brackets."""
    host, _, port = origin.partition("://")[2].rpartition(":")
    return host.strip("[]"), int(port)


def shown_origin(origin: str) -> str:
    """Returns the origin without the port that its scheme implies: `https://api.payments.example`."""
    scheme = origin.partition("://")[0]
    return origin.removesuffix(f":{DEFAULT_PORTS.get(scheme, '')}")


def segments_of(path: str) -> tuple[str, ...]:
    """Returns the segments of a path: `("v1", "charges")` for `/v1/charges`."""
    return tuple(path.split("?", 1)[0].split("/")[1:])
