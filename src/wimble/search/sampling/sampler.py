"""Makes new test cases, and learns from answers how to make better ones.

It does no I/O, and all randomness comes from `rng`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from wimble.genes.taint_markers import is_like_marker
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.source_constants import ConstantTable
from wimble.model.testcase import Call, TestCase
from wimble.search.access.access import Access
from wimble.search.access.openings import Attempt
from wimble.search.access.user_calls import UserCalls
from wimble.search.external.endless_pages import EndlessPages
from wimble.search.external.known_answers import KnownAnswers, NoAnswers
from wimble.search.external.service_knowledge import ServiceKnowledge
from wimble.search.learned.failing_fields import FailingFields
from wimble.search.learned.handed_on import HandedOn
from wimble.search.learned.learned_inputs import LearnedInputs
from wimble.search.learned.taken_values import TakenValues
from wimble.search.learned.validated_inputs import ValidatedInputs
from wimble.search.resources.bindings import Bindings
from wimble.search.resources.looked_up_keys import LookedUpKeys
from wimble.search.resources.resources import Resources
from wimble.search.sampling.answer_learner import AnswerLearner
from wimble.search.sampling.answer_references import AnswerReferences, NoReferences
from wimble.search.sampling.call_maker import CallMaker
from wimble.search.sampling.chains import Chains
from wimble.search.sampling.constant_pool import ConstantChooser, ConstantInputs
from wimble.search.sampling.dates_in_order import DatesInOrder
from wimble.search.sampling.dictionary import Dictionary, DictionaryTexts, NoDictionary
from wimble.search.sampling.named_values import NamedValues
from wimble.search.sampling.numbers_in_order import NumbersInOrder
from wimble.search.sampling.passed_results import PassedResults
from wimble.search.sampling.place_values import PlaceValues
from wimble.search.sampling.refused_inputs import TOLD_PROBABILITY, WHITE_BOX_PROBABILITY, RefusedInputs
from wimble.search.sampling.same_names import NoSharedValues, SameNames, SharedValues
from wimble.search.sampling.sampling_steps import SamplingStep
from wimble.search.sampling.sequences import RandomSequences, TemplateSequences
from wimble.search.sampling.smart_start import SmartStart
from wimble.search.sampling.succeeded_inputs import SucceededInputs
from wimble.search.sampling.surviving_inputs import SurvivingInputs
from wimble.search.sampling.user_choice import UserChooser
from wimble.search.sampling.value_pool import PoolValues, ValuePool
from wimble.search.sampling.violations import NoViolations, RandomViolations
from wimble.settings import Settings


class Sampler:
    """Makes new test cases for the operations of one API. The parts that mutation needs, too, are public."""

    def __init__(
        self,
        operations: Sequence[Operation],
        settings: Settings,
        rng: Random,
        constants: ConstantTable | None = None,
        *,
        reads_refusals: bool = False,
    ) -> None:
        """constants: those of the SUT's code, which are used as values; None for searches that must not use the code.
        reads_refusals: whether to try values that refusals ask for.
        """
        self.operations = tuple(operations)
        self.resources = Resources(self.operations)
        self.bindings = Bindings()
        self._looked_up = LookedUpKeys()
        self.pool = ValuePool()
        self.users = UserChooser(settings.users, rng)
        self.access = Access(
            self.operations if settings.uses("getting-in") else (),
            rng,
            # Words of the code are none that were made up, though `admin` has the length and letters of a marker.
            lambda text: is_like_marker(text) and not (constants is not None and constants.holds(text)),
        )
        self.user_calls = UserCalls(self.access, rng, self.resources.producers)
        self._learns_access = settings.uses("getting-in")
        self.rng = rng
        self.same_names = SameNames(self.operations)
        self.shared_values = SharedValues(self.same_names, rng) if settings.uses("same-names") else NoSharedValues()
        self.dictionary = Dictionary() if settings.uses("dictionary") else NoDictionary()
        self.references = (
            AnswerReferences(self.resources, self.bindings, self._looked_up, rng)
            if settings.uses("references")
            else NoReferences()
        )
        self.answers = KnownAnswers(rng) if settings.uses("mocks") else NoAnswers()
        """Answers of services that have helped."""
        self.endless_pages = EndlessPages(rng)
        """Answers of services that lead to the next request without end."""
        self.services = ServiceKnowledge(rng, settings.recorded_choice)
        """What is known of services beforehand."""
        self.learned = LearnedInputs(rng)
        """Inputs beside those that the document declares."""
        self.handed_on = HandedOn(self.resources, rng)
        """Inputs that take what other operations answer."""
        self.taken = TakenValues(rng, constants)
        """Values that the SUT accepts once."""
        told = TOLD_PROBABILITY if settings.is_black_box else WHITE_BOX_PROBABILITY
        self._refused = RefusedInputs(rng, told) if reads_refusals else None
        self.validated = ValidatedInputs(self.learned, rng)
        """Schemas that validation libraries apply to inputs."""
        self._surviving = SurvivingInputs(rng)
        self._failing = FailingFields(rng)
        self._succeeded = SucceededInputs(rng)
        self._place_values = PlaceValues(self.resources, rng)
        self._passed = PassedResults(rng) if settings.library and settings.uses("passed-results") else None
        self._violations = RandomViolations(rng) if settings.uses("violations") else NoViolations()
        self._learner = AnswerLearner(self.resources, self.bindings, self.pool)
        self._named_values = NamedValues(rng)
        steps = self._steps(settings, rng, ConstantTable() if constants is None else constants)
        self._max_calls = max_calls = max(1, settings.max_test_calls)
        maker = CallMaker(self.users, self.references, steps, rng)
        chains = Chains(
            self.resources,
            self.bindings,
            maker,
            self._succeeded,
            looked_up=self._looked_up,
            max_calls=max_calls,
            rng=rng,
        )
        self.call = maker.call
        """As `CallMaker.call`: a single call with new values."""
        self.producer = chains.producer
        """As `Chains.producer`: a single call that has to succeed."""
        self.certain = chains.certain
        self._with_named_made = chains.with_named_made
        self._start = SmartStart(maker, chains, users=self.users, user_calls=self.user_calls, rng=rng)
        self._sequences = (
            TemplateSequences(
                self.operations,
                maker,
                max_calls,
                chains=chains,
                resources=self.resources,
                same_names=self.same_names,
                user_calls=self.user_calls,
                handed_on=self.handed_on,
                rng=rng,
            )
            if settings.uses("templates")
            else RandomSequences(
                self.operations, maker, max_calls, user_calls=self.user_calls, handed_on=self.handed_on, rng=rng
            )
        )

    def _steps(self, settings: Settings, rng: Random, constants: ConstantTable) -> tuple[SamplingStep, ...]:
        """Returns the sampling steps that are applied to each new call, in this order."""
        table: tuple[tuple[str, SamplingStep], ...] = (
            ("", self._surviving.applied),
            ("", self._failing.applied),
            ("undeclared-inputs", self.learned.applied),
            ("validators", self.validated.applied),
            ("speaking-names", self._named_values.applied),
            ("value-pool", PoolValues(self.pool, self.resources, rng).applied),
            ("value-pool", self._place_values.applied),
            ("constants", ConstantInputs(ConstantChooser(constants), rng).applied),
            ("dictionary", DictionaryTexts(self.dictionary, self._learner.has_succeeded, rng).applied),
            *((("", self._passed.applied),) if self._passed is not None else ()),
            *((("", self._refused.applied),) if self._refused is not None else ()),
            ("speaking-names", DatesInOrder(rng).applied),
            ("speaking-names", NumbersInOrder(rng).applied),
            ("same-names", self.shared_values.applied),
            ("references", self.references.with_foreign_keys),
            ("undeclared-inputs", self.handed_on.applied),
            ("getting-in", self.user_calls.identified),
            ("getting-in", self.user_calls.carrying),
        )
        return settings.in_use(table)

    def join(self, operations: Sequence[Operation]) -> None:
        """Adds operations that have become known during the search."""
        self.operations = (*self.operations, *operations)
        self.resources.join(operations)
        self.same_names.join(operations)
        self.access.join(operations)
        self._sequences.join(operations)

    def iter_initial(self, operations: Sequence[Operation] | None = None) -> Iterator[TestCase]:
        """Returns the test cases of the smart start. operations: only those of these operations; None for all."""
        return self._start.test_cases(self.operations if operations is None else operations)

    def sample(self) -> TestCase:
        """Returns a new test case of 1 to `max_test_calls` calls."""
        return self._answered(self._violations.sometimes(self._sequences.sample()))

    def sample_for(self, operation: Operation) -> TestCase:
        """Returns a new test case that leads to the operation."""
        return self._answered(self._sequences.sample_for(operation))

    def _answered(self, test_case: TestCase) -> TestCase:
        """Returns the test case with answers of services that it most likely needs."""
        return self.access.signed_tokens.key_answers.given_to(self.answers.given_to(test_case))

    def sample_attempt(self, attempt: Attempt) -> TestCase:
        """Returns a test case that makes an attempt to get into its operation, with a call that was denied if there
        is one.
        """
        self.user_calls.attempted(attempt)
        try:
            begun = self.user_calls.begun(attempt.operation)
            denied = self.access.denied_calls.after(begun, attempt.operation)
            if denied is None:
                return self.sample_for(attempt.operation)
            *before, call = denied.calls
            return self._answered(TestCase((*before, self.user_calls.carrying(call, before)), denied.setup))
        finally:
            self.user_calls.attempt_done()

    def with_bound_path(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Returns the call with path parameters bound to earlier calls that created, listed or used such a resource."""
        return self.references.with_bound_path(call, earlier)

    def with_needs(self, test_case: TestCase, n_calls: int) -> TestCase:
        """Returns the test case whose first calls are bound to those before them that make what they need."""
        for index in range(1, n_calls):
            call = self.references.with_needs(test_case.calls[index], test_case.calls[:index])
            test_case = test_case.with_call(index, call)
        return test_case

    def as_known_now(self, old: TestCase) -> TestCase:
        """Returns a copy of an old test case with what was learnt since: who is let in, what calls take from answers,
        and what creates the resources that they name.
        """
        known = self.handed_on.brought(self.user_calls.with_admitted_user(old), self._max_calls, self.producer)
        return self._with_named_made(known)

    def meeting_schemas(self, old: TestCase) -> TestCase:
        """Returns a copy of an old test case whose last call meets, most likely, the schemas that validation libraries
        apply to it: its old values may have been sent before these were known.
        """
        *before, last = old.calls
        return old.with_call(len(before), self.validated.applied(self.learned.with_known_body(last), before))

    def observe(self, evaluation: Evaluation) -> None:
        """Learns from the answers; the work per answer is limited."""
        self._surviving.observe(evaluation)
        self._succeeded.observe(evaluation)
        self._looked_up.observe(evaluation)
        self._named_values.observe(evaluation)
        if self._learns_access:
            self.access.observe(evaluation)
        self.validated.observe(evaluation)
        self.taken.observe(evaluation)
        self.endless_pages.observe(evaluation)
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            if self._refused is not None and observation.is_answered:
                self._refused.observe(call, observation.exchange)
            self._failing.observe(call, observation)
            if self._passed is not None:
                self._passed.observe(call, observation)
            self._learner.observe(call, observation, evaluation)
            if observation.outcome == "ok":
                self._place_values.observe(call)
            elif observation.outcome == "refused":
                self._place_values.observe_refused(call, observation.exchange.complaint())
