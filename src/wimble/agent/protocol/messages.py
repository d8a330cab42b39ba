"""The messages of protocol/README.md as typed structs. This module does not move bytes.

Decoding yields structs directly and ignores unknown fields, as the protocol requires.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, TypeAlias, TypeVar, get_args

import msgspec

from wimble.agent.protocol.database_messages import CommandMessage, DatabaseMessage, ModelsMessage, Query, Release, Rows
from wimble.agent.protocol.library_messages import Invoke, LibraryMessage, Returned
from wimble.agent.protocol.template_errors import with_place_in_template
from wimble.model.external import ExternalOutcome
from wimble.model.hints import AgentHint
from wimble.model.observation import Cause, Mistake
from wimble.model.routes import Route
from wimble.model.run_conditions import RandomBias
from wimble.model.structure import FunctionBody, Region
from wimble.solve.path_conditions import CallInput, Expression, PathEntry
from wimble.types import Json

PROTOCOL_VERSION: Final = 2


# ---- from the agent -------------------------------------------------------------------------------------------------


class Hello(msgspec.Struct, tag_field="type", tag="hello"):
    """The first message of a process. `is_passive`: it runs no instrumented code, such as a launcher."""

    protocol: int
    agent: str = ""
    agent_version: str = ""
    runtime: str = ""
    pid: int = 0
    ppid: int = 0
    argv: list[str] = []
    main: str | None = None
    is_passive: bool = False
    reads_mark: bool = False
    """Whether it reads the mark of the socket before each call (`Begin.mark`)."""


class File(msgspec.Struct, tag_field="type", tag="file"):
    """A source file that was loaded.

    `targets` and similar fields stay encoded: a file that another process loaded before is recognised by its hash.
    """

    base: int
    path: str
    hash: str = ""
    targets: msgspec.Raw = msgspec.Raw(b"[]")
    parts: list[tuple[int, str]] = []
    """(index of the first target, source of this target and the following ones); empty if all are in `path` itself."""
    constants: msgspec.Raw = msgspec.Raw(b"[]")
    error: str | None = None
    regions: msgspec.Raw = msgspec.Raw(b"[]")
    functions: msgspec.Raw = msgspec.Raw(b"[]")


TargetRow: TypeAlias = tuple[str, int, int, str]
"""(kind, line from 1, column from 0, detail)"""


class Listening(msgspec.Struct, tag_field="type", tag="listening"):
    """Reports a TCP server of the SUT that starts to listen. `protocol`: `http`, `https`, `http2` or `tcp`."""

    port: int
    address: str | None = None
    protocol: str = "http"
    pid: int = 0


class Unbound(msgspec.Struct, tag_field="type", tag="unbound"):
    """Reports a server of the SUT that has asked for a port and does not have it."""

    pid: int = 0


class CauseMessage(msgspec.Struct):
    """The cause of a failure. A field is null if the agent does not know it."""

    call: int | None = None
    file: str | None = None
    line: int | None = None
    message: str | None = None
    stack: str | None = None
    statement: str | None = None
    path: str | None = None
    """The path of the part of the answer that failed; null for the whole call."""
    mistakes: tuple[Mistake, ...] = ()

    def to_cause(self) -> Cause:
        return with_place_in_template(
            Cause(
                file=self.file or "",
                line=self.line or 0,
                message=self.message or "",
                stack=self.stack or "",
                statement=self.statement or "",
                mistakes=self.mistakes,
            )
        )


class SchemaMessage(msgspec.Struct, tag_field="type", tag="schema"):
    """Describes a schema of a validation library before the first result that names it."""

    id: int
    library: str
    schema: dict[str, Any]
    """JSON Schema 2020-12."""


class ValidationMessage(msgspec.Struct):
    """A schema was applied to a value. `valid` is null if the outcome is not known."""

    schema: int
    call: int
    place: list[str] = []
    valid: bool | None = None
    value: Json = None
    """As in hints; structures are JSON, shortened."""


class SentRequest(msgspec.Struct, frozen=True):
    """A request to a service, as the SUT has sent it."""

    method: str
    """`MAIL` for a connection to a mail server, of which the target is empty."""
    target: str
    call: int | None = None
    """null for an earlier evaluation."""
    host: str = ""
    """A host, maybe with its port, or an origin; empty if it is not known."""
    site: str = ""
    """`file:line` of the program; empty if it is not known."""
    late: bool = False
    """Whether a newer call than its own had begun."""


class Result(msgspec.Struct, tag_field="type", tag="result"):
    """The answer to `end`: what the process observed in evaluation `seq`."""

    seq: int
    targets: list[int | float] = []
    """id, call, h of a target, then of the next one, and so on."""
    hints: list[AgentHint] = []
    """Hints; their targets are ids of the process."""
    causes: list[CauseMessage] = []
    calls: int = 0
    commands: list[CommandMessage] = []
    commands_dropped: int = 0
    """Number of further commands that are not in the message."""
    random_values: int = 0
    validations: list[ValidationMessage] = []
    guarded: list[int] = []
    """The calls that have set a time-out, while the process calls services."""
    sent_requests: list[SentRequest] = []
    slowest: str = ""
    """`file:line` of the statement that took most of the time, in an evaluation that was timed."""


class OriginMessage(msgspec.Struct):
    """The evaluation and call that caused later work; seq 0: the SUT's start, or too long ago to be known."""

    seq: int
    call: int | None = None


class CrashMessage(msgspec.Struct, tag_field="type", tag="crash"):
    """Reports an uncaught exception, an unhandled rejection, or an exit of the process."""

    kind: str
    call: int | None = None
    cause: CauseMessage | None = None
    exit_code: int | None = None
    late: OriginMessage | None = None
    fatal: bool = False
    """Whether it ends the process, since the program has no handler."""


class ScheduleMessage(msgspec.Struct, tag_field="type", tag="schedule"):
    """Reports a timed job that was kept from running, once for each job."""

    kind: str
    file: str = ""
    line: int = 0
    period_ms: float | None = None
    expression: str = ""


class Trace(msgspec.Struct, tag_field="type", tag="trace"):
    """Reports a statement that was entered; only sent while `begin.trace` is set."""

    file: str
    line: int
    call: int | None = None


class Pong(msgspec.Struct, tag_field="type", tag="pong"):
    """The answer to `ping` number `n`."""

    n: int
    endless: bool = False
    """Whether the process waits for a service that hangs on purpose, and nothing can end that."""


class RoutesMessage(msgspec.Struct, tag_field="type", tag="routes"):
    """Reports the routes that the process's frameworks have, beyond those of earlier messages."""

    routes: list[Route]


class PathMessage(msgspec.Struct, tag_field="type", tag="path"):
    """The path of the call that was followed in evaluation `seq` (protocol/constraints.md)."""

    seq: int
    nodes: tuple[Expression, ...] = ()
    entries: tuple[PathEntry, ...] = ()
    h: float = 0.0
    """Of the wanted outcome of the condition that was asked for, at best, where no expression has it."""


AgentMessage: TypeAlias = (
    Hello
    | LibraryMessage
    | Returned
    | File
    | Listening
    | Unbound
    | Result
    | CrashMessage
    | ScheduleMessage
    | Trace
    | Pong
    | DatabaseMessage
    | Rows
    | ModelsMessage
    | RoutesMessage
    | PathMessage
    | SchemaMessage
)

ConstantRow: TypeAlias = list[str | int | float]
"""(line from 1, value), and, if the file has parts, the index of the part whose source contains it."""

_T = TypeVar("_T")
_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u([dD][89a-fA-F][0-9a-fA-F]{2})|\\[^u]"
)
"""A pair of surrogates, half of a pair, or another escape (whose second character may be a backslash)."""
_HINT_KINDS = frozenset(kind.__struct_config__.tag for kind in get_args(AgentHint))
_decoder: msgspec.json.Decoder[AgentMessage] = msgspec.json.Decoder(AgentMessage)
_any_decoder: msgspec.json.Decoder[Json] = msgspec.json.Decoder()
_target_rows_decoder = msgspec.json.Decoder(list[TargetRow])
_regions_decoder = msgspec.json.Decoder(tuple[Region, ...])
_functions_decoder = msgspec.json.Decoder(tuple[FunctionBody, ...])
_constant_rows_decoder = msgspec.json.Decoder(list[ConstantRow])


def decode_agent_message(payload: bytes | memoryview) -> AgentMessage:
    """Decodes a message, without hints of unknown kinds.

    Raises msgspec.MsgspecError (or UnicodeDecodeError) if it is not a message of this protocol.
    """
    try:
        return _decoded(_decoder, payload)
    except msgspec.ValidationError:
        message: AgentMessage = msgspec.convert(_with_known_hints(_decoded(_any_decoder, payload)), AgentMessage)
        return message


def _with_known_hints(message: Json) -> Json:
    if not isinstance(message, dict) or not isinstance(message.get("hints"), list):
        return message
    known = [hint for hint in message["hints"] if isinstance(hint, dict) and hint.get("kind") in _HINT_KINDS]
    return {**message, "hints": known}


def _decoded(decoder: msgspec.json.Decoder[_T], payload: bytes | memoryview | msgspec.Raw) -> _T:
    try:
        return decoder.decode(payload)
    except msgspec.DecodeError:
        well_formed = _ESCAPE.sub(_without_halves, bytes(payload))
        return decoder.decode(well_formed)


def _without_halves(escape: re.Match[bytes]) -> bytes:
    """Replaces half of a surrogate pair (from a text cut within an emoji), which UTF-8 cannot represent."""
    return b"\\ufffd" if escape[1] else escape[0]


def decode_target_rows(targets: msgspec.Raw) -> list[TargetRow]:
    return _decoded(_target_rows_decoder, targets)


def decode_structure(file: File) -> tuple[tuple[Region, ...], tuple[FunctionBody, ...]]:
    """Returns the regions and functions of a file. Raises msgspec.MsgspecError."""
    return _decoded(_regions_decoder, file.regions), _decoded(_functions_decoder, file.functions)


def decode_constant_rows(constants: msgspec.Raw) -> list[ConstantRow]:
    return _decoded(_constant_rows_decoder, constants)


# ---- from the core --------------------------------------------------------------------------------------------------


class Welcome(msgspec.Struct, tag_field="type", tag="welcome"):
    """The answer to `hello`."""

    protocol: int = PROTOCOL_VERSION


class AnswerText(msgspec.Struct, frozen=True, omit_defaults=True):
    """The text of a planned answer, or of a part of it that is sent by itself."""

    id: int
    text: str
    path: tuple[str, ...] = ()
    """Where the text's document is in the answer."""


class Begin(msgspec.Struct, frozen=True, tag_field="type", tag="begin"):
    """Begins evaluation `seq`. `covered`: local ids of targets that were covered since the last `begin`."""

    seq: int
    port: int
    next_call: int = 0
    covered: list[int] = []
    full: bool = False
    hints: bool = True
    trace: bool = False
    timed: bool = False
    isolate: bool = False
    guard_ms: int = 0
    random_seed: int | None = None
    random_bias: RandomBias | None = None
    commands: bool = False
    external_outcomes: Sequence[ExternalOutcome] = ()
    answers: Sequence[AnswerText] = ()
    mark: int = 0
    """What the mark of the socket says once this was sent in place of one that was announced; 0 for others."""


class Connection(msgspec.Struct, tag_field="type", tag="connection"):
    """Announces another TCP connection of the core, from local port `port`."""

    port: int
    next_call: int


class End(msgspec.Struct, tag_field="type", tag="end", omit_defaults=True):
    """Ends evaluation `seq` and asks for its result.

    `isolate`: only with seq 0, whether isolation holds until the first `begin`.
    """

    seq: int
    isolate: bool | None = None


class Ping(msgspec.Struct, tag_field="type", tag="ping"):
    """Asks for a `pong`, to find out whether the event loop runs."""

    n: int


class Follow(msgspec.Struct, tag_field="type", tag="follow"):
    """Asks for the path of one call of the next evaluation."""

    call: int
    inputs: list[CallInput]
    condition: str
    """The site of the condition that is to have another outcome."""
    wanted: bool


CoreMessage: TypeAlias = Welcome | Begin | Connection | End | Ping | Query | Release | Follow | Invoke

_encoder = msgspec.json.Encoder()


def encode_core_message(message: CoreMessage) -> bytes:
    return _encoder.encode(message)
