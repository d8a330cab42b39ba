"""Genes of strings: plain, with a format, or with a pattern.

Samples conform to the format or pattern. Plain samples are mostly taint markers, else empty, numeric, of a boundary
length or strange (probabilities.py). A mutation changes one character by ±2**k, appends, drops or inserts one, repeats
or mirrors the text, or draws a new sample.
"""

from __future__ import annotations

from random import Random

from wimble.genes import probabilities
from wimble.genes.calendar_steps import moved_text
from wimble.genes.gene import Gene, Resolver
from wimble.genes.string_formats import FORMATS
from wimble.genes.string_specialisation import SPECIALISATIONS
from wimble.genes.taint_markers import taint_marker
from wimble.solve.patterns.regex import matches, matching_string
from wimble.types import Json

STRANGE = (
    "a b",
    "o'hara",
    'say "hi"',
    "n\u00e4ive",
    "\u4f60\u597d",
    "\U0001f600",
    "<b>x</b>",
    "a,b;c",
    "%41",
    "../x",
    "null",
)
LOWEST_CHAR = 0x20
HIGHEST_CHAR = 0xD7FF
"""Mutated characters stay printable and below the surrogates."""
MAX_REPEATED = 100
"""Maximum length of a text that a mutation repeats or mirrors, in characters."""
MAX_COPIED = 8
"""Maximum length of a piece of a text that a mutation copies, in characters."""
MOVING_FORMATS = frozenset(["date", "date-time"])
"""Declared formats whose values can be moved by a small step."""
FIT_ATTEMPTS = 8
"""Attempts to draw a value that meets a pattern or format as well as the length."""


class StringGene(Gene, frozen=True):
    """A string. Lengths count Unicode code points; `pattern` is ECMAScript source, matched anywhere in the value."""

    value: str = ""
    min_length: int = 0
    max_length: int | None = None
    pattern: str | None = None
    format: str | None = None
    specialisation: str | None = None
    """The format that the program parses or checks (`string_specialisation.py`). Mutations keep it as far as the
    declared constraints allow."""
    own: str = ""
    """The value before the specialisation, which a mutation may restore."""

    def phenotype(self, resolve: Resolver | None = None) -> Json:
        return self.value

    def sampled(self, rng: Random) -> StringGene:
        if self._is_constrained() and probabilities.breaks_a_constraint(rng):
            return self.with_text(self._drawn_odd(rng))
        conforming = self._drawn_specialised(rng) or self._drawn_conforming(rng)
        return self.with_text(self._drawn_plain(rng) if conforming is None else conforming)

    def mutated(self, rng: Random, focus: float) -> StringGene:
        if self.specialisation is not None:
            changed = self._mutated_specialised(rng)
            if changed is not None:
                return changed
        if self._may_move() and self.is_valid() and rng.random() < 0.5:
            moved = moved_text(self.value, rng)
            if moved is not None and self._meets_declared(moved):
                return self.with_text(moved)
        if self.is_shaped() and self.is_valid() and rng.random() < probabilities.CONFORMING_MUTATION_PROBABILITY:
            for _ in range(FIT_ATTEMPTS):
                conforming = self._drawn_conforming(rng)
                if conforming is not None and conforming != self.value:
                    return self.with_text(conforming)
        for _ in range(FIT_ATTEMPTS):
            value = self._edited(rng, focus)
            if value != self.value:
                return self.with_text(value)
        return self

    def with_value(self, value: Json) -> StringGene | None:
        return self.with_text(value) if isinstance(value, str) else None

    def is_mutable(self) -> bool:
        return self.max_length != 0 or self.value != ""

    def with_text(self, value: str) -> StringGene:
        return StringGene(
            value, self.min_length, self.max_length, self.pattern, self.format, self.specialisation, self.own
        )

    def specialised(self, name: str, rng: Random) -> StringGene | None:
        """Returns this gene with a value of a specialisation, which mutations keep. None if its name is unknown."""
        if name not in SPECIALISATIONS:
            return None
        gene = StringGene(
            self.value, self.min_length, self.max_length, self.pattern, self.format, name, self.own or self.value
        )
        value = gene._drawn_specialised(rng)
        return None if value is None else gene.with_text(value)

    def _mutated_specialised(self, rng: Random) -> StringGene | None:
        """Returns another value of the format, or rarely the text before it. None if a free edit should follow."""
        draw = rng.random()
        if draw < probabilities.UNSPECIALISED_PROBABILITY:
            plain = StringGene(self.own, self.min_length, self.max_length, self.pattern, self.format)
            return plain if plain != self else None
        if draw > probabilities.CONFORMING_MUTATION_PROBABILITY or self.specialisation is None:
            return None
        for _ in range(FIT_ATTEMPTS):
            value = SPECIALISATIONS[self.specialisation].mutated(self.value, rng)
            if value != self.value and self._meets_declared(value):
                return self.with_text(value)
        return None

    def _drawn_specialised(self, rng: Random) -> str | None:
        """Draws a value of the specialisation; None if the gene has none.

        Prefers a value that meets all declared constraints, then one of a permitted length.
        """
        if self.specialisation is None:
            return None
        drawn = [SPECIALISATIONS[self.specialisation].draw(rng) for _ in range(FIT_ATTEMPTS)]
        fitting = [value for value in drawn if self._fits(value)]
        return next((value for value in fitting if self._meets_declared(value)), fitting[0] if fitting else drawn[0])

    def _may_move(self) -> bool:
        """Whether the value may be a date, by its format, or by a pattern that most likely describes one."""
        return self.format in MOVING_FORMATS or (self.pattern is not None and self.value[4:5] == "-")

    def _meets_declared(self, value: str) -> bool:
        return StringGene(value, self.min_length, self.max_length, self.pattern, self.format).is_valid()

    def resized(self, length: int, rng: Random) -> StringGene:
        """Returns the value cut or extended to `length` code points."""
        kept = self.value[:length]
        return self.with_text(kept + taint_marker(rng, length - len(kept)))

    def is_shaped(self) -> bool:
        """Whether a pattern or a known format describes the value."""
        return self.pattern is not None or self.format in FORMATS

    def is_valid(self) -> bool:
        """Whether the value meets its constraints. A pattern that cannot be evaluated counts as met."""
        if not self._fits(self.value):
            return False
        if self.pattern is not None and matches(self.pattern, "", self.value) is False:
            return False
        return self.format is None or self.format not in FORMATS or FORMATS[self.format].is_valid(self.value)

    def _is_constrained(self) -> bool:
        return self.is_shaped() or self.min_length > 0 or self.max_length is not None

    def _fits(self, value: str) -> bool:
        return len(value) >= self.min_length and (self.max_length is None or len(value) <= self.max_length)

    def _drawn_conforming(self, rng: Random) -> str | None:
        """Draws a value of the pattern or format; None if the gene has neither, or if no value was found."""
        value = self._drawn_of_both(rng)
        if value is not None:
            return value
        for _ in range(FIT_ATTEMPTS):
            if self.pattern is not None:
                value = matching_string(self.pattern, "", rng)
            elif self.format in FORMATS:
                value = FORMATS[self.format].draw(rng)
            if value is None or self._fits(value):
                return value
            if self.pattern is not None:
                value = self._padded_match(value, rng)
                if value is not None:
                    return value
        return None

    def _drawn_of_both(self, rng: Random) -> str | None:
        """Draws a value with the format and the pattern; None if the gene lacks one of them, or no value is found."""
        if self.pattern is None or self.format not in FORMATS:
            return None
        for _ in range(FIT_ATTEMPTS):
            value = FORMATS[self.format].draw(rng)
            if self._fits(value) and matches(self.pattern, "", value):
                return value
        return None

    def _padded_match(self, value: str, rng: Random) -> str | None:
        """Returns a match of a pattern, extended to the minimum length; None if the extended text does not match."""
        missing = self.min_length - len(value)
        if missing <= 0 or self.pattern is None:
            return None
        for padded in (
            value + taint_marker(rng, missing),
            taint_marker(rng, missing) + value,
            value + value[-1:] * missing,
        ):
            if self._fits(padded) and matches(self.pattern, "", padded):
                return padded
        return None

    def _drawn_plain(self, rng: Random) -> str:
        draw = rng.random()
        for probability, kind in _PLAIN_KINDS:
            if draw < probability:
                value = kind(self, rng)
                if self._fits(value):
                    return value
                break
            draw -= probability
        return taint_marker(rng, self._clamped_length(probabilities.MARKER_LENGTH))

    def _drawn_numeric(self, rng: Random) -> str:
        return str(rng.randrange(1, 10 ** rng.randint(1, 6)))

    def _drawn_boundary(self, rng: Random) -> str:
        longest = (
            probabilities.MAX_BOUNDARY_LENGTH
            if self.max_length is None
            else min(self.max_length, probabilities.MAX_BOUNDARY_LENGTH)
        )
        return taint_marker(rng, rng.choice((self.min_length, max(1, self.min_length), max(longest, self.min_length))))

    def _drawn_odd(self, rng: Random) -> str:
        """Draws a value that breaks the length, the format or the pattern."""
        if self.is_shaped():
            return taint_marker(rng)
        if self.max_length is None or self.max_length >= probabilities.MAX_BROKEN_LENGTH:
            return taint_marker(rng, max(0, self.min_length - 1))
        if self.min_length == 0 or rng.random() < 0.5:
            return taint_marker(rng, self.max_length + 1)
        return taint_marker(rng, self.min_length - 1)

    def _clamped_length(self, length: int) -> int:
        length = max(length, self.min_length)
        return length if self.max_length is None else min(length, self.max_length)

    def _edited(self, rng: Random, focus: float) -> str:
        """Returns the text with one edit, or another text if the edit that was drawn does not apply."""
        edited = rng.choice(_EDITS)(self.value, rng, focus)
        # A value that already breaks a constraint may be edited freely.
        if edited is None or (self._fits(self.value) and not self._fits(edited)):
            return self.sampled(rng).value
        return edited


_PLAIN_KINDS = (
    (probabilities.STRING_EMPTY_PROBABILITY, lambda gene, rng: ""),
    (probabilities.STRING_NUMERIC_PROBABILITY, StringGene._drawn_numeric),
    (probabilities.STRING_BOUNDARY_PROBABILITY, StringGene._drawn_boundary),
    (probabilities.STRING_STRANGE_PROBABILITY, lambda gene, rng: rng.choice(STRANGE)),
)


def _char_changed(value: str, rng: Random, focus: float) -> str | None:
    if not value:
        return None
    at = rng.randrange(len(value))
    code = ord(value[at])
    moved = code + probabilities.step(rng, probabilities.CHAR_STEP_BITS, focus)
    moved = min(max(moved, LOWEST_CHAR), HIGHEST_CHAR)
    return value[:at] + chr(moved) + value[at + 1 :]


def _char_appended(value: str, rng: Random, focus: float) -> str:
    return value + taint_marker(rng, 1)


def _char_inserted(value: str, rng: Random, focus: float) -> str:
    at = rng.randrange(len(value) + 1)
    return value[:at] + taint_marker(rng, 1) + value[at:]


def _char_removed(value: str, rng: Random, focus: float) -> str | None:
    if not value:
        return None
    at = rng.randrange(len(value))
    return value[:at] + value[at + 1 :]


def _chars_swapped(value: str, rng: Random, focus: float) -> str | None:
    """Returns the text with two different characters in each other's place: an anagram."""
    if len(set(value)) < 2:
        return None
    first = rng.randrange(len(value))
    second = rng.choice([at for at, char in enumerate(value) if char != value[first]])
    low, high = sorted((first, second))
    return value[:low] + value[high] + value[low + 1 : high] + value[low] + value[high + 1 :]


def _repeated(value: str, rng: Random, focus: float) -> str | None:
    """Returns the text twice, or the text with its mirror image before or after it: no change of single characters
    leads to a repetition or a palindrome.
    """
    if len(value) > MAX_REPEATED:
        return None
    mirrored = value[::-1]
    return rng.choice((value + value, value + mirrored, mirrored + value))


def _piece_copied(value: str, rng: Random, focus: float) -> str | None:
    """Returns the text with a piece of it once more, anywhere: brackets within brackets, a longer run, one more row."""
    if not value or len(value) > MAX_REPEATED:
        return None
    length = rng.randint(1, min(len(value), MAX_COPIED))
    start, at = rng.randrange(len(value) - length + 1), rng.randrange(len(value) + 1)
    return value[:at] + value[start : start + length] + value[at:]


_EDITS = (_char_changed, _char_appended, _char_inserted, _char_removed, _chars_swapped, _repeated, _piece_copied)
