"""The inputs that the search has learnt for each operation beside the declared ones.

**What one is.** A `LearnedInput` (model/learned_input.py) names a location (query, header, cookie, body, file), a path
(a parameter's name, or the names that lead to a member of the content), the gene that it is sampled from, and the
evidence. A `LearnedBody` is a gene for the whole content, such as one built from a validator's schema. Operations have
room for both (http.undeclared_room.py), so a call with such inputs is a call like any other: it is mutated,
minimised, encoded, rendered and written into tests with no further ado.

**How it is learnt.** Whoever finds one calls `learn` or `learn_body`; `of` and `bodies_of` tell what is known
(known_inputs.py). Declared inputs are not learnt.

**How it is used.** `applied` is a step of sampling: a new call carries each input with a probability, a proven one more
often (learned_values.py). The generator `undeclared_inputs` tries a new one at once, in the test case that showed it.

**How it is forgotten.** `observe` counts the calls that carried it, and whether they improved a target. An input that
has paid nothing in FORGET_AFTER calls is not sampled any more, and not learnt again. A call that was refused in a way
in which the program was never seen to read the input (404 or 401, where the input is read only afterwards) is not
counted: it says nothing of the input. `recalled` gives an input another chance: a call that came further reads it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Final

from wimble.genes import StringGene
from wimble.genes.taint_markers import made_up_name, taint_marker
from wimble.model.evaluation import Evaluation
from wimble.model.learned_input import IN_JSON_TEXT, LearnedBody, LearnedInput
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.learned.content_forms import form_sent, forms_with_members
from wimble.search.learned.known_inputs import KnownInputs, LearnedRecord
from wimble.search.learned.learned_values import learned_value
from wimble.search.learned.members import (
    JSON_FORM,
    input_index,
    is_declared,
    undeclared_content,
    value_of_input,
    with_body,
    with_form,
    with_input,
)
from wimble.search.learned.named_media_types import name_sent, with_name
from wimble.search.learned.needed_inputs import NeededInputs
from wimble.search.learned.parsed_contents import ParsedContents
from wimble.search.learned.single_use import SingleUse, is_for_one_use
from wimble.types import ABSENT, Json, OperationId

PROVEN_PROBABILITY: Final = 0.4
"""Probability that a new call carries an input that has improved a target."""
UNPROVEN_PROBABILITY: Final = 0.1
EXPECTED_PRESENT: Final = 3.0
"""Mean number of learnt parameters that a new call carries, if its operation has many. Members of the content belong
together, so they are not limited."""
BODY_PROBABILITY: Final = 0.85
"""Probability that a new call takes its content from the learnt gene. The others show whether it is needed."""
NUMBER_PROBABILITY: Final = 0.5
"""Probability that inputs with which the program calculates are numbers in a call; a text shows what it is compared
with."""

UNKNOWN_BODY_PROBABILITY: Final = 0.5
"""Probability that a new call of an operation has a content though none of its members is known: parsers and
validators need one, and its member shows who reads it."""
CALLS_WITHOUT_BODY: Final = 3
"""Number of first calls of an operation that have no content unless something has asked for one."""

_BODY: Final = ("body", "file")


class LearnedInputs:
    """The learnt inputs of all operations."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._known: dict[OperationId, KnownInputs] = {}
        self.single_use = SingleUse(rng)
        self.parsed = ParsedContents()
        self.needed = NeededInputs(rng)
        self._made_up: set[str] = set()
        """Names that the search has made up, to recognise what holds them."""
        self._n_calls: dict[OperationId, int] = {}
        """Number of calls of each operation whose content no document declares, up to CALLS_WITHOUT_BODY."""

    # ---- learning ---------------------------------------------------------------------------------------------------

    def learn(self, operation: Operation, one: LearnedInput) -> bool:
        """Adds an input; returns whether it was new, or new that it is a list, and the operation has room for it.

        If it is known without a template, or from weaker evidence than a schema, a template replaces that.
        """
        is_whole_list = one.location == "body" and one.path == ("0",)
        if is_whole_list and undeclared_content(operation) is None:
            return False  # the document says what the content is
        if not one.path or input_index(operation, one) is None or is_declared(operation, one):
            return False
        if one.path[-1] in self._made_up:
            return False  # a program that goes through the members of its input
        known = self._known_of(operation)
        record = known.records.get(one.key)
        if record is not None:
            return record.update(one)
        if known.is_full:
            return False
        known.records[one.key] = LearnedRecord(one)
        self.single_use.note(operation, one)
        return True

    def _known_of(self, operation: Operation) -> KnownInputs:
        return self._known.setdefault(operation.id, KnownInputs())

    def _record(self, operation: Operation, one: LearnedInput) -> LearnedRecord | None:
        known = self._known.get(operation.id)
        return None if known is None else known.records.get(one.key)

    def note_read(self, operation: Operation, one: LearnedInput, outcome_key: str) -> None:
        """Notes that a call with this outcome has shown a known input."""
        record = self._record(operation, one)
        if record is not None:
            record.note_read(outcome_key)

    def note_made_up(self, inputs: Iterable[LearnedInput]) -> None:
        """Notes that the search has made up the names of these inputs; they are not learnt."""
        self._made_up.update(one.path[-1] for one in inputs if one.location != "file")

    def shape(self, operation: Operation, one: LearnedInput) -> LearnedInput | None:
        """Gives an input that is known without a template the template of `one`; a list stays one of any values.

        Returns the input with its template, if it has got it.
        """
        record = self._record(operation, one)
        return None if record is None else record.shape(one)

    def replace(self, operation: Operation, one: LearnedInput) -> None:
        """Samples a known input from another template from now on."""
        record = self._record(operation, one)
        if record is not None:
            record.replace(one)

    def recalled(self, operation: Operation, one: LearnedInput) -> LearnedInput | None:
        """Returns an input as it was learnt; None if it was not.

        It is judged anew if it was forgotten: a call that came further than others reads it, too.
        """
        record = self._record(operation, one)
        if record is None:
            return None
        if record.is_forgotten:
            record.judge_anew()
        return record.learned

    def knows(self, operation: Operation) -> bool:
        """Whether any input of the operation was learnt."""
        return operation.id in self._known

    def learn_body(self, operation: Operation, body: LearnedBody) -> bool:
        """Adds a gene for the whole content; returns whether it was new and the operation can have a content."""
        if all(given.role != "content" for given in operation.inputs):
            return False
        return self._known_of(operation).learn_body(body)

    def prefer_form(self, operation: Operation, form: int, *, is_certain: bool = False) -> None:
        """Notes which alternative of an undeclared content the program reads.

        is_certain: whether it refuses others; a parser in front of it may read these.
        """
        self._known_of(operation).prefer_form(form, is_certain=is_certain)

    def name_media_type(self, operation: Operation, name: str, form: int) -> None:
        """Notes that the program takes an undeclared content of a form under this media type."""
        self._known_of(operation).name_media_type(name, form)

    # ---- what is known ----------------------------------------------------------------------------------------------

    def of(self, operation: Operation) -> tuple[LearnedInput, ...]:
        """Returns the inputs that are in use, in the order in which they were learnt."""
        return tuple(record.learned for record in self.records_of(operation))

    def members_read(self, operation: Operation) -> frozenset[str]:
        """Returns the names of members of the content that the program was ever seen to read, or to validate."""
        known = self._known.get(operation.id)
        records = known.records.values() if known else ()
        return frozenset(one.learned.path[0] for one in records if one.learned.location in _BODY)

    def bodies_of(self, operation: Operation) -> tuple[LearnedBody, ...]:
        """Returns the genes for the whole content, such as those of schemas of validators."""
        known = self._known.get(operation.id)
        return tuple(known.bodies) if known else ()

    def proven(self, operation: Operation) -> tuple[LearnedInput, ...]:
        """Returns the inputs with which a call has improved a target."""
        return tuple(record.learned for record in self.records_of(operation) if record.n_gains)

    def records_of(self, operation: Operation) -> Iterator[LearnedRecord]:
        """Yields the inputs that are in use, with what calls with them have earned."""
        known = self._known.get(operation.id)
        return iter(()) if known is None else known.in_use()

    def form_of(self, operation: Operation) -> int | None:
        """Returns the alternative of an undeclared content that the program reads; None if it is not known."""
        known = self._known.get(operation.id)
        return known.form if known else None

    # ---- calls with learnt inputs -----------------------------------------------------------------------------------

    def applied(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: the call carries some of the inputs that are known."""
        known = self._known.get(call.operation.id)
        if known is not None:
            call = self._with_known(call, known)
        read = () if known is None else known.inputs()
        return self._named(self._with_unknown_body(self.needed.applied(call, earlier, read)))

    def with_needed(self, test_case: TestCase) -> TestCase:
        """Returns the test case, whose calls most often have the inputs that they were since found to need."""
        if not self.needed.has_any:
            return test_case
        for number, call in enumerate(test_case.calls):
            known = self._known.get(call.operation.id)
            read = () if known is None else known.inputs()
            carrying = self.needed.applied(call, test_case.calls[:number], read, is_new=False)
            if carrying is not call:
                test_case = test_case.with_call(number, carrying)
        return test_case

    def with_known_body(self, call: Call) -> Call:
        """Returns the call with a content from a learnt gene, with a probability, if there is one."""
        known = self._known.get(call.operation.id)
        return call if known is None else self._with_known_body(call, known)

    def _with_known(self, call: Call, known: KnownInputs) -> Call:
        call = self._with_known_body(call, known)
        if known.is_form_certain and known.form is not None and self._rng.random() < BODY_PROBABILITY:
            call = with_form(call, known.form, self._rng)
        records = list(self.records_of(call.operation))
        wanted = [record for record in records if self._rng.random() < self._probability(record, records)]
        return self.carrying(call, [record.learned for record in wanted]) if wanted else call

    def _named(self, call: Call) -> Call:
        """Returns the call with a media type that the program takes, if its content is sent under another one."""
        known = self._known.get(call.operation.id)
        if known is None or not known.media_types or name_sent(call) is not None or form_sent(call) != known.form:
            return call
        return with_name(call, self._rng.choice(known.media_types))

    def carrying(
        self, call: Call, inputs: Iterable[LearnedInput], *, form: int | None = None, is_anew: bool = False
    ) -> Call:
        """Returns the call with values of the inputs, as far as something in it can have them.

        form: the alternative that an undeclared content takes; None for the one that the program is known to read.
        is_anew: values that the call has already are replaced.
        """
        # An outer member would replace the one within it.
        ordered = sorted(inputs, key=lambda one: len(one.path))
        if form is None:
            form = self._form_for(call.operation, ordered)
        # A sum of a number and a text is none, so all of a call are numbers, or none is.
        are_numbers = any(one.is_number for one in ordered) and self._rng.random() < NUMBER_PROBABILITY
        for one in ordered:
            in_body = one.location in _BODY
            value = value_of_input(call, one)
            is_wanted = is_anew or value is ABSENT or (one.is_surely_list and not isinstance(value, list))
            if is_wanted or (in_body and form is not None):
                leaf = learned_value(
                    call.operation,
                    one,
                    self._seeds_of(call.operation, one),
                    self._rng,
                    is_number=are_numbers and one.is_number,
                )
                carrying = with_input(call, one, leaf, form=form if in_body else None)
                # The first member opens the content in this form; the others join it.
                form = None if in_body and carrying is not None else form
                call = carrying or call
        return self._named(call)

    def _with_known_body(self, call: Call, known: KnownInputs) -> Call:
        if not known.bodies or self._rng.random() >= BODY_PROBABILITY:
            return call
        body = known.bodies[0] if len(known.bodies) == 1 else self._rng.choice(known.bodies)
        form = self._form_named(call.operation, body.media_type)
        content = undeclared_content(call.operation)
        if form is None and content is not None and known.form in forms_with_members(content):
            form = known.form
        return with_body(call, body.template.sampled(self._rng), form) or call

    def _with_unknown_body(self, call: Call) -> Call:
        """Returns the call with a content of one member, now and then, if it has none."""
        operation = call.operation
        is_parsed = operation.id in self.parsed
        is_early = self._n_calls.get(operation.id, 0) < CALLS_WITHOUT_BODY or operation.effect == "remove"
        if is_early and not is_parsed:
            return call
        given = undeclared_content(operation)
        is_absent = given is not None and call.genes[operation.inputs.index(given)].phenotype() is ABSENT
        if not is_absent or self._rng.random() >= (BODY_PROBABILITY if is_parsed else UNKNOWN_BODY_PROBABILITY):
            return call
        marked = LearnedInput(location="body", path=(made_up_name(self._rng),))
        self.note_made_up((marked,))
        form = self.form_of(operation) or JSON_FORM
        return with_input(call, marked, StringGene(taint_marker(self._rng)), form=form) or call

    def _form_for(self, operation: Operation, inputs: list[LearnedInput]) -> int | None:
        if undeclared_content(operation) is None:
            return None
        if any(one.location == "file" for one in inputs):
            return self._form_named(operation, "multipart/form-data")
        return self.form_of(operation)

    def _form_named(self, operation: Operation, media_type: str) -> int | None:
        for given in operation.inputs:
            if given.role == "content" and media_type in given.media_types:
                return given.media_types.index(media_type)
        return None

    def _probability(self, record: LearnedRecord, records: list[LearnedRecord]) -> float:
        own = PROVEN_PROBABILITY if record.n_gains else UNPROVEN_PROBABILITY
        if record.learned.location in _BODY or IN_JSON_TEXT in record.learned.path:
            return 1.0 - own if record.n_gains else 0.5
        return min(own, EXPECTED_PRESENT / len(records))

    def _seeds_of(self, operation: Operation, one: LearnedInput) -> Sequence[Json]:
        """Returns values that the input has had; none for a list of an input that is known as a single value, or for a
        file of a certain kind.
        """
        record = self._record(operation, one)
        is_certain_file = one.location == "file" and one.template is not None
        if record is None or is_for_one_use(one) or is_certain_file:
            return ()
        return record.seeds if record.learned.is_list == one.is_list else ()

    # ---- credit -----------------------------------------------------------------------------------------------------

    def observe(self, evaluation: Evaluation, *, is_gain: bool) -> None:
        """Counts the calls of an evaluation that carried learnt inputs. is_gain: whether it improved a target."""
        for call in evaluation.test_case.calls:
            n_calls = self._n_calls.get(call.operation.id, 0)
            if n_calls < CALLS_WITHOUT_BODY and undeclared_content(call.operation) is not None:
                self._n_calls[call.operation.id] = n_calls + 1
        if not self._known:
            return
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            known = self._known.get(call.operation.id)
            self.needed.observe(call, observation, () if known is None else known.inputs())
            if known is None or observation.outcome == "not-run":
                continue
            for record in tuple(known.records.values()):
                value = value_of_input(call, record.learned)
                if value is ABSENT:
                    continue
                record.note_sent(observation, is_gain=is_gain)
                if not is_gain or isinstance(value, (dict, list)):
                    continue
                record.keep(value)
                if observation.outcome == "ok" and record.learned.location not in _BODY:
                    self._spread(record, value)

    def _spread(self, source: LearnedRecord, value: Json) -> None:
        """Has the value tried at the same parameter of operations where it has paid nothing so far: keys are shared."""
        for known in self._known.values():
            record = known.records.get(source.learned.key)
            if record is not None and record.n_gains == 0 and record.keep(value):
                record.judge_anew()
