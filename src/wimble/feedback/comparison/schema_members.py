"""Members of documents that a validation library found wrong: their places in a call, and the values that they get."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

import msgspec

from wimble.feedback.answers.answer_places import place_at
from wimble.feedback.comparison.named_members import names_down_to, places_named
from wimble.feedback.comparison.question import Question
from wimble.feedback.input_to_state.input_sites import iter_arrays
from wimble.feedback.input_to_state.json_paths import value_at, with_value_at
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.feedback.input_to_state.origin import Place
from wimble.feedback.input_to_state.transforms.lengths import MAX_WANTED_PARTS, length_inverse
from wimble.feedback.input_to_state.transforms.transform import Nothing
from wimble.genes.new_elements import furthest
from wimble.genes.taint_markers import taint_marker
from wimble.genes.value_names import draw_for
from wimble.model.operands import DateValue, Operand, is_number
from wimble.model.setup_kinds.answer import BODY, Answer
from wimble.model.testcase import GeneAddress
from wimble.runtimes.value_semantics import ValueSemantics
from wimble.types import ABSENT, Json

ANSWER_COST = 1
"""Added for answers of services: most documents that are validated are inputs."""
_BETWEEN = re.compile(r"[./\[\]\"]+")


class LengthQuestion(Question, frozen=True):
    """The text or list has to have the length `other`."""

    @property
    def label(self) -> str:
        return "length"

    @property
    def length(self) -> int | None:
        """The wanted length of a list, limited; None if `other` is no number."""
        return min(int(self.other), MAX_WANTED_PARTS) if is_number(self.other) else None

    def candidates(self, semantics: ValueSemantics, rng: Random) -> list[Operand]:
        text = length_inverse(self.mine if isinstance(self.mine, str) else "")(self.other)
        return [] if isinstance(text, Nothing) else [text]

    def resized(self, items: list[Json], rng: Random) -> list[Json]:
        """Returns the list with elements removed or added."""
        wanted = len(items) if self.length is None else self.length
        # Equal texts may be refused, so added texts differ.
        model = items[furthest(items)] if items else ""
        more = [taint_marker(rng) if isinstance(model, str) else model for _ in range(wanted - len(items))]
        return [*items[:wanted], *more]


class TypeQuestion(Question, frozen=True):
    """The value has to be of the type that `other` names, `object` or `array`."""

    @property
    def label(self) -> str:
        return "of type"

    def candidates(self, semantics: ValueSemantics, rng: Random) -> list[Operand]:
        return [{} if self.other == "object" else []]


class PresenceQuestion(Question, frozen=True):
    """The member at the path `other` has to be there. What validators demand without a type is mostly a text."""

    @property
    def label(self) -> str:
        return "present"

    @property
    def is_met_by_most_values(self) -> bool:
        return True

    def candidates(self, semantics: ValueSemantics, rng: Random) -> list[Operand]:
        if isinstance(self.mine, (int, float)):
            return [True if isinstance(self.mine, bool) else 1]
        names = names_in(str(self.other))
        draw = draw_for(names[-1]) if names else None
        named = [] if draw is None else [draw(rng)]
        return [*named, taint_marker(rng), *([] if isinstance(self.mine, str) else [1, True])]


def names_in(path: str) -> tuple[str, ...]:
    """Returns the names of a path in any of the notations of validators."""
    return tuple(filter(None, _BETWEEN.split(path)))


def places_of_member(path: str, question: Question, index: InputIndex, rng: Random) -> Iterator[tuple[int, Place]]:
    """Yields edits of the inputs at the end of `path` in the call, with costs, and of what services answer.

    If there are no such inputs, the edits add the member. If there are, an answer without the member is not meant.
    question: the requirement of the member; its `mine` is unknown.
    """
    names = names_in(path)
    if not names:
        return
    found = [*_list_places(names, question, index, rng), *_site_places(names, question, index, rng)]
    yield from _in_answers(names, question, index, rng, are_all=not found)
    yield from found
    if not found:
        yield from _in_bodies(names, question, index, rng)
        for value in question.candidates(index.values, rng)[:1]:
            yield from places_named(".".join(names), value, index.test_case, index.call)


def _list_places(
    names: tuple[str, ...], question: Question, index: InputIndex, rng: Random
) -> Iterator[tuple[int, Place]]:
    """Yields lists at the end of the path, with the wanted length."""
    if not isinstance(question, LengthQuestion):
        return
    for address, array in iter_arrays(index.test_case, index.call):
        if _ends_with(names_down_to(index.test_case, address), names) and question.length is not None:
            yield 0, (address, array.resized(question.length, rng))


def _site_places(
    names: tuple[str, ...], question: Question, index: InputIndex, rng: Random
) -> Iterator[tuple[int, Place]]:
    """Yields edits of scalars at the end of the path."""
    for site in index.sites_of_call():
        own_names = (*names_down_to(index.test_case, site.address), *map(str, site.inner))
        if not site.is_free() or not _ends_with(own_names, names):
            continue
        for rank, value in enumerate(msgspec.structs.replace(question, mine=site.value).candidates(index.values, rng)):
            place = site.put(value)
            if place is not None:
                yield rank, place


def _in_bodies(
    names: tuple[str, ...], question: Question, index: InputIndex, rng: Random
) -> Iterator[tuple[int, Place]]:
    """Yields edits that put the wanted value at that path of a JSON body, counted from the top.

    Some programs check the body as a member of the request, so the path may start with the body's own name.
    """
    call = index.test_case.calls[index.call]
    for number, (declared, root) in enumerate(zip(call.operation.inputs, call.genes, strict=True)):
        if not declared.is_json:
            continue
        within = names[1:] if len(names) > 1 and names[0] == declared.name else names
        own = value_at(root.phenotype(), within)
        if isinstance(question, LengthQuestion) and isinstance(own, list):
            wanted: list[Operand] = [question.resized(own, rng)]
        else:
            wanted = question.candidates(index.values, rng)[:1]
        for value in wanted:
            new = None if isinstance(value, DateValue) else with_value_at(root, within, value)
            if new is not None and new != root:
                yield 0, (GeneAddress(index.call, number), new)


def _in_answers(
    names: tuple[str, ...], question: Question, index: InputIndex, rng: Random, *, are_all: bool
) -> Iterator[tuple[int, Place]]:
    """Yields edits that put the wanted value at that path of the answers of services. are_all: also of those that have
    no such member."""
    for number, answer in index.test_case.setup_of(Answer):
        if answer.outcome != "answer" or not answer.is_json_input(BODY):
            continue
        own = value_at(answer.genes[BODY].phenotype(), names)
        if own is ABSENT and not are_all:
            continue
        if isinstance(question, LengthQuestion) and isinstance(own, list):
            wanted: list[Operand] = [question.resized(own, rng)]
        else:
            mine = ABSENT if isinstance(own, (list, dict)) else own
            wanted = msgspec.structs.replace(question, mine=mine).candidates(index.values, rng)[:2]
        for rank, value in enumerate(wanted):
            place = None if isinstance(value, DateValue) else place_at(index.test_case, number, names, value)
            if place is not None:
                yield ANSWER_COST + rank, place


def _ends_with(names: tuple[str, ...], end: tuple[str, ...]) -> bool:
    return names[-len(end) :] == end
