"""`pattern` hints: an input was matched against a regular expression.

The edits make it match, or nearly match; a text with a meaning of its own also keeps it, if a match may stand before or
after it. If the input is in the expression (a search by name), it becomes a part of the
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice
from random import Random

from wimble.feedback.comparison.operand_edits import operand_edits
from wimble.feedback.comparison.question import OperandPair, Question
from wimble.feedback.edit import Proposal
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.genes.taint_markers import is_like_marker
from wimble.model.hints import PatternHint
from wimble.model.operands import Operand, decoded
from wimble.runtimes.regex_dialect import RegexDialect
from wimble.runtimes.value_semantics import ValueSemantics

_BEFORE = re.compile(r"(?:\^|\\b)*")
"""Anchors before the first letter of an expression."""
MAX_BEGUN = 3
"""Number of words of a text up to which a fixed part of an expression, before an input, may reach."""
N_STRINGS = 2
"""Number of different strings that are tried for one regular expression."""


def pattern_edits(hint: PatternHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns proposals for one hint, unordered, possibly with repetitions."""
    pair = OperandPair(
        target=hint.target,
        call=hint.call,
        left=decoded(hint.text),
        right=decoded(hint.source),
        wanted=hint.wanted,
        ask=partial(PatternQuestion, flags=hint.flags),
    )
    return operand_edits(pair, index, rng)


class PatternQuestion(Question, frozen=True):
    """The left operand has to match the source of an expression, which is the right one."""

    flags: str = ""

    @property
    def label(self) -> str:
        return "pattern"

    def candidates(self, semantics: ValueSemantics, rng: Random) -> list[Operand]:
        if not isinstance(self.other, str):
            return []
        if not self.is_left:
            sources = (
                _sources_of(self.other, self.mine, semantics.regexes)
                if self.wanted and isinstance(self.mine, str)
                else ()
            )
            return list(dict.fromkeys(sources))
        solve = semantics.regexes.matching_string if self.wanted else semantics.regexes.near_miss
        drawn = (solve(self.other, self.flags, rng) for _ in range(N_STRINGS))
        found = list(dict.fromkeys(text for text in drawn if text is not None))
        if not self.wanted or not found or not isinstance(self.mine, str) or is_like_marker(self.mine):
            return list(found)
        # What the text has already may be wanted at another place. More often, something follows it.
        joined = [self.mine + found[0], found[0] + self.mine] if self.mine else []
        matches = semantics.regexes.matches
        return [found[0], *(text for text in joined if matches(self.other, self.flags, text)), *found[1:]]


def _sources_of(text: str, source: str, dialect: RegexDialect) -> Iterator[str]:
    """Yields sources that match the text, with the anchors of the present source: with all that may follow its start,
    of the whole text, and of its words.

    A search with all texts among its results, and not only one, reaches what goes wrong with a single one of them. A
    program that escapes its input, or allows only letters in it, can only get a word.
    """
    anchors = _BEFORE.match(source)
    start = anchors[0] if anchors else ""
    end = "$" if source.endswith("$") and not source.endswith("\\$") else ""
    for begun in (0, *(gap.end() for gap in islice(re.finditer(r"\W+", text), MAX_BEGUN))):
        yield start + dialect.literal(text[:begun]) + ".*" + end
    yield start + dialect.literal(text) + end
    words = re.findall(r"\w+", text)
    for word in (words[-1:] if end else words)[:1]:
        yield start + word + end
