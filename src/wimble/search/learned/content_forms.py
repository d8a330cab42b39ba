"""Which media type of an undeclared content the program reads: each is tried once, and the outcomes are compared.

A program that reads one media type mostly refuses the others alike (415), so the outcome that differs from that of
most others tells which one it reads, even if that call is refused as well.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Final

import msgspec

from wimble.genes import ChoiceGene, Gene, OptionalGene, StringGene
from wimble.genes.taint_markers import made_up_name, taint_marker
from wimble.model.hints import ComparisonHint
from wimble.model.learned_input import LearnedInput
from wimble.model.observation import Observation
from wimble.model.operation import Input, Operation
from wimble.model.testcase import Call
from wimble.search.learned.members import undeclared_content
from wimble.types import ABSENT, OperationId

MAX_WAITS: Final = 12
"""Number of calls that are turned away, after which an operation's forms are tried all the same."""
N_LINES: Final = 3
FILE_NAME: Final = "file"
_MULTIPART: Final = "multipart/"
_WHOLE: Final = re.compile(r"(?:^|\.)(?:raw_?)?(?:body|payload|content|text|data)$")
"""Names of the whole content."""
UNREAD: Final = "unread"
"""Outcome of a content whose media type the program does not take."""
_REFUSALS: Final = ("refused", UNREAD)


class FormTrial(msgspec.Struct, frozen=True):
    """What a call carries to show whether a form is read. A text without inputs gets `n_lines` lines."""

    form: int
    inputs: tuple[LearnedInput, ...] = ()
    n_lines: int = 0


class ContentForms:
    """The trials of all operations, and what came of them."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._waits: dict[OperationId, int] = {}
        self._outcomes: dict[OperationId, dict[int, list[tuple[str, str]]]] = {}
        self._known: set[OperationId] = set()
        self._vain: set[OperationId] = set()
        """Operations whose forms were tried though no call had got as far as the content."""
        self._asked_texts: set[OperationId] = set()
        """Operations that have asked whether the content is a text, and for which texts were tried."""

    def trials(self, operation: Operation, observation: Observation) -> list[FormTrial]:
        """Returns the trials of an operation: after its first call that was not turned away before.

        If there is none for long, they are made all the same, and again once there is one.
        """
        is_tried = operation.id in self._outcomes and operation.id not in self._vain
        content = None if is_tried else undeclared_content(operation)
        if content is None:
            return []
        if is_turned_away(observation):
            waits = self._waits[operation.id] = self._waits.get(operation.id, 0) + 1
            if waits != MAX_WAITS:
                return []
            self._vain.add(operation.id)
        else:
            self._vain.discard(operation.id)
        self._outcomes[operation.id] = {}
        return [each for form in range(len(content.media_types)) for each in self._of_form(operation, form)]

    def text_trials(self, operation: Operation, hint: ComparisonHint) -> list[FormTrial]:
        """Returns the trials of all texts where the program asks whether the whole content is one, once for each
        operation.
        """
        is_asked = hint.wanted and hint.right == "string" and _WHOLE.search(hint.typed_name.lower())
        content = undeclared_content(operation) if is_asked and operation.id not in self._asked_texts else None
        option = None if content is None else _choice(content.template)
        if option is None:
            return []
        self._asked_texts.add(operation.id)
        texts = [form for form, one in enumerate(option.options) if isinstance(one, StringGene)]
        return [each for form in texts for each in self._of_form(operation, form)]

    def _of_form(self, operation: Operation, form: int) -> Iterator[FormTrial]:
        content = undeclared_content(operation)
        option = None if content is None else _choice(content.template)
        if content is None or option is None:
            return
        if isinstance(option.options[form], StringGene):
            yield FormTrial(form, n_lines=1)
            if form in forms_with_members(content):
                yield FormTrial(form, n_lines=N_LINES)
            return
        root = {"application/xml": ("root",), "application/x-ndjson": ("0",)}.get(content.media_types[form], ())
        member = LearnedInput(location="body", path=(*root, made_up_name(self._rng)))
        yield FormTrial(form, (member,))
        if content.media_types[form].startswith(_MULTIPART):
            yield FormTrial(form, (member, LearnedInput(location="file", path=(FILE_NAME,))))

    def observe(self, call: Call, observation: Observation) -> int | None:
        """Notes what came of a call with an undeclared content; returns the form that the program reads, once known."""
        if not self._outcomes:
            return None
        operation = call.operation
        outcomes = self._outcomes.get(operation.id)
        form = None if outcomes is None or operation.id in self._known else form_sent(call)
        if outcomes is None or form is None or is_turned_away(observation):
            return None
        own = outcomes.setdefault(form, [])
        entry = entry_of(observation)
        if entry in own:
            return None
        own.append(entry)
        content = undeclared_content(operation)
        if content is None or len(outcomes) < len(content.media_types):
            return None
        found = preferred(outcomes)
        if found is not None:
            self._known.add(operation.id)
        return found

    def usual(self, operation: Operation) -> tuple[str, str] | None:
        """Returns how most forms are answered, if all were tried and none is read; None otherwise."""
        outcomes, content = self._outcomes.get(operation.id, {}), undeclared_content(operation)
        if operation.id in self._known or content is None or len(outcomes) < len(content.media_types):
            return None
        entries = Counter(entry for own in outcomes.values() for entry in own)
        if any(outcome not in (*_REFUSALS, "failed") for outcome, _ in entries):
            return None
        return entries.most_common(1)[0][0]


def entry_of(observation: Observation) -> tuple[str, str]:
    """Returns the outcome of a call with a content, and its key."""
    is_unread = observation.exchange.complaint() in ("content", "other")
    return UNREAD if is_unread else observation.outcome, observation.outcome_key


def is_turned_away(observation: Observation) -> bool:
    """Whether the program has refused a call before it read the content: the user, what the path names, or the rate."""
    exchange = observation.exchange
    return bool(exchange.denial()) or exchange.complaint() in ("missing", "limit")


def preferred(outcomes: dict[int, list[tuple[str, str]]]) -> int | None:
    """Returns the form that is answered otherwise than most; None if the first one is not turned away like the rest.

    A form is not read for being refused otherwise than the rest as a media type (UNREAD).
    """
    (usual, n_forms), *_ = Counter(entry for own in outcomes.values() for entry in own).most_common(1)
    if n_forms <= len(outcomes) / 2 or usual[0] not in _REFUSALS or usual not in outcomes.get(0, ()):
        return None
    if any(outcome not in _REFUSALS for outcome, _ in outcomes[0]):
        return None
    others = [(form, entry[0]) for form, own in outcomes.items() if form for entry in own if entry != usual]
    for wanted in ("ok", "refused"):
        for form, outcome in others:
            if outcome == wanted:
                return form
    return None


def forms_with_members(content: Input) -> tuple[int, ...]:
    """Returns the forms in which an undeclared content may have members: of each media type the first."""
    return tuple(form for form, name in enumerate(content.media_types) if content.media_types.index(name) == form)


def text_sent(call: Call) -> tuple[int, str] | None:
    """Returns the undeclared content of a call with its form, if it is a text of which another form has members."""
    content = undeclared_content(call.operation)
    form = None if content is None else form_sent(call)
    if content is None or form is None or form in forms_with_members(content):
        return None
    text = call.genes[call.operation.inputs.index(content)].phenotype()
    return (form, text) if isinstance(text, str) and text else None


def form_sent(call: Call) -> int | None:
    """Returns the form of the undeclared content of a call; None if it sends none."""
    for given, gene in zip(call.operation.inputs, call.genes, strict=True):
        if given.is_undeclared and given.role == "content" and gene.phenotype() is not ABSENT:
            choice = _choice(gene)
            return None if choice is None else choice.index
    return None


def with_text(call: Call, form: int, text: str) -> Call:
    """Returns the call with a text as its undeclared content, in a form that is a text."""
    for index, (given, gene) in enumerate(zip(call.operation.inputs, call.genes, strict=True)):
        if given.is_undeclared and given.role == "content" and isinstance(gene, OptionalGene):
            choice = _choice(gene)
            if choice is None or not isinstance(choice.options[form], StringGene):
                return call
            options = (*choice.options[:form], StringGene(text), *choice.options[form + 1 :])
            new = msgspec.structs.replace(choice, options=options, index=form)
            return call.with_gene(index, msgspec.structs.replace(gene, gene=new, is_present=True))
    return call


def text_of_lines(n_lines: int, rng: Random) -> str:
    """Returns a text that can be recognised in the program, by line."""
    return "\n".join(taint_marker(rng) for _ in range(n_lines))


def _choice(gene: Gene) -> ChoiceGene | None:
    inner = gene.gene if isinstance(gene, OptionalGene) else gene
    return inner if isinstance(inner, ChoiceGene) else None
