"""Solves a path for another outcome of one of its conditions, with several encodings in turn ("rungs").

1. `characters`: texts of fixed lengths as lists of character codes, at the present lengths.
2. `sequences`: the sequence theory of Z3, with free lengths, in a fresh solver per question.
3. `lengths`: as 1, at other lengths.

Each check is bounded by Z3's resource limit, which does not depend on the machine, so answers can be repeated. A
condition without a translation is left out of the path: the answer is then more often wrong, which running it shows.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import z3

from wimble.solve.expression_terms import ExpressionTerms
from wimble.solve.path_conditions import Path, Scalar, Unmodelled
from wimble.solve.questions import Answer, Question, Rung, question_of
from wimble.solve.sequence_terms import SequenceTerms
from wimble.solve.vector_terms import VectorTerms

RESOURCE_LIMIT: Final = 1_000_000
"""Of one check; about 0.1 to 0.4 s."""
MAX_LENGTHS: Final = 10
NUMBER_BOUNDS: Final = (100, 1_000_000, None)
"""Sizes of numbers that are tried, in this order; None: any. Small ones are found sooner where numbers are multiplied,
their squares and sums are exact in doubles, and they are read easily.
"""


def flipped(path: Path, number: int) -> Answer:
    """Returns values with which condition `number` of the path has its other outcome.

    The conditions before it keep theirs.
    """
    question = question_of(path, number)
    return Answer(reason="no such values") if question is None else solved(question)


def solved(question: Question) -> Answer:
    """Returns what the first rung that has an answer says. Each rung has its own limit of resources."""
    missed: dict[str, str] = {}
    for rung, terms in _encodings(question.path, question.asked):
        try:
            answer = _asked(question.path, question.asked, terms)
        except Unmodelled as error:
            answer = f"not modelled: {error}"
        except z3.Z3Exception:
            answer = "too hard"
        if isinstance(answer, dict):
            return Answer(values=answer, rung=rung, missed=missed)
        if missed.get(rung) != "too hard":
            missed[rung] = answer
        if rung == "sequences" and answer == "no such values":
            break
    return Answer(reason=_main_reason(list(missed.values())), missed=missed)


def _main_reason(reasons: list[str]) -> str:
    for reason in reasons:
        if reason.startswith("not modelled"):
            return reason
    return "too hard" if "too hard" in reasons or not reasons else reasons[-1]


def _encodings(path: Path, number: int) -> Iterator[tuple[Rung, ExpressionTerms]]:
    texts = {place: len(value) for place, value in path.inputs().items() if isinstance(value, str)}
    yield "characters", VectorTerms(path, texts)
    yield "sequences", SequenceTerms(path)
    involved = path.reachable([path.entries[number].node])
    asked = [path.nodes[index].place for index in sorted(involved) if path.nodes[index].place in texts]
    for place in asked:
        for length in _lengths(path, involved, texts[place]):
            yield "lengths", VectorTerms(path, {**texts, place: length})


def _lengths(path: Path, involved: set[int], present: int) -> list[int]:
    """Returns other lengths to try: those that constants suggest, and the neighbours of the present one."""
    found: list[int] = []
    for index in sorted(involved):
        node = path.nodes[index]
        if node.op != "k" or isinstance(node.value, bool):
            continue
        size = len(node.value) if isinstance(node.value, str) else node.value
        if isinstance(size, int) and 0 < size <= 64:
            found += [size, size + 1]
    wanted = [present + 1, present - 1, present + 2, *found, 2, 3, 4, 6, 8, 12, 16]
    return [one for one in dict.fromkeys(wanted) if one >= 0 and one != present][:MAX_LENGTHS]


def _asked(path: Path, number: int, terms: ExpressionTerms) -> dict[str, Scalar] | str:
    """Returns the values, or why there are none. Raises: Unmodelled, z3.Z3Exception."""
    solver = _new_solver()
    entry = path.entries[number]
    solver.add(terms.condition(entry.node, holds=not entry.is_taken))
    asked = len(terms.inputs)
    for earlier in path.entries[:number]:
        with suppress(Unmodelled):
            solver.add(terms.condition(earlier.node, holds=earlier.is_taken))
    if asked == 0:
        return "no such values"
    solver.add(*terms.assumed)
    numbers = [term for term in terms.inputs.values() if z3.is_arith(term)]
    verdict = z3.unknown
    for bound in NUMBER_BOUNDS if numbers else (None,):
        bounded = _copy(solver)
        if bound is not None:
            bounded.add(*(z3.And(-bound <= term, term <= bound) for term in numbers))
        verdict = bounded.check()
        if verdict == z3.sat:
            model = bounded.model()
            return {place: terms.value_of(place, model) for place in terms.inputs}
    return "no such values" if verdict == z3.unsat else "too hard"


def _copy(solver: z3.Solver) -> z3.Solver:
    """Returns a fresh solver with the same formulas; a solver that is asked twice is much weaker."""
    fresh = _new_solver()
    fresh.add(*solver.assertions())
    return fresh


def _new_solver() -> z3.Solver:
    solver = z3.SimpleSolver()
    solver.set("rlimit", RESOURCE_LIMIT)
    return solver
