"""Values of nodes for other inputs, where texts are no numbers."""

import pytest

from wimble.solve.path_conditions import Expression, Path
from wimble.solve.values.node_values import node_values


@pytest.mark.parametrize(
    ("op", "expected"), [("<", False), ("<=", False), ("===", False), ("min", None), ("max", None), ("sign", None)]
)
@pytest.mark.parametrize("read", ["toNumber", "parseInt", "parseFloat"])
def test_what_is_computed_with_a_text_that_is_no_number(op: str, expected: bool | None, read: str) -> None:
    args = (1,) if op == "sign" else (1, 2)
    nodes = (
        Expression("in:/a", (), "5"),
        Expression(read, (0,), 5),
        Expression("k", (), 7),
        Expression(op, args, 0),
        Expression("<", (3, 2), True),
    )
    values = node_values(Path(nodes), {"/a": "abc"})
    assert values[3] is expected if expected is not None else values[4] is False
