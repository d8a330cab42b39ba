"""The lines of a journal, as JSON: the run, then what its search found, in order.

Test cases are in the encoding of wimble/encoding.py.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from wimble import __version__
from wimble.encoding import encode_test_case, to_text
from wimble.engine.events import Progress
from wimble.engine.faults.fault_book import Fault
from wimble.http.exchange import exchange_of, http_observation
from wimble.http.http_messages import CallFailure, HttpRequest, HttpResponse
from wimble.model.evaluation import Finding
from wimble.model.observation import Observation
from wimble.settings import Settings
from wimble.types import Json

VERSION: Final = 1  # 1: first.
JOURNAL_FILE: Final = "journal.jsonl"
"""The journal of the run that is at work in an output folder, or was killed there; relative to the folder."""
NOT_KEPT: Final = frozenset(["users", "secrets"])
"""Settings that a journal does not hold: they come from the project file and the environment."""
MAX_BODY_BYTES: Final = 1 << 16
N_BEFORE: Final = 12
"""Number of test cases before a fault that are kept: it may need what they left in the SUT."""


class RunEntry(msgspec.Struct, frozen=True, kw_only=True, tag="run"):
    """The first line: which run this is."""

    version: int = VERSION
    wimble_version: str = __version__
    settings: dict[str, Json]
    url: str
    schema: str
    n_operations: int


class TestCaseEntry(msgspec.Struct, frozen=True, tag="test-case"):
    """A test case that has covered something new."""

    __test__ = False

    test_case: Json


class SavedCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call of a fault's test case, with its answer."""

    request: HttpRequest
    status: int | None = None
    """None if there was no answer."""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    failure: CallFailure | None = None
    detail: str = ""
    is_graphql: bool = False

    def observation(self, index: int) -> Observation:
        """Returns the call as it was observed, without its cause. index: of the call in its test case."""
        response = None if self.status is None else HttpResponse(self.status, self.headers, self.body)
        return http_observation(
            index, self.request, response, failure=self.failure, detail=self.detail, is_graphql=self.is_graphql
        )


class FaultEntry(msgspec.Struct, frozen=True, kw_only=True, tag="fault"):
    """A fault, when it was seen for the first time."""

    finding: Finding
    calls: tuple[SavedCall, ...]
    test_case: Json
    before: tuple[Json, ...]
    """The last test cases before it."""
    found_after_calls: int
    found_after_s: float


class ProgressEntry(msgspec.Struct, frozen=True, tag="progress"):
    """How far the search was."""

    progress: Progress


Entry = RunEntry | TestCaseEntry | FaultEntry | ProgressEntry


def run_entry(settings: Settings, *, url: str, schema: str, n_operations: int) -> RunEntry:
    kept = {name: getattr(settings, name) for name in settings.__struct_fields__ if name not in NOT_KEPT}
    return RunEntry(
        settings=msgspec.to_builtins(kept, enc_hook=_encode_path), url=url, schema=schema, n_operations=n_operations
    )


def settings_of(entry: RunEntry) -> Settings:
    """Returns the settings of the run, without its users. Raises: msgspec.ValidationError."""
    return msgspec.convert(entry.settings, Settings, dec_hook=_decode_path)


def fault_entry(fault: Fault) -> FaultEntry:
    witness = fault.witnesses[0]
    evaluation = witness.evaluation
    return FaultEntry(
        finding=fault.finding,
        calls=_saved(evaluation.observations),
        test_case=encode_test_case(evaluation.test_case),
        before=tuple(map(encode_test_case, witness.history[-N_BEFORE:])),
        found_after_calls=fault.found_after_calls,
        found_after_s=fault.found_after_s,
    )


def _saved(observations: Sequence[Observation]) -> tuple[SavedCall, ...]:
    saved = []
    for exchange in map(exchange_of, observations):
        response = exchange.response
        saved.append(
            SavedCall(
                request=exchange.request,
                status=None if response is None else response.status,
                headers=() if response is None else response.headers,
                body=b"" if response is None else response.body[:MAX_BODY_BYTES],
                failure=exchange.failure,
                detail=exchange.detail,
                is_graphql=exchange.is_graphql,
            )
        )
    return tuple(saved)


def encoded(entry: Entry, clean: Callable[[str], str]) -> bytes:
    """Returns the line of an entry. clean: removes secrets from a text."""
    return clean(to_text(msgspec.to_builtins(entry))).encode() + b"\n"


def decoded(line: bytes) -> Entry:
    """Returns the entry of a line. Raises: ValueError."""
    return msgspec.convert(json.loads(line), Entry)  # type: ignore[no-any-return] # a union


def _encode_path(value: object) -> str:
    return str(value)


def _decode_path(kind: type, value: Any) -> Any:
    return Path(value) if issubclass(kind, Path) else value
