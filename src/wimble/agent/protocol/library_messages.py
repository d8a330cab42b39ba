"""The messages about a library: what it exports, its calls, and what they returned."""

from __future__ import annotations

from typing import Literal

import msgspec

from wimble.library.function_binding import Access
from wimble.types import Json


class ParameterMessage(msgspec.Struct, frozen=True):
    """A parameter of an exported function, as its text declares it."""

    name: str
    is_rest: bool = False
    is_optional: bool = False
    members: tuple[str, ...] = ()
    """Names that the parameter's pattern takes apart."""
    initial: str = ""
    """The text of its default value; empty if it has none."""


class FunctionMessage(msgspec.Struct, frozen=True):
    """A function, class or method that a library exports. `method` is empty, but for methods of instances."""

    name: str
    kind: Literal["function", "constructor", "method"]
    path: tuple[str, ...] = ()
    method: str = ""
    parameters: tuple[ParameterMessage, ...] = ()
    reads_arguments: bool = False
    receiver: tuple[ParameterMessage, ...] = ()
    access: Access = "call"
    class_name: str = ""
    """Of a constructor: how users call the class, if it is all that the library exports, or its default."""


class LibraryMessage(msgspec.Struct, tag_field="type", tag="library"):
    """The exports of the library, or why it cannot be loaded."""

    operations: list[FunctionMessage] = []
    n_left_out: int = 0
    """Number of further functions and methods that it exports; only so many are taken."""
    values: list[str] = []
    """Names of exported objects that calls may pass, as in `made_objects.py`."""
    is_module: bool = False
    keeps_running: bool = False
    """Whether servers or timers that it has started keep the process from ending."""
    error: str = ""
    stack: str = ""


class ErrorMessage(msgspec.Struct, frozen=True):
    """The value that a call of a library threw. `name`: its class, or the type of a value that is no error."""

    name: str = ""
    message: str = ""
    code: str = ""
    stack: str = ""
    is_error: bool = True
    has_own_name: bool = False
    """Whether its `name` is not that of its class."""
    is_on_purpose: bool = False


class Returned(msgspec.Struct, tag_field="type", tag="returned"):
    """The end of a call of a library."""

    call: int
    outcome: Literal["returned", "threw", "pending"]
    value: Json = None
    is_whole: bool = False
    is_awaited: bool = False
    is_iterated: bool = False
    """Whether it was a generator: `value` holds its items."""
    is_endless: bool = False
    """Whether this had more items than were read."""
    elapsed_ms: float = 0.0
    cpu_ms: float = 0.0
    """Processor time of the process during the call."""
    grown_bytes: int = 0
    """How much memory the process has taken during the call."""
    error: ErrorMessage | None = None
    polluted: tuple[str, ...] = ()
    """What the call has added to the prototypes of built-in classes, such as `Object.prototype.admin`."""
    chained: tuple[bool, ...] | None = None
    """For a call with steps, or on what an operation returns: see `Invocation.chained`."""
    awaited: tuple[bool, ...] = ()
    """With it: see `Invocation.awaited`."""
    left: tuple[bool, ...] = ()
    """With it: see `Invocation.left`."""


class InvokedStep(msgspec.Struct, frozen=True):
    """A call of a method on the object of an `InvokedCall`, before it."""

    method: str
    arguments: list[Json]


class InvokedCall(msgspec.Struct, frozen=True, omit_defaults=True):
    """A call of a library. `operation`: its index in the `library` message; values as protocol/README.md says."""

    operation: int
    arguments: list[Json]
    receiver: list[Json] | None = None
    steps: list[InvokedStep] = []
    object: Json = None
    """For a method: what it is called on, if no constructor is named by `operation`; then there is no `receiver`."""
    access: Access = "call"
    method: str | None = None
    """The method of what the operation returns that is called; empty to call what it returns, which is a function."""


class Invoke(msgspec.Struct, frozen=True, tag_field="type", tag="invoke"):
    """Runs calls of a library, one after the other."""

    calls: list[InvokedCall]
    lets_timers_fire: bool = False
    """Whether the run is over only after timers of a millisecond, which the calls may have left, have fired."""
