"""The messages between the core and the mock server (protocol/mocks.md) as typed structs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

import msgspec

from wimble.model.external import CertificateFault, ExternalOutcome, PlannedAnswer, UnmockedKind


class MockRequest(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="request"):
    """A request of the SUT to a service, and what it got. It is sent before the answer."""

    seq: int
    """That of the last plan; 0 before the first one."""
    n: int
    """Its number, counted from the start of the mock server."""
    connection: int
    origin: str
    method: str
    target: str
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""
    matched: int | None = None
    occurrence: int = 0
    reply: str = "404"
    pid: int = 0
    """The process that sent it; 0 if it is not known."""
    client: str = ""
    """The package that opened the connection, or `http`, `http2`, `fetch`; empty if it is not known."""


class UnmockedConnection(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="type", tag="unmockable"
):
    """A connection that the mock server cannot serve, or what an agent tells of that may connect without it."""

    host: str
    port: int
    reason: str
    kind: UnmockedKind = "connection"


class ConnectionsClosed(msgspec.Struct, frozen=True, kw_only=True, tag_field="type", tag="closed"):
    """The connections to the hosts that a plan has as down are closed."""

    seq: int
    """That of the plan."""


MockMessage: TypeAlias = MockRequest | UnmockedConnection | ConnectionsClosed


class CertificateRequest(msgspec.Struct, frozen=True, tag_field="type", tag="certificate"):
    """Asks for the certificate of a host."""

    host: str
    fault: CertificateFault | None = None
    """What shall be wrong with it."""


class Certificate(msgspec.Struct, frozen=True, omit_defaults=True, tag_field="type", tag="certificate"):
    """The certificate of a host with its key, in PEM."""

    host: str
    key: str
    cert: str
    fault: CertificateFault | None = None
    """As asked for."""


class Plan(msgspec.Struct, frozen=True, tag_field="type", tag="plan"):
    """Replaces all planned answers."""

    seq: int
    answers: Sequence[PlannedAnswer] = ()
    down: Sequence[ExternalOutcome] = ()
    """Hosts to which connecting fails: clients' open connections to them are closed, and `closed` says so."""


_decoder: Final[msgspec.json.Decoder[MockMessage]] = msgspec.json.Decoder(MockMessage)
_certificate_decoder: Final = msgspec.json.Decoder(CertificateRequest)
_encoder: Final = msgspec.json.Encoder()


def decode_mock_message(payload: bytes) -> MockMessage:
    """Raises msgspec.MsgspecError if it is no message of this protocol."""
    return _decoder.decode(payload)


def decode_certificate_request(payload: bytes) -> CertificateRequest:
    """Raises msgspec.MsgspecError if it is no message of this protocol."""
    return _certificate_decoder.decode(payload)


def encode_for_mock(message: Plan | Certificate) -> bytes:
    return _encoder.encode(message)
