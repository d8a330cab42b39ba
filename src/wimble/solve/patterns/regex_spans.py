"""Regular expressions over texts of a fixed length: the positions that a match can have reached, item by item.

It knows what languages (regex_languages.py) do not: look-behind, back-references, the flags `m` and `y`, and what
stands before the position where a search starts. A set of states, each with the condition under which it is reached,
goes through the parse tree. A state is a position and the spans of the groups that matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeAlias

import z3

from wimble.solve.path_conditions import Unmodelled
from wimble.solve.patterns.ecmascript import parsed
from wimble.solve.patterns.regex_languages import MAX_REPEATS, WORD_RANGES, Ranges, items_of_class
from wimble.solve.work import Moves

Term: TypeAlias = Any  # z3 has no types
State: TypeAlias = tuple[int, tuple[tuple[int, int, int], ...]]
"""A position, and (group, start, end) of the groups that are followed."""
States: TypeAlias = dict[State, Term]

MAX_STEPS: Final = 40_000
"""Maximum number of steps from state to state over items that stand for one character."""
_LINE_ENDS: Final[Ranges] = ((0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029))
_CASE_SHIFT: Final = 32


def has_match(
    codes: Sequence[Term],
    pattern: tuple[str, str],
    *,
    start: int = 0,
    group: int = 0,
    in_ranges: Callable[[Term, Ranges], Term],
) -> Term:
    """Returns whether there is a match from `start` on, or at `start` with the flag `y`.

    pattern: source and flags. group: one that has to take part; 0: none has to. Raises: Unmodelled.
    """
    source, flags = pattern
    tree = parsed(source, flags)
    if tree is None:
        raise Unmodelled(f"/{source}/{flags}")
    items = list(tree)
    followed = frozenset({*_referenced(items), *([group] if group else [])})
    last = start if "y" in flags else len(codes)
    states: States = {(position, ()): z3.BoolVal(True) for position in range(start, last + 1)}
    ends = _Walk(codes, flags, followed, in_ranges).sequence(items, states)
    return _any(term for (_, spans), term in ends.items() if not group or _span_of(spans, group) is not None)


def _any(terms: Iterable[Term]) -> Term:
    found = list(terms)
    return z3.Or(*found) if found else z3.BoolVal(False)


def _span_of(spans: Iterable[tuple[int, int, int]], group: int) -> tuple[int, int] | None:
    return next(((start, end) for number, start, end in spans if number == group), None)


def _referenced(value: Any) -> set[int]:
    """Returns the groups that a parse tree refers back to."""
    if isinstance(value, tuple) and len(value) == 2 and str(value[0]).startswith("GROUPREF"):
        return {int(value[1])}
    is_tree = isinstance(value, (tuple, list)) or hasattr(value, "data")
    return set().union(*(_referenced(one) for one in value)) if is_tree and len(value) else set()


def _groups_in(value: Any) -> set[int]:
    """Returns the groups that are a part of a parse tree."""
    own = {value[1][0]} if isinstance(value, tuple) and value and str(value[0]) == "SUBPATTERN" else set()
    is_tree = isinstance(value, (tuple, list)) or hasattr(value, "data")
    return own.union(*(_groups_in(one) for one in value)) if is_tree and len(value) else own


class _Walk:
    """Sends states through a parse tree of Python's `re`."""

    def __init__(
        self,
        codes: Sequence[Term],
        flags: str,
        followed: frozenset[int],
        in_ranges: Callable[[Term, Ranges], Term],
    ) -> None:
        self._codes = codes
        self._ignores_case = "i" in flags
        self._has_lines = "m" in flags
        self._followed = followed
        self._in_ranges = in_ranges
        self._n_steps = 0
        self._fits: dict[tuple[int, Ranges], Term] = {}
        """Whether the character at a position is in ranges: many states are at one position."""

    def sequence(self, items: Sequence[Any], states: States) -> States:
        """Returns the states after the items."""
        for op, value in items:
            if not states:
                break
            states = self._item(str(op), value, states)
        return states

    def _item(self, name: str, value: Any, states: States) -> States:
        match name:
            case "LITERAL" | "NOT_LITERAL" | "ANY" | "IN":
                return self._character(items_of_class(name, value, ignores_case=self._ignores_case), states)
            case "BRANCH":
                return _merged(self.sequence(list(branch), states) for branch in value[1])
            case "SUBPATTERN":
                return self._group(value[0], list(value[3]), states)
            case "MAX_REPEAT" | "MIN_REPEAT":
                return self._repeated(value, states)
            case "ASSERT" | "ASSERT_NOT":
                look = self._behind if value[0] < 0 else self._ahead
                return look(list(value[1]), states, is_negated=name == "ASSERT_NOT")
            case "AT":
                return self._at(str(value), states)
            case "GROUPREF":
                return self._repeated_text(int(value), states)
        raise Unmodelled(f"{name} in a regular expression")

    def _character(self, ranges: Ranges, states: States) -> States:
        self._n_steps += len(states)
        Moves.note(len(states))
        if self._n_steps > MAX_STEPS:
            raise Unmodelled("a regular expression with many states")
        return {
            (position + 1, spans): z3.And(term, self._fits_at(position, ranges))
            for (position, spans), term in states.items()
            if position < len(self._codes)
        }

    def _fits_at(self, position: int, ranges: Ranges) -> Term:
        key = (position, ranges)
        if key not in self._fits:
            self._fits[key] = self._in_ranges(self._codes[position], ranges)
        return self._fits[key]

    def _group(self, group: int | None, items: list[Any], states: States) -> States:
        if group not in self._followed or group is None:
            return self.sequence(items, states)
        return _merged(self._captured(group, items, state, term) for state, term in states.items())

    def _captured(self, group: int, items: list[Any], state: State, term: Term) -> States:
        start = state[0]
        return _merged(
            {(end, tuple(sorted({*_without(spans, {group}), (group, start, end)}))): reached}
            for (end, spans), reached in self.sequence(items, {state: term}).items()
        )

    def _repeated(self, value: Any, states: States) -> States:
        low, high, body = int(value[0]), value[1], list(value[2])
        is_bounded = str(high) != "MAXREPEAT"
        if low > MAX_REPEATS or (is_bounded and int(high) > MAX_REPEATS and int(high) < len(self._codes)):
            raise Unmodelled("a long repetition in a regular expression")
        inner = _groups_in(body) & self._followed
        for _ in range(low):
            states = self.sequence(body, _forgotten(states, inner))
        if not is_bounded or int(high) - low >= len(self._codes):
            return self._any_number(body, inner, states)
        found = states
        for _ in range(int(high) - low):
            states = self.sequence(body, _forgotten(states, inner))
            found = _merged((found, states))
        return found

    def _any_number(self, body: list[Any], inner: set[int], states: States) -> States:
        """Returns the states after any number of repetitions, in the order of their positions."""
        found = dict(states)
        for position in range(len(self._codes)):
            here = {state: term for state, term in found.items() if state[0] == position}
            after = self.sequence(body, _forgotten(here, inner))
            found = _merged((found, {state: term for state, term in after.items() if state[0] > position}))
        return found

    def _ahead(self, items: list[Any], states: States, *, is_negated: bool) -> States:
        found: list[States] = []
        for (position, spans), term in states.items():
            ends = self.sequence(items, {(position, spans): z3.BoolVal(True)})
            if is_negated:
                found.append({(position, spans): z3.And(term, z3.Not(_any(ends.values())))})
            else:
                found += [{(position, after): z3.And(term, reached)} for (_, after), reached in ends.items()]
        return _merged(found)

    def _behind(self, items: list[Any], states: States, *, is_negated: bool) -> States:
        found: list[States] = []
        for (position, spans), term in states.items():
            starts: States = {(start, spans): z3.BoolVal(True) for start in range(position + 1)}
            ends = [(after, one) for (end, after), one in self.sequence(items, starts).items() if end == position]
            if is_negated:
                found.append({(position, spans): z3.And(term, z3.Not(_any(one for _, one in ends)))})
            else:
                found += [{(position, after): z3.And(term, one)} for after, one in ends]
        return _merged(found)

    def _at(self, place: str, states: States) -> States:
        return {state: z3.And(term, self._is_at(place, state[0])) for state, term in states.items()}

    def _is_at(self, place: str, position: int) -> Term:
        match place:
            case "AT_BEGINNING" | "AT_BEGINNING_STRING":
                return z3.BoolVal(position == 0) if position == 0 else self._is_line_end(position - 1)
            case "AT_END" | "AT_END_STRING":
                is_end = position == len(self._codes)
                return z3.BoolVal(True) if is_end else self._is_line_end(position)
            case "AT_BOUNDARY":
                return self._is_word(position - 1) != self._is_word(position)
            case "AT_NON_BOUNDARY":
                return self._is_word(position - 1) == self._is_word(position)
        raise Unmodelled(f"{place} in a regular expression")

    def _is_line_end(self, position: int) -> Term:
        return self._in_ranges(self._codes[position], _LINE_ENDS) if self._has_lines else z3.BoolVal(False)

    def _is_word(self, position: int) -> Term:
        is_inside = 0 <= position < len(self._codes)
        return self._in_ranges(self._codes[position], WORD_RANGES) if is_inside else z3.BoolVal(False)

    def _repeated_text(self, group: int, states: States) -> States:
        return _merged(self._again(group, state, term) for state, term in states.items())

    def _again(self, group: int, state: State, term: Term) -> States:
        """A group that has not taken part matches the empty text."""
        position, spans = state
        start, end = _span_of(spans, group) or (0, 0)
        if position + end - start > len(self._codes):
            return {}
        self._n_steps += end - start
        pairs = zip(self._codes[start:end], self._codes[position : position + end - start], strict=True)
        return {(position + end - start, spans): z3.And(term, *(self._is_same(a, b) for a, b in pairs))}

    def _is_same(self, one: Term, other: Term) -> Term:
        if not self._ignores_case:
            return one == other
        return self._small(one) == self._small(other)

    def _small(self, code: Term) -> Term:
        return z3.If(self._in_ranges(code, ((0x41, 0x5A),)), code + _CASE_SHIFT, code)


def _without(spans: Iterable[tuple[int, int, int]], groups: set[int]) -> tuple[tuple[int, int, int], ...]:
    return tuple(span for span in spans if span[0] not in groups)


def _forgotten(states: States, groups: set[int]) -> States:
    """Returns the states at the start of a repetition, where the groups in it have not taken part yet."""
    if not groups:
        return states
    return _merged({(position, _without(spans, groups)): term} for (position, spans), term in states.items())


def _merged(parts: Iterable[States]) -> States:
    ways: dict[State, list[Term]] = {}
    for states in parts:
        for state, term in states.items():
            ways.setdefault(state, []).append(term)
    return {state: terms[0] if len(terms) == 1 else z3.Or(*terms) for state, terms in ways.items()}
