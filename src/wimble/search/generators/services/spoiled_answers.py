"""Answers of services that keep their status and headers, and whose body is none that the program expects there.

A malformed body, an empty one and `null` are usual results of a service (service_results.py), with status 200
and as JSON. Where a program has a branch for another status, or asks for a content type, such an answer never gets to
the parser behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from wimble.genes import AnyGene, OptionalGene, StringGene
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup_kinds.answer import BODILESS, BODY, Answer, answer_to
from wimble.model.setup_kinds.body_forms import BodyForm
from wimble.model.testcase import TestCase

CUT: Final = '{"a":'
"""A document that ends in the middle."""
_BEFORE: Final[dict[BodyForm, str]] = {"json": "", "lines": "", "events": "data: "}
"""The forms whose bodies hold documents, and what stands before each."""
_AFTER: Final[dict[BodyForm, str]] = {"json": "", "lines": "\n", "events": "\n\n"}
MAX_TRIED: Final = 1_000


class SpoiledAnswers:
    """Makes test cases with a spoiled body, once for each status and content type of a request of an operation."""

    def __init__(self) -> None:
        self._tried: set[tuple[object, ...]] = set()

    def with_spoiled(self, evaluation: Evaluation) -> Iterator[TestCase]:
        """Yields the test case with each spoiled body in the place of each that the program got in its last call."""
        test_case = evaluation.test_case
        last = len(test_case.calls) - 1
        got = {
            request.answered_by: answer
            for request in evaluation.interactions_of(ExternalRequest)
            if request.call == last and (answer := answer_to(request, test_case)) is not None
        }
        for number, answer in got.items():
            if number is not None and self._is_new(answer, test_case):
                for body, form in _bodies(answer, test_case):
                    genes = (*answer.genes[:BODY], body)
                    yield test_case.with_action(number, replace(answer, genes=genes, form=form))

    def _is_new(self, answer: Answer, test_case: TestCase) -> bool:
        if answer.outcome != "answer" or answer.form not in _BEFORE or answer.status in BODILESS:
            return False
        content_type = answer.headers(test_case).get("content-type", "")
        if answer.status == 200 and content_type.startswith("application/json"):
            return False  # a usual result
        key = (test_case.calls[-1].operation.id, answer.request_kind, answer.status, content_type)
        if key in self._tried or len(self._tried) >= MAX_TRIED:
            return False
        self._tried.add(key)
        return True


def _bodies(answer: Answer, test_case: TestCase) -> Iterator[tuple[OptionalGene, BodyForm]]:
    whole = "" if answer.form == "json" else answer.text(test_case)
    cut = f"{whole}{_BEFORE[answer.form]}{CUT}{_AFTER[answer.form]}"
    yield OptionalGene(StringGene(cut), True), "text"
    yield OptionalGene(StringGene(""), True), "text"
    if answer.form == "json":
        yield OptionalGene(AnyGene(None), True), "json"
