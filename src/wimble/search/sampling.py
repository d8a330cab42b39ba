"""Makes new test cases: single calls, chains that first create what a path names, and random sequences.

Learns from answers which part of them names a resource, and which values fields had. No I/O; all chance comes from `rng`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from wimble.genes import Gene, ReferenceGene, StringGene
from wimble.model.constants import ConstantTable
from wimble.model.evaluation import Evaluation, Observation
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search import proven
from wimble.search.bindings import Bindings, iter_scalar_fields
from wimble.search.constants import SAMPLING_SHARE, ConstantChooser
from wimble.search.naming import iter_named_genes
from wimble.search.optionals import bare, full, has_optionals, thinned
from wimble.search.proven import ProvenTexts
from wimble.search.refused import Refused
from wimble.search.resources import PathBinding, Resources, named_resource, plain_name
from wimble.search.same_names import MATE_SHARE, SameNames, with_same_values
from wimble.search.users import UserChooser, as_user, is_fitting
from wimble.search.values import ValuePool
from wimble.search.violations import VIOLATION_SHARE, violated, with_last
from wimble.settings import Settings
from wimble.types import ABSENT

RANDOM_SEQUENCE_SHARE = 0.1
"""Share of test cases that follow no template; relations that names do not tell are only found by them."""
ALONE_SHARE = 0.2
"""Share of test cases that call an operation on one resource without creating it: guards for unknown ids."""
FOLLOW_UP_SHARE = 0.45
"""Chance of each further call on the same resource."""
LIST_PRODUCER_SHARE = 0.15
"""Share of resources taken from a list instead of created: seed data, and APIs that create nothing."""
CHAIN_SHARE = 0.97
"""Share of path parameters bound in a chain that was built for the purpose."""
REUSE_SHARE = 0.8
"""Share of path parameters bound to a fitting earlier call that happens to be there."""
POOL_SHARE = 0.2
"""Share of test cases in which inputs take values seen in answers (the JVM tool's value for white-box runs)."""
FOREIGN_KEY_SHARE = 0.7
"""Share of fields such as `bookId` bound to an earlier call that creates a book."""
FIRST_CREATOR_SHARE = 0.8
"""Share of needed resources made by the operation that is likeliest to make them; else by any that brings one."""
TWICE_SHARE = 0.15
"""Of creations: sent twice, for conflicts."""
FOLLOWED_SHARE = 0.35
"""Of creations: followed by an operation on what was created. The rest stands alone."""
AGAIN_SHARE = 0.2
"""Of further calls on a resource: the same call again."""
OTHER_CREATOR_SHARE = 0.2
"""Of resources that several operations make: by any of these."""
OLDER_SHARE = 0.1
"""Of bound path parameters: not of the last fitting call, but of one before it."""
USED_SHARE = 0.9
"""Share of calls that use what an earlier call used for the same parameter, where no fitting call made one after that."""
BODIES_ALWAYS_LEARNT = 16
LEARN_EVERY = 16
"""Of each operation's answers, the first are all looked at, then each 16th: shapes repeat."""
MAX_BODY_BYTES = 100_000


class Sampler:
    """New test cases for the operations of one API."""

    def __init__(
        self,
        operations: Sequence[Operation],
        settings: Settings,
        rng: Random,
        constants: ConstantTable | None = None,
        *,
        reads_refusals: bool = False,
    ) -> None:
        """constants: of the SUT's code, taken as values now and then; none for searches that may not look inside.
        reads_refusals: whether what refusals say is tried, by searches that have nothing else."""
        self._constants = ConstantChooser(ConstantTable() if constants is None else constants)
        self.operations = tuple(operations)
        self.resources = Resources(self.operations)
        self.same_names = SameNames(self.operations)
        self.bindings = Bindings()
        self.pool = ValuePool()
        self._refused = Refused(rng) if reads_refusals else None
        self.proven = ProvenTexts()
        self._max_calls = max(1, settings.max_test_calls)
        self._techniques = settings.techniques
        self._rng = rng
        self.users = UserChooser(settings.users, rng)
        self._n_answers: dict[int, int] = {}

    # -- test cases ---------------------------------------------------------------------------------------------

    def iter_initial(self) -> Iterator[TestCase]:
        """The smart start: each operation alone, then as each user, then each one that needs a resource behind its
        creators, then each alone again, with required inputs only, and with all inputs. Lazy, so that the later ones know
        the answers to the earlier ones."""
        if not self._techniques.smart_start:
            return
        for operation in self.operations:
            yield TestCase((self.call(operation, ()),))
        for user in self.users.users:
            for operation in self.operations:
                if is_fitting(user, operation):
                    yield as_user(TestCase((self.call(operation, ()),)), user.name, {0})
        for operation in self.operations:
            if self._is_dependent(operation):
                calls: list[Call] = []
                self._append_chain(operation, calls)
                if len(calls) > 1:
                    yield TestCase(tuple(calls))
        for operation in self.operations:
            yield TestCase((self.call(operation, ()),))
        for operation in self.operations:
            if has_optionals(operation):
                calls = []
                self._append_chain(operation, calls)
                yield TestCase((*calls[:-1], bare(calls[-1])))
        for operation in self.operations:
            calls = []
            self._append_chain(operation, calls)
            filled = full(calls[-1], self._rng)
            if filled is not calls[-1]:
                yield TestCase((*calls[:-1], filled))

    def sample(self) -> TestCase:
        """A new test case of 1 to `max_test_calls` calls."""
        rng = self._rng
        if not self._techniques.templates or rng.random() < RANDOM_SEQUENCE_SHARE:
            test_case = self._random_sequence()
        else:
            test_case = self.sample_for(self._any_operation())
        if self._techniques.violations and rng.random() < VIOLATION_SHARE:
            return with_last(test_case, violated(test_case.calls[-1], rng))
        return test_case

    def sample_for(self, operation: Operation) -> TestCase:
        """A new test case by a template that leads to the operation."""
        if not self._techniques.templates:
            return TestCase((self.call(operation, ()),))
        rng = self._rng
        calls: list[Call] = []
        if self._is_dependent(operation):
            if rng.random() < ALONE_SHARE:
                calls.append(self.call(operation, ()))
            else:
                self._append_chain(operation, calls)
                self._append_follow_ups(operation, calls)
        elif rng.random() < MATE_SHARE and (mate := self.same_names.mate(operation, rng)) is not None:
            self._append_chain(mate, calls)
            calls[-1] = self.same_names.naming(calls[-1], operation, rng)
            while len(calls) + 1 < self._max_calls and rng.random() < FOLLOW_UP_SHARE:
                calls.append(self.call(self.same_names.mate(operation, rng) or mate, calls, bind_share=CHAIN_SHARE))
            self._append_chain(operation, calls)
        elif operation.method == "POST":
            self._append_creation(operation, calls)
        else:
            creators = [o for o in self.resources.siblings(operation) if o.method == "POST"]
            if creators and rng.random() < 0.5:
                for _ in range(rng.randint(1, 3)):
                    self._append_chain(rng.choice(creators), calls)
            self._append_chain(operation, calls)
        return TestCase(tuple(calls[: self._max_calls]))

    def _random_sequence(self) -> TestCase:
        calls: list[Call] = []
        for _ in range(self._rng.randint(1, self._max_calls)):
            calls.append(self.call(self._any_operation(), calls))
        return TestCase(tuple(calls))

    def _append_creation(self, operation: Operation, calls: list[Call]) -> None:
        """POST alone, twice the same, or followed by operations on what it created."""
        rng = self._rng
        self._append_chain(operation, calls)
        chance = rng.random()
        if chance < TWICE_SHARE and len(calls) < self._max_calls:
            calls.append(calls[-1])  # the same again: conflicts
        elif chance < TWICE_SHARE + FOLLOWED_SHARE:
            followers = [o for o in self.resources.below(operation) if o is not operation]
            followers += self.resources.links.followers(operation)
            if followers:
                follower = rng.choice(followers)
                self._append_chain(follower, calls)
                self._append_follow_ups(follower, calls)

    def _append_chain(self, operation: Operation, calls: list[Call]) -> None:
        """Appends what creates the operation's resources, as far as not there already, and then the operation."""
        self._append_producers(operation, calls, frozenset({id(operation)}))
        if len(calls) < self._max_calls:
            calls.append(self.call(operation, calls, bind_share=CHAIN_SHARE))

    def _append_producers(self, operation: Operation, calls: list[Call], under_way: frozenset[int]) -> None:
        """Leaves room for the operation itself; `under_way` breaks circles of operations that need each other."""
        for binding in self.resources.bindings(operation):
            if any(call.operation in binding.creators or call.operation in binding.lists for call in calls):
                continue
            producer = self._choose_producer(binding)
            if producer is None or id(producer) in under_way:
                continue
            self._append_producers(producer, calls, under_way | {id(producer)})
            if len(calls) + 1 < self._max_calls:
                calls.append(self.call(producer, calls, bind_share=CHAIN_SHARE))

        sources = self.resources.links.sources(operation)
        if sources and not any(call.operation in sources for call in calls):
            producer = self._rng.choice(sources)
            if id(producer) not in under_way:
                self._append_producers(producer, calls, under_way | {id(producer)})
                if len(calls) + 1 < self._max_calls:
                    calls.append(self.call(producer, calls, bind_share=CHAIN_SHARE))

        for noun in dict.fromkeys(noun for _, noun in operation.needs):
            creators = self.resources.creators_of(noun)
            if not creators or any(call.operation in creators for call in calls):
                continue
            producer = creators[0] if self._rng.random() < FIRST_CREATOR_SHARE else self._rng.choice(creators)
            if id(producer) not in under_way:
                self._append_producers(producer, calls, under_way | {id(producer)})
                if len(calls) + 1 < self._max_calls:
                    calls.append(self.call(producer, calls, bind_share=CHAIN_SHARE))

    def _is_dependent(self, operation: Operation) -> bool:
        """Whether an input of it names a resource."""
        return bool(self.resources.bindings(operation) or operation.needs or self.resources.links.sources(operation))

    def _choose_producer(self, binding: PathBinding) -> Operation | None:
        use_list = self._rng.random() < LIST_PRODUCER_SHARE
        if binding.lists and (use_list or not binding.creators):
            return binding.lists[0]
        if len(binding.creators) > 1 and self._rng.random() < OTHER_CREATOR_SHARE:
            return self._rng.choice(binding.creators)
        return binding.creators[0] if binding.creators else None

    def _append_follow_ups(self, operation: Operation, calls: list[Call]) -> None:
        """More calls on the same resource: double PUT, DELETE then GET, and so on."""
        rng = self._rng
        related = (*self.resources.siblings(operation), *self.resources.siblings(operation))
        related += (*self.resources.below(operation), *self.resources.collection(operation))
        while len(calls) < self._max_calls and rng.random() < FOLLOW_UP_SHARE:
            if rng.random() < AGAIN_SHARE:
                calls.append(calls[-1])
            else:
                calls.append(self.call(rng.choice(related), calls, bind_share=CHAIN_SHARE))

    def _any_operation(self) -> Operation:
        return self.operations[int(self._rng.random() * len(self.operations))]

    # -- calls --------------------------------------------------------------------------------------------------

    def call(self, operation: Operation, earlier: Sequence[Call], *, bind_share: float = REUSE_SHARE) -> Call:
        """A call with fresh values, its path and foreign keys bound to fitting earlier calls."""
        rng = self._rng
        genes = tuple(given.template.sampled(rng) for given in operation.inputs)
        call = thinned(Call(operation, genes, self.users.choose(operation, earlier)), rng)
        call = self.with_bound_path(call, earlier, bind_share)
        if self._techniques.value_pool and rng.random() < POOL_SHARE:
            call = self._with_pool_values(call)
        if self._constants and rng.random() < SAMPLING_SHARE:
            call = self._with_constant(call)
        if self.proven and rng.random() < self._proven_share(operation):
            call = self._with_proven(call)
        if self._refused is not None:
            call = self._refused.applied(call)
        if earlier and self._techniques.same_names:
            call = with_same_values(call, earlier, rng)
        if not earlier or not self._techniques.references:
            return call
        call = self._with_foreign_keys(call, earlier)
        return self.resources.links.followed(call, earlier, rng)

    def with_bound_path(self, call: Call, earlier: Sequence[Call], bind_share: float = REUSE_SHARE) -> Call:
        """Binds each path parameter to an earlier call that made, listed or used such a resource."""
        bindings = self.resources.bindings(call.operation)
        if not bindings or not earlier or not self._techniques.references:
            return call
        genes = list(call.genes)
        for binding in bindings:
            if self._rng.random() < bind_share:
                bound = self._bound_gene(binding, genes[binding.input_index], earlier)
                if bound is not None:
                    genes[binding.input_index] = bound
        return Call(call.operation, tuple(genes), call.user)

    def _bound_gene(self, binding: PathBinding, own: Gene, earlier: Sequence[Call]) -> Gene | None:
        """The gene for a path parameter, from the latest fitting call or (sometimes) an older one."""
        rng = self._rng
        for index in range(len(earlier) - 1, -1, -1):
            call = earlier[index]
            if call.operation in binding.creators or call.operation in binding.lists:
                if rng.random() < OLDER_SHARE and any(c.operation is call.operation for c in earlier[:index]):
                    continue
                if call.operation.method == "PUT":
                    return self._same_parameter(binding, call)
                return self._reference(binding, own, call, index)
            used = self._same_parameter(binding, call)
            if used is not None and rng.random() < USED_SHARE:
                return used
        return None

    def _same_parameter(self, binding: PathBinding, call: Call) -> Gene | None:
        """What an earlier call used for the same parameter of the same collection."""
        for other in self.resources.bindings(call.operation):
            if other.scope == binding.scope:
                return call.genes[other.input_index]
        return None

    def _reference(self, binding: PathBinding, own: Gene, producer: Call, index: int) -> Gene:
        fallback = own.fallback if isinstance(own, ReferenceGene) else own
        sent = self._sent_value(binding, fallback, producer, index)
        if sent is not None:
            return sent
        pointer = self.bindings.choose(producer.operation, binding.name, binding.resource, self._rng)
        return ReferenceGene(index, pointer, fallback)

    def _sent_value(self, binding: PathBinding, own: Gene, producer: Call, index: int) -> Gene | None:
        """Where the client chooses the identity (`POST /users {username}`, `GET /users/{username}`): the value sent."""
        wanted = plain_name(binding.name)
        if any(link.name == binding.name and not link.sent_in for link in producer.operation.links):
            return None
        if any(plain_name(name) == wanted for name in self.bindings.observed(producer.operation).values()):
            return None
        for named in iter_named_genes(producer, index):
            if named.location == "body" and plain_name(named.name) == wanted:
                value = named.gene.phenotype()
                return own.adopted(value) if isinstance(value, (str, int, float)) else None
        return None

    def _with_foreign_keys(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Binds fields such as `bookId` to an earlier call that creates a book."""
        rng = self._rng
        own_index = len(earlier)
        bound: TestCase | None = None
        needs = dict(call.operation.needs)
        for named in iter_named_genes(call, own_index):
            noun = needs.get(named.name) or named_resource(named.name)
            if noun is None or not isinstance(named.gene.phenotype(), (str, int, float)):
                continue
            creators = self.resources.creators_of(noun)
            index = next((i for i in range(own_index - 1, -1, -1) if earlier[i].operation in creators), None)
            if index is None or rng.random() >= FOREIGN_KEY_SHARE:
                continue
            pointer = self.bindings.choose(earlier[index].operation, named.name, noun, rng)
            bound = bound or TestCase((*earlier, call))
            bound = bound.with_gene(named.address, ReferenceGene(index, pointer, named.gene))
        return bound.calls[own_index] if bound else call

    def _with_pool_values(self, call: Call) -> Call:
        """Gives inputs values seen in answers under the same name; for a path's id, under the resource's name."""
        rng = self._rng
        genes = list(call.genes)
        for binding in self.resources.bindings(call.operation):
            if isinstance(genes[binding.input_index], ReferenceGene):
                continue
            value = self.pool.choose(rng, f"{binding.resource}{binding.name}", binding.name, f"{binding.resource}id")
            adopted = genes[binding.input_index].adopted(value) if value is not ABSENT else None
            if adopted is not None:
                genes[binding.input_index] = adopted
        changed = TestCase((Call(call.operation, tuple(genes), call.user),))
        for named in iter_named_genes(call, 0):
            if rng.random() < 0.5:
                value = self.pool.choose(rng, named.name)
                adopted = named.gene.adopted(value) if value is not ABSENT else None
                if adopted is not None:
                    changed = changed.with_gene(named.address, adopted)
        return changed.calls[0]

    def _with_constant(self, call: Call) -> Call:
        """One input of the call takes a constant of the SUT's code, if it can."""
        named = list(iter_named_genes(call, 0))
        if not named:
            return call
        chosen = named[int(self._rng.random() * len(named))]
        if isinstance(chosen.gene, ReferenceGene):
            return call
        taken = self._constants.applied(chosen.gene, None, self._rng)
        return call if taken is None else TestCase((call,)).with_gene(chosen.address, taken).calls[0]

    def _proven_share(self, operation: Operation) -> float:
        return proven.SAMPLING_SHARE if id(operation) in self._n_answers else proven.WAITING_SHARE

    def _with_proven(self, call: Call) -> Call:
        """One text of the call is one that has helped before."""
        texts = [named for named in iter_named_genes(call, 0) if isinstance(named.gene, StringGene)]
        if not texts:
            return call
        chosen = self._rng.choice(texts)
        taken = self.proven.applied(chosen.gene, self._rng)
        return call if taken is None else TestCase((call,)).with_gene(chosen.address, taken).calls[0]

    # -- learning -----------------------------------------------------------------------------------------------

    def observe(self, evaluation: Evaluation) -> None:
        """Learns from the answers; bounded work per answer."""
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            response = observation.response
            if response is None:
                continue
            if self._refused is not None:
                self._refused.observe(call, response)
            if call.operation.is_success(response):
                self._learn_bindings(call, observation, evaluation, worked=True)
                self._learn_answer(call.operation, observation)
            elif response.status == 404:
                self._learn_bindings(call, observation, evaluation, worked=False)

    def _learn_answer(self, operation: Operation, observation: Observation) -> None:
        seen = self._n_answers[id(operation)] = self._n_answers.get(id(operation), 0) + 1
        response = observation.response
        if response is None or (seen > BODIES_ALWAYS_LEARNT and seen % LEARN_EVERY):
            return
        if response.header("location"):
            self.bindings.see_location(operation)
        if not response.body or len(response.body) > MAX_BODY_BYTES:
            return
        body = response.json()
        if body is ABSENT or not isinstance(body, (dict, list)):
            return
        fields = list(iter_scalar_fields(body))
        self.bindings.see_fields(operation, fields)
        resource = self.resources.noun(operation)
        for _, name, value in fields:
            self.pool.add(name, value)
            if plain_name(name) in ("id", "uuid", "key", "slug", "code", "name"):
                self.pool.add(resource + name, value)

    def _learn_bindings(self, call: Call, observation: Observation, evaluation: Evaluation, *, worked: bool) -> None:
        for binding in self.resources.bindings(call.operation):
            gene = call.genes[binding.input_index]
            if not isinstance(gene, ReferenceGene):
                continue
            calls = evaluation.test_case.calls
            if not worked:
                produced = evaluation.observations[gene.call].response
                between = calls[gene.call + 1 : observation.call_index]
                if produced is None or produced.status >= 300 or any(c.operation.method == "DELETE" for c in between):
                    continue  # the resource was never there, or is gone: nothing to hold against the pointer
            self.bindings.learn(calls[gene.call].operation, binding, gene.pointer, worked=worked)
