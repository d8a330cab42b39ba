"""Answers whose text the program searches for elements by selectors are HTML documents in which it finds them.

All elements and attributes that a program has looked for in an answer are in its document, with texts that are
recognised where they are compared; and once more with several elements of each kind. Elements of any answer that are
counted come more often (counted_elements.py).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from random import Random
from typing import Final, TypeAlias

import msgspec

from wimble.genes.taint_markers import taint_marker
from wimble.model.evaluation import Evaluation
from wimble.model.hints import Hint, InputHint
from wimble.model.setup_kinds.answer import BODILESS, BODY, HEADERS, STATUS, Answer, is_later, new_answer
from wimble.model.setup_kinds.html_form import HTML_ATTRIBUTE, HTML_TEXT
from wimble.model.testcase import TestCase
from wimble.search.generators.newest_first import NewestFirst
from wimble.search.generators.services.counted_elements import times_needed, with_counted
from wimble.types import Json

N_ELEMENTS: Final = 3
"""Elements of each kind in the second document."""
MAX_ELEMENTS: Final = 30
MAX_ATTRIBUTES: Final = 10
"""Names of an answer that are put into its document."""

MAX_REPETITIONS: Final = 8
"""Test cases with repeated elements for one condition and answer: a number may be no count of them, and what was
repeated is counted again.
"""

Place: TypeAlias = tuple[object, ...]


class AnswerElements(NewestFirst):
    """Proposes the documents, newest first."""

    learns_from = "hints"

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._paths: defaultdict[Place, list[tuple[str, ...]]] = defaultdict(list)
        """What was looked for, in that order, by operation and answer."""
        self._n_repeated: Counter[Place] = Counter()
        """By condition and answer."""

    def _collect(self, evaluation: Evaluation) -> None:
        test_case = evaluation.test_case
        changed: dict[int, Place] = {}
        for hint in evaluation.hints:
            if isinstance(hint, InputHint) and hint.location == "element" and 0 <= hint.call < len(test_case.calls):
                for number in hint.answers:
                    place = self._place_of(number, hint, test_case)
                    if place is not None and self._is_new(place, hint.path):
                        changed[number] = place
            self._repeat(evaluation, hint)
        for number, place in changed.items():
            # The last one is proposed first.
            self._waiting.extend(reversed(list(self._trials(test_case, number, self._paths[place]))))

    def _repeat(self, evaluation: Evaluation, hint: Hint) -> None:
        """Adds the test cases in which elements come as often as a condition needs them, a few for each condition."""
        for number, made in with_counted(evaluation, hint):
            answer = evaluation.test_case.setup[number]
            assert isinstance(answer, Answer)
            counted = (hint.target, *answer.place)
            key = (*counted, number, times_needed(hint), answer)
            if key not in self._known and self._n_repeated[counted] < MAX_REPETITIONS:
                self._known.add(key)
                self._n_repeated[counted] += 1
                self._waiting.append(made)

    def _place_of(self, number: int, hint: InputHint, test_case: TestCase) -> Place | None:
        answer = test_case.setup[number] if 0 <= number < len(test_case.setup) else None
        if not isinstance(answer, Answer) or answer.outcome != "answer" or answer.status in BODILESS:
            return None
        return (test_case.calls[hint.call].operation.id, *answer.place, is_later(answer, test_case))

    def _is_new(self, place: Place, path: tuple[str, ...]) -> bool:
        known = self._paths[place]
        is_attribute = path[-1].startswith(HTML_ATTRIBUTE)
        n_alike = sum(one[-1].startswith(HTML_ATTRIBUTE) == is_attribute for one in known)
        if path in known or n_alike >= (MAX_ATTRIBUTES if is_attribute else MAX_ELEMENTS):
            return False
        known.append(path)
        return True

    def _trials(self, test_case: TestCase, number: int, paths: list[tuple[str, ...]]) -> Iterator[TestCase]:
        answer = test_case.setup[number]
        assert isinstance(answer, Answer)
        for count in (1, N_ELEMENTS):
            body = self._document(paths, count)
            if not body:
                return
            made = new_answer(answer.origin, answer.method, answer.path, body=body, form="html")
            genes = (answer.genes[STATUS], made.genes[HEADERS], made.genes[BODY])
            yield test_case.with_action(number, msgspec.structs.replace(answer, genes=genes, form="html"))

    def _document(self, paths: list[tuple[str, ...]], count: int) -> dict[str, Json]:
        """Returns the elements of a document. count: how many of each kind that stands in the document itself."""
        attributes = [path[0] for path in paths if path[0].startswith(HTML_ATTRIBUTE)]
        inner: dict[str, list[str]] = {}
        for path in paths:
            if path[0].startswith(HTML_ATTRIBUTE):
                continue
            if len(path) > 1 and inner:
                inner[next(reversed(inner))].append(path[-1])
            else:
                inner[path[-1]] = []
        found: dict[str, Json] = {}
        for selector, below in inner.items():
            elements: list[Json] = [self._element(attributes, below) for _ in range(count)]
            found[selector] = elements[0] if count == 1 else elements
        return found

    def _element(self, attributes: list[str], below: list[str]) -> Json:
        named: dict[str, Json] = {HTML_TEXT: taint_marker(self._rng)}
        named.update((name, taint_marker(self._rng)) for name in attributes)
        named.update((selector, self._element(attributes, [])) for selector in below)
        return named
