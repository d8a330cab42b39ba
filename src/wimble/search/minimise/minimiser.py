"""Minimises a test case while it keeps its purpose: fewer calls, fewer rows, fewer inputs, simpler values.

The caller runs the candidates and decides whether one keeps the purpose. This module decides which candidate to try
next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec

from wimble.genes import (
    AnyGene,
    ArrayGene,
    BooleanGene,
    CarriedGene,
    EnumGene,
    Gene,
    IntegerGene,
    MapGene,
    NumberGene,
    OptionalGene,
    ReferenceGene,
    SeededGene,
    StringGene,
    SubsetGene,
)
from wimble.model.setup import without_setup
from wimble.model.testcase import GeneAddress, TestCase, setup_index
from wimble.search.access.own_tokens import is_needed_key_answer
from wimble.search.resources.references import reordered
from wimble.search.sampling.user_choice import NOBODY, as_user
from wimble.types import ABSENT, Json

SIMPLE_WORD = "a"
PLAIN_TEXTS: Final = {"email": "a@example.com", "idn-email": "a@example.com"}
"""Values of formats that a reader knows at once."""
EMPTY: Final = (None, "", 0, ABSENT)
MIN_REPEATED: Final = 2
"""How often operations have to be called, in the mean, so that all calls of one are removed at once first."""
MAX_TRIES_PER_VALUE = 8
"""Most values have many slightly simpler ones, and the last of them hardly help a reader."""


def minimise_test(
    test_case: TestCase,
    is_kept: Callable[[TestCase], bool],
    max_tries: int,
    *,
    as_applied: Callable[[TestCase], TestCase] = lambda test_case: test_case,
) -> TestCase:
    """Returns the smallest test case found for which `is_kept` returned true; `test_case` if there is none.

    `is_kept` is called at most `max_tries` times, and never twice for equal test cases. Deterministic.

    as_applied: returns what was applied of the test case that was kept just now; it lacks rows that were refused.
    """
    reducer = _Reducer(test_case, is_kept, max_tries, as_applied)
    reducer.drop_calls()
    reducer.drop_setup()
    reducer.drop_users()
    reducer.drop_optional_inputs()
    reducer.simplify_together()
    reducer.simplify_values()
    reducer.drop_calls()  # simpler values may need less preparation
    reducer.drop_setup()  # rows whose simpler keys are those of existing rows can be dropped
    return reducer.best


class _Reducer:
    """The best test case so far, and the number of tries left."""

    def __init__(
        self,
        test_case: TestCase,
        is_kept: Callable[[TestCase], bool],
        max_tries: int,
        as_applied: Callable[[TestCase], TestCase],
    ) -> None:
        self.best = test_case
        self._is_kept = is_kept
        self._as_applied = as_applied
        self._tries_left = max_tries
        self._asked: list[TestCase] = [test_case]

    def accepts(self, candidate: TestCase) -> bool:
        """Tries a candidate, and makes it the best test case if it is kept. Equal candidates are tried once."""
        if self._tries_left <= 0 or candidate in self._asked:
            return False
        self._tries_left -= 1
        self._asked.append(candidate)
        if not self._is_kept(candidate):
            return False
        self.best = self._as_applied(candidate)
        return True

    def drop_users(self) -> None:
        """Makes calls without a user if that keeps the purpose."""
        named = {index for index, call in enumerate(self.best.calls) if call.user}
        if not named or self.accepts(as_user(self.best, NOBODY, named)):
            return
        for index in sorted(named) if len(named) > 1 else ():
            self.accepts(as_user(self.best, NOBODY, {index}))

    def drop_setup(self) -> None:
        """Drops all setup actions at once if possible, else one by one from the last: children before their parents."""
        kept, n_actions = self._kept_actions(), len(self.best.setup)
        if len(kept) == n_actions or (not kept and self.accepts(TestCase(self.best.calls))):
            return
        for number in reversed(range(n_actions) if n_actions > 1 else ()):
            if number < len(self.best.setup) and number not in self._kept_actions():
                self.accepts(without_setup(self.best, number))

    def _kept_actions(self) -> set[int]:
        """Returns the setup actions that stay as they are: answers of which the program has kept what it needs."""
        return {number for number, action in enumerate(self.best.setup) if is_needed_key_answer(action, self.best)}

    def _kept_parts(self) -> set[int]:
        """Returns these setup actions as `GeneAddress.call`."""
        return set(map(setup_index, self._kept_actions()))

    # -- calls --------------------------------------------------------------------------------------------------

    def drop_calls(self) -> None:
        """Removes all calls of an operation, then series of calls, halves first, to single ones ([Delta-Debugging]).

        It begins at the front. The last calls are most often the subject of the test, and references to removed calls
        are replaced by their fallbacks.
        """
        self._drop_operations()
        size = len(self.best.calls) // 2
        while size >= 1 and len(self.best.calls) > 1 and self._tries_left > 0:
            removed = self._drop_runs_of(size)
            if not (removed and size == 1):  # single calls are tried until none can be removed
                size //= 2

    def _drop_operations(self) -> None:
        """Removes all calls of an operation at once, of one after the other, if some operation is called repeatedly."""
        operations = dict.fromkeys(call.operation.id for call in self.best.calls)
        if len(self.best.calls) < MIN_REPEATED * len(operations):
            return
        for operation in operations:
            order = [index for index, call in enumerate(self.best.calls) if call.operation.id != operation]
            if order and len(order) < len(self.best.calls):
                self.accepts(reordered(self.best, order))

    def _drop_runs_of(self, size: int) -> bool:
        start, removed = 0, False
        while start < len(self.best.calls) and len(self.best.calls) > 1:
            n_calls = len(self.best.calls)
            order = [index for index in range(n_calls) if not start <= index < start + size]
            if order and self.accepts(reordered(self.best, order)):
                removed = True
            else:
                start += size
        return removed

    # -- optional inputs ----------------------------------------------------------------------------------------

    def drop_optional_inputs(self) -> None:
        """Drops optional inputs of a call, or columns of a row.

        It drops all at once if possible, else one by one, outer ones first.
        """
        actions = [setup_index(number) for number in range(len(self.best.setup))]
        for call in (*actions, *range(len(self.best.calls))):
            if call in self._kept_parts():
                continue
            present = [address for address, gene in self._optionals(call) if gene.is_present]
            if len(present) > 1:
                without_all = self.best
                for address in reversed(present):
                    without_all = _without_optional(without_all, address)
                if self.accepts(without_all):
                    continue
            self._drop_one_by_one(call)

    def _drop_one_by_one(self, call: int) -> None:
        position, n_actions = 0, len(self.best.setup)
        while len(self.best.setup) == n_actions:
            present = [address for address, gene in self._optionals(call) if gene.is_present]
            if position >= len(present) or self._tries_left <= 0:
                return
            if not self.accepts(_without_optional(self.best, present[position])):
                position += 1

    def _optionals(self, call: int) -> Iterator[tuple[GeneAddress, OptionalGene]]:
        for address, gene in self.best.iter_genes():
            if address.call == call and isinstance(gene, OptionalGene):
                yield address, gene

    # -- values -------------------------------------------------------------------------------------------------

    def simplify_together(self) -> None:
        """Makes many values plain with one try: all of them if possible, else halves of them, and so on.

        Most values of most test cases do not matter, and there are many more values than tries.
        """
        groups = [self._leaves()]
        while groups:
            addresses, n_actions = groups.pop(), len(self.best.setup)
            plain = self.best
            for address in addresses:
                plain = _with_plain_value(plain, address)
            if plain != self.best and not self.accepts(plain) and len(addresses) > 1:
                middle = len(addresses) // 2
                groups += [addresses[middle:], addresses[:middle]]
            if len(self.best.setup) < n_actions:  # a row was refused, and others have moved to its place
                left = set(self._leaves())
                groups = [[address for address in group if address in left] for group in groups]

    def _leaves(self) -> list[GeneAddress]:
        kept = self._kept_parts()
        return [address for address in _leaves_to_simplify(self.best) if address.call not in kept]

    def simplify_values(self) -> None:
        """Simplifies each gene once, in order.

        Genes that an accepted change has removed (array items) are skipped. Genes below a value from the document's
        examples are skipped, too, since such a value is easier to read than any that is made here.
        """
        position = 0
        exemplary: GeneAddress | None = None
        while self._tries_left > 0:
            kept, n_actions = self._kept_parts(), len(self.best.setup)
            genes = [address for address, _ in self.best.iter_genes() if address.call not in kept]
            if position >= len(genes):
                return
            address = genes[position]
            if exemplary is None or not _is_below(address, exemplary):
                self._simplify(address)
                if len(self.best.setup) < n_actions:
                    continue
                gene = self.best.gene_at(address)
                if isinstance(gene, SeededGene) and gene.phenotype() in gene.seeds:
                    exemplary = address
            position += 1

    def _simplify(self, address: GeneAddress) -> None:
        """Tries simpler values, simplest first. When one is kept, it goes on with still simpler ones."""
        tries = 0
        is_simpler = True
        while is_simpler:
            is_simpler = False
            for simpler in iter_simpler(self.best.gene_at(address)):
                if address.call < 0 and not self.best.setup[setup_index(address.call)].can_hold(simpler):
                    continue
                candidate = self.best.with_gene(address, simpler)
                if candidate in self._asked:
                    continue
                if tries >= MAX_TRIES_PER_VALUE or self._tries_left <= 0:
                    return
                tries += 1
                if self.accepts(candidate):
                    is_simpler = len(self.best.setup) == len(candidate.setup)
                    break


def _is_below(address: GeneAddress, other: GeneAddress) -> bool:
    same_input = address.call == other.call and address.input == other.input
    return same_input and address.path[: len(other.path)] == other.path


def _without_optional(test_case: TestCase, address: GeneAddress) -> TestCase:
    gene = test_case.gene_at(address)
    return test_case.with_gene(address, msgspec.structs.replace(gene, is_present=False))


def _leaves_to_simplify(test_case: TestCase) -> Iterator[GeneAddress]:
    """Yields the genes without inner ones, but not those of examples."""
    exemplary: GeneAddress | None = None
    for address, gene in test_case.iter_genes():
        if exemplary is not None and _is_below(address, exemplary):
            continue
        if isinstance(gene, SeededGene) and gene.phenotype() in gene.seeds:
            exemplary = address
        elif not gene.children():
            yield address


def _with_plain_value(test_case: TestCase, address: GeneAddress) -> TestCase:
    """Returns the test case with the first simpler value that is not empty; unchanged if there is none.

    Programs refuse empty values more often.
    """
    simpler = (gene for gene in iter_simpler(test_case.gene_at(address)) if gene.phenotype() not in EMPTY)
    plain = next(simpler, None)
    if plain is None or (address.call < 0 and not test_case.setup[setup_index(address.call)].can_hold(plain)):
        return test_case
    return test_case.with_gene(address, plain)


def iter_simpler(gene: Gene) -> Iterator[Gene]:
    """Yields simpler genes, simplest first.

    A value that the gene's own constraints offer comes before one made here.
    """
    if isinstance(gene, ReferenceGene):
        return
    value = gene.phenotype()
    for candidate in _iter_simpler_values(gene, value):
        if candidate != value or type(candidate) is not type(value):
            new = gene.with_value(candidate)
            if new is not None and new.phenotype() == candidate:
                yield new


def _iter_simpler_values(gene: Gene, value: Json) -> Iterator[Json]:
    for kind, simpler in _SIMPLER:
        if isinstance(gene, kind):
            yield from simpler(gene, value)
            return


def _iter_seeds(gene: SeededGene, value: Json) -> Iterator[Json]:
    if value not in gene.seeds:
        yield from gene.seeds[:1]


def _iter_first_option(gene: EnumGene, value: Json) -> Iterator[Json]:
    yield from (option for option in gene.options[:1] if option != value)


def _iter_false(gene: BooleanGene, value: Json) -> Iterator[Json]:
    if value is True:
        yield False


def _iter_shorter_arrays(gene: ArrayGene, value: Json) -> Iterator[Json]:
    if isinstance(value, list):
        yield from (value[:length] for length in _lengths(gene.min_items, len(value)))
        if len(value) > gene.min_items:
            yield from (value[:index] + value[index + 1 :] for index in range(min(len(value), 3)))


def _iter_smaller_subsets(gene: SubsetGene, value: Json) -> Iterator[Json]:
    if isinstance(value, list):
        free = [name for name in value if name not in gene.always]
        yield from ([*gene.always, *free[:length]] for length in _lengths(0, len(free)))
        yield from ([*gene.always, *free[:index], *free[index + 1 :]] for index in range(len(free)))


def _iter_smaller_maps(gene: MapGene, value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        items = list(value.items())
        yield from (dict(items[:length]) for length in _lengths(gene.min_entries, len(items)))


def _iter_null(gene: AnyGene, value: Json) -> Iterator[Json]:
    if value not in (None, 0, ""):
        yield None


def _iter_fewer_credentials(gene: CarriedGene, value: Json) -> Iterator[Json]:
    if not isinstance(value, dict):
        return
    yield ABSENT
    items = list(value.items())
    if len(items) > 2:
        yield dict(items[: len(items) // 2])
        yield dict(items[len(items) // 2 :])
    if len(items) > 1:
        yield from (dict([*items[:index], *items[index + 1 :]]) for index in range(min(len(items), 4)))


def _iter_simpler_numbers(gene: IntegerGene | NumberGene, value: Json) -> Iterator[Json]:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return
    rank = _number_rank(value)
    candidates: list[int | float] = [0, 1, 2, 10, 100]
    if gene.minimum is not None:
        candidates.insert(0, int(gene.minimum) if float(gene.minimum).is_integer() else gene.minimum)
    if value < 0:
        candidates += [-1, -10, -100, -value]
    if isinstance(value, float):
        candidates += [round(value), round(value, 1), round(value, 2)]
    for digits in range(len(str(abs(int(value)))) - 1, 1, -1):
        candidates.append(round(int(value), -digits))
    for candidate in dict.fromkeys(candidates):
        is_allowed = gene.minimum is None or candidate >= gene.minimum
        if is_allowed and _number_rank(candidate) < rank:
            yield candidate


def _number_rank(value: int | float) -> tuple[int, int, bool]:
    """Returns a sort key: numbers that are written shorter, nearer to 0, or positive are simpler."""
    digits = str(abs(value)).removesuffix(".0").rstrip("0")
    return len(digits), len(str(abs(value))), value < 0


def _iter_simpler_strings(gene: StringGene, value: Json) -> Iterator[Json]:
    if not isinstance(value, str) or not value:
        return
    plain = PLAIN_TEXTS.get(gene.format or gene.specialisation or "")
    if value == plain:
        return
    if plain is not None:
        yield plain
    is_free = gene.pattern is None and gene.format is None
    if is_free:
        yield from (SIMPLE_WORD * length for length in (gene.min_length, 1) if gene.min_length <= length < len(value))
    for length in _lengths(max(1, gene.min_length), len(value)):
        yield value[:length]
        yield value[len(value) - length :]
    if is_free and value != SIMPLE_WORD * len(value):
        yield SIMPLE_WORD * len(value)
        yield "".join(letter if letter.isascii() and letter.isprintable() else SIMPLE_WORD for letter in value)


def _lengths(least: int, length: int) -> list[int]:
    """Returns the lengths below `length` that are tried: the least, a quarter, half, one less."""
    tries = (least, length // 4, length // 2, length - 1)
    return sorted({n for n in tries if max(0, least) <= n < length})


_SIMPLER: Final[tuple[tuple[type[Gene] | tuple[type[Gene], ...], Callable[[Any, Json], Iterator[Json]]], ...]] = (
    (SeededGene, _iter_seeds),
    (EnumGene, _iter_first_option),
    (BooleanGene, _iter_false),
    (CarriedGene, _iter_fewer_credentials),
    ((IntegerGene, NumberGene), _iter_simpler_numbers),
    (StringGene, _iter_simpler_strings),
    (ArrayGene, _iter_shorter_arrays),
    (SubsetGene, _iter_smaller_subsets),
    (MapGene, _iter_smaller_maps),
    (AnyGene, _iter_null),
)
"""For kinds of genes: a function that yields simpler values for a gene and its value, simplest first."""
