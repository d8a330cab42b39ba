"""Regular expressions as languages: the set of texts that `RegExp.prototype.test` accepts.

A language is a term of sets of characters, concatenation, alternatives, repetition, intersection and complement.
Look-ahead becomes an intersection with what follows. Its derivatives ([BRZOZOWSKI]) give an automaton without building
one for each part. Where a word boundary follows, a language is a pair: what may follow a character of a word, and what
may follow another one or the start. Look-behind and back-references raise Unmodelled.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, TypeAlias

from wimble.solve.path_conditions import Unmodelled
from wimble.solve.patterns.ecmascript import parsed

Language: TypeAlias = tuple[Any, ...]
"""("none",), ("set", ranges), ("cat", first, rest), ("or", members), ("and", members), ("not", one), ("star", one)."""
Ranges: TypeAlias = tuple[tuple[int, int], ...]

MAX_CODE: Final = 0xFFFF
MAX_REPEATS: Final = 80
MAX_RANGES: Final = 60
"""Maximum number of ranges in a set of characters that is modelled exactly."""
LAST_COMMON_CODE: Final = 0xFF
"""Latin-1: of larger sets, the ranges that begin up to here."""
MAX_UNROLLED: Final = 8
"""Repetitions of what has a word boundary in it."""
NONE: Final[Language] = ("none",)
EMPTY: Final[Language] = ("empty",)
ANY_CHARACTER: Final[Language] = ("set", ((0, MAX_CODE),))
ANY_TEXT: Final[Language] = ("star", ANY_CHARACTER)


Following: TypeAlias = tuple[Language, Language]
"""What may follow a character of a word, and what may follow another character or the start of the text."""
WORD_RANGES: Final[Ranges] = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_WORD: Final[Language] = ("set", WORD_RANGES)
_NO_WORD: Final[Language] = (
    "set",
    ((0, 0x2F), (0x3A, 0x40), (0x5B, 0x5E), (0x60, 0x60), (0x7B, MAX_CODE)),
)
_BEGINS_WITH_WORD: Final[Language] = ("cat", _WORD, ANY_TEXT)
_ENDS_IN_WORD: Final[Language] = ("cat", ANY_TEXT, _WORD)
_ENDS_IN_OTHER: Final[Language] = ("cat", ANY_TEXT, _NO_WORD)


def cat(first: Language, rest: Language) -> Language:
    """Returns the concatenation."""
    if NONE in (first, rest):
        return NONE
    if first == EMPTY:
        return rest
    if rest == EMPTY:
        return first
    if first[0] == "cat":
        return cat(first[1], cat(first[2], rest))
    return ("cat", first, rest)


def either(*members: Language) -> Language:
    """Returns the union."""
    found = {one for member in members for one in (member[1] if member[0] == "or" else (member,))} - {NONE}
    if ("not", NONE) in found or ANY_TEXT in found:
        return ANY_TEXT
    if len(found) <= 1:
        return next(iter(found), NONE)
    return ("or", tuple(sorted(found, key=repr)))


def both(*members: Language) -> Language:
    """Returns the intersection."""
    found = {one for member in members for one in (member[1] if member[0] == "and" else (member,))}
    found -= {ANY_TEXT, ("not", NONE)}
    if NONE in found:
        return NONE
    if len(found) <= 1:
        return next(iter(found), ANY_TEXT)
    return ("and", tuple(sorted(found, key=repr)))


def without(one: Language) -> Language:
    """Returns the complement."""
    return one[1] if one[0] == "not" else ("not", one)


def star(one: Language) -> Language:
    """Returns the repetition, zero times or more."""
    return EMPTY if one in (NONE, EMPTY) else one if one[0] == "star" else ("star", one)


def accepts_empty(language: Language) -> bool:
    """Whether the empty text belongs to it."""
    match language[0]:
        case "empty" | "star":
            return True
        case "cat":
            return accepts_empty(language[1]) and accepts_empty(language[2])
        case "or":
            return any(accepts_empty(one) for one in language[1])
        case "and":
            return all(accepts_empty(one) for one in language[1])
        case "not":
            return not accepts_empty(language[1])
    return False


@lru_cache(maxsize=65536)
def derivative(language: Language, code: int) -> Language:
    """Returns the language of what may follow the character `code`."""
    match language[0]:
        case "set":
            return EMPTY if any(low <= code <= high for low, high in language[1]) else NONE
        case "cat":
            after = cat(derivative(language[1], code), language[2])
            return either(after, derivative(language[2], code)) if accepts_empty(language[1]) else after
        case "or":
            return either(*(derivative(one, code) for one in language[1]))
        case "and":
            return both(*(derivative(one, code) for one in language[1]))
        case "not":
            return without(derivative(language[1], code))
        case "star":
            return cat(derivative(language[1], code), language)
    return NONE


def boundaries(language: Language) -> set[int]:
    """Returns the codes at which a character begins to be told apart from the one before it."""
    if language[0] == "set":
        return {at for low, high in language[1] for at in (low, high + 1)}
    parts = language[1] if language[0] in ("or", "and") else language[1:]
    return set().union(*(boundaries(one) for one in parts)) if parts else set()


@lru_cache(maxsize=512)
def language_accepted_by(source: str, flags: str, group: int = 0) -> Language:
    """Returns the texts for which `test` is true.

    group: one that has to take part in the match; 0: none has to. Raises: Unmodelled.
    """
    tree = parsed(source, flags)
    if tree is None or "m" in flags or "y" in flags:
        raise Unmodelled(f"/{source}/{flags}")
    reader = _Reader("i" in flags, group)
    anchored, floating = reader.starts(list(tree), (ANY_TEXT, ANY_TEXT))
    if floating[0] == floating[1]:
        return either(anchored, cat(ANY_TEXT, floating[0]))
    return either(anchored, floating[1], cat(_ENDS_IN_WORD, floating[0]), cat(_ENDS_IN_OTHER, floating[1]))


@lru_cache(maxsize=512)
def part_language(source: str, flags: str) -> Language:
    """Returns the texts that match the expression as a whole. Raises: Unmodelled."""
    tree = parsed(source, flags)
    if tree is None or "m" in flags:
        raise Unmodelled(f"/{source}/{flags}")
    return _Reader("i" in flags).sequence(list(tree), (EMPTY, EMPTY))[1]


def items_of_class(name: str, value: Any, *, ignores_case: bool) -> Ranges:
    """Returns the characters of an item that stands for one. Raises: Unmodelled."""
    return _Reader(ignores_case).ranges(name, value)


def _any_of(pairs: list[Following]) -> Following:
    return either(*(word for word, _ in pairs)), either(*(other for _, other in pairs))


def _joined(one: Language, rest: Following) -> Following:
    """Returns a language followed by what may follow its last character."""
    if rest[0] == rest[1]:
        whole = cat(one, rest[0])
        return whole, whole
    after_word, after_other = both(one, _ENDS_IN_WORD), both(one, _ENDS_IN_OTHER)
    whole = either(cat(after_word, rest[0]), cat(after_other, rest[1]))
    if not accepts_empty(one):
        return whole, whole
    return either(whole, rest[0]), either(whole, rest[1])


def _at(position: str, rest: Following) -> Following:
    """Returns what may follow at a position."""
    match position:
        case "AT_END" | "AT_END_STRING":
            word, other = (EMPTY if accepts_empty(one) else NONE for one in rest)
            return word, other
        case "AT_BOUNDARY":
            return both(without(_BEGINS_WITH_WORD), rest[0]), both(_BEGINS_WITH_WORD, rest[1])
        case "AT_NON_BOUNDARY":
            return both(_BEGINS_WITH_WORD, rest[0]), both(without(_BEGINS_WITH_WORD), rest[1])
    raise Unmodelled(f"{position} in a regular expression")


class _Reader:
    """Reads the parse tree of Python's `re`."""

    def __init__(self, ignores_case: bool, group: int = 0) -> None:
        self._ignores_case = ignores_case
        self._group = group

    def starts(self, items: list[Any], rest: Following) -> tuple[Language, Following]:
        """Returns (the texts that match at the start of the text only, those that match anywhere)."""
        if not items:
            return NONE, rest
        name, value = str(items[0][0]), items[0][1]
        if name == "AT" and str(value) in ("AT_BEGINNING", "AT_BEGINNING_STRING"):
            anchored, floating = self.starts(items[1:], rest)
            return either(anchored, floating[1]), (NONE, NONE)
        if name == "SUBPATTERN":
            return self.starts([*value[3], *items[1:]], rest)
        if name == "BRANCH":
            pairs = [self.starts([*branch, *items[1:]], rest) for branch in self._branches(value[1])]
            return either(*(one for one, _ in pairs)), _any_of([other for _, other in pairs])
        return NONE, self.sequence(items, rest)

    def sequence(self, items: list[Any], rest: Following) -> Following:
        """Returns the items followed by `rest`."""
        for op, value in reversed(items):
            rest = self._item(str(op), value, rest)
        return rest

    def _item(self, name: str, value: Any, rest: Following) -> Following:
        match name:
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                return _joined(("set", self.ranges(name, value)), rest)
            case "BRANCH":
                return _any_of([self.sequence(list(branch), rest) for branch in self._branches(value[1])])
            case "SUBPATTERN":
                return self.sequence(list(value[3]), rest)
            case "MAX_REPEAT" | "MIN_REPEAT":
                return self._repeated(value, rest)
            case "ASSERT" | "ASSERT_NOT" if value[0] > 0:
                ahead = self.sequence(list(value[1]), (ANY_TEXT, ANY_TEXT))
                word, other = (one if name == "ASSERT" else without(one) for one in ahead)
                return both(word, rest[0]), both(other, rest[1])
            case "AT":
                return _at(str(value), rest)
        raise Unmodelled(f"{name} in a regular expression")

    def _branches(self, branches: Any) -> list[Any]:
        """Returns the alternatives that let the group take part, or all if it is not among them."""
        return [one for one in branches if self._holds_group(one)] or list(branches)

    def _holds_group(self, items: Any) -> bool:
        return self._group > 0 and _holds(items, self._group)

    def _repeated(self, value: Any, rest: Following) -> Following:
        low, high, body = int(value[0]), value[1], list(value[2])
        is_bounded = str(high) != "MAXREPEAT"
        if low > MAX_REPEATS or (is_bounded and int(high) > MAX_REPEATS):
            raise Unmodelled("a long repetition in a regular expression")
        if low == 0 and self._holds_group(body):
            low = 1
        if _holds_boundary(body):
            return self._unrolled(body, low, int(high) if is_bounded else MAX_UNROLLED + 1, rest)
        one, _ = self.sequence(body, (EMPTY, EMPTY))
        result = EMPTY if is_bounded else star(one)
        if is_bounded:
            for _ in range(int(high) - low):
                result = either(EMPTY, cat(one, result))
        for _ in range(low):
            result = cat(one, result)
        return _joined(result, rest)

    def _unrolled(self, body: list[Any], low: int, high: int, rest: Following) -> Following:
        """Returns a few repetitions, each of which sees what follows it. Raises: Unmodelled."""
        if high > MAX_UNROLLED:
            raise Unmodelled("a word boundary in a repetition")
        result = rest
        for number in reversed(range(high)):
            once = self.sequence(body, result)
            result = once if number < low else _any_of([rest, once])
        return result

    def ranges(self, name: str, value: Any) -> Ranges:
        """Returns the characters of an item that stands for one."""
        match name:
            case "LITERAL":
                found = [(value, value)]
            case "NOT_LITERAL":
                return _complement(self._cased([(value, value)]))
            case "ANY":
                return ((0, MAX_CODE),)
            case _:
                return _of_few_ranges(self._class(value))
        return self._cased(found)

    def _class(self, items: Any) -> Ranges:
        found: list[tuple[int, int]] = []
        is_negated = False
        for op, value in items:
            match str(op):
                case "NEGATE":
                    is_negated = True
                case "LITERAL":
                    found.append((value, value))
                case "RANGE":
                    found.append((value[0], value[1]))
                case "CATEGORY":
                    found += _category(str(value))
                case _:
                    raise Unmodelled(f"{op} in a class of characters")
        ranges = self._cased(found)
        return _complement(ranges) if is_negated else ranges

    def _cased(self, ranges: list[tuple[int, int]]) -> Ranges:
        found = [(low, min(high, MAX_CODE)) for low, high in ranges if low <= MAX_CODE]
        if self._ignores_case:
            for low, high in list(found):
                for first, last, shift in ((0x41, 0x5A, 32), (0x61, 0x7A, -32)):
                    start, end = max(low, first), min(high, last)
                    if start <= end:
                        found.append((start + shift, end + shift))
        return _merged(found)


def _of_few_ranges(ranges: Ranges) -> Ranges:
    """Returns a set without its rare characters, if it consists of many ranges, as `\\p{L}` does.

    Each range costs a formula per character; answers are run, so what is left out costs an answer at most.
    """
    return ranges if len(ranges) <= MAX_RANGES else tuple(one for one in ranges if one[0] <= LAST_COMMON_CODE)


def _holds_boundary(value: Any) -> bool:
    """Whether a word boundary is a part of a parse tree."""
    if isinstance(value, tuple) and len(value) == 2 and str(value[1]) in ("AT_BOUNDARY", "AT_NON_BOUNDARY"):
        return True
    is_tree = isinstance(value, (tuple, list)) or hasattr(value, "data")
    return is_tree and any(_holds_boundary(one) for one in value)


def _holds(value: Any, group: int) -> bool:
    """Whether the group is a part of a parse tree."""
    if isinstance(value, tuple) and value and str(value[0]) == "SUBPATTERN" and value[1][0] == group:
        return True
    is_tree = isinstance(value, (tuple, list)) or hasattr(value, "data")
    return is_tree and any(_holds(one, group) for one in value)


_CATEGORIES: Final[dict[str, list[tuple[int, int]]]] = {
    "CATEGORY_DIGIT": [(0x30, 0x39)],
    "CATEGORY_WORD": list(WORD_RANGES),
    "CATEGORY_SPACE": [(0x09, 0x0D), (0x20, 0x20)],
}


def _category(name: str) -> Ranges | list[tuple[int, int]]:
    if name in _CATEGORIES:
        return _CATEGORIES[name]
    positive = name.replace("CATEGORY_NOT_", "CATEGORY_")
    if positive not in _CATEGORIES:
        raise Unmodelled(f"{name} in a class of characters")
    return _complement(_merged(_CATEGORIES[positive]))


def _merged(ranges: list[tuple[int, int]]) -> Ranges:
    merged: list[tuple[int, int]] = []
    for low, high in sorted(ranges):
        if merged and low <= merged[-1][1] + 1:
            merged[-1] = (merged[-1][0], max(merged[-1][1], high))
        else:
            merged.append((low, high))
    return tuple(merged)


def _complement(ranges: Ranges) -> Ranges:
    found: list[tuple[int, int]] = []
    next_code = 0
    for low, high in ranges:
        if low > next_code:
            found.append((next_code, low - 1))
        next_code = high + 1
    if next_code <= MAX_CODE:
        found.append((next_code, MAX_CODE))
    return tuple(found)
