"""Generates strings for ECMAScript regular expressions: matches and near misses.

The generator only proposes strings: each string is returned only after `ecmascript.matches` has checked it.
"""

from __future__ import annotations

import string
from collections import Counter
from functools import lru_cache
from random import Random
from typing import Any

from rstr.xeger import Xeger

from wimble.solve.patterns.calendar_matches import calendar_match, describes_moments
from wimble.solve.patterns.ecmascript import compiled, matches, parsed
from wimble.solve.patterns.utf16 import from_units, to_units

__all__ = ["fullest_match", "lengths_of_matches", "matches", "matching_string", "near_miss"]

MAX_EXTRA_REPEATS = 4
"""Maximum number of repetitions beyond the minimum for `*`, `+` and `{n,}`: short strings are easier to read and to
mutate. Four times as many in the second third of the attempts, and sixteen times in the last third."""
MAX_LENGTH = 5_000
"""Maximum number of characters; a longer match is abandoned (as for a pattern such as `(a{500}){500}`)."""
MAX_TRIED_LENGTH = 20_000
"""Characters drawn without success in one request before it gives up. It bounds the time of patterns with long
matches."""
ATTEMPTS = 60
"""Strings drawn per request. Passwords with four lookaheads need about 3; patterns that exclude their own examples need
more."""
FULLEST_OF = 12
"""Number of matches from which the one with the most groups is taken."""
CALENDAR_PROBABILITY = 0.8
"""Probability of an existing date for a pattern of dates; the others show what is done with the 45th of a month."""
LENGTHS_OF = 8
"""Number of matches whose lengths are tried."""
PROBE_ATTEMPTS = 300
"""Strings drawn once per pattern to find out whether it can be solved."""
WORD = string.ascii_letters + string.digits
PRINTABLE = WORD + "_-.,:;!?@#$%&*+=/() "
"""Characters for places where a pattern allows any: no quotes, control characters or line ends, which would have to be
escaped in requests."""


class _TooLong(Exception):
    """The generated string exceeded MAX_LENGTH."""


class _Generator(Xeger):
    """A variant of rstr's generator that is deterministic, generates short strings, and supports look-arounds.

    (rstr's own generator iterates sets, so its results vary.) The text of a look-around is inserted or left out at
    random; the text of a lookahead has the minimum of repetitions. For example, inserting a capital satisfies
    `(?=.*[A-Z])` before a class that allows capitals. If an insertion is wrong, the check fails, and the next attempt
    may leave the text out.
    """

    def __init__(self, tree: Any) -> None:
        super().__init__(Random(0))
        self._tree = tree
        self._alphabets_by_node: dict[int, str] = {}
        self._max_extra = MAX_EXTRA_REPEATS
        self._n_chars = 0
        self._is_least = False
        self._cases = {
            **self._cases,
            "literal": lambda x: self._counted(chr(x)),
            "not_literal": lambda x: self._counted(self._random.choice(PRINTABLE.replace(chr(x), ""))),
            "any": lambda x: self._counted(self._random.choice(PRINTABLE)),
            "in": lambda x: self._class(x),
            "assert": lambda x: self._assertion(x),
            "groupref": lambda x: self._cache.get(x, ""),
            "atomic_group": lambda x: "".join(self._handle_state(i) for i in x),
            "possessive_repeat": lambda x: self._handle_repeat(*x),
            "failure": lambda x: "",
        }

    def draw(self, rng: Random, max_extra: int) -> str | None:
        """Returns a string that should match; None if it became too long or refers to a group without a value."""
        self._random = rng
        self._max_extra = max_extra
        self._n_chars = 0
        self._is_least = False
        self._cache.clear()
        try:
            return self._build_string(self._tree)
        except (_TooLong, KeyError, IndexError, RecursionError):
            return None

    def _counted(self, text: str) -> str:
        self._n_chars += 1
        if self._n_chars > MAX_LENGTH:
            raise _TooLong
        return text

    def _handle_repeat(self, start_range: int, end_range: int, value: Any) -> str:
        least = int(start_range)
        extra = 0 if self._is_least else min(int(end_range) - least, self._max_extra)
        times = self._random.randint(least, least + extra)
        if times > MAX_LENGTH:
            raise _TooLong
        return "".join("".join(self._handle_state(state) for state in value) for _ in range(times))

    def _assertion(self, value: Any) -> str:
        direction, states = value
        is_ahead = direction > 0
        if self._random.random() < 0.5:
            return ""
        was_least, self._is_least = self._is_least, self._is_least or is_ahead
        try:
            return "".join(self._handle_state(state) for state in states)
        finally:
            self._is_least = was_least

    def _class(self, items: Any) -> str:
        # The tree lives as long as the generator, so the identity of a node is a safe key.
        alphabet = self._alphabets_by_node.get(id(items))
        if alphabet is None:
            alphabet = self._alphabets_by_node[id(items)] = _alphabet(items)
        return self._counted(self._random.choice(alphabet))


def _alphabet(items: Any) -> str:
    """Returns characters of a class: printable ASCII characters if it has any, else a sample of its characters."""
    is_negated = items[0][0].name == "NEGATE"
    ranges = [
        (value, value) if opcode.name == "LITERAL" else value
        for opcode, value in items
        if opcode.name in ("LITERAL", "RANGE")
    ]

    def holds(char: str) -> bool:
        is_listed = any(low <= ord(char) <= high for low, high in ranges)
        return is_listed is not is_negated

    friendly = "".join(filter(holds, PRINTABLE)) or "".join(filter(holds, string.printable))
    if friendly:
        return friendly
    if is_negated:
        return "".join(filter(holds, "\u00e9\u03b1\u4e2d\u2603")) or "\ufffd"
    return "".join(chr(code) for low, high in ranges for code in range(low, min(high, low + 31) + 1))


class _Solver:
    """One pattern with its parse tree and its generator."""

    def __init__(self, source: str, flags: str) -> None:
        self.source = source
        self.flags = flags
        tree = parsed(source, flags)
        self._generator = None if tree is None else _Generator(tree)
        # Probe with fixed random numbers, so that the result depends on the pattern and not on earlier requests.
        self.is_solvable = self._generator is not None and self._solve(Random(0), PROBE_ATTEMPTS) is not None

    def solve(self, rng: Random) -> str | None:
        return self._solve(rng, ATTEMPTS) if self.is_solvable else None

    def _solve(self, rng: Random, attempts: int) -> str | None:
        assert self._generator is not None
        n_chars = 0
        for attempt in range(attempts):
            # A lookahead may require more than a few repetitions: `(?=.{8,})[a-z]+`.
            max_extra = MAX_EXTRA_REPEATS * (1, 4, 16)[3 * attempt // attempts]
            drawn = self._generator.draw(rng, max_extra)
            text = None if drawn is None else from_units(drawn)
            if text is not None and matches(self.source, self.flags, text):
                return text
            n_chars += MAX_LENGTH if text is None else len(text)
            if n_chars > MAX_TRIED_LENGTH:
                break
        return None


@lru_cache(maxsize=1024)
def _solver(source: str, flags: str) -> _Solver:
    return _Solver(source, flags)


def matching_string(pattern: str, flags: str, rng: Random) -> str | None:
    """Returns a short string that the ECMAScript expression `pattern` with `flags` matches; None if none was found.

    For an unanchored pattern, the string has nothing before or after the match. For one that describes dates or times,
    it is mostly one that the calendar has.
    """
    if describes_moments(pattern, flags) and rng.random() < CALENDAR_PROBABILITY:
        moment = calendar_match(pattern, flags, rng)
        if moment is not None:
            return moment
    return _solver(pattern, flags).solve(rng)


def fullest_match(pattern: str, flags: str, rng: Random) -> str | None:
    """Returns the match with the most groups among several: `^P(\\d+Y)?(\\d+M)?$` also matches `P`."""
    compiled_pattern = compiled(pattern, flags)
    drawn = [text for _ in range(FULLEST_OF) if (text := matching_string(pattern, flags, rng)) is not None]
    if compiled_pattern is None or not drawn:
        return drawn[0] if drawn else None

    def n_groups(text: str) -> int:
        found = compiled_pattern.search(text)
        return 0 if found is None else sum(group is not None for group in found.groups())

    return max(drawn, key=n_groups)


@lru_cache(maxsize=512)
def lengths_of_matches(pattern: str, flags: str) -> list[int]:
    """Returns the lengths of some short matches, the most frequent ones first."""
    rng = Random(0)
    drawn = [text for _ in range(LENGTHS_OF) if (text := matching_string(pattern, flags, rng)) is not None]
    lengths = Counter(len(to_units(text)) for text in drawn)
    return sorted(lengths, key=lambda length: (-lengths[length], length))


def near_miss(pattern: str, flags: str, rng: Random) -> str | None:
    """Returns a string that does not match and is, if possible, one edit away from a match.

    If no single edit was found that breaks the match, tries the empty string and single characters. Returns None if all
    attempts match (`.*`) or cannot be checked.
    """
    if matches(pattern, flags, "") is None:
        return None
    base = matching_string(pattern, flags, rng) or ""
    for candidate in (*(_edited(base, rng) for _ in range(12)), "", "~", "0", "a"):
        if not matches(pattern, flags, candidate):
            return candidate
    return None


def _edited(text: str, rng: Random) -> str:
    kind = rng.randrange(4)
    if not text or kind == 0:
        return text + rng.choice(PRINTABLE)
    at = rng.randrange(len(text))
    if kind == 1:
        return text[:at] + text[at + 1 :]
    if kind == 2:
        return text[:at] + rng.choice(PRINTABLE) + text[at + 1 :]
    return text[:-1]
