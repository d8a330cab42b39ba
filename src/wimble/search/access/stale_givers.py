"""Calls that have given credentials once, and no longer do.

A program that was started afresh has forgotten the users of its memory; a code that was used once, or a refresh token,
is refused the second time. What such a call gave lets nobody in any more, so another call of the operation that
succeeds takes its place, with all calls before it, since one of them may be why it does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Final

from wimble.genes import CarriedGene, CredentialGene, innermost
from wimble.model.evaluation import Evaluation
from wimble.model.testcase import Call, TestCase
from wimble.search.access.identities import names_of_user
from wimble.search.access.obtained import Obtained
from wimble.search.learned.replaced_texts import with_texts
from wimble.types import Absent, Json

STALE_AFTER: Final = 12
"""Number of refusals, one after the other, of calls that others take their credentials from."""
UNPROVEN_STALE_AFTER: Final = 2
"""The same if nobody has come in with these credentials so far: few calls are made to find that out."""
TRIED_PROBABILITY: Final = 0.2
"""Probability that a test case begins with such calls all the same: what they lack may be there again."""


class StaleGivers:
    """Which operations no longer give credentials, as they were called."""

    def __init__(self, rng: Random, has_let_in: Callable[[str], bool]) -> None:
        """has_let_in: whether somebody has come in with what a giver has given."""
        self._rng = rng
        self._has_let_in = has_let_in
        self._n_refused: dict[str, int] = {}

    def observe(self, evaluation: Evaluation, givers: Mapping[str, Obtained]) -> None:
        """Counts refusals of calls to whose answers later calls of the test case refer for their credentials.

        A call that was changed beyond its user, or comes after others that were refused, may be refused for that.
        """
        calls = evaluation.test_case.calls
        for index in {one for call in calls for one in giving_calls(call)}:
            giver = calls[index].operation.id if 0 <= index < len(evaluation.observations) else ""
            if giver not in givers:
                continue
            outcomes = [one.outcome for one in evaluation.observations[: index + 1]]
            if outcomes[-1] == "refused":
                if "refused" not in outcomes[:-1] and _is_unchanged(calls[index], givers[giver]):
                    self._n_refused[giver] = self._n_refused.get(giver, 0) + 1
            elif outcomes[-1] in ("ok", "redirected") and not self.is_stale(giver):
                self._n_refused.pop(giver, None)

    def is_stale(self, giver: str) -> bool:
        n_refused = self._n_refused.get(giver, 0)
        if n_refused < UNPROVEN_STALE_AFTER:
            return False
        return n_refused >= STALE_AFTER or not self._has_let_in(giver)

    def is_left_out(self, giver: str) -> bool:
        """Whether a test case does without the calls of a giver."""
        return self.is_stale(giver) and self._rng.random() >= TRIED_PROBABILITY

    def renew(self, giver: str) -> None:
        """A call of the giver has succeeded, and taken the place of the one that was refused."""
        self._n_refused.pop(giver, None)


def _is_unchanged(call: Call, obtained: Obtained) -> bool:
    """Whether a call sends what the one sent that has given the credentials, but for the user's name."""
    known = obtained.test_case.calls[-1]
    renamed = dict(zip(names_of_user(known), names_of_user(call), strict=False))
    same = with_texts(TestCase((known,)), renamed).calls[0]
    return _values(same) == _values(call)


def _values(call: Call) -> list[Json | Absent]:
    """Returns the values of the inputs, without credentials."""
    return [gene.phenotype() for gene in call.genes if not isinstance(gene, CarriedGene)]


def giving_calls(call: Call) -> Iterator[int]:
    """Yields the indexes of the calls whose answers have the credentials that a call carries."""
    carried = call.genes[-1] if call.genes else None
    for _, gene in carried.fields if isinstance(carried, CarriedGene) else ():
        reference = innermost(gene)
        if isinstance(reference, CredentialGene):
            yield reference.call
