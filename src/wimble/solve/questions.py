"""Questions to the solver, and its answers.

A question holds only the part of a path that matters for its answer: the condition that is to turn out otherwise, and
the conditions before it that depend on the same inputs, directly or through others. So the same question comes up on
many paths, and is asked once. What becomes of the inputs that are left out does not depend on the answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, Protocol

import msgspec

from wimble.solve.path_conditions import CONSTANT, LIST_END, Expression, Path, PathEntry
from wimble.solve.possible_outcomes import can_turn

Rung = Literal["bits", "characters", "parts", "sequences", "lengths", "trials", ""]
MAX_PREFIX: Final = 400
"""The latest conditions of a path that are kept."""
MAX_THOROUGH: Final = 24_000_000
"""The work that a thorough question may take, in Z3's units; that of a process that was ended counts as much."""
NO_VALUES: Final = "no such values"
NO_PARTS: Final = "no such values for parts of the texts"
UNREAD: Final = "no answer within the solver's share of the search"
"""The reason of an answer that was not waited for; it may be read later."""


class Answer(msgspec.Struct, frozen=True):
    """An answer of the solver."""

    values: Mapping[str, str | int | float | bool] | None = None
    """New values by place, for all inputs that the conditions are about; None if there are none."""
    rung: Rung = ""
    """The rung that answered."""
    reason: str = ""
    """Why there are no values: `no such values`, `too hard`, what is not modelled, or what became of the solver."""
    missed: Mapping[str, str] = {}
    """For rungs that were tried without success: why."""
    work: int = 0
    """What it took, in Z3's units of resources; it does not depend on the machine."""
    is_cut: bool = False
    """Whether a thorough question may have values although this one has none."""


class Question(msgspec.Struct, frozen=True):
    """Which values give the last condition its other outcome, while those before it keep theirs?"""

    path: Path
    """Sites are empty."""
    is_thorough: bool = False
    """Whether much work may be spent on it."""

    @property
    def asked(self) -> int:
        """The number of the condition that is to turn out otherwise."""
        return len(self.path.entries) - 1

    def thorough(self) -> Question:
        """Returns the question on which much work may be spent."""
        return Question(self.path, is_thorough=True)

    def key(self) -> bytes:
        """Returns bytes that are equal for equal questions."""
        return msgspec.json.encode(self)


class Ticket(Protocol):
    """Stands for an answer that may not be there yet."""

    @property
    def is_there(self) -> bool:
        """Whether the answer can be read without waiting for it."""
        ...

    def answer(self) -> Answer:
        """Waits for the answer. Its reason is `UNREAD` if the solver's share is used up; it may be read later."""
        ...


def question_of(path: Path, number: int) -> Question | None:
    """Returns the question for another outcome of condition `number`; None if it depends on no input, or cannot have
    another one.
    """
    entry = path.entries[number]
    inputs = _inputs_by_node(path)
    if not inputs[entry.node] or not can_turn(path, number):
        return None
    asked = path.without_negation(entry.node)
    earlier = [
        one
        for one in path.entries[max(0, number - MAX_PREFIX) : number]
        if path.without_negation(one.node) != asked and one.site != LIST_END
    ]
    conditions = [*_related(earlier, inputs, set(inputs[entry.node])), (entry.node, entry.is_taken, False)]
    return Question(path.only([PathEntry("", is_taken, node, is_merged) for node, is_taken, is_merged in conditions]))


def with_more_rounds(question: Question, n_rounds: int) -> Question | None:
    """Returns the question for so many further rounds of a loop that has ended, if its condition counts them.

    The condition is `number < expression`: what the loop compares is larger by the rounds.
    """
    path = question.path
    *earlier, asked = path.entries
    condition = path.nodes[asked.node]
    if asked.is_taken or condition.op not in ("<", "<="):
        return None
    bound = path.nodes[condition.args[0]]
    if bound.op != CONSTANT or isinstance(bound.value, (str, bool)):
        return None
    end = len(path.nodes)
    later = Expression(CONSTANT, (), bound.value + n_rounds)
    nodes = (*path.nodes, later, Expression(condition.op, (end, condition.args[1]), False))
    return Question(Path(nodes, (*earlier, PathEntry("", False, end + 1))))


def rounds_to_length(path: Path, own: int, end: int) -> int:
    """Returns after how many rounds beside the next one a loop has built a text as long as the one that is wanted.

    own: the number of the condition that compares the text with a constant. end: of the one with which the loop ended.
    0: not known, or the next round is enough.
    """
    compared = path.nodes[path.without_negation(path.entries[own].node)]
    sides = [path.nodes[arg] for arg in compared.args] if compared.op == "===" else []
    texts = [side.value for side in sorted(sides, key=lambda side: side.op == CONSTANT) if isinstance(side.value, str)]
    ended = path.nodes[path.entries[end].node]
    n_rounds = path.nodes[ended.args[0]].value if ended.op == "<" else 0
    if len(texts) != 2 or isinstance(n_rounds, str) or n_rounds < 1:
        return 0
    built, wanted = (len(text) for text in texts)
    n_wanted = n_rounds * wanted / built if built else 0
    return max(0, int(n_wanted - n_rounds) - 1) if float(n_wanted).is_integer() else 0


def _inputs_by_node(path: Path) -> list[frozenset[str]]:
    """Returns the places of the inputs that each node depends on."""
    found: list[frozenset[str]] = []
    for node in path.nodes:
        parts = [found[arg] for arg in node.args if found[arg]]
        if node.place:
            found.append(frozenset((node.place,)))
        else:
            found.append(parts[0] if len(set(parts)) == 1 else frozenset[str]().union(*parts))
    return found


def _related(
    entries: Sequence[PathEntry], inputs: Sequence[frozenset[str]], places: set[str]
) -> Iterator[tuple[int, bool, bool]]:
    """Yields the conditions that depend on one of the places, or on inputs that such conditions depend on; each once.

    places: is extended by these inputs.
    """
    is_growing = True
    while is_growing:
        size = len(places)
        for entry in entries:
            if not places.isdisjoint(inputs[entry.node]):
                places |= inputs[entry.node]
        is_growing = len(places) > size
    related = ((one.node, one.is_taken, one.is_merged) for one in entries if not places.isdisjoint(inputs[one.node]))
    yield from dict.fromkeys(related)
