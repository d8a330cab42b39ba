"""Values by trying: the last rung, for conditions that only run forwards, as those on parts of hashes do.

Candidates keep the form of the traced texts: a digit becomes a digit, a small letter a small letter. Their number
depends on what a trial costs and promises, and not on the time that it takes.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final

import msgspec

from wimble.solve.path_conditions import CONSTANT, Path, Scalar
from wimble.solve.patterns.utf16 import to_units
from wimble.solve.values.node_values import OPERATIONS

MAX_TRIALS: Final = 10_000
MAX_TRIALS_OF_HASHES: Final = 4_000_000
"""For five hexadecimal digits of a hash a million are needed on average."""


class MostNodes(msgspec.Struct, frozen=True):
    """How many nodes all trials may compute: without a hash among them, and with one."""

    without_hash: int
    with_hash: int


FEW: Final = MostNodes(50_000, 50_000)
"""What is easy, although an encoding of it is not."""
MANY: Final = MostNodes(200_000, 200_000)
MANY_IF_THOROUGH: Final = MostNodes(1_000_000, 16_000_000)
"""Some seconds with a hash."""
HASHES: Final = frozenset(("digest",))
LONG_TEXT: Final = 12
"""A hash that is compared with so long a text is not met by chance."""
FREE_LENGTH: Final = 8
_CLASSES: Final = (string.digits, string.ascii_lowercase, string.ascii_uppercase)
_WORD: Final = string.ascii_lowercase + string.digits
_WANTING_TEXT: Final = frozenset(("===", "startsWith", "endsWith", "includes"))
_ERRORS: Final = (Exception,)
Step = tuple[int, Callable[..., Any], tuple[int, ...]]


class Trials(msgspec.Struct, frozen=True):
    """The results of the trials of a question."""

    values: dict[str, Scalar] | None = None
    """For the other outcome of the last condition, and those that the others have; None: none met."""
    n_nodes: int = 0
    """Number of nodes that were computed."""
    is_cut: bool = False
    """Whether a thorough question has more trials."""


def tried(path: Path, allowed: MostNodes = MANY_IF_THOROUGH) -> Trials:
    """Tries values for the inputs of the last condition."""
    asked = path.entries[-1]
    involved = path.reachable([asked.node])
    has_hash = any(path.nodes[index].op in HASHES for index in involved)
    if has_hash and _is_hopeless(path, involved):
        return Trials()
    plan = _Plan(path)
    if plan.steps is None:
        return Trials()
    n_steps = max(1, len(plan.steps))
    most_nodes = allowed.with_hash if has_hash else allowed.without_hash
    most = min(MAX_TRIALS_OF_HASHES if has_hash else MAX_TRIALS, most_nodes // n_steps)
    rng = Random(len(path.nodes))
    changed = sorted(path.nodes[index].place for index in involved if path.nodes[index].place)
    present = path.inputs()
    makers = {place: _maker(present[place], is_free=len(path.entries) == 1) for place in changed}
    for number in range(most):
        values = {place: make(rng) for place, make in makers.items()}
        if plan.is_met_by(values):
            return Trials(values, (number + 1) * n_steps)
    return Trials(n_nodes=most * n_steps, is_cut=most_nodes < MANY_IF_THOROUGH.with_hash and has_hash)


def _is_hopeless(path: Path, involved: set[int]) -> bool:
    """Whether a hash, or much of it, has to be a certain text."""
    for index in involved:
        node = path.nodes[index]
        values = [path.nodes[arg].value for arg in node.args if path.nodes[arg].op == CONSTANT]
        is_long = any(isinstance(value, str) and len(value) >= LONG_TEXT for value in values)
        if is_long and node.op in _WANTING_TEXT:
            return True
    return False


class _Plan:
    """Computes the conditions of a path: the asked one first, and the others only where that has its other outcome."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._base: list[Any] = [
            to_units(node.value) if isinstance(node.value, str) else node.value for node in path.nodes
        ]
        self._places = {node.place: index for index, node in enumerate(path.nodes) if node.place}
        self.steps = self._steps([path.entries[-1].node])
        """None: an operation cannot be computed."""
        self._rest = self._steps([entry.node for entry in path.entries[:-1]])

    def _steps(self, roots: Sequence[int]) -> list[Step] | None:
        found: list[Step] = []
        for index in sorted(self._path.reachable(roots)):
            node = self._path.nodes[index]
            if node.op == CONSTANT or node.place:
                continue
            compute = OPERATIONS.get(node.op)
            if compute is None:
                return None
            found.append((index, compute, node.args))
        return found

    def is_met_by(self, given: Mapping[str, Scalar]) -> bool:
        values = self._base
        for place, value in given.items():
            values[self._places[place]] = value
        *earlier, asked = self._path.entries
        try:
            for index, compute, args in self.steps or ():
                values[index] = compute(*[values[arg] for arg in args])
            if bool(values[asked.node]) is asked.is_taken:
                return False
            for index, compute, args in self._rest or ():
                values[index] = compute(*[values[arg] for arg in args])
        except _ERRORS:
            return False
        return all(values[one.node] is one.is_taken for one in earlier)


def _maker(present: Scalar, *, is_free: bool) -> Callable[[Random], Scalar]:
    """Returns what makes candidates for an input. is_free: whether no other condition is about it."""
    if isinstance(present, bool):
        return lambda rng: rng.random() < 0.5
    if not isinstance(present, str):
        return _number_maker(present)
    choices = [next((members for members in _CLASSES if char in members), char) for char in present]
    if is_free and len(present) < FREE_LENGTH:
        choices += [_WORD] * (FREE_LENGTH - len(present))
    return lambda rng: "".join([members[int(rng.random() * len(members))] for members in choices])


def _number_maker(present: float) -> Callable[[Random], Scalar]:
    if not float(present).is_integer():
        return lambda rng: round(present * (0.5 + rng.random()), 2)
    ranges = (10, 100, 1_000, 100_000)
    return lambda rng: int(present) + int((rng.random() - 0.5) * ranges[int(rng.random() * len(ranges))])
