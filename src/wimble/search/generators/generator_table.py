"""All generators, in the order in which they are asked, and when each may have a turn.

A row that names a technique is left out if an experiment has switched the technique off, or if the kind of search does
not use it (`wimble/techniques.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from wimble.model.operation import Operation
from wimble.search.archive.archive import Archive
from wimble.search.archive.focus_schedule import Schedule
from wimble.search.archive.rarity import Rarity
from wimble.search.attempt_log import AttemptLog
from wimble.search.generators.edits import queued_edits, shared_guards
from wimble.search.generators.edits.conflicting_writes import ConflictingWrites
from wimble.search.generators.edits.entry_edits import EntryEdits
from wimble.search.generators.edits.queued_edits import QueuedEdits
from wimble.search.generators.edits.renewed_signatures import RenewedSignatures
from wimble.search.generators.edits.shared_guards import SharedGuards
from wimble.search.generators.entrance import (
    getting_in,
    kept_sessions,
    made_up_credentials,
    prepared_users,
    session_steps,
)
from wimble.search.generators.entrance.getting_in import GettingIn
from wimble.search.generators.entrance.kept_sessions import KeptSessions
from wimble.search.generators.entrance.made_up_credentials import MadeUpCredentials
from wimble.search.generators.entrance.prepared_users import PreparedUsers
from wimble.search.generators.entrance.session_steps import SessionSteps
from wimble.search.generators.operator_selection import (
    KEPT_PROBABILITY,
    OperatorSelection,
    Row,
    always,
    by_credit_against,
    in_part,
    while_true,
    with_probability,
)
from wimble.search.generators.probes import (
    handed_on_inputs,
    injection_probes,
    second_check_probes,
    undeclared_inputs,
)
from wimble.search.generators.probes.handed_on_inputs import HandedOnInputs
from wimble.search.generators.probes.host_probes import HostProbes
from wimble.search.generators.probes.injection_probes import InjectionProbes
from wimble.search.generators.probes.second_check_probes import SecondCheckProbes
from wimble.search.generators.probes.undeclared_inputs import UndeclaredInputs
from wimble.search.generators.runs.run_steps import AcceleratedSteps, CurrentRun, HintedEdits, Mutants
from wimble.search.generators.runs.target_runs import TargetRuns
from wimble.search.generators.runs.vain_targets import KeptTurns, SharedTurns
from wimble.search.generators.samples.initial_test_cases import InitialTestCases
from wimble.search.generators.samples.known_objects import KnownObjects
from wimble.search.generators.samples.new_test_cases import NewTestCases
from wimble.search.generators.samples.shown_calls import ShownCalls
from wimble.search.generators.samples.unsucceeded_operations import UnsucceededOperations
from wimble.search.generators.services import answer_members, first_answers
from wimble.search.generators.services.answer_elements import AnswerElements
from wimble.search.generators.services.answer_forms import AnswerForms
from wimble.search.generators.services.answer_members import AnswerMembers
from wimble.search.generators.services.answer_schemas import AnswerSchemas
from wimble.search.generators.services.first_answers import FirstAnswers, OtherAnswers, SeenRequests
from wimble.search.generators.services.headers_of_answers import AnswerHeaders
from wimble.search.generators.services.issued_claims import IssuedClaims
from wimble.search.generators.services.named_failures import NamedFailures
from wimble.search.generators.solver.solver_answers import SolverAnswers
from wimble.search.generators.variations import (
    further_steps,
    mixed_texts,
    second_users,
    shared_words,
    used_resources,
    wandering,
)
from wimble.search.generators.variations.failed_selections import FailedSelections
from wimble.search.generators.variations.filled_lists import FilledLists
from wimble.search.generators.variations.first_uses import FirstUses
from wimble.search.generators.variations.further_steps import FurtherSteps
from wimble.search.generators.variations.inputs_in_turn import InputsInTurn
from wimble.search.generators.variations.mixed_texts import MixedTexts
from wimble.search.generators.variations.more_rows import MoreRows
from wimble.search.generators.variations.neighbours import Neighbours
from wimble.search.generators.variations.nested_texts import NestedTexts
from wimble.search.generators.variations.reread_resources import RereadResources
from wimble.search.generators.variations.second_users import SecondUsers
from wimble.search.generators.variations.shared_words import SharedWords
from wimble.search.generators.variations.similar_operations import SimilarOperations
from wimble.search.generators.variations.used_resources import UsedResources
from wimble.search.generators.variations.wandering import Wandering
from wimble.search.mutation.mutator import Mutator
from wimble.search.sampling.sampler import Sampler
from wimble.search.sampling.violations import NoViolations, UntriedViolations
from wimble.settings import Settings


class SearchParts(msgspec.Struct, frozen=True, kw_only=True):
    """The parts that the generators of one search share."""

    operations: Sequence[Operation]
    archive: Archive
    sampler: Sampler
    mutator: Mutator
    edits: EntryEdits
    schedule: Schedule
    attempts: AttemptLog
    rng: Random
    solver: SolverAnswers


def new_selection(parts: SearchParts, settings: Settings) -> OperatorSelection:
    """Returns the table of generators of a search."""
    archive, sampler, mutator, rng = parts.archive, parts.sampler, parts.mutator, parts.rng
    violations = NoViolations()
    if settings.uses("violations") and not settings.is_black_box:
        violations = UntriedViolations(rng, sampler.validated)
    rarity = Rarity() if settings.uses("response-shapes") else None
    new = NewTestCases(sampler, violations)
    runs = _target_runs(parts, settings, new)
    compared = by_credit_against(new.credit, rng) if settings.uses("operator-selection") else always
    initial = InitialTestCases(sampler)
    unsucceeded = UnsucceededOperations(parts.operations, sampler, mutator, rng)
    now_and_then = with_probability(wandering.PROBABILITY if rarity is None else wandering.BLACK_BOX_PROBABILITY, rng)
    seldom = with_probability(made_up_credentials.PROBABILITY, rng)
    undeclared = with_probability(undeclared_inputs.PROBABILITY, rng)
    wanderer = Wandering(archive, sampler, mutator, violations=violations, rng=rng, rarity=rarity)
    requests = SeenRequests(sampler.services)
    hosts = HostProbes(rng, settings.may_name_hosts)
    texts = archive.table.constants.all_texts
    in_turn = with_probability(first_answers.OTHERS_PROBABILITY, rng)
    edits = QueuedEdits(archive, parts.edits)
    uses_successes = settings.uses("successes")
    share = unsucceeded.share_succeeded if uses_successes else lambda: 1.0
    members = AnswerMembers(rng, unsucceeded.has_succeeded if uses_successes else lambda operation: True)
    opening = while_true(members.may_open, with_probability(answer_members.OPENING_PROBABILITY, rng))
    kept = in_part(KEPT_PROBABILITY, share, rng)
    injections = InjectionProbes(rng)
    neighbours = Neighbours(sampler, rng, settings.max_test_calls)
    used = UsedResources(parts.operations, sampler, settings.max_test_calls)
    reread = RereadResources(parts.operations, sampler, settings.max_test_calls)
    steps = FurtherSteps(sampler, settings.max_test_calls)
    others = SecondUsers(parts.operations, sampler, rng, settings.max_test_calls)
    more_rows = MoreRows(parts.operations, sampler, rng, settings.max_test_calls)
    lists = FilledLists(sampler, settings.max_test_calls)
    conflicts = ConflictingWrites(parts.edits)
    before_answers = with_probability(queued_edits.BEFORE_ANSWERS_PROBABILITY, rng)
    renewed = RenewedSignatures(archive, parts.edits, archive.table.constants)
    table = (
        ("mocks", Row(FirstAnswers(requests))),
        ("getting-in", Row(GettingIn(sampler.access, sampler), with_probability(getting_in.PROBABILITY, rng))),
        *([("", Row(FailedSelections()))] if any(one.answer_root for one in parts.operations) else ()),
        ("smart-start", Row(initial, initial.admission)),
        ("smart-start", Row(ShownCalls(parts.operations))),
        ("neighbours", Row(FirstUses(sampler, settings.max_test_calls))),
        (
            "neighbours",
            Row(steps, while_true(steps.may_open, with_probability(further_steps.OPENING_PROBABILITY, rng))),
        ),
        ("getting-in", Row(MadeUpCredentials(parts.operations, sampler.access, sampler), seldom)),
        ("answer-members", Row(members, opening)),
        ("successes", Row(unsucceeded, unsucceeded.admission)),
        ("injections", Row(injections, kept)),
        (
            "violations",
            Row(SecondCheckProbes(violations), with_probability(second_check_probes.PROBABILITY, rng)),
        ),
        ("neighbours", Row(neighbours, kept)),
        ("used-resources", Row(used, kept)),
        ("used-resources", Row(reread, kept)),
        ("getting-in", Row(others, with_probability(second_users.PROBABILITY, rng))),
        ("neighbours", Row(steps, with_probability(further_steps.PROBABILITY, rng))),
        ("", Row(more_rows, kept)),
        ("", Row(lists, kept)),
        ("conflicts", Row(conflicts, kept)),
        ("edit-queue", Row(edits, with_probability(queued_edits.EARLY_PROBABILITY, rng))),
        (
            "getting-in",
            Row(
                PreparedUsers(sampler, parts.edits, settings.max_test_calls),
                with_probability(prepared_users.PROBABILITY, rng),
            ),
        ),
        ("getting-in", Row(KeptSessions(sampler), with_probability(kept_sessions.PROBABILITY, rng))),
        (
            "getting-in",
            Row(SessionSteps(settings.max_test_calls), with_probability(session_steps.PROBABILITY, rng)),
        ),
        (
            "successes",
            Row(SharedGuards(parts.edits, sampler), with_probability(shared_guards.PROBABILITY, rng)),
        ),
        ("undeclared-inputs", Row(UndeclaredInputs(parts.operations, sampler, rng, texts), undeclared)),
        ("undeclared-inputs", Row(HandedOnInputs(sampler), with_probability(handed_on_inputs.PROBABILITY, rng))),
        ("similar-operations", Row(SimilarOperations(parts.operations, sampler), compared)),
        ("similar-operations", Row(KnownObjects(parts.operations, sampler, rng), compared)),
        ("host-probes", Row(hosts, hosts.admission)),
        ("edit-queue", Row(renewed, while_true(renewed.has_edited, always))),
        ("edit-queue", Row(edits, while_true(lambda: requests.has_any, before_answers))),
        ("answer-members", Row(AnswerSchemas(rng))),
        ("answer-members", Row(IssuedClaims())),
        ("answer-members", Row(AnswerForms(rng), compared)),
        ("answer-members", Row(AnswerElements(rng))),
        ("answer-members", Row(AnswerHeaders(rng), compared)),
        ("answer-members", Row(members, compared)),
        ("mocks", Row(NamedFailures(rng, parts.edits.values), compared)),
        ("mocks", Row(OtherAnswers(requests), in_turn)),
        ("edit-queue", Row(renewed, compared)),
        ("edit-queue", Row(edits)),
        ("injections", Row(injections, with_probability(injection_probes.PROBABILITY, rng))),
        ("solver", Row(parts.solver)),
        ("inputs-in-turn", Row(InputsInTurn(rng), compared)),
        ("neighbours", Row(neighbours, compared)),
        ("used-resources", Row(used, with_probability(used_resources.PROBABILITY, rng))),
        ("used-resources", Row(reread)),
        ("", Row(more_rows)),
        ("", Row(lists, compared)),
        ("conflicts", Row(conflicts, compared)),
        (
            "shared-words",
            Row(SharedWords(parts.operations, sampler, rng), with_probability(shared_words.PROBABILITY, rng)),
        ),
        (
            "mixed-texts",
            Row(
                MixedTexts(parts.operations, texts, rng),
                while_true(lambda: rng.random() < mixed_texts.PROBABILITY, compared),
            ),
        ),
        ("mixed-texts", Row(NestedTexts(), compared)),
        ("", Row(wanderer, now_and_then)),
        ("", Row(runs, runs.admission)),
        ("", Row(new)),
    )
    return OperatorSelection(settings.in_use(table))


def _target_runs(parts: SearchParts, settings: Settings, new: NewTestCases) -> TargetRuns:
    current = CurrentRun()
    steps = (
        ("", Row(HintedEdits(current, parts.edits))),
        ("acceleration", Row(AcceleratedSteps(current, parts.mutator))),
        ("", Row(Mutants(current, parts.mutator, parts.archive))),
    )
    return TargetRuns(
        parts.archive,
        parts.sampler,
        parts.schedule,
        current=current,
        steps=OperatorSelection(settings.in_use(steps)),
        turns=SharedTurns(new.credit, parts.rng) if settings.uses("operator-selection") else KeptTurns(),
        attempts=parts.attempts,
        rng=parts.rng,
    )
