"""What is known of parts of texts that take the place of inputs (reversible.py), as further conditions of a path.

A number has bounds where its text has matched a pattern or has to keep its length, what a group has captured still
matches the group, what was split off does not hold the separator, and what was looked up in a table is one of its
values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from wimble.solve.path_conditions import CONSTANT, Expression, Path, PathEntry, Scalar
from wimble.solve.patterns.matching_numbers import bounds_of_numbers, only_length
from wimble.solve.patterns.regex_groups import group_source
from wimble.solve.values.node_values import table_entries

READS_NUMBER: Final = frozenset(("toNumber", "parseInt", "parseFloat"))
Condition: TypeAlias = tuple[str, tuple[Scalar, ...], tuple[Scalar, ...]]
"""An operation that holds, with the constants before and after the part among its arguments."""


def with_known_of_parts(changed: Path, path: Path, parts: Sequence[int]) -> Path:
    """Returns the path in which parts are inputs with these conditions before all others.

    parts: their nodes, which have the same indexes in the original path.
    """
    return with_conditions(changed, ((index, condition) for index in parts for condition in _known(path, index)))


def with_conditions(path: Path, conditions: Iterable[tuple[int, Condition]]) -> Path:
    """Returns the path with further conditions before all others, each of a node of the path."""
    nodes, entries = list(path.nodes), list(path.entries)
    for index, (op, before, after) in conditions:
        args = []
        for value in (*before, None, *after):
            args.append(index if value is None else len(nodes))
            if value is not None:
                nodes.append(Expression(CONSTANT, (), value))
        entries.insert(0, PathEntry("", True, len(nodes)))
        nodes.append(Expression(op, tuple(args), True))
    return Path(tuple(nodes), tuple(entries))


def _known(path: Path, index: int) -> Iterator[Condition]:
    node = path.nodes[index]
    if node.op in READS_NUMBER:
        yield from _bounds_of(path, index)
    elif node.op == "capture":
        inner = _source_of_group(path, node)
        if inner is not None:
            yield "test", (), (f"^(?:{inner})$", path.nodes[node.args[2]].value)
    elif node.op == "part":
        separator = str(path.nodes[node.args[1]].value)
        if len(separator) == 1:
            yield "test", (), (f"^[^{re.escape(separator)}]*$", "")
    elif node.op == "chosen":
        values = dict.fromkeys(value for _, value in table_entries(str(path.nodes[node.args[1]].value)))
        yield "isKey", (), (json.dumps([[value, True] for value in values]),)


def _bounds_of(path: Path, index: int) -> Iterator[Condition]:
    """Yields the bounds of a number in a text: those of `/^\\d{1,3}$/` are not negative."""
    text = path.nodes[index].args[0]
    for entry in path.entries[:-1]:
        test = path.nodes[entry.node]
        if test.op == "test" and entry.is_taken and test.args[0] == text:
            yield from _bounds_by_pattern(path, test)
    if path.nodes[text].op == "part" and path.nodes[path.nodes[text].args[1]].value == "-":
        yield "<=", (0,), ()
    if has_fixed_width(path, text):
        radix = path.nodes[path.nodes[index].args[1]].value if len(path.nodes[index].args) > 1 else 10
        yield "<=", (0,), ()
        yield "<=", (), (int(radix or 10) ** len(str(path.nodes[text].value)) - 1,)


def _bounds_by_pattern(path: Path, test: Expression) -> Iterator[Condition]:
    source, flags = (str(path.nodes[arg].value) for arg in test.args[1:3])
    bounds = bounds_of_numbers(source, flags)
    if bounds is None:
        return
    has_zeros = str(path.nodes[test.args[0]].value).startswith("0")  # it is printed with as many digits
    least = 0 if has_zeros and bounds.least is not None and bounds.least > 0 else bounds.least
    if least is not None:
        yield "<=", (least,), ()
    if bounds.greatest is not None:
        yield "<=", (), (bounds.greatest,)


def has_fixed_width(path: Path, index: int) -> bool:
    """Whether a text has to keep its length, and holds digits, which can be written with zeros before."""
    node = path.nodes[index]
    if not str(node.value).isalnum():
        return False
    if node.op == "capture":
        group = _source_of_group(path, node)
        return group is not None and only_length(f"^(?:{group})$", str(path.nodes[node.args[2]].value)) is not None
    return node.op in ("slice", "substring") and len(node.args) == 3


def _source_of_group(path: Path, capture: Expression) -> str | None:
    source, group = (path.nodes[arg].value for arg in (capture.args[1], capture.args[3]))
    return group_source(str(source), int(group)) if isinstance(group, (int, float)) else None
