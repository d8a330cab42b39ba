"""Answers whose text the program parses, splits, matches or compares are sent in other forms: XML, CSV, text and more.

Which form a parser takes is not known. Members that it makes of the right one, and that the program reads, are added
afterwards like those of JSON (answer_members.py). JSON is YAML, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from wimble.genes.taint_markers import taint_marker
from wimble.model.evaluation import Evaluation
from wimble.model.external import GZIP, ExternalRequest
from wimble.model.hints import ComparisonHint, GroupHint, Hint, InputHint, PatternHint, SplitHint, SubstringHint, Use
from wimble.model.setup_kinds.answer import (
    BODILESS,
    BODY,
    HEADERS,
    Answer,
    answer_to,
    is_later,
    new_answer,
    with_content_type,
)
from wimble.model.setup_kinds.body_forms import SEPARATORS, BodyForm
from wimble.model.testcase import TestCase
from wimble.search.generators.newest_first import NewestFirst
from wimble.types import Json, OperationId

_PARSED: Final[tuple[BodyForm, ...]] = ("text", "xml", "csv", "ini", "form")
"""The forms, in the order in which they are tried: a text of no form first, which can be changed as a whole."""
_BETWEEN: Final[dict[str, tuple[BodyForm, ...]]] = {":": ("colons",), "=": ("ini",)}
"""What stands between the name and the value of a line."""
_ASKED_FOR: Final[dict[Use, tuple[BodyForm, ...]]] = {"form": ("form",), "gzip": ("json", "lines", "text")}
"""The forms of an answer that an error asks for; of a compressed file, what may be in it."""
N_ROWS: Final = 3
N_CELLS: Final = 4
"""Rows, and cells of each, in a table without names of columns."""


class AnswerForms(NewestFirst):
    """Proposes the other forms of an answer whose text was parsed, once for each request of an operation."""

    learns_from = "hints"

    def _collect(self, evaluation: Evaluation) -> None:
        for hint in evaluation.hints:
            if isinstance(hint, InputHint):
                self._collect_asked(hint, evaluation)
            read = _read_by(hint, evaluation.test_case)
            if read and 0 <= hint.call < len(evaluation.test_case.calls):
                operation = evaluation.test_case.calls[hint.call].operation.id
                # The last one is proposed first.
                first = _forms_told_by(hint)
                self._waiting.extend(reversed(list(self._trials(read, operation, evaluation.test_case, first))))

    def _collect_asked(self, hint: InputHint, evaluation: Evaluation) -> None:
        """Adds the test cases in which an answer that the call got has the form that an error asks for."""
        test_case = evaluation.test_case
        asked = [(use, form) for use in hint.uses for form in _ASKED_FOR.get(use, ())]
        requests = evaluation.interactions_of(ExternalRequest) if asked else ()
        for request in requests:
            number, answer = request.answered_by, answer_to(request, test_case)
            if number is None or answer is None or answer.status in BODILESS or request.call != hint.call:
                continue
            for use, form in reversed(asked):  # the last one is proposed first
                key = (test_case.calls[hint.call].operation.id, *answer.place, use, form)
                if key not in self._known:
                    self._known.add(key)
                    made = self._in_form(answer, form, {} if form == "json" else self._body(form))
                    packed = with_content_type(made, GZIP) if use == "gzip" else made
                    self._waiting.append(test_case.with_action(number, packed))

    def _trials(
        self, read: Sequence[int], operation: OperationId, test_case: TestCase, first: tuple[BodyForm, ...]
    ) -> Iterator[TestCase]:
        for number in read:
            answer = test_case.setup[number] if 0 <= number < len(test_case.setup) else None
            if not isinstance(answer, Answer) or answer.outcome != "answer" or answer.status in BODILESS:
                continue
            key = (operation, *answer.place, is_later(answer, test_case))
            for form in first:
                if form != answer.form and (*key, form) not in self._known:
                    self._known.add((*key, form))
                    yield test_case.with_action(number, self._in_form(answer, form, self._body(form)))
            if key in self._known:
                continue
            self._known.add(key)
            for form in _PARSED:
                if form != answer.form and form not in first:
                    yield test_case.with_action(number, self._in_form(answer, form, self._body(form)))
            for form in SEPARATORS:
                yield test_case.with_action(number, self._in_form(answer, form, self._cells()))

    def _in_form(self, answer: Answer, form: BodyForm, body: Json) -> Answer:
        made = new_answer(answer.origin, answer.method, answer.path, body=body, form=form)
        genes = (answer.genes[0], made.genes[HEADERS], made.genes[BODY])
        return msgspec.structs.replace(answer, genes=genes, form=form)

    def _body(self, form: BodyForm) -> Json:
        if form == "text":
            return taint_marker(self._rng)
        if form == "lines":
            return [{}, {}]
        if form == "xml":
            return {"root": {}}
        named: Json = {taint_marker(self._rng): taint_marker(self._rng) for _ in range(1 + (form in SEPARATORS))}
        return [named] if form in SEPARATORS else named

    def _cells(self) -> Json:
        """Returns a table that is read by numbers of rows and columns, or whose names of columns are compared."""
        return [[taint_marker(self._rng) for _ in range(N_CELLS)] for _ in range(N_ROWS)]


def _forms_told_by(hint: Hint) -> tuple[BodyForm, ...]:
    """Returns the forms that are tried first: what is split into lines may have a document in each, and what is split
    between names and values, or searched for what stands between them (`line.indexOf(':')`), has both.
    """
    if isinstance(hint, SubstringHint):
        return _BETWEEN.get(hint.part.strip(), ()) if isinstance(hint.part, str) else ()
    if not isinstance(hint, SplitHint) or not isinstance(hint.separator, str):
        return ()
    if "\n" in hint.separator:
        return ("lines",)
    return _BETWEEN.get(hint.separator.strip(), ())


def _read_by(hint: Hint, test_case: TestCase) -> Sequence[int]:
    """Returns the numbers of the answers whose whole text the program has read in this way."""
    match hint:
        case InputHint():
            return hint.answers if hint.location == "answer" and not hint.path else ()
        case SplitHint() | PatternHint() | SubstringHint() | GroupHint():
            operands: tuple[Json, ...] = (hint.text,)
        case ComparisonHint():
            # A parser of forms takes the whole text for the name of its only field.
            operands = hint.operands
        case _:
            return ()
    texts = {operand.strip() for operand in operands if isinstance(operand, str)} - {""}
    if not texts:
        return ()
    return [number for number, answer in test_case.setup_of(Answer) if answer.text(test_case).strip() in texts]
