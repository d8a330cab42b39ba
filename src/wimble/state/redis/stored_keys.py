"""Reads keys of Redis as rows of the tables in `databases/redis/key_tables.py`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from wimble.databases.redis.key_tables import TABLES
from wimble.databases.sql.relevant_rows import MAX_ROWS, rows_query
from wimble.model.database import QueryResult, Row, Table
from wimble.types import Json

READ_VALUES: Final = """local r = {}
for i, k in ipairs(KEYS) do
  local t = redis.call('TYPE', k).ok
  local v = {}
  if t == 'string' then v = {redis.call('GETRANGE', k, 0, 9999)}
  elseif t == 'hash' and redis.call('HLEN', k) < 1000 then v = redis.call('HGETALL', k)
  elseif t == 'set' and redis.call('SCARD', k) < 1000 then v = redis.call('SMEMBERS', k)
  elseif t == 'zset' then v = redis.call('ZRANGE', k, 0, 99, 'WITHSCORES')
  elseif t == 'list' then v = redis.call('LRANGE', k, 0, 99) end
  r[i] = {t, v}
end
return r"""

_TYPES: Final = {"string": "strings", "hash": "hashes", "set": "sets", "zset": "sorted_sets", "list": "lists"}
_QUERIES: Final = {rows_query(table, "redis"): table for table in TABLES}


def table_asked(text: str) -> Table | None:
    """Returns the table whose rows the query of `rows_query` fetches; None for other queries."""
    return _QUERIES.get(text)


def rows_of_table(table: Table, keys: Sequence[Json], values: Sequence[Json]) -> QueryResult:
    """Returns up to MAX_ROWS rows of a table. values: the result of the script `READ_VALUES` for the keys."""
    rows: list[Row] = []
    for key, (kind, held) in zip(keys, values, strict=True):
        if _TYPES.get(kind) == table.name.name and isinstance(key, str):
            rows += _rows(kind, key, held)
    return QueryResult(columns=tuple(column.name for column in table.columns), rows=tuple(rows[:MAX_ROWS]))


def _rows(kind: str, key: str, held: Sequence[Json]) -> Iterator[Row]:
    if kind in ("hash", "zset"):
        yield from ((key, held[index], held[index + 1]) for index in range(0, len(held) - 1, 2))
    else:
        yield from ((key, value) for value in (sorted(held, key=str) if kind == "set" else held))
