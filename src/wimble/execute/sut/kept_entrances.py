"""Sends the sign-ups and logins with which many test cases begin once, and starts later test cases from what they did.

Most operations of many APIs ask for a user, and to hash a password is meant to be slow: two calls of three let the user
of a test case in, and take most of its time. If the databases are put back between test cases, these calls have the
same answers and the same effects each time. So the second time that they are seen they run alone, and the content of
the databases after them is kept. A later test case that begins with the same requests starts from this content, with
the answers from then. So does one that logs in a user whose row it inserts.

It is for the search alone: a test is made of all its calls, and verified with them. What a program keeps of its users
in its memory stays there during the search. If it forgets them (a logout ends the session), a call without success is
tried again with all that comes before it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import takewhile
from typing import Final, Literal

import msgspec

from wimble.execute.sut.sut_state import SutState
from wimble.genes import ReferenceGene, contains_gene
from wimble.http.http_messages import HttpRequest
from wimble.http.request_building import build_request
from wimble.model.carried_credentials import carried_by
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Observation
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.testcase import SetupAction, TestCase
from wimble.types import OperationId

MAX_KEPT: Final = 40
"""Maximum number of contents that are kept at a time."""
MAX_SEEN: Final = 400
"""Maximum number of sequences of requests that are remembered at a time."""
MAX_ALIKE: Final = 4
"""Maximum number of sets of rows that are remembered for the same requests: the roles of a user."""
MAX_FORGOTTEN: Final = 4
"""How often the program may forget its users between two of its starts; then nothing is kept until the next start."""

Run = Callable[[TestCase], Evaluation]
"""Runs a test case from the content from before the first one."""


class KeptEntrances(msgspec.Struct):
    """The calls of entrances with which test cases begin, with the rows of a user who only logs in, and what they have
    left behind.
    """

    begun: TestCase
    state: Literal["seen", "kept", "unfit"] = "seen"
    observations: tuple[Observation, ...] = ()
    content: Mapping[str, object] | None = None
    """What test cases start from; None for the content from before the first one."""
    admitting: set[OperationId] = set()
    """Operations that have known their user."""
    denying: set[OperationId] = set()
    """Of these, operations that deny some calls also after all calls were sent."""

    @property
    def n_actions(self) -> int:
        """Number of the first setup actions whose effect is in the content."""
        return len(self.begun.setup)


NOTHING_KEPT: Final = KeptEntrances(TestCase(()))
"""For test cases that run as a whole."""


class EntranceKeeper:
    """Keeps entrances of one SUT."""

    def __init__(self, state: SutState) -> None:
        self._state = state
        self._known: dict[tuple[HttpRequest, ...], list[KeptEntrances]] = {}
        self._n_kept = 0
        self._n_forgotten = 0
        """How often the program has forgotten its users since its last start."""
        self._is_untried = False
        """Whether no user from before the last start has got in since."""
        self._survive_starts = True

    def note_start(self) -> None:
        """Is called when the SUT is started afresh. Where it keeps sessions in its memory, it has forgotten all."""
        self._n_forgotten = 0
        self._is_untried = bool(self._n_kept)
        if not self._survive_starts:
            self._forget()

    def _forget(self) -> None:
        self._known.clear()
        self._n_kept = 0

    def kept_for(self, test_case: TestCase, run: Run) -> KeptEntrances:
        """Returns the kept entrances with which a test case begins; NOTHING_KEPT if it has to run as a whole.

        Runs the entrances alone if another test case has begun with them.
        """
        begun = _entrances_of(test_case)
        if begun is None or self._n_forgotten >= MAX_FORGOTTEN or not self._state.databases.can_keep_changes:
            return NOTHING_KEPT
        requests = tuple([build_request(call) for call in begun.calls])
        known = self._known.get(requests, [])
        for one in known:
            if one.state == "kept" and test_case.setup[: one.n_actions] == one.begun.setup:
                return one
        for one in known:
            shared = _shared(one.begun.setup, begun.setup)
            if one.state == "seen" and (shared or not begun.setup) and self._n_kept < MAX_KEPT:
                one.begun = TestCase(begun.calls, shared)
                return one if self._keep(one, run) else NOTHING_KEPT
        self._note_seen(requests, begun)
        return NOTHING_KEPT

    def _note_seen(self, requests: tuple[HttpRequest, ...], begun: TestCase) -> None:
        if len(self._known) >= MAX_SEEN:
            kept = {key: [one for one in known if one.state == "kept"] for key, known in self._known.items()}
            self._known = {key: known for key, known in kept.items() if known}
        known = self._known.setdefault(requests, [])
        if len(known) < MAX_ALIKE and all(one.begun.setup != begun.setup for one in known):
            known.append(KeptEntrances(begun))

    def _keep(self, known: KeptEntrances, run: Run) -> bool:
        """Runs entrances alone, and keeps what they have left behind. Returns False if they are unfit for that."""
        known.state = "unfit"
        evaluation = run(known.begun)
        if evaluation.is_sut_lost or evaluation.refused_setup:
            return False
        if not all(one.outcome in ("ok", "redirected") for one in evaluation.observations):
            return False
        if not all(isinstance(one, DatabaseCommand) for one in evaluation.interactions):
            return False  # what a service answers is part of the test case
        content = self._state.keep_changes()
        if content is None and _has_sign_up(known.begun):
            return False  # the program keeps its users elsewhere
        known.state = "kept"
        known.observations, known.content = evaluation.observations, content
        self._n_kept += 1
        return True

    # ---- programs that forget their users ---------------------------------------------------------------------------

    def is_in_doubt(self, kept: KeptEntrances, evaluation: Evaluation) -> bool:
        """Whether a test case that has started from kept entrances should run as a whole: an operation does not know
        its user, and has known it before.
        """
        denying, others = _denying_and_others(kept, evaluation)
        if self._is_untried and others & kept.admitting:
            self._is_untried = False
        kept.admitting |= others
        return bool(denying & kept.admitting - kept.denying)

    def note_whole(self, kept: KeptEntrances, evaluation: Evaluation, whole: Evaluation) -> None:
        """Compares a test case that has started from kept entrances with the same one that has run as a whole."""
        denying, _ = _denying_and_others(kept, evaluation)
        denying_whole, _ = _denying_and_others(kept, whole)
        kept.denying |= denying & denying_whole
        if denying - denying_whole:
            self._survive_starts = self._survive_starts and not self._is_untried
            self._n_forgotten += not self._is_untried
            self._is_untried = False
            self._forget()


def _entrances_of(test_case: TestCase) -> TestCase | None:
    """Returns the sign-ups and logins with which a test case begins, and the rows that it inserts, if a login is first.

    None if it has no other calls, or if these cannot be compared with those of others.
    """
    calls = test_case.calls
    number = next((index for index, call in enumerate(calls) if not call.operation.entrance), 0)
    if not number or (test_case.at_once is not None and test_case.at_once < number):
        return None
    if any(contains_gene(ReferenceGene, *call.genes) for call in calls[:number]):
        return None
    begun = TestCase(calls[:number])
    if calls[0].operation.entrance == "sign-up":
        return begun
    return TestCase(begun.calls, tuple(takewhile(lambda one: isinstance(one, DatabaseAction), test_case.setup)))


def _has_sign_up(test_case: TestCase) -> bool:
    return any(call.operation.entrance == "sign-up" for call in test_case.calls)


def _shared(setup: tuple[SetupAction, ...], other: tuple[SetupAction, ...]) -> tuple[SetupAction, ...]:
    """Returns the first actions that two test cases have in common."""
    number = next((at for at, (one, two) in enumerate(zip(setup, other, strict=False)) if one != two), None)
    return setup[: min(len(setup), len(other)) if number is None else number]


def _denying_and_others(kept: KeptEntrances, evaluation: Evaluation) -> tuple[set[OperationId], set[OperationId]]:
    """Returns the operations that did not know their user, and all others, of the calls after the entrances."""
    denying: set[OperationId] = set()
    others: set[OperationId] = set()
    first = len(kept.observations)
    for call, observation in zip(evaluation.test_case.calls[first:], evaluation.observations[first:], strict=False):
        if carried_by(call).fields and observation.is_answered:
            (denying if observation.exchange.denial() == "unknown" else others).add(call.operation.id)
    return denying, others
