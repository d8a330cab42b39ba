"""Strings for ECMAScript regular expressions: matches and near misses.

Each returned string has been checked with `ecmascript.matches`, so the generator may guess.
"""

from __future__ import annotations

import string
from functools import lru_cache
from random import Random
from typing import Any

from rstr.xeger import Xeger

from wimble.solve.ecmascript import compiled, matches, parsed
from wimble.solve.utf16 import from_units

__all__ = ["fullest_match", "matches", "matching_string", "near_miss"]

MAX_EXTRA_REPEATS = 4
"""Repetitions beyond the least that `*`, `+` and `{n,}` get: short strings are easier to read and to mutate.
Four, then sixteen times as many in the second and last third of the attempts."""
MAX_LENGTH = 5_000
"""Characters; longer matches are given up (a pattern such as `(a{500}){500}`)."""
MAX_TRIED_LENGTH = 20_000
"""Characters drawn in vain in one request before giving up: bounds the time of patterns with long matches."""
ATTEMPTS = 60
"""Strings drawn per request. Passwords with four lookaheads need about 3; patterns that exclude their own examples need
more."""
FULLEST_OF = 12
"""Number of matches of which the one with most groups is taken."""
PROBE_ATTEMPTS = 300
"""Strings drawn once per pattern to learn whether it can be solved at all."""
WORD = string.ascii_letters + string.digits
PRINTABLE = WORD + "_-.,:;!?@#$%&*+=/() "
"""Characters to choose from where a pattern allows any: no quotes, control characters or line ends, which requests
would have to escape."""


class _TooLong(Exception):
    """The string being generated became longer than MAX_LENGTH."""


class _Generator(Xeger):
    """rstr's generator made deterministic (it iterates sets), short, and able to take lookaheads.

    The text of a look-around is inserted (for a lookahead with the least repeats) or left out at random. `(?=.*[A-Z])`
    before a class that allows capitals is satisfied by inserting one. Where the insertion is wrong, the check fails,
    and the next attempt may leave the text out.
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
        """One string that should match; None where it became too long or refers to a group that is not there yet."""
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
    """Characters of a class: those that travel well where there are any, else a sample of what it holds."""
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
    """One pattern with its parse tree and generator."""

    def __init__(self, source: str, flags: str) -> None:
        self.source = source
        self.flags = flags
        tree = parsed(source, flags)
        self._generator = None if tree is None else _Generator(tree)
        # Probing with a generator of its own makes "cannot be solved" a fact of the pattern, not of the history.
        self.is_solvable = self._generator is not None and self._solve(Random(0), PROBE_ATTEMPTS) is not None

    def solve(self, rng: Random) -> str | None:
        return self._solve(rng, ATTEMPTS) if self.is_solvable else None

    def _solve(self, rng: Random, attempts: int) -> str | None:
        assert self._generator is not None
        n_chars = 0
        for attempt in range(attempts):
            # A lookahead may ask for more than short repeats give: `(?=.{8,})[a-z]+`.
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
    """A short string on which the ECMAScript expression `pattern` with `flags` succeeds; None where none was found.

    Unanchored patterns get a plain match without anything around it.
    """
    return _solver(pattern, flags).solve(rng)


def fullest_match(pattern: str, flags: str, rng: Random) -> str | None:
    """The match, among several, in which most groups take part: `^P(\\d+Y)?(\\d+M)?$` matches `P` as well."""
    compiled_pattern = compiled(pattern, flags)
    drawn = [text for _ in range(FULLEST_OF) if (text := matching_string(pattern, flags, rng)) is not None]
    if compiled_pattern is None or not drawn:
        return drawn[0] if drawn else None

    def n_groups(text: str) -> int:
        found = compiled_pattern.search(text)
        return 0 if found is None else sum(group is not None for group in found.groups())

    return max(drawn, key=n_groups)


def near_miss(pattern: str, flags: str, rng: Random) -> str | None:
    """A string that does not match, one edit away from a match; None where all attempts match (`.*`) or none can be
    checked.

    Falls back to the empty string or a lone character where no single edit breaks the match.
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
