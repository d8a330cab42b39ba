"""Chains of calls that create what an operation needs, and follow-ups on what was created."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from random import Random
from typing import Final

from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.bindings import Bindings
from wimble.search.resources.input_names import iter_named_genes
from wimble.search.resources.looked_up_keys import LookedUpKeys
from wimble.search.resources.named_nouns import noun_of_input
from wimble.search.resources.references import inserted
from wimble.search.resources.resources import Resources, SubjectBinding
from wimble.search.sampling.answer_references import FOREIGN_KEY_PROBABILITY
from wimble.search.sampling.call_maker import CallMaker
from wimble.search.sampling.succeeded_inputs import SucceededInputs
from wimble.types import OperationId

CHAIN_PROBABILITY: Final = 0.97
"""Probability that a path parameter is bound, in a chain that was built for it."""
LIST_PRODUCER_PROBABILITY: Final = 0.15
"""Probability that a resource is taken from a list instead of created: some APIs have seed data or create nothing."""
SHOWN_PROBABILITY: Final = 0.6
"""The same while no creator has succeeded, and the list has shown something."""
FIRST_CREATOR_PROBABILITY: Final = 0.8
"""Probability that a needed resource is made by the operation that most likely makes it; else any creator is drawn."""
OTHER_CREATOR_PROBABILITY: Final = 0.2
"""Probability that the creator is drawn, if several operations make the resource of a path parameter."""
NAMED_PROBABILITY: Final = 0.5
"""Probability that what the fields of a call name is created before it."""
WAITING_NAMED_PROBABILITY: Final = 0.9
"""The same for a call of an operation that has not succeeded, once calls have made such things: it may need them."""
LOOKED_UP_PROBABILITY: Final = 0.7
"""Probability that a row that an operation looks up by an input is made by a call before it."""
MAX_NAMED: Final = 2
"""Resources named by fields that are created for one call."""
FOLLOW_UP_PROBABILITY: Final = 0.45
"""Probability of each further call on the same resource."""
AGAIN_PROBABILITY: Final = 0.2
"""Probability that a further call on a resource repeats the last call."""
TWICE_PROBABILITY: Final = 0.15
"""Probability that a creation is sent twice, for conflicts."""
FOLLOWED_PROBABILITY: Final = 0.35
"""Probability that a creation is followed by an operation on what was created. In the remaining cases it stands
alone.
"""


class Chains:
    """Appends calls to the growing list of a test case's calls, up to `max_calls`."""

    def __init__(
        self,
        resources: Resources,
        bindings: Bindings,
        calls: CallMaker,
        succeeded: SucceededInputs,
        *,
        looked_up: LookedUpKeys,
        max_calls: int,
        rng: Random,
    ) -> None:
        self._resources = resources
        self._bindings = bindings
        self._maker = calls
        self._succeeded = succeeded
        self._looked_up = looked_up
        self._max_calls = max_calls
        self._rng = rng
        self._is_certain = False

    @contextmanager
    def certain(self) -> Iterator[None]:
        """Makes all that calls name, by calls with inputs that have succeeded, and binds them to it."""
        self._is_certain = True
        try:
            yield
        finally:
            self._is_certain = False

    def has_room(self, calls: Sequence[Call]) -> bool:
        """Whether a call may follow these."""
        return len(calls) < self._max_calls

    def is_dependent(self, operation: Operation) -> bool:
        """Whether the operation needs a resource, or the answer of another operation."""
        resources = self._resources
        if resources.bindings(operation) or operation.needs or resources.links.sources(operation):
            return True
        return next(self._looked_up.wanted(operation), None) is not None

    def new_call(self, operation: Operation, calls: Sequence[Call]) -> Call:
        """Returns a call whose path is usually bound to the calls before it."""
        return self._maker.call(operation, calls, bind_probability=CHAIN_PROBABILITY)

    def producer(self, operation: Operation, calls: Sequence[Call]) -> Call:
        """Returns a call that has to succeed for those after it: often with inputs that have."""
        call = self._bound_if_certain(self.new_call(operation, calls), calls)
        return self._succeeded.applied(call, calls, is_certain=self._is_certain)

    def append(self, operation: Operation, calls: list[Call]) -> None:
        """Appends calls that create the operation's resources, and then the operation.

        Resources for which there are such calls already are left out.
        """
        self._append_producers(operation, calls, frozenset({id(operation)}))
        if len(calls) < self._max_calls:
            calls.append(self._with_named_resources(self.new_call(operation, calls), calls))

    def append_follow_ups(self, operation: Operation, calls: list[Call]) -> None:
        """Appends more calls on the same resource: double PUT, DELETE then GET, and so on."""
        rng = self._rng
        related = (*self._resources.siblings(operation), *self._resources.siblings(operation))
        related += (*self._resources.below(operation), *self._resources.collection(operation))
        while len(calls) < self._max_calls and rng.random() < FOLLOW_UP_PROBABILITY:
            if rng.random() < AGAIN_PROBABILITY:
                calls.append(calls[-1])
            else:
                calls.append(self.new_call(rng.choice(related), calls))

    def append_creation(self, operation: Operation, calls: list[Call]) -> None:
        """Appends a POST alone, twice, or followed by operations on what it created."""
        rng = self._rng
        self.append(operation, calls)
        chance = rng.random()
        if chance < TWICE_PROBABILITY and len(calls) < self._max_calls:
            calls.append(calls[-1])  # twice, for conflicts
        elif chance < TWICE_PROBABILITY + FOLLOWED_PROBABILITY:
            followers = [o for o in self._resources.below(operation) if o is not operation]
            followers += self._resources.links.followers(operation)
            if followers:
                follower = rng.choice(followers)
                self.append(follower, calls)
                self.append_follow_ups(follower, calls)

    def _append_producers(self, operation: Operation, calls: list[Call], under_way: frozenset[int]) -> None:
        """Appends calls that create what the operation needs, with room left for the operation itself.

        `under_way` breaks cycles of operations that need each other.
        """
        for binding in self._resources.bindings(operation):
            if not any(call.operation in binding.creators or call.operation in binding.lists for call in calls):
                self._append_producer(self._choose_producer(binding), calls, under_way)

        sources = self._resources.links.sources(operation)
        if sources and not any(call.operation in sources for call in calls):
            self._append_producer(self._rng.choice(sources), calls, under_way)

        for noun in dict.fromkeys(noun for _, noun in operation.needs):
            creators = self._resources.creators_of(noun)
            if creators and not any(call.operation in creators for call in calls):
                is_first = self._rng.random() < FIRST_CREATOR_PROBABILITY
                creator = self._likeliest(creators) if is_first else self._rng.choice(creators)
                self._append_producer(creator, calls, under_way)

        n_wanted: Counter[tuple[OperationId, ...]] = Counter()
        for makers in self._looked_up.wanted(operation):
            writing = tuple(one.operation.id for one in makers)
            n_wanted[writing] += 1
            n_there = sum(call.operation.id in writing for call in calls)
            is_made = self._is_certain or self._rng.random() < LOOKED_UP_PROBABILITY
            if n_there < n_wanted[writing] and is_made:
                self._append_producer(makers[0].operation, calls, under_way)

    def _with_named_resources(self, call: Call, calls: list[Call]) -> Call:
        """Returns the call, often a new one that follows calls that create what its fields name: `roomId` a room.

        No document needs to declare the fields, so they are known only when there is a call.
        """
        added = self._with_makers(call, calls)
        if len(added) == len(calls):
            return self._bound_if_certain(call, calls)
        calls[:] = added
        return self._bound(self.new_call(call.operation, calls), calls)

    def with_named_made(self, test_case: TestCase) -> TestCase:
        """Returns the test case, often with calls before the last one that create what its inputs name.

        When it was made, nobody may have known the inputs, or what creates the resources.
        """
        *before, last = test_case.calls
        calls = self._with_makers(last, before)
        if len(calls) == len(before):
            return test_case
        made = inserted(test_case, len(before), calls[len(before) :])
        at = len(made.calls) - 1
        return made.with_call(at, self._bound(made.calls[at], made.calls[:at]))

    def _with_makers(self, call: Call, before: Sequence[Call]) -> list[Call]:
        """Returns the calls before one, often with further ones that create what its fields name."""
        calls, missing = list(before), self._missing_makers(call, before)
        if missing and (self._is_certain or self._rng.random() < self._named_probability(call.operation, missing)):
            for makers in missing[:MAX_NAMED]:
                self._append_producer(self._likeliest(makers), calls, frozenset({id(call.operation)}))
        return calls

    def _named_probability(self, operation: Operation, missing: Sequence[Sequence[Operation]]) -> float:
        are_known = all(any(map(self._bindings.has_observed, makers)) for makers in missing)
        is_waiting = are_known and not self._bindings.has_observed(operation)
        return WAITING_NAMED_PROBABILITY if is_waiting else NAMED_PROBABILITY

    def _bound_if_certain(self, call: Call, earlier: Sequence[Call]) -> Call:
        return self._bound(call, earlier) if self._is_certain else call

    def _bound(self, call: Call, earlier: Sequence[Call]) -> Call:
        probability = 1.0 if self._is_certain else FOREIGN_KEY_PROBABILITY
        return self._maker.references.with_foreign_keys(call, earlier, probability)

    def _missing_makers(self, call: Call, calls: Sequence[Call]) -> list[tuple[Operation, ...]]:
        """Returns the creators of each resource that a field of the call names, and that no earlier call creates: a
        team's twice for a match with a `homeTeamId` and an `awayTeamId`.
        """
        named = dict.fromkeys(one.name for one in iter_named_genes(call, len(calls)) if one.role == "content")
        wanted = Counter(filter(None, (self._makers_named(name, call.operation) for name in named)))
        for makers in wanted:
            wanted[makers] -= sum(1 for earlier in calls if earlier.operation in makers)
        return [makers for makers in wanted.elements() if call.operation not in makers]

    def _makers_named(self, name: str, operation: Operation) -> tuple[Operation, ...]:
        noun = noun_of_input(name, operation, self._resources, self._bindings)
        if noun is not None:
            return self._resources.creators_of(noun)
        key = self._resources.named(name)
        return key.creators if key is not None else ()

    def _append_producer(self, producer: Operation | None, calls: list[Call], under_way: frozenset[int]) -> None:
        if producer is None or id(producer) in under_way:
            return
        self._append_producers(producer, calls, under_way | {id(producer)})
        if len(calls) + 1 < self._max_calls:
            calls.append(self.producer(producer, calls))

    def _choose_producer(self, binding: SubjectBinding) -> Operation | None:
        use_list = self._rng.random() < self._list_probability(binding)
        if binding.lists and (use_list or not binding.creators):
            return binding.lists[0]
        if len(binding.creators) > 1 and self._rng.random() < OTHER_CREATOR_PROBABILITY:
            return self._rng.choice(binding.creators)
        return self._likeliest(binding.creators) if binding.creators else None

    def _list_probability(self, binding: SubjectBinding) -> float:
        shows = bool(binding.lists) and self._bindings.has_shown(binding.lists[0], binding)
        has_made = not shows or any(map(self._bindings.has_observed, binding.creators))
        return LIST_PRODUCER_PROBABILITY if has_made else SHOWN_PROBABILITY

    def _likeliest(self, creators: Sequence[Operation]) -> Operation:
        """Returns the first one that has succeeded; the first one of all if none has."""
        return next((one for one in creators if self._bindings.has_observed(one)), creators[0])
