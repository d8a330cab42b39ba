"""The nearest combination of rows is found without looking at each, and is the one that looking at each finds."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest

from wimble.databases.conditions.stored_values import Cells
from wimble.databases.conditions.truth import all_of
from wimble.databases.sql.row_sources import least_distance
from wimble.databases.sql.scope import Scope
from wimble.databases.sql.select import SelectQuery
from wimble.databases.sql.sql_statements import statement

JOINED = "SELECT * FROM a JOIN b ON b.x = a.x AND b.y > 3 JOIN c ON c.y = b.y WHERE a.name = 'Kari' AND (c.x < a.y OR b.name LIKE 'O%')"


def select(text: str) -> SelectQuery:
    found = statement(text, "postgres")
    assert found is not None and isinstance(found.query, SelectQuery)
    return found.query


def row(rng: Random) -> Cells:
    return {"x": rng.randint(0, 9), "y": rng.choice([None, rng.randint(0, 9)]), "name": rng.choice(["Kari", "Ola", ""])}


def looked_at_each(query: SelectQuery, tables: dict[str, list[Cells]]) -> float:
    distances = [1.0]
    for rows in product(*(tables[source.alias] for source in query.sources)):
        aliases = {source.alias: one for source, one in zip(query.sources, rows, strict=True)}
        scope = Scope(tables, (), aliases=aliases)
        joins = [condition for source in query.sources for condition in source.conditions]
        distances.append(all_of([condition(scope) for condition in (*joins, *query.conditions)]).to_true)
    return min(distances)


@pytest.mark.parametrize("seed", range(30))
def test_it_is_the_one_that_looking_at_each_finds(seed: int) -> None:
    rng = Random(seed)
    query = select(JOINED)
    tables: dict[str, Any] = {name: [row(rng) for _ in range(rng.randint(0, 5))] for name in "abc"}
    found = least_distance(query.sources, query.conditions, Scope(tables, ()))
    assert found == pytest.approx(looked_at_each(query, tables))


def test_an_outer_join_without_a_match_offers_nulls() -> None:
    query = select("SELECT * FROM a LEFT JOIN b ON b.x = a.x WHERE b.x IS NULL AND a.name = 'Ola'")
    tables = {"a": [{"x": 1, "name": "Ola"}], "b": [{"x": 2}]}
    near = least_distance(query.sources, query.conditions, Scope(tables, ()))
    far = least_distance(query.sources, query.conditions, Scope(tables | {"b": [{"x": 1}]}, ()))
    assert near == 0.0 < far


def test_rows_that_are_further_already_are_not_looked_at_to_their_end() -> None:
    asked: list[int] = []

    def counted(scope: Scope) -> Any:
        asked.append(1)
        return query.conditions[1](scope)

    query = select("SELECT * FROM a WHERE a.x = 5 AND a.y = 5")
    rows: list[Cells] = [{"x": 1000, "y": 5}] * 50 + [{"x": 5, "y": 5}]
    least = least_distance(query.sources, [query.conditions[0], counted], Scope({"a": rows}, ()))
    assert least == 0.0 and len(asked) == 1
