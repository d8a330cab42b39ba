"""Tries inputs that no document declares: those that the program was seen to read, and a few that show what it reads.

A read of a member that is not there is a hint (`InputHint`). The test case that gave it is run again with the input:
first with all inputs of one call together, since programs often refuse a call that lacks one of them, then with each
alone. Where a content is undeclared, each of its media types is tried once (`search/learned/content_forms.py`).

Once for each operation, a call carries a parameter, a cookie and a content that the program has not asked for
([WB-Advanced] §5). They give the objects that a program makes of them a member, by which these are recognised.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from random import Random
from typing import Final, TypeAlias

import msgspec

from wimble.genes import ArrayGene, ConstantGene, EnumGene, StringGene
from wimble.genes.taint_markers import made_up_name
from wimble.model.evaluation import Evaluation
from wimble.model.hints import (
    ComparisonHint,
    FormatHint,
    Hint,
    InputHint,
    KeyHint,
    ListHint,
    OperandHint,
    PatternHint,
    SplitHint,
    SubstringHint,
    TableHint,
)
from wimble.model.learned_input import LearnedInput
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.model.source_constants import Constant
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.generators.probes.input_trial import Trial
from wimble.search.generators.probes.trial_queue import TrialQueue
from wimble.search.learned.compared_hosts import host_compared
from wimble.search.learned.content_forms import ContentForms, forms_with_members, text_of_lines, text_sent, with_text
from wimble.search.learned.held_values import (
    entry_of,
    list_asked_for,
    located,
    media_type_asked_for,
    needed_list,
    of_file_type,
    of_format,
    of_type,
    uploaded,
)
from wimble.search.learned.learned_inputs import LearnedInputs
from wimble.search.learned.learned_values import CALCULATED
from wimble.search.learned.members import JSON_FORM, undeclared_content
from wimble.search.learned.named_media_types import MULTIPART, NamedMediaTypes, form_named, name_sent, with_name
from wimble.search.learned.names_in_texts import named_in_text
from wimble.search.learned.split_texts import of_parts
from wimble.search.learned.tables_in_files import as_table, with_column_read
from wimble.search.sampling.sampler import Sampler
from wimble.types import OperationId

PROBABILITY: Final = 0.34
"""Probability of having a turn while trials wait."""
SETTLED_PROBABILITY: Final = 0.25
"""Probability that a form of a content is tried though the program was seen to read another one: what comes before an
operation, such as a log, may be what reads it.
"""
MAX_FORM_TRIALS: Final = 2
"""Number of times that each media type of an undeclared content is tried."""
MAX_FURTHER_TRIALS: Final = 12
"""Number of calls of an operation that covered a target, and are tried with what they lack."""
MAX_CLOSER_TRIALS: Final = 40
"""The same with calls that only came closer to one."""
MAX_FILE_TRIALS: Final = 6
"""Number of members of an operation's content that are tried as uploaded files."""
MAX_COLUMNS: Final = 20
"""Columns of the files of one operation that are added to tables."""
EMPTY_LIST: Final = ArrayGene(StringGene(), max_items=0)
"""A list is tried without elements once: programs that ask for a list often read its first element."""

_ReadHint: TypeAlias = InputHint | ListHint | PatternHint | SubstringHint | ComparisonHint | KeyHint | TableHint
_ShapeHint: TypeAlias = FormatHint | SplitHint | PatternHint | ComparisonHint
_READ_HINTS: Final = (
    InputHint,
    ListHint,
    FormatHint,
    SplitHint,
    PatternHint,
    SubstringHint,
    ComparisonHint,
    KeyHint,
    TableHint,
)


class UndeclaredInputs(Generator):
    """Proposes trials, in the order of their queue."""

    def __init__(
        self, operations: Sequence[Operation], sampler: Sampler, rng: Random, texts: Sequence[Constant] = ()
    ) -> None:
        """texts: those of the program; it may load more later."""
        super().__init__()
        self._sampler = sampler
        self._learned: LearnedInputs = sampler.learned
        self._rng = rng
        self._unread: set[OperationId] = set()
        """Operations that have refused a call with inputs that nobody has asked for."""
        self._waiting: TrialQueue[Trial | Operation] = TrialQueue()
        self._form_trials: dict[OperationId, int] = {}
        self._file_trials: dict[OperationId, int] = {}
        self._with_tables: set[OperationId] = set()
        """Operations of which a file was tried as a table."""
        self._further_trials: dict[OperationId, int] = {}
        self._forms = ContentForms(rng)
        self._media_types = NamedMediaTypes(texts, rng)
        self.join(operations)

    def join(self, operations: Sequence[Operation]) -> None:
        self._waiting.put_others(one for one in operations if any(given.is_undeclared for given in one.inputs))

    def is_ready(self) -> bool:
        return len(self._waiting) > 0

    def propose(self, progress: float) -> Proposal | None:
        while (trial := self._waiting.take()) is not None:
            if isinstance(trial, Trial) and self._is_settled(trial) and self._rng.random() >= SETTLED_PROBABILITY:
                continue
            if isinstance(trial, Operation):
                sample = self._sampler.sample_for(trial)
                asked = self._tried(self._unasked_trial(sample, _last_of(sample, trial)))
                if asked is not None:
                    return Proposal(asked, self, is_sampled=True)
                continue
            test_case = self._tried(trial)
            if test_case is not None:
                return Proposal(test_case, self, edit="undeclared inputs", edited_from=trial.test_case)
        return None

    def _is_settled(self, trial: Trial) -> bool:
        """Whether the program was seen to read the content in another form than that of the trial."""
        known = self._learned.form_of(trial.test_case.calls[trial.call].operation)
        return trial.form is not None and known not in (None, trial.form)

    def _unasked_trial(self, test_case: TestCase, call: int) -> Trial:
        """Returns the trial of inputs that nobody has asked for, in one call."""
        unasked = tuple(LearnedInput(location=place, path=(made_up_name(self._rng),)) for place in ("query", "cookie"))
        content = undeclared_content(test_case.calls[call].operation)
        if content is not None:
            unasked = (*unasked, LearnedInput(location="body", path=(made_up_name(self._rng),)))
        self._learned.note_made_up(unasked)
        return Trial(test_case, call, unasked, None if content is None else 0)

    def observe(self, outcome: Outcome) -> None:
        evaluation = outcome.evaluation
        self._learned.observe(evaluation, is_gain=bool(outcome.improvement.newly_covered))
        if outcome.proposal.generator is self:
            self.credit.add(is_success=bool(outcome.improvement))
        new = self._learnt_from(evaluation)
        if evaluation.is_sut_lost:
            return
        self._note_unasked(outcome)
        self._waiting.put_reads(self._trials_of_parsed(evaluation))
        self._put_trials_of_forms(evaluation)
        self._waiting.put_reads(self._trials_of_columns(evaluation))
        for call, inputs in new.items():
            trials = list(self._trials(evaluation.test_case, call, inputs))
            self._waiting.put_reads(trial for trial in trials if trial.is_likely)
            self._waiting.put_others(trial for trial in trials if not trial.is_likely)
        if outcome.improvement.newly_covered:
            self._waiting.put_reads(self._trials_of_lacking(evaluation, new, MAX_FURTHER_TRIALS))
        elif outcome.improvement:
            self._waiting.put_others(self._trials_of_lacking(evaluation, new, MAX_CLOSER_TRIALS))

    def _trials_of_lacking(self, evaluation: Evaluation, new: Collection[int], most: int) -> Iterator[Trial]:
        """Yields trials of calls that came further, each with all inputs that it has missed and that were known before.

        new: calls that have shown an input that was not known, which are tried anyway. most: of an operation, in all.
        """
        lacking: dict[int, dict[LearnedInput, None]] = {}
        for hint in evaluation.hints:
            if isinstance(hint, InputHint) and hint.call not in new and 0 <= hint.call < len(evaluation.observations):
                call = evaluation.test_case.calls[hint.call]
                one = located(call, hint)
                if one is not None and (known := self._learned.recalled(call.operation, one)) is not None:
                    lacking.setdefault(hint.call, {})[known] = None
        for index, inputs in lacking.items():
            operation = evaluation.test_case.calls[index].operation.id
            n_trials = self._further_trials[operation] = self._further_trials.get(operation, 0) + 1
            if n_trials <= most:
                yield Trial(evaluation.test_case, index, tuple(inputs))

    def _note_unasked(self, outcome: Outcome) -> None:
        """Has a call asked once more that was refused before the program read its inputs, after its first success."""
        evaluation, proposal = outcome.evaluation, outcome.proposal
        calls = evaluation.test_case.calls
        if proposal.generator is self and proposal.is_sampled and len(evaluation.observations) == len(calls):
            if evaluation.observations[-1].outcome == "refused":
                self._unread.add(calls[-1].operation.id)
            return
        for at, observation in enumerate(evaluation.observations if self._unread else ()):
            operation = calls[at].operation.id
            if operation in self._unread and observation.outcome == "ok":
                self._unread.discard(operation)
                self._waiting.put_others([self._unasked_trial(evaluation.test_case, at)])

    def _learnt_from(self, evaluation: Evaluation) -> dict[int, list[LearnedInput]]:
        """Returns the inputs that were not known, by the call that showed them."""
        new: dict[int, list[LearnedInput]] = {}
        calls = evaluation.test_case.calls
        for index, (call, observation) in enumerate(zip(calls, evaluation.observations, strict=False)):
            needed = None if observation.cause is None else needed_list(call, observation.cause.message)
            if needed is not None and self._learned.learn(call.operation, needed):
                new.setdefault(index, []).append(needed)
        for hint in evaluation.hints:
            if isinstance(hint, _READ_HINTS) and 0 <= hint.call < len(evaluation.observations):
                for one in self._learnt_by(evaluation, hint):
                    new.setdefault(hint.call, []).append(one)
        return new

    def _learnt_by(self, evaluation: Evaluation, hint: _ReadHint | FormatHint | SplitHint) -> Iterator[LearnedInput]:
        """Yields the inputs that one hint has shown, as far as they were not known."""
        call = evaluation.test_case.calls[hint.call]
        if isinstance(hint, (FormatHint, SplitHint, PatternHint)) or (
            isinstance(hint, ComparisonHint) and hint.typed_name
        ):
            self._learn_shape(evaluation, hint)
        if isinstance(hint, (FormatHint, SplitHint)):
            return
        self._note_text(call, hint)
        one = _input_of(call, hint, evaluation.hints)
        if one is None:
            return
        # A text has no members, so a member that it lacks does not show that a text is wanted.
        if one.location == "body" and isinstance(hint, InputHint) and hint.held and not isinstance(hint.held, str):
            self._note_form(call)
        entries = entry_of(one, hint) if isinstance(hint, InputHint) else ()
        for each in (one, *uploaded(one), *entries):
            if self._learned.learn(call.operation, each):
                yield each
            self._learned.note_read(call.operation, each, evaluation.observations[hint.call].outcome_key)

    def _learn_shape(self, evaluation: Evaluation, hint: _ShapeHint) -> None:
        """Learns that an input that is known already is a text of a format (a date, as `new Date(stay.from)` shows), or
        of several parts, a number, or a file of a type, and tries that."""
        test_case = evaluation.test_case
        call = test_case.calls[hint.call]
        if isinstance(hint, ComparisonHint):
            self._waiting.put_reads(self._trials_of_texts(test_case, hint))
        if not self._learned.knows(call.operation):
            return
        one = self._shaped(evaluation, hint)
        shaped = None if one is None else self._learned.shape(call.operation, one)
        if shaped is not None:
            self._waiting.put_reads([Trial(test_case, hint.call, (shaped,), is_anew=True)])

    def _shaped(self, evaluation: Evaluation, hint: _ShapeHint) -> LearnedInput | None:
        call = evaluation.test_case.calls[hint.call]
        if isinstance(hint, SplitHint):
            splits = [one for one in evaluation.hints if isinstance(one, SplitHint) and one.call == hint.call]
            return of_parts(call, splits) if hint is splits[0] else None  # once for all of them
        if isinstance(hint, FormatHint):
            return of_format(call, hint)
        if isinstance(hint, ComparisonHint):
            return of_type(self._learned.of(call.operation), hint)
        return of_file_type(call, hint, self._rng)

    def _put_trials_of_forms(self, evaluation: Evaluation) -> None:
        """Queues the trials of forms: early those of a call whose content is said to be of a kind that is not taken."""
        early: list[Trial] = []
        others: list[Trial] = []
        for trial in self._trials_of_forms(evaluation):
            is_refused = evaluation.observations[trial.call].exchange.complaint() == "content"
            (early if is_refused else others).append(trial)
        self._waiting.put_reads(early)
        self._waiting.put_others(others)

    def _trials_of_forms(self, evaluation: Evaluation) -> Iterator[Trial]:
        """Yields a trial for each form of a content that no document declares, once for each operation."""
        test_case = evaluation.test_case
        for index, (call, observation) in enumerate(zip(test_case.calls, evaluation.observations, strict=False)):
            if undeclared_content(call.operation) is None or not observation.is_answered:
                continue
            self._note_forms(call, observation)
            if self._sampler.access.same_origin.has_forbidden_anew(call, observation):
                yield Trial(test_case, index, (), is_of_own_page=True)
            for one in self._forms.trials(call.operation, observation):
                self._learned.note_made_up(one.inputs)
                yield Trial(test_case, index, one.inputs, one.form, one.n_lines)
            if observation.outcome == "ok" and self._media_types.is_multipart_anew(call):
                yield Trial(test_case, index, (), media_type=MULTIPART, is_guess=True)
            if self._media_types.has_tried(call.operation):
                continue
            for named in self._media_types.trials(call.operation, self._forms.usual(call.operation)):
                one = named.content
                self._learned.note_made_up(one.inputs)
                yield Trial(test_case, index, one.inputs, one.form, one.n_lines, named.name)

    def _trials_of_texts(self, test_case: TestCase, hint: ComparisonHint) -> Iterator[Trial]:
        """Yields trials with texts where the program asks for the type of the whole content."""
        for one in self._forms.text_trials(test_case.calls[hint.call].operation, hint):
            yield Trial(test_case, hint.call, one.inputs, one.form, one.n_lines)

    def _trials_of_parsed(self, evaluation: Evaluation) -> Iterator[Trial]:
        """Yields trials with JSON where an operation has failed for want of it."""
        for index, (call, observation) in enumerate(
            zip(evaluation.test_case.calls, evaluation.observations, strict=False)
        ):
            if undeclared_content(call.operation) is None or not self._learned.parsed.note(call, observation):
                continue
            member = LearnedInput(location="body", path=(made_up_name(self._rng),))
            self._learned.note_made_up((member,))
            self._learned.prefer_form(call.operation, JSON_FORM)
            yield Trial(evaluation.test_case, index, (member,), JSON_FORM)

    def _trials_of_columns(self, evaluation: Evaluation) -> Iterator[Trial]:
        """Yields trials with a column that the program has read of a row of a file, and that the file lacks."""
        for hint in evaluation.hints:
            if not isinstance(hint, InputHint) or not 0 <= hint.call < len(evaluation.observations):
                continue
            call = evaluation.test_case.calls[hint.call]
            one = with_column_read(call, hint, self._rng) if call.operation.id in self._with_tables else None
            n_trials = self._file_trials.get(call.operation.id, 0)
            if one is not None and n_trials < MAX_FILE_TRIALS + MAX_COLUMNS:
                self._file_trials[call.operation.id] = n_trials + 1
                self._learned.replace(call.operation, one)
                yield Trial(evaluation.test_case, hint.call, (one,), is_anew=True)

    def _note_forms(self, call: Call, observation: Observation) -> None:
        """Notes what the answer to a content shows of the media types that the program reads."""
        content, sent = undeclared_content(call.operation), name_sent(call)
        if sent is None:
            form = self._forms.observe(call, observation)
            if form is not None:
                self._learned.prefer_form(call.operation, form, is_certain=True)
            return
        name = self._media_types.observe(call, observation)
        if name is not None and content is not None:
            self._learned.name_media_type(call.operation, name, form_named(name, content.media_types))

    def _note_form(self, call: Call) -> None:
        """Notes the media type of an undeclared content: an object with its members shows that it is read."""
        for given, gene in zip(call.operation.inputs, call.genes, strict=True):
            if given.is_undeclared and given.role == "content" and gene.children():
                index = getattr(gene.children()[0], "index", None)
                if isinstance(index, int):
                    self._learned.prefer_form(call.operation, index)

    def _note_text(self, call: Call, hint: OperandHint) -> None:
        """Notes that the program reads a content as a text, where its media type may as well be parsed: XML."""
        sent = text_sent(call) if isinstance(hint, (PatternHint, SubstringHint, ComparisonHint)) else None
        if sent is not None and sent[1] in hint.operands:
            self._learned.prefer_form(call.operation, sent[0], is_certain=True)

    def _trials(self, test_case: TestCase, call: int, new: list[LearnedInput]) -> Iterator[Trial]:
        operation = test_case.calls[call].operation
        content = undeclared_content(operation)
        in_body = tuple(one for one in new if one.location in ("body", "file"))
        others = tuple(one for one in new if one.location not in ("body", "file"))
        has_file = any(one.location == "file" for one in in_body)
        if content is not None and in_body and not has_file and self._learned.form_of(operation) is None:
            for form in self._forms_to_try(operation, forms_with_members(content)):
                yield Trial(test_case, call, (*in_body, *others), form)
        elif len(new) > 1:
            yield Trial(test_case, call, tuple(new))
        if any(one.is_number for one in new):
            calculated = (msgspec.structs.replace(one, template=CALCULATED) if one.is_number else one for one in new)
            opened = JSON_FORM if in_body and self._learned.form_of(operation) is None else None
            yield Trial(test_case, call, tuple(calculated), opened, is_anew=True)
        for one in new:
            yield from _trials_of_one(test_case, call, one)
            if one.location == "file":
                self._with_tables.add(operation.id)
                yield Trial(test_case, call, (as_table(one, self._rng),), is_anew=True)
        if content is not None and not has_file and self._learned.form_of(operation) != JSON_FORM:
            yield from self._trials_of_files(test_case, call, in_body)

    def _trials_of_files(self, test_case: TestCase, call: int, in_body: tuple[LearnedInput, ...]) -> Iterator[Trial]:
        """Yields trials in which one member is an uploaded file: only `instanceof` may tell that it has to be one."""
        operation = test_case.calls[call].operation
        members = [one for one in in_body if len(one.path) == 1 and not one.is_list]
        room = MAX_FILE_TRIALS - self._file_trials.get(operation.id, 0)
        for one in members[: max(0, room)]:
            self._file_trials[operation.id] = self._file_trials.get(operation.id, 0) + 1
            others = tuple(other for other in members if other is not one)
            yield Trial(test_case, call, (LearnedInput(location="file", path=one.path), *others), is_guess=True)

    def _forms_to_try(self, operation: Operation, forms: Iterable[int]) -> Iterable[int]:
        n_trials = self._form_trials[operation.id] = self._form_trials.get(operation.id, 0) + 1
        return forms if n_trials <= MAX_FORM_TRIALS else ()

    def _tried(self, trial: Trial) -> TestCase | None:
        # What the program does with the input shows in this call, and mostly in no later one.
        calls = list(trial.test_case.calls[: trial.call + 1])
        before = calls[trial.call]
        if trial.media_type:
            calls[trial.call] = with_name(before, trial.media_type)
        if trial.n_lines and trial.form is not None:
            calls[trial.call] = with_text(calls[trial.call], trial.form, text_of_lines(trial.n_lines, self._rng))
        else:
            calls[trial.call] = self._learned.carrying(
                calls[trial.call], trial.inputs, form=trial.form, is_anew=trial.is_anew
            )
        if trial.is_of_own_page or calls[trial.call] is not before:
            calls[trial.call] = self._sampler.access.same_origin.as_own_page(calls[trial.call])
        if calls[trial.call] is before:
            return None
        return TestCase(tuple(calls), trial.test_case.setup)


def _trials_of_one(test_case: TestCase, call: int, one: LearnedInput) -> Iterator[Trial]:
    """Yields trials in which the input is the only new one."""
    yield Trial(test_case, call, (one,))
    if one.location == "header" and isinstance(one.template, EnumGene):
        for option in one.template.options:
            yield Trial(test_case, call, (msgspec.structs.replace(one, template=ConstantGene(option)),), is_anew=True)
    if one.is_list and one.template is None and one.location == "body":
        yield Trial(test_case, call, (msgspec.structs.replace(one, template=EMPTY_LIST),), is_anew=True)
    if one.may_be_text:
        yield Trial(test_case, call, (msgspec.structs.replace(one, is_list=False),), is_anew=True)
    if one.location == "file":
        # Not learnt: most programs refuse more than one file.
        yield Trial(test_case, call, (msgspec.structs.replace(one, is_list=True),), is_guess=True)


def _input_of(call: Call, hint: _ReadHint, others: Sequence[Hint]) -> LearnedInput | None:
    if isinstance(hint, InputHint):
        return located(call, hint)
    if isinstance(hint, ListHint):
        return list_asked_for(call, hint)
    if isinstance(hint, (KeyHint, TableHint)):
        return host_compared(hint)
    return media_type_asked_for(hint, others) or named_in_text(call, hint) or host_compared(hint)


def _last_of(test_case: TestCase, operation: Operation) -> int:
    return max(index for index, call in enumerate(test_case.calls) if call.operation is operation)
