"""Tells calls that are likely to end the SUT from others of the same operation, by the shape of what they send, and of
what services answer them.

One operation may end the process for a member that is no list, and create what ten others need. Kept rare as a whole,
it would never succeed. The shape of a call is the set of its members with the types of their values, and of those of
the answers that are planned for services.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wimble.model.setup_kinds.answer import BODY, Answer
from wimble.model.testcase import Call, SetupAction
from wimble.types import ABSENT, Json

MAX_SURPRISES: Final = 4
"""Calls of shapes that seemed safe and have ended the SUT, after which shapes tell nothing about an operation."""
MAX_PATTERNS: Final = 8
MAX_DEPTH: Final = 3
MAX_ELEMENTS: Final = 4
_TYPES: Final = ((bool, "boolean"), ((int, float), "number"), (str, "text"), (list, "list"), (dict, "object"))


class FatalShapes:
    """What calls of one operation have sent, or got, that has ended the SUT, and what has not ended it."""

    def __init__(self) -> None:
        self._patterns: list[frozenset[str]] = []
        """Each is common to some calls that have ended the SUT."""
        self._survived: set[str] = set()
        self._n_surprises = 0

    def note(self, call: Call, *, has_ended: bool, setup: Sequence[SetupAction] = ()) -> None:
        """Notes what came of a call; those before the first one that has ended the SUT need not be noted."""
        shape = shape_of(call, setup)
        if not has_ended:
            self._survived |= shape
            return
        if self._patterns and not self._is_like_a_fatal_one(shape):
            self._n_surprises += 1
        for index, pattern in enumerate(self._patterns):
            common = pattern & shape
            if common - self._survived:
                self._patterns[index] = common
                return
        if len(self._patterns) < MAX_PATTERNS:
            self._patterns.append(shape)

    def suspects(self, call: Call, setup: Sequence[SetupAction] = ()) -> bool:
        """Whether the call is likely to end the SUT. setup: what is done before it."""
        return self._n_surprises >= MAX_SURPRISES or self._is_like_a_fatal_one(shape_of(call, setup))

    def _is_like_a_fatal_one(self, shape: frozenset[str]) -> bool:
        # Where others have sent all of a pattern, values or the state of the SUT decide.
        return any(pattern - self._survived <= shape for pattern in self._patterns)


def shape_of(call: Call, setup: Sequence[SetupAction] = ()) -> frozenset[str]:
    """Returns the members of what a call sends, and of what services answer, each with the type of its value."""
    found: set[str] = set()
    for given, gene in zip(call.operation.inputs, call.genes, strict=True):
        value = gene.phenotype()
        if value is not ABSENT:
            _collect(f"{given.sent_in} {given.name}", value, 0, found)
        elif not given.is_undeclared or given.role == "content":
            found.add(f"{given.sent_in} {given.name} absent")
    for action in setup:
        if isinstance(action, Answer):
            _collect_answer(action, found)
    return frozenset(found)


def _collect_answer(answer: Answer, found: set[str]) -> None:
    place = f"answer to {answer.method} {answer.origin}{answer.path}"
    body = answer.genes[BODY].phenotype()
    found.add(f"{place} {answer.outcome}")
    if answer.outcome == "answer" and body is not ABSENT:
        if not isinstance(body, (dict, list)):
            found.add(f"{place} {answer.form} scalar")  # a client that puts members on it fails whichever it is
        _collect(f"{place} {answer.form}", body, 0, found)


def _collect(place: str, value: Json, depth: int, found: set[str]) -> None:
    kind = next((name for types, name in _TYPES if isinstance(value, types)), "null")
    is_empty = isinstance(value, (str, list, dict)) and not value
    found.add(f"{place} {'empty ' if is_empty else ''}{kind}")
    if depth < MAX_DEPTH and isinstance(value, dict):
        for name, inner in value.items():
            _collect(f"{place}/{name}", inner, depth + 1, found)
    elif depth < MAX_DEPTH and isinstance(value, list):
        for inner in value[:MAX_ELEMENTS]:
            _collect(f"{place}/*", inner, depth + 1, found)
