"""Calls of libraries with texts that are put together from pieces of texts with which something was covered.

What reads a language (a query, a template, markup, a range of versions) looks at whole tokens. Changes of single
characters hardly ever make two of them, and brackets, quotes and operators have to fit together. So a text gets a piece
of another one, a word of the program's own texts, brackets around a piece, or an operator and a further text.

What reads lines or other parts compares each of them. The search puts a text that a comparison asks for in the place of
the part that was compared, which may have been needed, such as a header. So it is also added to texts, in a line of its
own or beside them.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from random import Random
from typing import Final

from wimble.library.function_binding import FunctionBinding
from wimble.library.invocation import exchange_of_function
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.source_constants import Constant
from wimble.model.testcase import GeneAddress, TestCase
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.generators.variations.table_keys import looked_up
from wimble.search.generators.variations.value_spots import Spot, iter_spots, value_at, with_value_at
from wimble.types import TargetId

PROBABILITY: Final = 0.4
"""Largest share of the turns, of which it has those that its credit gives it: where no text is in a language, words and
samples do more."""
MAX_KEPT: Final = 64
"""Test cases that have covered something and are changed again, the newest ones."""
AGAIN_PROBABILITY: Final = 0.5
"""Probability of one more change."""
OWN_WORD_PROBABILITY: Final = 0.3
"""Probability that a piece is one of the texts in the program, rather than part of a text that was passed to it."""
OTHER_KEY_PROBABILITY: Final = 0.15
"""Probability that a word becomes another key of a table that has it."""
MAX_TABLES: Final = 500
QUEUED_SHARE: Final = 0.7
"""Share of the turns for other keys that were not tried yet, as long as there are any."""
MAX_QUEUED: Final = 200
MAX_KEYS: Final = 100
ASKED_PROBABILITY: Final = 0.2
"""Probability that a text is put beside one that a comparison has asked for, as long as there are any."""
LINE_PROBABILITY: Final = 0.6
"""Probability that it has a line of its own."""
MAX_ASKED: Final = 64
"""Such texts that are kept, the newest ones."""
MAX_LENGTH: Final = 200
MAX_WORD: Final = 20
"""Longer texts of a program are messages, and no words of a language."""
MAX_TOKENS: Final = 6
"""Maximum number of tokens of a piece that is in no brackets."""
ATTEMPTS: Final = 6
PAIRS: Final = ("()", "[]", "{}", "<>", '""', "''", "``")
_CLOSING: Final = {"(": ")", "[": "]", "{": "}", "<": ">"}
_TOKEN: Final = re.compile(r"\w+|\s+|([^\w\s])\1*")
_WORD: Final = re.compile(r"\w+")


class MixedTexts(Generator):
    """Proposes test cases that have covered something, with another text in one of their last arguments."""

    def __init__(self, operations: Sequence[Operation], own_texts: Sequence[Constant], rng: Random) -> None:
        """own_texts: those in the program; more may come."""
        super().__init__()
        self._rng = rng
        self._is_library = False
        self._own_texts = own_texts
        self._kept: list[tuple[TestCase, list[Spot]]] = []
        self._queue: deque[TestCase] = deque()
        self._asked: dict[str, None] = {}
        """Texts that an edit has put into a call without covering something."""
        self._tried: set[tuple[TargetId, str]] = set()
        self._tables: dict[TargetId, dict[str, None]] = {}
        """Keys of tables that the program has looked something up in, by the target of the look-up."""
        self.join(operations)

    def join(self, operations: Sequence[Operation]) -> None:
        self._is_library = self._is_library or any(isinstance(one.binding, FunctionBinding) for one in operations)

    def is_ready(self) -> bool:
        return bool(self._kept)

    def propose(self, progress: float) -> Proposal | None:
        rng = self._rng
        if self._queue and rng.random() < QUEUED_SHARE:
            return Proposal(self._queue.popleft(), self)
        for _ in range(ATTEMPTS):
            test_case, spots = rng.choice(self._kept)
            spot = rng.choice(spots)
            made = self._mixed(str(spot.value))
            while rng.random() < AGAIN_PROBABILITY:
                made = self._mixed(made)
            changed = _with_text(test_case, spot, made) if made != spot.value and len(made) <= MAX_LENGTH else None
            if changed is not None:
                return Proposal(changed, self)
        return None

    def _mixed(self, text: str) -> str:
        tokens, rng = tokens_of(text), self._rng
        if self._asked and rng.random() < ASKED_PROBABILITY:
            return self._with_asked(text)
        if self._tables and rng.random() < OTHER_KEY_PROBABILITY:
            return self._with_other_key(tokens)
        start, end = self._span(tokens)
        before, piece, after = "".join(tokens[:start]), "".join(tokens[start:end]), "".join(tokens[end:])
        draw = rng.randrange(6)
        if draw == 0:
            return before + self._piece() + after
        if draw == 1:
            return before + piece + self._piece() + after
        if draw == 2:
            left, right = rng.choice(PAIRS)
            return before + left + rng.choice((piece, self._piece())) + right + after
        if draw == 3:
            left, right = rng.choice(PAIRS[:3])
            return before + self._word() + left + rng.choice((piece, self._piece(), "")) + right + after
        if draw == 4:
            return before + after
        return text + self._sign() + self._text()

    def _with_asked(self, text: str) -> str:
        """Returns the text with one beside it, or between two of its lines, that a comparison has asked for."""
        rng = self._rng
        asked = rng.choice(list(self._asked))
        if rng.random() >= LINE_PROBABILITY:
            return rng.choice((asked + text, text + asked, text + self._sign() + asked))
        lines = text.split("\n")
        at = rng.randint(0, len(lines))
        return "\n".join([*lines[:at], asked, *lines[at:]])

    def _with_other_key(self, tokens: list[str]) -> str:
        """Returns the text with one of its words in the place of which there is another key of a table with it; or
        with any word a key."""
        rng = self._rng
        tables = list(self._tables.values())
        found = [(at, keys) for at, one in enumerate(tokens) for keys in tables if one in keys]
        if found:
            at, keys = rng.choice(found)
        else:
            at, keys = rng.randrange(len(tokens)) if tokens else 0, rng.choice(tables)
        return "".join([*tokens[:at], rng.choice(list(keys)), *tokens[at + 1 :]])

    def _span(self, tokens: Sequence[str]) -> tuple[int, int]:
        """Returns where a piece begins and ends: with an opening bracket, mostly where this is closed again."""
        if not tokens:
            return 0, 0
        rng = self._rng
        start = rng.randrange(len(tokens))
        closed = end_of_brackets(tokens, start)
        if closed and rng.random() < 0.75:
            return start, closed
        return start, min(len(tokens), start + rng.randint(1, MAX_TOKENS))

    def _piece(self) -> str:
        """Returns a piece of a text that was passed, or a text of the program."""
        own = self._own() if self._rng.random() < OWN_WORD_PROBABILITY else ""
        if own:
            return own
        tokens = tokens_of(self._text())
        start, end = self._span(tokens)
        return "".join(tokens[start:end])

    def _word(self) -> str:
        words = _WORD.findall(self._text())
        own = self._own() if not words or self._rng.random() < OWN_WORD_PROBABILITY else ""
        return own or (self._rng.choice(words) if words else "a")

    def _sign(self) -> str:
        """Returns what may stand between two texts."""
        signs = [one for one in tokens_of(self._text()) if not _WORD.fullmatch(one)]
        own = self._own() if not signs or self._rng.random() < OWN_WORD_PROBABILITY else ""
        return own or (self._rng.choice(signs) if signs else " ")

    def _text(self) -> str:
        return str(self._rng.choice(self._rng.choice(self._kept)[1]).value)

    def _own(self) -> str:
        """Returns a short text of the program; empty if none was found."""
        for _ in range(ATTEMPTS if self._own_texts else 0):
            text = str(self._rng.choice(self._own_texts))
            if len(text) <= MAX_WORD:
                return text
        return ""

    def observe(self, outcome: Outcome) -> None:
        test_case, is_success = outcome.evaluation.test_case, bool(outcome.improvement.newly_covered)
        if self._is_library:
            self._note_keys(outcome.evaluation)
            if outcome.proposal.edit and not is_success:
                self._note_asked(outcome.proposal)
        if is_success and self._is_library and _has_returned(outcome.evaluation):
            call = test_case.calls[-1]
            spots = [one for one in iter_spots(call, [gene.phenotype() for gene in call.genes]) if _is_text(one)]
            if spots:
                self._queue_other_keys(test_case, spots)
                self._kept = [*self._kept, (test_case, spots)][-MAX_KEPT:]
        if outcome.proposal.generator is self:
            self.credit.add(is_success=is_success)

    def _note_asked(self, proposal: Proposal) -> None:
        """Learns the texts that an edit has put into the last call."""
        before = set() if proposal.edited_from is None else _texts_of(proposal.edited_from)
        for text in sorted(_texts_of(proposal.test_case) - before):
            self._asked.pop(text, None)
            self._asked[text] = None
            if len(self._asked) > MAX_ASKED:
                del self._asked[next(iter(self._asked))]

    def _queue_other_keys(self, test_case: TestCase, spots: Sequence[Spot]) -> None:
        """Has each other key of a table tried in the place of a word that is one: `abs(a)`, and so `avg(a)`."""
        for spot in spots:
            tokens = tokens_of(str(spot.value))
            for at, token in enumerate(tokens):
                for target, keys in self._tables.items():
                    others = [key for key in keys if (target, key) not in self._tried] if token in keys else []
                    for key in others:
                        self._tried.add((target, key))
                        changed = _with_text(test_case, spot, "".join([*tokens[:at], key, *tokens[at + 1 :]]))
                        if changed is not None and len(self._queue) < MAX_QUEUED:
                            self._queue.append(changed)

    def _note_keys(self, evaluation: Evaluation) -> None:
        """Learns the keys of tables in which part of a text was looked up."""
        found = [(hint.target, sent, key) for hint in evaluation.hints for sent, key in looked_up(hint)]
        if not found:
            return
        call = evaluation.test_case.calls[-1]
        texts = [str(one.value) for one in iter_spots(call, [gene.phenotype() for gene in call.genes])]
        for target, sent, key in found:
            if not (isinstance(key, str) and 0 < len(key) <= MAX_WORD and any(sent in text for text in texts)):
                continue
            if target in self._tables or len(self._tables) < MAX_TABLES:
                table = self._tables.setdefault(target, {})
                if len(table) < MAX_KEYS:
                    table[key] = None


def tokens_of(text: str) -> list[str]:
    """Returns the words, spaces and signs of a text, in order; equal signs in a row are one (`&&`)."""
    return [found[0] for found in _TOKEN.finditer(text)]


def end_of_brackets(tokens: Sequence[str], start: int) -> int:
    """Returns where the bracket that opens at `start` is closed, exclusive; 0 if it is none or stays open."""
    opening = tokens[start][0]
    closing, depth = _CLOSING.get(opening, ""), 0
    for at in range(start, len(tokens) if closing else start):
        depth += tokens[at].count(opening) - tokens[at].count(closing)
        if depth <= 0:
            return at + 1
    return 0


def _has_returned(evaluation: Evaluation) -> bool:
    """Whether the last call was no refusal: what a language refuses has no pieces of it."""
    if len(evaluation.observations) < len(evaluation.test_case.calls):
        return False
    exchange = exchange_of_function(evaluation.observations[-1])
    return exchange.thrown is None and not exchange.failure


def _is_text(spot: Spot) -> bool:
    return isinstance(spot.value, str) and not spot.is_key and 0 < len(spot.value) <= MAX_LENGTH


def _texts_of(test_case: TestCase) -> set[str]:
    call = test_case.calls[-1]
    return {str(one.value) for one in iter_spots(call, [gene.phenotype() for gene in call.genes]) if _is_text(one)}


def _with_text(test_case: TestCase, spot: Spot, text: str) -> TestCase | None:
    last = len(test_case.calls) - 1
    gene = test_case.calls[last].genes[spot.input]
    value = gene.phenotype()
    path = spot.path[1:]
    if value_at(value, path) == text:
        return None
    changed = gene.with_value(with_value_at(value, path, text))
    return None if changed is None else test_case.with_gene(GeneAddress(last, spot.input), changed)
