"""Neighbours of test cases that have just covered something, or called an operation with what another one made.

A neighbour lacks one optional input, has null where it is allowed, an empty list, 0, the least or greatest number that
is allowed, a huge number, or a name that nobody knows (`unusual_values.py`), has another key of the table that an input
is looked up in (`table_keys.py`), gets another value of an enumeration from a service (`answer_options.py`) or a body
that is none (`services/spoiled_answers.py`), has more rows, has a day at the end of its week, month and year, or uses a
resource that was removed before. Handlers that rely on the presence of an input, or of a resource, fail in code that is
covered already, so no target leads to such faults. A test case that covers something new has passed the checks before
it. From there, leaving out an input is one step, and so is null in a column that is never compared, or a second row
where one was expected. Most handlers are covered by resources that are there from the start, and these have all that is
read; so the first time that an operation takes what another one made counts as well.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections import deque
from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial
from random import Random
from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from wimble.genes import ArrayGene, Gene, LinkedGene, NullableGene, OptionalGene, ReferenceGene, StringGene, iter_genes
from wimble.genes.date_texts import from_time, to_time
from wimble.model.evaluation import Evaluation
from wimble.model.hints import SplitHint
from wimble.model.operands import decoded
from wimble.model.setup import MAX_SETUP, with_copy, without_setup
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.generators.services.spoiled_answers import SpoiledAnswers
from wimble.search.generators.variations.answer_options import AnswerOptions
from wimble.search.generators.variations.first_uses import with_each_use
from wimble.search.generators.variations.made_again import made_again
from wimble.search.generators.variations.table_keys import TableKeys
from wimble.search.generators.variations.unusual_values import (
    with_empty_lists,
    with_empty_parts,
    with_greatest_numbers,
    with_huge_numbers,
    with_least_numbers,
    with_unknown_names,
)
from wimble.search.resources.references import has_valid_references, inserted, iter_references
from wimble.search.sampling.sampler import Sampler
from wimble.types import OperationId, TargetId

MAX_PER_TEST_CASE = 8
"""Maximum number of neighbours of one kind. If a test case has more optional inputs, random sampling reaches the
others.
"""
MAX_REMOVED = 2
"""Maximum number of resources of a test case that are removed in a neighbour, each alone."""
MORE_ROWS = 2
"""Number of further rows. Programs sort, group and compare rows if there are several. Two different numbers of rows
show whether a program runs one query for each row.
"""
TURNING_DAYS = ("2028-12-31", "2023-01-01", "2024-02-29")
"""Days at which programs that count from 0 and from 1 go wrong: a Sunday that ends a month and a leap year, a Sunday
that begins a month and a year, and a leap day."""
SATURDAY, SUNDAY = 5, 6
_AS_DAY = "2000-01-01"
_MONTH = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])")
MAX_DATES = 3
"""Maximum number of dates of a test case that get such days."""
MAX_ROWS_LEFT_OUT = 3
"""Maximum number of rows of a test case that are left out, each alone."""
MAX_SPLIT = 3
"""Maximum number of texts that are split at one place and get an empty part."""
MAX_WAITING = 512
"""Maximum number of waiting neighbours, since the first evaluations cover much at once and give many. The oldest are
tried first; further ones are dropped.
"""


LeftOut: TypeAlias = tuple[OperationId, GeneAddress]
"""An input of an operation that lets a user in, with 0 as the index of its call."""


class _Neighbour(msgspec.Struct, frozen=True):
    """A test case that waits."""

    test_case: TestCase
    left_out: LeftOut | None = None
    """What its user was let in without."""
    entrance: int = 0
    """Index of the call that lets the user in."""


class _NeighbourProposal(Proposal, kw_only=True):
    neighbour: _Neighbour


class Neighbours(Generator):
    """Proposes the neighbours of each test case that covers something new, the oldest first."""

    def __init__(self, sampler: Sampler, rng: Random, max_calls: int) -> None:
        """max_calls: maximum number of calls of a test case."""
        super().__init__()
        self._max_calls = max_calls
        self._sampler = sampler
        self._rng = rng
        self._tables = TableKeys()
        self._options = AnswerOptions()
        self._spoiled = SpoiledAnswers()
        self._waiting: deque[_Neighbour] = deque()
        self._n_split: dict[TargetId, int] = {}
        self._succeeded: set[OperationId] = set()
        self._needed: set[LeftOut] = set()
        """Inputs without which no user was let in."""
        self._used: set[tuple[OperationId, bool, OperationId]] = set()
        """Operations that have made something, whether it had lists that were not empty, and which operation has
        succeeded with it."""
        self._users: set[tuple[OperationId, GeneAddress, OperationId]] = set()
        """Operations that let a user in, one of their optional inputs, and which operation was called by a user without
        it."""

    def is_ready(self) -> bool:
        return bool(self._waiting)

    def propose(self, progress: float) -> Proposal | None:
        while self._waiting:
            neighbour = self._waiting.popleft()
            if neighbour.left_out not in self._needed:
                return _NeighbourProposal(neighbour.test_case, self, neighbour=neighbour)
        return None

    def observe(self, outcome: Outcome) -> None:
        newly_covered, evaluation = outcome.improvement.newly_covered, outcome.evaluation
        self._tables.observe(evaluation)
        self._note_successes(evaluation)
        if isinstance(outcome.proposal, _NeighbourProposal):
            self._note_left_out(outcome.proposal.neighbour, evaluation)
        is_first_use = self._is_first_use(evaluation)
        if self._has_room_after(evaluation):
            self._waiting.extend(map(_Neighbour, self._with_empty_parts(evaluation)))
        if (newly_covered or is_first_use) and self._has_room_after(evaluation):
            self._put_first([*self._options.with_other_options(evaluation), *self._spoiled.with_spoiled(evaluation)])
            self._waiting.extend(map(_Neighbour, neighbours(evaluation.test_case, self._rng)))
            self._waiting.extend(self._of_users_with_less(evaluation))
            self._waiting.extend(map(_Neighbour, self._tables.with_other_keys(evaluation.test_case)))
            further = list(without_a_resource(evaluation.test_case, self._sampler))
            if is_first_use:
                further += self._with_each_use(evaluation.test_case)
                further += made_again(evaluation.test_case)
            self._waiting.extend(_Neighbour(one) for one in further if len(one.calls) <= self._max_calls)
        if outcome.proposal.generator is self:
            self.credit.add(is_success=bool(newly_covered))

    def _has_room_after(self, evaluation: Evaluation) -> bool:
        """Whether neighbours of the test case may wait: none of one after which the SUT had to be started again."""
        return not evaluation.is_sut_lost and len(self._waiting) < MAX_WAITING

    def _with_empty_parts(self, evaluation: Evaluation) -> Iterator[TestCase]:
        """Yields test cases in which a text that the program splits has an empty part, a few for each place."""
        for hint in evaluation.hints:
            if not isinstance(hint, SplitHint) or not 0 <= hint.call < len(evaluation.observations):
                continue
            text, separator = decoded(hint.text), decoded(hint.separator)
            n_split = self._n_split.get(hint.target, 0)
            if n_split < MAX_SPLIT and isinstance(text, str) and text and isinstance(separator, str) and separator:
                self._n_split[hint.target] = n_split + 1
                yield from with_empty_parts(evaluation.test_case, hint.call, text, separator)

    def _with_each_use(self, test_case: TestCase) -> list[TestCase]:
        """Returns the test case with each call that can use what its last one has made, of operations that have
        succeeded: the others have their turn at once (`first_uses.py`).
        """
        uses = with_each_use(test_case, self._sampler)
        return [one for one in uses if one.calls[-1].operation.id in self._succeeded]

    def _put_first(self, test_cases: Sequence[TestCase]) -> None:
        self._waiting.extendleft(map(_Neighbour, reversed(test_cases)))

    def _note_successes(self, evaluation: Evaluation) -> None:
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            if observation.outcome == "ok":
                self._succeeded.add(call.operation.id)

    def _note_left_out(self, neighbour: _Neighbour, evaluation: Evaluation) -> None:
        """Learns from a user who was not let in that the input which is left out is needed, whatever is called then."""
        seen = evaluation.observations[neighbour.entrance :]
        if neighbour.left_out is not None and seen and seen[0].outcome == "refused":
            self._needed.add(neighbour.left_out)

    def _of_users_with_less(self, evaluation: Evaluation) -> Iterator[_Neighbour]:
        """Yields the test case with a user who has left out an optional input (a display name), once for each operation
        that has succeeded.
        """
        test_case, observations = evaluation.test_case, evaluation.observations
        if not observations or observations[-1].outcome != "ok":
            return
        calls = test_case.calls
        for address, gene in _optional_inputs(test_case):
            left_out = (calls[address.call].operation.id, replace(address, call=0))
            key = (*left_out, calls[-1].operation.id)
            if left_out in self._needed or key in self._users:
                continue
            if gene.is_present and _lets_in(test_case, address.call):
                self._users.add(key)
                neighbour = _without(test_case, address)
                if has_valid_references(neighbour):
                    yield _Neighbour(neighbour, left_out, address.call)

    def _is_first_use(self, evaluation: Evaluation) -> bool:
        """Whether the last call is the first of its operation that succeeds with what an earlier call has made.

        What an operation makes with lists that are filled counts as another thing than with empty ones.
        """
        calls = evaluation.test_case.calls
        if len(calls) < 2 or len(evaluation.observations) < len(calls) or evaluation.observations[-1].outcome != "ok":
            return False
        pairs = {
            (calls[maker].operation.id, _has_filled_list(calls[maker]), calls[-1].operation.id)
            for maker in _makers(evaluation.test_case)
        }
        is_first = not pairs <= self._used
        self._used |= pairs
        return is_first


def _makers(test_case: TestCase) -> set[int]:
    """Returns the calls whose answers the last call uses, and those whose answers these use."""
    references = [(address.call, gene.call) for address, gene in iter_references(test_case)]
    makers: set[int] = set()
    users = [len(test_case.calls) - 1]
    while users:
        user = users.pop()
        found = {maker for by, maker in references if by == user and maker not in makers}
        makers |= found
        users += sorted(found)
    return makers


def _has_filled_list(call: Call) -> bool:
    return any(isinstance(inner, ArrayGene) and inner.items for gene in call.genes for _, inner in iter_genes(gene))


def neighbours(test_case: TestCase, rng: Random) -> Iterator[TestCase]:
    """Yields all neighbours of a test case. rng: for the keys of further rows, and for names."""
    yield from without_one_optional(test_case)
    yield from without_any_optional(test_case)
    yield from with_more_rows(test_case, rng)
    yield from without_a_row(test_case)
    yield from with_nulls(test_case)
    yield from with_turning_days(test_case)
    lets_in = partial(_lets_in, test_case)
    yield from with_empty_lists(test_case, lets_in)
    yield from with_least_numbers(test_case, lets_in)
    yield from with_greatest_numbers(test_case, lets_in)
    yield from with_huge_numbers(test_case)
    yield from with_unknown_names(test_case, lets_in, rng)


def without_one_optional(test_case: TestCase) -> Iterator[TestCase]:
    """Yields the test case without each optional input that is present: those of the last call first, outermost first.

    Earlier calls make what the last one uses, so what they leave out is missing there; but those that let a user in
    stay as they are.
    """
    found = [
        ((-address.call, len(address.path)), address)
        for address, gene in _optional_inputs(test_case)
        if gene.is_present and not _lets_in(test_case, address.call)
    ]
    for _, address in sorted(found)[:MAX_PER_TEST_CASE]:
        neighbour = _without(test_case, address)
        if has_valid_references(neighbour):
            yield neighbour


def without_any_optional(test_case: TestCase) -> Iterator[TestCase]:
    """Yields the test case with a call that carries none of its optional inputs, for each call that has several.

    An input that is left out alone may be asked for by another one (an address by a delivery at home).
    """
    present: dict[int, list[GeneAddress]] = {}
    for address, gene in _optional_inputs(test_case):
        if gene.is_present and not _lets_in(test_case, address.call):
            present.setdefault(address.call, []).append(address)
    for _, addresses in sorted(present.items(), reverse=True):
        bare = test_case
        for address in reversed(addresses):  # inner genes before outer ones
            bare = _without(bare, address)
        if len(addresses) > 1 and has_valid_references(bare):
            yield bare


def _optional_inputs(test_case: TestCase) -> Iterator[tuple[GeneAddress, OptionalGene]]:
    for address, gene in test_case.iter_genes():
        if address.call >= 0 and isinstance(gene, OptionalGene):
            yield address, gene


def _lets_in(test_case: TestCase, call: int) -> bool:
    """Whether the call is a sign-up or a login for later calls; as the last call it has neighbours as any other."""
    return 0 <= call < len(test_case.calls) - 1 and bool(test_case.calls[call].operation.entrance)


def _without(test_case: TestCase, address: GeneAddress) -> TestCase:
    return test_case.with_gene(address, replace(test_case.gene_at(address), is_present=False))


def without_a_resource(test_case: TestCase, sampler: Sampler) -> Iterator[TestCase]:
    """Yields the test case with a call before its last one that removes a resource to which the last one refers."""
    last = len(test_case.calls) - 1
    used = {gene.call: gene for address, gene in iter_references(test_case) if address.call == last}
    removing = [operation for operation in sampler.operations if operation.effect == "remove"] if used else []
    for index, reference in list(used.items())[:MAX_REMOVED]:
        creator = test_case.calls[index].operation
        for operation in removing:
            subject = next((one for one in sampler.resources.bindings(operation)[-1:] if creator in one.creators), None)
            if subject is None or operation is test_case.calls[last].operation:
                continue
            call = sampler.call(operation, test_case.calls[:last])
            own = call.genes[subject.input_index]
            fallback = own.fallback if isinstance(own, ReferenceGene) else own
            gene = ReferenceGene(index, reference.pointer, fallback)
            yield inserted(test_case, last, (call.with_gene(subject.input_index, gene),))
            break


def with_more_rows(test_case: TestCase, rng: Random) -> Iterator[TestCase]:
    """Yields the test case with copies of the last row that it inserts, since no other row refers to that one."""
    last = len(test_case.setup) - 1
    if last < 0 or len(test_case.setup) + MORE_ROWS > MAX_SETUP:
        return
    more = test_case
    for _ in range(MORE_ROWS):
        more = with_copy(more, last, rng)
    if more is not test_case:
        yield more


def without_a_row(test_case: TestCase) -> Iterator[TestCase]:
    """Yields the test case without each inserted row to which no other one refers, the last ones first.

    A program that reads the last of some rows (the latest scan of a parcel) fails where there is none yet.
    """
    rows = [number for number, _ in test_case.setup_of(DatabaseAction)]
    used = {-1 - gene.call for _, gene in test_case.iter_genes() if isinstance(gene, LinkedGene) and gene.call < 0}
    alone = [number for number in reversed(rows) if number not in used]
    if len(rows) > 1:
        yield from (without_setup(test_case, number) for number in alone[:MAX_ROWS_LEFT_OUT])


def with_turning_days(test_case: TestCase) -> Iterator[TestCase]:
    """Yields the test case with each turning day in each date of its calls and rows, those of the last call first, and
    with its month in a text that is one (`2031-05`).
    """
    found = [
        (-address.call, address, value)
        for address, gene in test_case.iter_genes()
        if not gene.children()
        and not _lets_in(test_case, address.call)
        and isinstance(value := gene.phenotype(), str)
        and (_MONTH.fullmatch(value) or to_time(value) is not None)
    ]
    for _, address, value in sorted(found)[:MAX_DATES]:
        near = _days_near(value) if address.call >= 0 else ()
        for day in (*near, *TURNING_DAYS):
            turned = day[: len(value)] if _MONTH.fullmatch(value) else day
            changed = test_case.gene_at(address).with_value(_on_day(value, turned))
            if changed is not None and turned not in value and _is_meant(changed):
                yield test_case.with_gene(address, changed)


def _days_near(value: str) -> tuple[str, ...]:
    """Returns the Saturday and the Sunday after a date, and the last day of its month.

    Programs accept a delivery within the next weeks only: what they took once is near to what they take.
    """
    time = to_time(value)
    day = None if time is None else from_time(time, _AS_DAY)
    if day is None:
        return ()
    first = date.fromisoformat(day)
    weekend = [first.toordinal() + (weekday - first.weekday() - 1) % 7 + 1 for weekday in (SATURDAY, SUNDAY)]
    last = first.replace(day=monthrange(first.year, first.month)[1])
    within = [date.fromordinal(one) for one in weekend if one <= date.max.toordinal()]  # not after 9999-12-31
    return tuple(one.isoformat() for one in (*within, last))


def _is_meant(gene: Gene) -> bool:
    """Whether the value keeps to the pattern and the format that the API declares."""
    return not isinstance(gene, StringGene) or gene.is_valid()


def _on_day(value: str, day: str) -> str:
    """Returns the date on another day, in its own form and at its own time of day."""
    if value[:4].isdigit() and value[4:5] == "-":
        return f"{day}{value[len(day) :]}"
    moment = to_time(day)
    return from_time(moment, value) or day if moment is not None else day


def with_nulls(test_case: TestCase) -> Iterator[TestCase]:
    """Yields the test case with nulls.

    First all nullable columns of its rows are null, except references to other rows; then each of all these alone,
    since a fault due to one column may hide faults due to others; then each nullable input of the last call.
    """
    last = len(test_case.calls) - 1
    found = [
        address
        for address, gene in test_case.iter_genes()
        if (address.call < 0 or address.call == last) and isinstance(gene, NullableGene) and not gene.is_null
    ]
    columns = [address for address in found if address.call < 0]
    links = [address for address, gene in test_case.iter_genes() if _is_nullable_link(gene)]
    if len(columns) > 1:
        nulled = test_case
        for address in reversed(columns):  # inner genes before outer ones
            nulled = _nulled(nulled, address)
        yield nulled
    inputs = sorted((len(address.path), address) for address in found if address.call == last)
    for kind in (columns, links, [address for _, address in inputs]):
        for address in kind[:MAX_PER_TEST_CASE]:
            neighbour = _nulled(test_case, address)
            if has_valid_references(neighbour):
                yield neighbour


def _nulled(test_case: TestCase, address: GeneAddress) -> TestCase:
    gene = test_case.gene_at(address)
    return test_case.with_gene(address, replace(gene.fallback if isinstance(gene, LinkedGene) else gene, is_null=True))


def _is_nullable_link(gene: Gene) -> bool:
    """Whether a column refers to another row, and need not: a plot without a tenant."""
    return isinstance(gene, LinkedGene) and gene.call < 0 and isinstance(gene.fallback, NullableGene)
