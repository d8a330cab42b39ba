"""The catalogue of MySQL: which tables number their rows, so that suites can set the counter back."""

from __future__ import annotations

from typing import Any

from wimble.model.database import QueryResult, TableName
from wimble.state.sql.mysql_catalogue import COLUMNS, KEYS, TABLES, read_mysql


def column(table: str, name: str, extra: str) -> tuple[Any, ...]:
    return (table, name, "int", "int", None, 10, 0, None, "NO", None, extra)


ROWS: dict[str, tuple[tuple[Any, ...], ...]] = {
    TABLES: (("owners", "BASE TABLE"), ("codes", "BASE TABLE"), ("all_owners", "VIEW")),
    COLUMNS: (column("owners", "id", "auto_increment"), column("codes", "id", ""), column("all_owners", "id", "")),
    KEYS: (("owners", "PRIMARY", "id"), ("codes", "PRIMARY", "id")),
}


def test_tables_whose_rows_are_numbered_have_a_counter() -> None:
    def run_query(text: str, _params: Any) -> QueryResult:
        return QueryResult(columns=(), rows=ROWS.get(text, ()))

    catalogue = read_mysql(run_query, "mysql:localhost:3306/shop", "shop")
    assert [(one.table, one.name) for one in catalogue.sequences] == [(TableName("owners"), "owners")]
