"""Operations with regular expressions on texts of a fixed length."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import z3

from wimble.solve.path_conditions import Expression, Unmodelled
from wimble.solve.patterns.ecmascript import compiled
from wimble.solve.patterns.regex_groups import group_source
from wimble.solve.patterns.regex_languages import (
    language_accepted_by,
    part_language,
)
from wimble.solve.patterns.regex_spans import has_match
from wimble.solve.terms.character_terms import CharacterTerms, Codes, accepted, in_ranges
from wimble.solve.terms.expression_terms import Term
from wimble.solve.values.computed_patterns import match_at


def _tested(terms: CharacterTerms, node: Expression) -> Term:
    return _has_match(terms, node, start=terms.value(node, 3))


def _took_part(terms: CharacterTerms, node: Expression) -> Term:
    return _has_match(terms, node, start=terms.value(node, 4), group=terms.value(node, 3))


def _has_match(terms: CharacterTerms, node: Expression, start: int, group: int = 0) -> Term:
    """Asks an automaton, which has few states, where it knows the whole of the expression and the text."""
    source, flags, codes = terms.constant(node, 1), terms.constant(node, 2).replace("g", ""), terms.codes(node, 0)
    if start == 0:
        with suppress(Unmodelled):
            return accepted(language_accepted_by(source, flags, group), codes)
    return has_match(codes, (source, flags), start=start, group=group, in_ranges=in_ranges)


def _searched(terms: CharacterTerms, node: Expression) -> Term:
    """Returns the first position where there is a match."""
    pattern, codes = (terms.constant(node, 1), terms.constant(node, 2).replace("g", "") + "y"), terms.codes(node, 0)
    result: Term = terms.literal(-1)
    for position in reversed(range(len(codes) + 1)):
        is_here = has_match(codes, pattern, start=position, in_ranges=in_ranges)
        result = z3.If(is_here, terms.literal(position), result)
    return result


def _captured(terms: CharacterTerms, node: Expression) -> Term:
    """Assumes the capture where it was in the traced run."""
    source, flags, group = terms.constant(node, 1), terms.constant(node, 2), terms.value(node, 3)
    codes, traced, inner = terms.codes(node, 0), terms.traced(node, 0), group_source(source, group)
    found = match_at(traced, source, flags, terms.value(node, 4)) if len(traced) == len(codes) else None
    if found is None or found.start(group) < 0 or inner is None:
        raise Unmodelled("a capture at another place")
    captured = codes[found.start(group) : found.end(group)]
    terms.assume(accepted(part_language(inner, flags.replace("g", "")), captured))
    return captured


def _found_at(terms: CharacterTerms, node: Expression) -> Term:
    """Assumes that nothing matches before."""
    start, end = (int(one) for one in terms.constant(node, 4).split("-"))
    language = part_language(terms.constant(node, 1), terms.constant(node, 2).replace("g", ""))
    return accepted(language, terms.codes(node, 0)[start:end])


def _count_of_matches(terms: CharacterTerms, node: Expression) -> Term:
    """Of matches of several characters, assumes as many as in the traced run, or none."""
    source, flags = terms.constant(node, 1), terms.constant(node, 2).replace("g", "")
    try:
        language = part_language(source, flags)
    except Unmodelled:
        language = ("several",)
    if language[0] != "set":
        if node.op != "matches":
            raise Unmodelled("the number of separators of several characters")
        count = max(1, int(float(node.value)))
        return z3.If(accepted(language_accepted_by(source, flags), terms.codes(node, 0)), count, terms.literal(0))
    matches = [z3.If(accepted(language, [code]), terms.literal(1), terms.literal(0)) for code in terms.codes(node, 0)]
    return z3.Sum(terms.literal(0), *matches)


def _replaced(terms: CharacterTerms, node: Expression) -> Term:
    """Replaces what was replaced in the traced run, and assumes that nothing else matches."""
    is_pattern = node.op == "replaceMatches"
    source = terms.constant(node, 1) if is_pattern else re.escape(terms.constant(node, 1))
    flags = terms.constant(node, 2) if is_pattern else "g"
    new = terms.constant(node, 3 if is_pattern else 2)
    pattern = compiled(source, flags.replace("g", ""))
    if pattern is None or "$" in new or "y" in flags:
        raise Unmodelled(node.op)
    codes, traced = terms.codes(node, 0), terms.traced(node, 0)
    spans = [match.span() for match in pattern.finditer(traced)] if len(traced) == len(codes) else []
    if "g" not in flags:
        del spans[1:]
    plain = flags.replace("g", "")
    if "g" in flags and all(end == start + 1 for start, end in spans):
        return _replaced_one_by_one(terms, codes, {start for start, _ in spans}, (source, plain, new))
    if not spans:
        terms.assume(z3.Not(accepted(language_accepted_by(source, plain), codes)))
        return codes
    result, at = list[Term](), 0
    for start, end in spans:
        terms.assume(accepted(part_language(source, plain), codes[start:end]))
        result += [*codes[at:start], *(terms.literal(ord(char)) for char in new)]
        at = end
    return result + codes[at:]


def _replaced_one_by_one(
    terms: CharacterTerms, codes: Codes, positions: set[int], replaced: tuple[str, str, str]
) -> Codes:
    """Each character is a match by itself or none. replaced: source and flags of the pattern, and the new text."""
    source, flags, new = replaced
    language = language_accepted_by(source, flags)
    result: Codes = []
    for number, code in enumerate(codes):
        is_match = accepted(language, [code])
        terms.assume(is_match if number in positions else z3.Not(is_match))
        result += [terms.literal(ord(char)) for char in new] if number in positions else [code]
    return result


def _piece(terms: CharacterTerms, node: Expression) -> Term:
    """Assumes the separators where they were in the traced run."""
    source, flags = terms.constant(node, 1), terms.constant(node, 2).replace("g", "")
    codes, traced, pattern = terms.codes(node, 0), terms.traced(node, 0), compiled(source, flags)
    if len(traced) != len(codes) or pattern is None:
        raise Unmodelled("split")
    start, spans = 0, [match.span() for match in pattern.finditer(traced) if match.group()]
    for begin, end in spans[: terms.value(node, 3)]:
        terms.assume(accepted(part_language(source, flags), codes[begin:end]))
        start = end
    return codes[start : start + len(str(node.value))]


def _count_of_pieces(terms: CharacterTerms, node: Expression) -> Term:
    return _count_of_matches(terms, node) + 1


PATTERN_TERMS: Final[dict[str, Callable[[CharacterTerms, Expression], Term]]] = {
    "capture": _captured,
    "captured": _took_part,
    "foundAt": _found_at,
    "matches": _count_of_matches,
    "partBetween": _piece,
    "partsBetween": _count_of_pieces,
    "replaceAll": _replaced,
    "replaceMatches": _replaced,
    "search": _searched,
    "test": _tested,
}
