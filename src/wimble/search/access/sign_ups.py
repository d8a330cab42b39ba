"""The ways in which users have signed up: an invitation or a role may make one whom more operations let in."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from wimble.genes import ReferenceGene, contains_gene
from wimble.genes.probabilities import MARKER_LENGTH
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Observation
from wimble.model.testcase import Call, TestCase
from wimble.search.access.identities import (
    last_sign_up,
    names_of_user,
    texts_sent,
    with_fresh_identity,
    with_same_user,
)
from wimble.search.access.stored_users import RIGHTS
from wimble.search.learned.replaced_texts import has_part_of
from wimble.search.resources.input_names import iter_named_genes
from wimble.types import OperationId, TargetId

OTHER_PROBABILITY: Final = 0.5
"""Probability that a user whom an operation knows but does not let in has signed up in another way."""
KNOWN_PROBABILITY: Final = 0.7
"""Probability that the other way is one that is known, if any is; else it has new values."""
ADMITTED_PROBABILITY: Final = 0.6
"""Probability that the other way is one whose users were let in elsewhere, where others were not: an agent."""
OWN_PROBABILITY: Final = 0.9
"""Probability that a user for an operation signs up as the one who was let in there, where others were not."""
MAX_WAYS: Final = 6
"""Number of ways that are kept, besides those that operations need."""
MAX_RIGHTS: Final = 12
"""Number of roles and the like that are remembered; of more, any text seems to be accepted."""
MAX_NAMES: Final = 2_000
"""Number of accepted names that are remembered, to notice when they are sent again."""
_MADE_UP: Final = re.compile(rf"(?=.*\d)[a-z][a-z0-9]{{{MARKER_LENGTH - 1},}}(@example\.com)?")
"""A name or address from a marker (genes/taint_markers.py) with a digit; others may be words of the program."""


def _rights_of(call: Call) -> set[tuple[str, str]]:
    """Returns names and values of what a call says about what a user may do: a role that the program knows."""
    named = iter_named_genes(call, 0) if call.operation.entrance == "sign-up" else ()
    sent = ((one.name, one.gene.phenotype()) for one in named if RIGHTS.search(one.name.lower()))
    return {(name, value) for name, value in sent if isinstance(value, str) and not _MADE_UP.fullmatch(value)}


class SignUps:
    """What is known of the sign-ups of one API."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._ways: list[Call] = []
        """Calls that have covered something, or asked for a role, that no sign-up before had; newest last."""
        self.n_ways = 0
        """How many there were, also those that are no longer kept."""
        self._covered: set[TargetId] = set()
        self._rights: set[tuple[str, str]] = set()
        """What accepted sign-ups have sent about what their users may do, by name: `role`, `agent`."""
        self._admitted: dict[OperationId, Call] = {}
        """By operation: the sign-up of the user whom it has let in, after others were forbidden to call it."""
        self._sent: set[tuple[tuple[str, str], ...]] = set()
        """What sign-ups that have succeeded have sent."""
        self._known_names: set[str] = set()
        self.are_names_taken = False
        """Whether a sign-up that has succeeded in a test case was refused in another: the SUT keeps its users."""

    def note(self, evaluation: Evaluation, call: Call, observation: Observation) -> None:
        """Learns from the answer to a sign-up."""
        sent = tuple(texts_sent(call))
        if observation.outcome == "ok":
            if len(self._sent) < MAX_NAMES:
                self._sent.add(sent)
            # Some targets are reported though they are covered.
            index = observation.call_index
            covered = {at for at, one in evaluation.reached.items() if one.h >= 1.0 and one.call == index}
            rights = _rights_of(call) - self._rights
            if not covered <= self._covered or (rights and len(self._rights) < MAX_RIGHTS):
                self._covered |= covered
                self._rights |= rights
                self._ways.append(call)
                self.n_ways += 1
                del self._ways[:-MAX_WAYS]
        elif observation.outcome == "refused" and sent in self._sent:
            before = evaluation.test_case.calls[: observation.call_index]
            self.are_names_taken = self.are_names_taken or not any(
                one.operation.entrance == "sign-up" and not set(names_of_user(one)).isdisjoint(names_of_user(call))
                for one in before
            )

    def note_succeeded(self, call: Call) -> None:
        """Remembers the names of a user."""
        if len(self._known_names) < MAX_NAMES:
            self._known_names.update(names_of_user(call))

    def is_left_behind(self, login: Call, signed_up: Sequence[Call]) -> bool:
        """Whether a login is that of a user whom another test case has signed up, and none of these calls.

        There is no such user on a SUT that was started afresh.
        """
        names = self._known_names.intersection(names_of_user(login))
        return bool(names) and names.isdisjoint(name for call in signed_up for name in names_of_user(call))

    @property
    def newest_way(self) -> Call | None:
        """The last of these calls."""
        return self._ways[-1] if self._ways else None

    def note_admitted(self, test_case: TestCase, index: int) -> None:
        """Notes that an operation that was forbidden to others has succeeded, with the call at the index."""
        sign_up = last_sign_up(test_case.calls[:index])
        if sign_up is not None:
            self._admitted[test_case.calls[index].operation.id] = sign_up

    def knows_way_into(self, operation: OperationId) -> bool:
        return operation in self._admitted

    def admitted_elsewhere(self, call: Call) -> list[Call]:
        """Returns sign-ups that have asked for other rights than this one, and whose users operations have let in that
        were forbidden to others: one for each of these rights.
        """
        by_rights = {
            frozenset(_rights_of(one)): one for one in self._admitted.values() if one.operation is call.operation
        }
        own = _rights_of(call)
        others = [one for rights, one in by_rights.items() if rights and rights != own]
        return [one for one in others if not contains_gene(ReferenceGene, *one.genes)]

    def otherwise(self, operation: OperationId, call: Call, new_call: Callable[[], Call]) -> Call:
        """Returns a sign-up of the same user for an operation, in part in another way. new_call: one of new values."""
        own = self._admitted.get(operation)
        if own is not None:
            is_other = own.operation is call.operation and self._rng.random() < OWN_PROBABILITY
            return with_same_user(own, call) if is_other else call
        if self._rng.random() >= OTHER_PROBABILITY:
            return call
        admitted = self.admitted_elsewhere(call)
        if admitted and self._rng.random() < ADMITTED_PROBABILITY:
            return with_same_user(self._rng.choice(admitted), call)
        rights = _rights_of(call)
        known = [
            one for one in self._ways if one.operation is call.operation and (not rights or _rights_of(one) != rights)
        ]
        if known and self._rng.random() < KNOWN_PROBABILITY:
            return with_same_user(self._rng.choice(known), call)
        return with_same_user(new_call(), call)

    def renewed(self, test_case: TestCase) -> TestCase:
        """Returns a changed copy of an earlier test case as another user, if the SUT would refuse the same name.

        Names that are not made up stay, since the program may ask for them; so do those that a credential contains.
        """
        if not self.are_names_taken:
            return test_case
        names = [
            name for call in test_case.calls if call.operation.entrance == "sign-up" for name in names_of_user(call)
        ]
        if not names or not all(map(_MADE_UP.fullmatch, names)) or has_part_of(test_case, names):
            return test_case
        return with_fresh_identity(test_case, self._rng)
