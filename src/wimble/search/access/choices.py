"""What a call on the way in chooses beside its user: scopes, a role, a plan.

`POST /keys {"scopes": ["read"]}` gives a key with which others answer 403. With other scopes they may let it in. Where
a document tells what may be chosen, that is sampled. Where none does, the words with which the operation has succeeded
are choices: `POST /invites {"role": "editor"}`, from which a sign-up takes the role of its user.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Final

from wimble.genes import ArrayGene, BooleanGene, EnumGene, Gene, ReferenceGene, SubsetGene, contains_gene, innermost
from wimble.genes.taint_markers import is_like_marker
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.search.access.identities import tells_user, texts_sent, with_same_user
from wimble.types import OperationId

OTHER_PROBABILITY: Final = 0.5
"""Probability that a call chooses otherwise for an operation that has let in nobody."""
KEPT_PROBABILITY: Final = 0.9
"""Probability that a call chooses as the one with whose credentials an operation has succeeded."""
MAX_VARIANTS: Final = 8
"""Successful calls of one operation, with other words each, that are kept."""
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z_-]{1,23}")


class Choices:
    """The choices of calls that give credentials, by the operations that these have got into."""

    def __init__(self, rng: Random, is_made_up: Callable[[str], bool] = is_like_marker) -> None:
        """is_made_up: whether a text of a call is most likely one that was made up."""
        self._rng = rng
        self._is_made_up = is_made_up
        self._admitted: dict[OperationId, dict[OperationId, Call]] = {}
        self._variants: dict[OperationId, dict[frozenset[tuple[str, str]], Call]] = {}

    def note_admitted(self, operation: OperationId, way_in: TestCase) -> None:
        """An operation that was forbidden before has succeeded after these calls."""
        self._admitted[operation] = {call.operation.id: call for call in way_in.calls}

    def note_success(self, call: Call) -> None:
        """Notes a call on the way in that has succeeded, if it has sent words that no other one has."""
        known = self._variants.setdefault(call.operation.id, {})
        words = frozenset(self._words_chosen(call)) if len(known) < MAX_VARIANTS and not _refers(call) else frozenset()
        if words:
            known.setdefault(words, call)

    def knows_way_into(self, operation: OperationId) -> bool:
        return operation in self._admitted

    def otherwise(self, operation: OperationId, giver: Call) -> Call:
        """Returns the giver with the choices that have let a call of the operation in, or with others."""
        known = self._admitted.get(operation, {}).get(giver.operation.id)
        if known is not None:
            return self._like(giver, known) if self._rng.random() < KEPT_PROBABILITY else giver
        if self._rng.random() >= OTHER_PROBABILITY:
            return giver
        variants = list(self._variants.get(giver.operation.id, {}).values())
        if variants and not _refers(giver):
            return with_same_user(self._rng.choice(variants), giver)
        return _with_other_choices(giver, self._rng)

    def _words_chosen(self, call: Call) -> list[tuple[str, str]]:
        """Returns names and words of what a call sends: neither made up, nor what tells its user."""
        return [
            (name, text)
            for name, text in texts_sent(call)
            if _WORD.fullmatch(text) and not self._is_made_up(text) and not tells_user(name)
        ]

    def _like(self, giver: Call, known: Call) -> Call:
        """Returns the giver with the choices of another call of its operation."""
        is_free = not _choices_of(known) and not _refers(known) and not _refers(giver)
        return with_same_user(known, giver) if is_free else _with_choices_of(giver, known)


def _refers(call: Call) -> bool:
    """Whether a call takes something from the answers of earlier ones."""
    return contains_gene(ReferenceGene, *call.genes)


def _with_other_choices(call: Call, rng: Random) -> Call:
    changed = TestCase((call,))
    choices = _choices_of(call)
    sure = rng.choice(choices) if choices else None
    for address in choices:
        if address == sure or rng.random() < OTHER_PROBABILITY:
            changed = changed.with_gene(address, changed.gene_at(address).sampled(rng))
    return changed.calls[0]


def _with_choices_of(call: Call, other: Call) -> Call:
    changed, known = TestCase((call,)), TestCase((other,))
    there = set(_choices_of(other))
    for address in _choices_of(call):
        if address in there:
            changed = changed.with_gene(address, known.gene_at(address))
    return changed.calls[0]


def _choices_of(call: Call) -> list[GeneAddress]:
    """Returns where a call chooses among values, or a list of such; not what is within such a list."""
    found: list[GeneAddress] = []
    for address, gene in TestCase((call,)).iter_genes():
        is_within = found and found[-1].input == address.input and _begins(address, found[-1])
        if address.call == 0 and _is_choice(gene) and not is_within:
            found.append(address)
    return found


def _begins(address: GeneAddress, other: GeneAddress) -> bool:
    return address.path[: len(other.path)] == other.path


def _is_choice(gene: Gene) -> bool:
    if isinstance(gene, ArrayGene):
        return isinstance(innermost(gene.element), EnumGene)
    return isinstance(gene, EnumGene | BooleanGene | SubsetGene)
