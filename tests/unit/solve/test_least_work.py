"""What little work finds is found with little work: these questions took the rungs half a million units and more."""

from __future__ import annotations

from wimble.solve.ladder import solved
from wimble.solve.path_conditions import Expression, Path, PathEntry, Scalar
from wimble.solve.questions import Question

LITTLE = 150_000


class Nodes:
    """Collects the expressions of a path."""

    def __init__(self) -> None:
        self.all: list[Expression] = []

    def add(self, op: str, *args: int, value: Scalar) -> int:
        self.all.append(Expression(op, args, value))
        return len(self.all) - 1

    def constant(self, value: Scalar) -> int:
        return self.add("k", value=value)

    def question(self, *entries: tuple[bool, int, bool]) -> Question:
        """entries: outcome, node, and whether it only chose a value; the last one is asked about."""
        return Question(
            Path(tuple(self.all), tuple(PathEntry("", taken, node, merged) for taken, node, merged in entries))
        )


def test_parts_of_other_lengths_do_not_hold_the_separator() -> None:
    """`h.length === 2 && m.length === 2` of `[h, m] = t.split(':')` shall be false, while neither is a number."""
    nodes = Nodes()
    text, colon, two = nodes.add("in:/path/t", value="ab:u0:p9"), nodes.constant(":"), nodes.constant(2)
    entries, same = [], []
    for number, part in enumerate(("ab", "u0")):
        one = nodes.add("part", text, colon, nodes.constant(number), value=part)
        entries.append((True, nodes.add("isNaN", one, value=True), False))
        length = nodes.add("length", one, value=2)
        same.append(nodes.add("===", length, two, value=True))
    both = nodes.add("ite", same[0], same[1], same[0], value=True)
    chosen = [(True, node, True) for node in same]
    answer = solved(nodes.question(*entries, *chosen, (True, both, False)))
    assert answer.values is not None
    parts = str(answer.values["/path/t"]).split(":")
    assert (len(parts[0]), len(parts[1])) != (2, 2)
    assert answer.work < LITTLE


def test_a_text_whose_length_a_pattern_fixes_is_not_tried_in_other_lengths() -> None:
    nodes = Nodes()
    text = nodes.add("in:/body/number", value="4000505000500000")
    matches = nodes.add("test", text, nodes.constant(r"^4\d{15}$"), nodes.constant(""), value=True)
    longer = nodes.add("<", nodes.constant(16), nodes.add("length", text, value=16), value=False)
    answer = solved(nodes.question((True, matches, False), (False, longer, False)))
    assert answer.values is None
    assert set(answer.missed) == {"characters"}


def test_what_the_first_rung_finds_for_any_outcome_is_found_before_all_rungs_try_the_traced_one() -> None:
    """A character that has to be a digit, of which the run has chosen what it is compared with."""
    nodes = Nodes()
    text, entries = nodes.add("in:/path/code", value="xx\\xx"), []
    low, high = nodes.constant("0"), nodes.constant("9")
    for number, character in enumerate("xx\\xx"):
        one = nodes.add("charAt", text, nodes.constant(number), value=character)
        is_low = nodes.add("<=", low, one, value=True)
        is_high = nodes.add("<=", one, high, value=False)
        entries += [(True, is_low, True), (False, is_high, True)]
        entries.append((False, nodes.add("ite", is_low, is_high, is_low, value=False), number < 4))
    answer = solved(nodes.question(*entries))
    assert answer.values is not None
    assert str(answer.values["/path/code"])[4].isdigit()
    assert answer.work < LITTLE // 8


def test_more_parts_are_asked_for_before_characters_also_if_that_is_negated() -> None:
    nodes = Nodes()
    text, dot = nodes.add("in:/path/ip", value="ugrh3.u1ss1.eni5s"), nodes.constant(".")
    first = nodes.add("part", text, dot, nodes.constant(0), value="ugrh3")
    count = nodes.add("parts", text, dot, value=3)
    is_four = nodes.add("===", count, nodes.constant(4), value=False)
    entries = [(True, nodes.add("isNaN", first, value=True), False)]
    answer = solved(nodes.question(*entries, (True, nodes.add("!", is_four, value=True), False)))
    assert (answer.rung, answer.missed) == ("parts", {})
    assert answer.values is not None
    assert str(answer.values["/path/ip"]).count(".") == 3


def test_products_of_many_numbers_end_soon() -> None:
    """A determinant of three rows shall be 97: it took 42 s, far beyond its limit."""
    nodes = Nodes()
    numbers = (8, 4, 0, 173_880, 998_357, 10, 1, 0, 0)
    a, b, c, d, e, f, g, h, i = (
        nodes.add(f"in:/body/{name}", value=n) for name, n in zip("abcdefghi", numbers, strict=True)
    )

    def computed(op: str, left: int, right: int) -> int:
        x, y = int(nodes.all[left].value), int(nodes.all[right].value)
        return nodes.add(op, left, right, value={"*": x * y, "-": x - y, "+": x + y}[op])

    def minor(factor: int, first: tuple[int, int], second: tuple[int, int]) -> int:
        return computed("*", factor, computed("-", computed("*", *first), computed("*", *second)))

    rest = computed("-", minor(a, (e, i), (f, h)), minor(b, (d, i), (f, g)))
    total = computed("+", rest, minor(c, (d, h), (e, g)))
    is_wanted = nodes.add("===", total, nodes.constant(97), value=False)
    trace = computed("+", computed("+", a, e), i)
    answer = solved(nodes.question((False, is_wanted, False)))
    assert answer.values is not None
    is_six = nodes.add("===", trace, nodes.constant(6), value=False)
    both = nodes.add("ite", is_wanted, is_six, is_wanted, value=False)
    answer = solved(nodes.question((False, is_wanted, True), (False, both, False)))
    assert answer.values is not None
    assert answer.work < 20 * LITTLE
