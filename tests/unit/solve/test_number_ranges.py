"""Ranges of numbers hold for what is computed."""

from random import Random

import pytest

from wimble.solve.path_conditions import Expression, Path
from wimble.solve.terms.number_ranges import ranges_of
from wimble.solve.values.node_values import node_values

OPERATORS = ("+", "-", "*", "%", "&", "|", "^", "<<", ">>", ">>>", "min", "max", "negate", "abs", "~", "imul", "ite")
UNARY = ("negate", "abs", "~")
LIMIT = 1000


def random_path(rng: Random) -> Path:
    nodes = [Expression("in:/a", (), 1), Expression("in:/s", (), "abc"), Expression("k", (), 0)]
    nodes += [Expression("charCodeAt", (1, 2), 97), Expression("k", (), rng.choice((1, 2, 5, 8, 255, 65521)))]
    nodes.append(Expression("<", (0, 3), True))
    numbers = [0, 3, 4]
    for _ in range(8):
        op = rng.choice(OPERATORS)
        args = (rng.choice(numbers), rng.choice(numbers))
        args = args[:1] if op in UNARY else (5, *args) if op == "ite" else args
        numbers.append(len(nodes))
        nodes.append(Expression(op, args, 0))
    return Path(tuple(nodes))


@pytest.mark.parametrize("seed", range(40))
def test_each_number_lies_in_its_range(seed: int) -> None:
    rng = Random(seed)
    path = random_path(rng)
    ranges = ranges_of(path, of_inputs=(-LIMIT, LIMIT), greatest_code=0x7E)
    assert ranges[3] == (0, 0x7E)
    for _ in range(60):
        inputs = {"/a": rng.randint(-LIMIT, LIMIT), "/s": chr(rng.randint(0x20, 0x7E))}
        for node, value, known in zip(path.nodes, node_values(path, inputs), ranges, strict=True):
            if known is not None and value is not None and not isinstance(value, str):
                assert known[0] <= value <= known[1], (node, value, known)


def test_characters_of_constants_and_decoded_texts_count() -> None:
    code = Expression("charCodeAt", (2, 1), 0)
    nodes = (Expression("in:/s", (), "a"), Expression("k", (), 0), Expression("concat", (0, 3), ""), code)
    assert ranges_of(Path((*nodes[:2], Expression("k", (), "\xe9"), code)), of_inputs=(0, 1), greatest_code=0x7E)[
        3
    ] == (
        0,
        0xE9,
    )
    decoded = Path((*nodes[:2], Expression("fromBase64", (0,), ""), code))
    assert ranges_of(decoded, of_inputs=(0, 1), greatest_code=0x7E)[3] == (0, 0xFFFF)


def test_of_a_table_they_are_its_values() -> None:
    table = Expression("k", (), '[["a",3],["b",-7]]')
    path = Path((Expression("in:/s", (), "a"), table, Expression("chosen", (0, 1), 3)))
    assert ranges_of(path, of_inputs=(0, 1), greatest_code=0x7E)[2] == (-7, 3)
