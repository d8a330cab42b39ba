"""Solves a path for another outcome of one of its conditions, with several encodings in turn ("rungs").

1. `bits`: as 2, with numbers of 64 bits; only if a condition has an operator on bits.
2. `characters`: texts of fixed lengths as lists of character codes, at the present lengths.
3. `parts`: parts of texts instead of texts (reversible.py), as 1, 2 and 4. They go first if all are numbers, and where
   more parts are asked for.
4. `sequences`: the sequence theory of Z3, with free lengths, in a fresh solver per question.
5. `lengths`: as 2 (or 1), at other lengths.
6. `trials`: values by trying, without Z3; conditions are computed as JavaScript does. The traced values with what the
   program removes from them, or in another case, are tried before all else.

Each check is bounded by Z3's resource limit, which does not depend on the machine, so answers can be repeated. A
condition without a translation is left out of the path: the answer is then more often wrong, which running it shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Set
from contextlib import suppress
from functools import partial
from itertools import chain, islice, product
from typing import Final

import msgspec
import z3

from wimble.solve.path_conditions import CHOICE, NoValue, Path, Scalar, Unmodelled, names_rare_characters
from wimble.solve.patterns.matching_numbers import only_length
from wimble.solve.patterns.regex import lengths_of_matches
from wimble.solve.put_together import cut_apart
from wimble.solve.questions import NO_PARTS, NO_VALUES, Answer, Question, Rung, question_of
from wimble.solve.reversible import COUNTED, Lifted, lifted
from wimble.solve.terms.bit_terms import BitTerms, uses_bits
from wimble.solve.terms.expression_terms import ExpressionTerms
from wimble.solve.terms.sequence_terms import SequenceTerms
from wimble.solve.terms.vector_terms import VectorTerms
from wimble.solve.values.computed_patterns import PATTERN_OPERATIONS
from wimble.solve.values.free_characters import filled, with_traced_characters
from wimble.solve.values.longer_texts import with_more_text
from wimble.solve.values.node_values import node_values
from wimble.solve.values.preimages import preimages
from wimble.solve.values.values_by_trying import FEW, MANY, MANY_IF_THOROUGH, MostNodes, Trials, tried
from wimble.solve.work import Work

RESOURCE_LIMIT: Final = 1_000_000
"""Z3's resources for one check, which last for about 0.1 to 0.4 s."""
LIMIT_OF_SEQUENCES: Final = 150_000
"""The same for the first check of sequences: what has values at all mostly has them soon."""
LIMIT_OF_FEW: Final = 100_000
"""The same for a check in which most inputs keep their values."""
LIMIT_OF_BITS_IF_THOROUGH: Final = 10_000_000
"""The same for bits if much work may be spent: a hash of 32 bits needs that."""
NO_VALUES_AT_ALL: Final = "no such values at all"
"""The same of an encoding that leaves out none."""
TOO_HARD: Final = "too hard"
"""Z3 has reached its limit."""
MATCHING_OPERATIONS: Final = frozenset(PATTERN_OPERATIONS) - {"replaceMatches"}
"""Their second and third arguments are the source and the flags of a pattern that a text has to match."""
MAX_LENGTHS: Final = 10
MAX_LENGTHS_OF_PARTS: Final = 12
MAX_HARD: Final = 16
"""Checks of one question that may end at their limit; then the rungs that are left are not tried."""
LARGE_NUMBER: Final = 1_000_000
SEEDS_OF_INCOMPLETE: Final = (0, 1, 2)
NUMBER_BOUNDS: Final = (100, LARGE_NUMBER, None)
"""Sizes of numbers that are tried, in this order; None: any. Small ones are found sooner where numbers are multiplied,
their squares and sums are exact in doubles, and they are read easily.
"""


def flipped(path: Path, number: int) -> Answer:
    """Returns values with which condition `number` of the path has its other outcome.

    The conditions before it keep theirs.
    """
    question = question_of(path, number)
    return Answer(reason=NO_VALUES) if question is None else solved(question.thorough())


def solved(question: Question) -> Answer:
    """Returns values for the outcomes of the traced run where these only chose values, or else for any of them."""
    work = Work(is_thorough=question.is_thorough)
    if not any(node.op == CHOICE for node in question.path.nodes):
        return _with_work(_Climb(question, work).finished(), work)
    merged = _Climb(Question(question.path.merged(), question.is_thorough), work)
    pinned_path = question.path.pinned()
    if _is_excluded(pinned_path):
        return _with_work(merged.finished(), work)
    # What one rung finds for any outcome takes much less than all rungs do where the traced outcomes have no values.
    pinned = _Climb(Question(pinned_path, question.is_thorough), work)
    answer = pinned.tried_first()
    if answer is None and not pinned.is_hard:
        answer = merged.tried_first()
    if answer is None:
        answer = pinned.finished()
        if not pinned.is_solved:
            other = merged.finished()
            answer = other if other.values is not None or answer.values is None else answer
    return _with_work(answer, work)


def _is_excluded(path: Path) -> bool:
    """Whether an earlier condition is the one that is to turn out otherwise."""
    *earlier, asked = path.entries
    tested = path.without_negation(asked.node)
    return any(path.without_negation(one.node) == tested for one in earlier)


def _with_work(answer: Answer, work: Work) -> Answer:
    return msgspec.structs.replace(answer, work=work.spent)


class _Climb:
    """Asks one rung after the other, until one has values that satisfy all conditions, as far as these can be computed
    here. Each check has its own limit of resources.
    """

    def __init__(self, question: Question, work: Work) -> None:
        self._question = question
        self._path = question.path
        self._work = work
        self._rungs = _rungs(self._path, is_thorough=work.is_thorough)
        self._missed: dict[str, str] = {}
        self._unsure: Answer | None = None
        """The first values that were found, if they do not satisfy all conditions."""
        self._n_hard = 0
        self._is_impossible = False
        self._is_cut = False
        self._is_begun = False
        self.is_solved = False
        """Whether the answer satisfies all conditions."""

    @property
    def is_hard(self) -> bool:
        """Whether a rung gave up."""
        return self._n_hard > 0

    def tried_first(self) -> Answer | None:
        """Returns what is found by values that the program sees in the same way as the traced ones, or by the first
        rung; None if that is nothing that satisfies all conditions.
        """
        self._is_begun = True
        near = chain(with_more_text(self._path), preimages(self._path, self._path.inputs()))
        other = (one for one in near if _satisfies(self._question, one))
        values = next(other, None)
        if values is not None:
            return self._solved(Answer(values=values, rung="trials"))
        return self._climbed(1)

    def finished(self) -> Answer:
        """Returns what all rungs and trials say; the first values found if nothing satisfies all conditions."""
        answer = (None if self._is_begun else self.tried_first()) or self._climbed(None)
        if answer is not None:
            return answer
        many = MANY_IF_THOROUGH if self._work.is_thorough else MANY
        trials = Trials() if self._is_impossible else _tried(self._path, many, self._work)
        if trials.values is not None:
            return self._solved(Answer(values=trials.values, rung="trials", missed=self._missed))
        is_cut = (self._is_cut and not self._work.is_thorough) or trials.is_cut
        reason = _main_reason(list(self._missed.values()))
        return self._unsure or Answer(reason=reason, missed=self._missed, is_cut=is_cut)

    def _solved(self, answer: Answer) -> Answer:
        self.is_solved = True
        return answer

    def _climbed(self, most: int | None) -> Answer | None:
        """Returns the answer of the next rungs, at most so many, if it satisfies all conditions."""
        for rung, ask in islice(self._rungs, most):
            if self._is_impossible and not self._unsure:
                return None
            self._is_cut = self._work.is_used_up
            if self._n_hard >= MAX_HARD or self._is_cut:
                return None
            said = _said(ask)
            self._work.note_rung(len(self._path.nodes))
            if isinstance(said, dict):
                values = _satisfying(self._question, said, with_preimages=self._unsure is None)
                if values is not None:
                    return self._solved(Answer(values=values, rung=rung, missed=self._missed))
                self._unsure = self._unsure or Answer(values=said, rung=rung, missed=self._missed)
                said = "values that do not satisfy the conditions"
            answer = self._noted(rung, said)
            if answer is not None:
                return answer
        return None

    def _noted(self, rung: Rung, said: str) -> Answer | None:
        """Notes why a rung has no values; returns what few trials find where the first one had too hard a question."""
        if self._missed.get(rung) != TOO_HARD:
            self._missed[rung] = NO_VALUES if said == NO_VALUES_AT_ALL else said
        self._is_impossible |= said == NO_VALUES_AT_ALL
        if said != TOO_HARD:
            return None
        self._n_hard += 1
        values = _tried(self._path, FEW, self._work).values if self._n_hard == 1 else None
        return None if values is None else self._solved(Answer(values=values, rung="trials", missed=self._missed))


def _tried(path: Path, most: MostNodes, work: Work) -> Trials:
    trials = tried(path, most)
    work.note_trials(trials.n_nodes)
    return trials


def _said(ask: Callable[[], dict[str, Scalar] | str]) -> dict[str, Scalar] | str:
    try:
        return ask()
    except Unmodelled as error:
        return f"not modelled: {error}"
    except z3.Z3Exception:
        return TOO_HARD


def _satisfying(question: Question, values: dict[str, Scalar], *, with_preimages: bool) -> Mapping[str, Scalar] | None:
    """Returns the values, or others that the program sees in the same way, if they satisfy all conditions."""
    if _satisfies(question, values):
        values = with_traced_characters(question.path, values, partial(_satisfies, question))
        other = filled(question.path, values)
        return other if other is not None and _satisfies(question, other) else values
    others = preimages(question.path, values) if with_preimages else ()
    return next((other for other in others if _satisfies(question, other)), None)


def _satisfies(question: Question, values: Mapping[str, Scalar]) -> bool:
    """Whether the asked condition has its other outcome, and those before it theirs; unknown ones are left out."""
    path = question.path
    computed = node_values(path, values)
    asked = path.entries[-1]
    return computed[asked.node] is not asked.is_taken and all(
        computed[one.node] in (None, one.is_taken) for one in path.entries[:-1]
    )


def _main_reason(reasons: list[str]) -> str:
    for reason in reasons:
        if reason.startswith("not modelled"):
            return reason
    if TOO_HARD in reasons or not reasons:
        return TOO_HARD
    return NO_PARTS if NO_PARTS in reasons else reasons[-1]


def _rungs(path: Path, *, is_thorough: bool) -> Iterator[tuple[Rung, Callable[[], dict[str, Scalar] | str]]]:
    """Yields ways to ask, each with its name."""
    has_bits = uses_bits(path)
    present = _present(path)
    numbers = lifted(path, to_numbers=True)
    # Where the texts are used for numbers in them alone, as of dates and addresses, characters are harder.
    are_parts_first = _asks_for_more_parts(path) or (numbers is not None and not _present(numbers.path))
    if are_parts_first:
        yield from _rungs_of_all_parts(path, numbers)  # the text keeps its form, and is likely to be accepted
    if has_bits:
        yield "bits", partial(_asked_at, path, present, has_bits=True, is_thorough=is_thorough)
    yield "characters", lambda: _asked(path, VectorTerms(path, present))
    if _has_fractions(path):
        yield "characters", lambda: _asked(path, VectorTerms(path, present, has_fractions=True))
    is_wide = names_rare_characters(path)
    if is_wide:
        yield "characters", lambda: _asked(path, VectorTerms(path, present, is_wide=True))
    yield from _rungs_of_cut_texts(path)
    if not are_parts_first:
        yield from _rungs_of_all_parts(path, numbers)
    if present and set(present) <= _of_one_length(path):
        return
    yield "sequences", lambda: _asked(path, SequenceTerms(path), limit=LIMIT_OF_SEQUENCES)
    for lengths in _other_lengths(path):
        yield "lengths", partial(_asked_at, path, lengths, has_bits=has_bits, is_thorough=is_thorough)
        if is_wide:
            yield "lengths", partial(_asked_at, path, lengths, has_bits=has_bits, is_wide=True)
    if is_thorough:
        yield "sequences", lambda: _asked(path, SequenceTerms(path))


def _asks_for_more_parts(path: Path) -> bool:
    """Whether the asked condition compares the number of the parts of a text."""
    asked = path.nodes[path.without_negation(path.entries[-1].node)]
    return any(path.nodes[arg].op in COUNTED for arg in asked.args)


def _rungs_of_all_parts(
    path: Path, numbers: Lifted | None
) -> Iterator[tuple[Rung, Callable[[], dict[str, Scalar] | str]]]:
    """numbers: the path lifted to numbers, which come before the texts that they are read from."""
    if numbers is not None:
        yield from _rungs_of_parts(numbers)
    texts = lifted(path, to_numbers=False)
    if texts is not None:
        yield from _rungs_of_parts(texts)


def _rungs_of_cut_texts(path: Path) -> Iterator[tuple[Rung, Callable[[], dict[str, Scalar] | str]]]:
    """Yields ways to ask for the pieces of a text that is put together: each is known, and so is its length."""
    for cut in cut_apart(path):
        for parts in filter(None, (lifted(cut, to_numbers=True), lifted(cut, to_numbers=False))):
            yield "parts", partial(_restored_sequences, parts)
        yield "sequences", partial(_sequences_of_cut, cut)


def _restored_sequences(parts: Lifted) -> dict[str, Scalar] | str:
    return _restored(parts, _asked(parts.path, SequenceTerms(parts.path), limit=LIMIT_OF_SEQUENCES))


def _sequences_of_cut(path: Path) -> dict[str, Scalar] | str:
    """Returns the values; that there are none is said of one way to cut the text, and not of all."""
    answer = _asked(path, SequenceTerms(path), limit=LIMIT_OF_SEQUENCES)
    return NO_VALUES if answer == NO_VALUES_AT_ALL else answer


def _has_fractions(path: Path) -> bool:
    """Whether conditions are about fractions, but inputs are whole numbers in the traced run."""
    numbers = [node for node in path.nodes if isinstance(node.value, (int, float)) and not isinstance(node.value, bool)]
    is_about = any(node.op in _FRACTIONAL or not float(node.value).is_integer() for node in numbers)
    return is_about and any(node.place and float(node.value).is_integer() for node in numbers)


_FRACTIONAL: Final = frozenset(("/", "round", "parseFloat"))


def _rungs_of_parts(parts: Lifted) -> Iterator[tuple[Rung, Callable[[], dict[str, Scalar] | str]]]:
    path = parts.path
    present = _present(path)
    if uses_bits(path):
        yield "parts", lambda: _restored(parts, _asked(path, BitTerms(path, present)))
    yield "parts", lambda: _restored(parts, _asked(path, VectorTerms(path, present)))
    if _has_fractions(path):
        yield "parts", lambda: _restored(parts, _asked(path, VectorTerms(path, present, has_fractions=True)))
    if present:
        yield "parts", lambda: _restored(parts, _asked(path, SequenceTerms(path), limit=LIMIT_OF_SEQUENCES))
        for lengths in _other_lengths(path)[:MAX_LENGTHS_OF_PARTS]:
            yield "parts", partial(_parts_at, parts, lengths)


def _asked_at(
    path: Path, lengths: Mapping[str, int], *, has_bits: bool = False, is_wide: bool = False, is_thorough: bool = False
) -> dict[str, Scalar] | str:
    limit = LIMIT_OF_BITS_IF_THOROUGH if has_bits and is_thorough else RESOURCE_LIMIT
    if has_bits:
        with suppress(Unmodelled):  # as many remainders; the numbers may be read without bits
            return _asked(path, BitTerms(path, lengths, is_wide=is_wide), limit=limit)
    return _asked(path, VectorTerms(path, lengths, is_wide=is_wide))


def _parts_at(parts: Lifted, lengths: Mapping[str, int]) -> dict[str, Scalar] | str:
    return _restored(parts, _asked_at(parts.path, lengths))


def _restored(parts: Lifted, answer: dict[str, Scalar] | str) -> dict[str, Scalar] | str:
    if isinstance(answer, str):  # the parts are not all there is
        return NO_PARTS if answer in (NO_VALUES, NO_VALUES_AT_ALL) else answer
    try:
        return parts.restored(answer)
    except (NoValue, ValueError, TypeError, KeyError, IndexError):
        return "values that no text has as its parts"


def _present(path: Path) -> dict[str, int]:
    """Returns the lengths of the texts that the conditions are about, by place."""
    nodes = [path.nodes[index] for index in sorted(path.reachable([entry.node for entry in path.entries]))]
    return {node.place: len(node.value) for node in nodes if node.place and isinstance(node.value, str)}


def _of_one_length(path: Path) -> set[str]:
    """Returns the places of the texts that patterns of earlier conditions allow one length only."""
    found = set()
    for entry in path.entries[:-1]:
        test = path.nodes[path.without_negation(entry.node)]
        place = path.nodes[test.args[0]].place if test.op == "test" and test.value is True else ""
        if place and only_length(*(str(path.nodes[arg].value) for arg in test.args[1:3])) is not None:
            found.add(place)
    return found


def _other_lengths(path: Path) -> list[Mapping[str, int]]:
    """Returns lengths of texts to try: another one for a text of the asked condition at a time."""
    present = _present(path)
    involved = path.reachable([path.entries[-1].node])
    open_places = set(present) - _of_one_length(path)
    places = [path.nodes[index].place for index in sorted(involved) if path.nodes[index].place in open_places]
    return [{**present, place: length} for place in places for length in _lengths(path, involved, present[place])]


def _lengths(path: Path, involved: set[int], present: int) -> list[int]:
    """Returns other lengths to try: those that constants suggest, and the neighbours of the present one."""
    patterns = {path.nodes[index].args[1:3] for index in involved if path.nodes[index].op in MATCHING_OPERATIONS}
    no_sizes = {arg for pattern in patterns for arg in pattern}
    found: list[int] = []
    for index in sorted(involved - no_sizes):
        node = path.nodes[index]
        if node.op != "k" or isinstance(node.value, bool):
            continue
        size = len(node.value) if isinstance(node.value, str) else node.value
        if isinstance(size, int) and 0 < size <= 64:
            found += [size, size + 1]
    for source, flags in sorted(patterns):
        found += lengths_of_matches(str(path.nodes[source].value), str(path.nodes[flags].value))
    longer = [present + one + 1 for one in found[:1]]  # a match beside what is there
    wanted = [present + 1, *found[:1], present - 1, present + 2, *longer, *found, 2, 3, 4, 6, 8, 12, 16]
    return [one for one in dict.fromkeys(wanted) if one >= 0 and one != present][:MAX_LENGTHS]


def _asked(path: Path, terms: ExpressionTerms, limit: int = RESOURCE_LIMIT) -> dict[str, Scalar] | str:
    """Returns the values, or why there are none. Raises: Unmodelled, z3.Z3Exception."""
    solver = _new_solver(limit, terms)
    entry = path.entries[-1]
    solver.add(terms.condition(entry.node, holds=not entry.is_taken))
    asked = frozenset(terms.inputs)
    for earlier in path.entries[:-1]:
        with suppress(Unmodelled):
            solver.add(terms.condition(earlier.node, holds=earlier.is_taken))
    if not asked:
        return NO_VALUES
    solver.add(*terms.assumed)
    kept = _asked_of_few(path, terms, asked, solver)
    if kept is not None:
        return _values_in(kept, terms)
    numbers = [term for term in terms.inputs.values() if z3.is_arith(term)]
    verdict = z3.unknown
    for bound, seed in _attempts(path) if numbers else ((None, None),):
        bounded = _copy(solver, limit, terms)
        if bound is not None:
            bounded.add(*(z3.And(-bound <= term, term <= bound) for term in numbers))
        if seed is not None and not isinstance(terms, BitTerms):
            bounded.set("arith.nl.nra", False)
            bounded.set("random_seed", seed)
        verdict = bounded.check()
        if verdict == z3.sat:
            return _values_in(bounded.model(), terms)
    if verdict != z3.unsat:
        return TOO_HARD
    is_sure = isinstance(terms, SequenceTerms) and not terms.is_narrowed
    return NO_VALUES_AT_ALL if is_sure else NO_VALUES


def _attempts(path: Path) -> Iterator[tuple[int | None, int | None]]:
    """Yields bounds of numbers, each with the seed of an incomplete solver, or without for the complete one.

    Where inputs are multiplied with each other, incomplete ones often find values at once, and give up soon.
    """
    if _has_products(path):
        yield from product(NUMBER_BOUNDS, SEEDS_OF_INCOMPLETE)
    yield from ((bound, None) for bound in NUMBER_BOUNDS)


def _has_products(path: Path) -> bool:
    """Whether conditions multiply what depends on inputs with what depends on others."""
    asked = path.reachable([path.entries[-1].node])
    for node in (path.nodes[index] for index in sorted(asked)):
        if node.op == "*":
            left, right = ({one for one in path.reachable([arg]) if path.nodes[one].place} for arg in node.args)
            if left and right and left != right:
                return True
    return False


def _asked_of_few(path: Path, terms: ExpressionTerms, asked: Set[str], solver: z3.Solver) -> z3.ModelRef | None:
    """Returns a model in which only inputs of the asked condition have other values than in the traced run.

    So the rest of a date, or of a list, stays as it was, and what was reached so far is more likely to be reached.
    """
    present = path.inputs()
    others = [place for place in terms.inputs if place not in asked]
    if not others:
        return None
    solver = _copy(solver, LIMIT_OF_FEW, terms)
    solver.add(*(terms.same(terms.inputs[place], terms.literal(present[place])) for place in others))
    numbers = [terms.inputs[place] for place in sorted(asked) if z3.is_arith(terms.inputs[place])]
    solver.add(*(z3.And(term >= -LARGE_NUMBER, term <= LARGE_NUMBER) for term in numbers))
    return solver.model() if solver.check() == z3.sat else None


def _values_in(model: z3.ModelRef, terms: ExpressionTerms) -> dict[str, Scalar]:
    return {place: terms.value_of(place, model) for place in terms.inputs}


def _copy(solver: z3.Solver, limit: int, terms: ExpressionTerms) -> z3.Solver:
    """Returns a fresh solver with the same formulas; a solver that is asked twice is much weaker."""
    fresh = _new_solver(limit, terms)
    fresh.add(*solver.assertions())
    return fresh


def _new_solver(limit: int, terms: ExpressionTerms) -> z3.Solver:
    """Returns an empty solver; for bits, one that makes all of them into clauses at once.

    Where inputs are multiplied, Groebner bases are computed outside of all limits (42 s for a determinant of nine
    numbers), while the other ways to treat products find values at once.
    """
    if isinstance(terms, BitTerms):
        solver = z3.SolverFor("QF_BV")
    else:
        solver = z3.SimpleSolver()
        solver.set("arith.nl.grobner", False)
    solver.set("rlimit", limit)
    return solver
