"""Answers of services that meet the schemas which the program applies to them (zod, joi, ajv, yup and others).

A schema is known as soon as it was applied, whatever it said of the value. The part of the answer to which it was
applied gets genes of that schema, so that mutation keeps to it, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

from wimble.feedback.answers.answer_places import with_part
from wimble.genes import Gene, MapGene
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.setup_kinds.answer import BODY, Answer, is_later
from wimble.model.testcase import TestCase
from wimble.model.validation import ANSWER, SINGLE_CHECKS, Validation
from wimble.search.generators.newest_first import NewestFirst
from wimble.search.learned.validated_places import MIN_LIKENESS, likeness
from wimble.search.sampling.sent_names import iter_sent
from wimble.spec.schemas.learned_genes import learned_gene
from wimble.types import ABSENT, Json

N_SAMPLES: Final = 4
"""Samples of each schema: optional members and alternatives differ."""
MAX_KEYS: Final = 3
"""Texts that the calls have sent, the last ones, which are keys of maps in every second sample."""
MAX_PARTS: Final = 60
"""Parts of one answer that are compared with a value whose origin is not known."""

_Part = tuple[int, tuple[str, ...]]
"""(index of the answer in the setup, path in its body)."""


class AnswerSchemas(NewestFirst):
    """Proposes answers that meet schemas, those of the newest schema first."""

    learns_from = "validations"
    max_waiting = 400

    def _collect(self, evaluation: Evaluation) -> None:
        for one in evaluation.validations:
            if one.applied.library not in SINGLE_CHECKS and 0 <= one.call < len(evaluation.test_case.calls):
                self._waiting.extend(self._trials(one, evaluation))

    def _trials(self, one: Validation, evaluation: Evaluation) -> Iterator[TestCase]:
        test_case = evaluation.test_case
        for number, path in _parts_of(one, evaluation):
            answer = test_case.setup[number]
            if not isinstance(answer, Answer) or not self._is_new(one, answer, path, test_case):
                continue
            gene = learned_gene(one.applied.schema)
            sent = [text for _, text in iter_sent(test_case)][-MAX_KEYS:]
            for n_sample in range(N_SAMPLES):
                sampled = gene.sampled(self._rng)
                if n_sample % 2:
                    sampled = keyed_by(sampled, sent, self._rng)
                changed = with_part(test_case, number, path, sampled)
                if changed is not None:
                    yield changed

    def _is_new(self, one: Validation, answer: Answer, path: tuple[str, ...], test_case: TestCase) -> bool:
        operation = test_case.calls[one.call].operation.id
        key = (operation, *answer.place, is_later(answer, test_case), path, one.applied.text)
        if key in self._known:
            return False
        self._known.add(key)
        return True


def keyed_by(gene: Gene, texts: Sequence[str], rng: Random) -> Gene:
    """Returns the gene with the texts among the keys of its maps: a program looks up what it was asked for
    (`rates[currency]`).
    """
    for index, child in enumerate(gene.children()):
        keyed = keyed_by(child, texts, rng)
        if keyed is not child:
            gene = gene.with_child(index, keyed)
    if not isinstance(gene, MapGene) or gene.key_pattern:
        return gene
    known = {key for key, _ in gene.entries}
    new = [(text, gene.value_template.sampled(rng)) for text in dict.fromkeys(texts) if text not in known]
    return gene.with_entries((*gene.entries, *new)) if new and gene.max_entries is None else gene


def _parts_of(one: Validation, evaluation: Evaluation) -> list[_Part]:
    """Returns the part of an answer to which a schema was applied; without a place, those that are like the value.

    Only answers that its call has got count: an empty content, to which a schema was applied, is like any empty object.
    """
    test_case = evaluation.test_case
    if one.place[:1] == (ANSWER,) and len(one.place) > 1:
        number = one.place[1]
        is_known = number.isdigit() and int(number) < len(test_case.setup)
        return [(int(number), one.place[2:])] if is_known else []
    if one.place or not isinstance(one.value, dict | list):
        return []
    requests = evaluation.interactions_of(ExternalRequest)
    got = {request.answered_by for request in requests if request.call == one.call}
    alike = [
        (likeness(one.value, value), number, path)
        for number, answer in test_case.setup_of(Answer)
        if number in got
        for path, value in _containers(answer.genes[BODY].phenotype())
    ]
    best = max((found for found, _, _ in alike), default=0.0)
    return [(number, path) for found, number, path in alike if found == best and best >= MIN_LIKENESS]


def _containers(body: Json) -> Iterator[tuple[tuple[str, ...], Json]]:
    """Yields the objects and lists of a body, outer ones first."""
    waiting: list[tuple[tuple[str, ...], Json]] = [] if body is ABSENT else [((), body)]
    for n_parts in range(MAX_PARTS):
        if n_parts >= len(waiting):
            return
        path, value = waiting[n_parts]
        yield path, value
        members = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        waiting += [((*path, str(key)), inner) for key, inner in members if isinstance(inner, dict | list)]
