"""Models Redis as five tables, so that keys are found, missed and inserted like rows.

Each type of value is a table, and a command that looks up a key is translated to a SELECT or UPDATE on it: `HGET
session:1 role` looks for a row of `redis.hashes` with this key and field. So distances, the inputs that operands come
from, and rows to insert are computed for keys with the code for rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from wimble.databases.conditions.stored_values import Cells, to_number
from wimble.model.database import Column, Database, DatabaseCommand, Table, TableName
from wimble.types import Json

SCHEMA = "redis"
KEY = Column(name="key", type_name="text", type="text", length=200, is_nullable=False)
VALUE = Column(name="value", type_name="text", type="text", is_nullable=False)
FIELD = Column(name="field", type_name="text", type="text", is_nullable=False)
MEMBER = Column(name="member", type_name="text", type="text", is_nullable=False)
SCORE = Column(name="score", type_name="double", type="float", is_nullable=False)

STRINGS = Table(name=TableName("strings", SCHEMA), columns=(KEY, VALUE), primary_key=("key",))
HASHES = Table(name=TableName("hashes", SCHEMA), columns=(KEY, FIELD, VALUE), primary_key=("key", "field"))
SETS = Table(name=TableName("sets", SCHEMA), columns=(KEY, MEMBER), primary_key=("key", "member"))
SORTED_SETS = Table(name=TableName("sorted_sets", SCHEMA), columns=(KEY, MEMBER, SCORE), primary_key=("key", "member"))
LISTS = Table(name=TableName("lists", SCHEMA), columns=(KEY, VALUE))
"""One row per element, in order."""
TABLES = (STRINGS, HASHES, SETS, SORTED_SETS, LISTS)

Told = tuple[str, Sequence[Json]]
"""A query in SQL, and its parameters."""
Teller = Callable[[Sequence[Json]], Told | None]
"""Translates the arguments of a command to a query; returns None if the arguments are too few or look up no key."""


def database_of_keys(database_id: str, name: str) -> Database:
    """Returns a Redis database with the tables above as its schema."""
    return Database(id=database_id, dialect="redis", tables=TABLES, name=name)


def as_query(command: DatabaseCommand) -> DatabaseCommand | None:
    """Returns the command as a query on the tables above; None if it looks up no key."""
    teller = _TELLERS.get(command.text)
    told = teller(command.params) if teller is not None else None
    if told is None:
        return None
    return msgspec.structs.replace(
        command, text=told[0], params=tuple(told[1]), returned=_n_found(command), affected=None
    )


def as_missed(rows: Mapping[str, Sequence[Cells]], command: DatabaseCommand) -> dict[str, Sequence[Cells]]:
    """Returns the rows without those of the key that the command did not find.

    Such rows were written after the lookup, by the command itself (INCR) or by a program that fills a cache.
    """
    missed = str(command.params[0])
    return {table: [row for row in held if row.get("key") != missed] for table, held in rows.items()}


def _n_found(command: DatabaseCommand) -> int | None:
    """Returns the number of values that existed before the command; None if it returned no number."""
    replied = command.returned
    if replied is None or command.text not in _CREATING:
        return replied
    if command.text in ("INCR", "HINCRBY", "ZINCRBY", "INCRBY"):
        return int(replied > _step(command))  # a new value starts at 0
    return int(replied == 0)  # 0: the key existed, so it was not set


def _step(command: DatabaseCommand) -> int:
    """Returns the number that an increment adds."""
    places = {"INCRBY": 1, "HINCRBY": 2, "ZINCRBY": 1}
    try:
        return int(command.params[places[command.text]])
    except (KeyError, IndexError, TypeError, ValueError):
        return 1


_CREATING = frozenset(["INCR", "INCRBY", "HINCRBY", "ZINCRBY", "SETNX", "HSETNX", "SET"])
"""Commands that create the key if it does not exist."""


# -- commands -----------------------------------------------------------------------------------------------------


def _by_key(table: Table, *, writes: bool = False) -> Teller:
    return lambda args: (f"{_start(table, writes)} WHERE key = ?", args[:1]) if args else None


def _by_key_and(table: Table, column: str, place: int = 1, *, writes: bool = False) -> Teller:
    """Returns the translation of a lookup by key and `column`, whose value is the argument with index `place`."""

    def tell(args: Sequence[Json]) -> Told | None:
        if len(args) <= place:
            return None
        return f"{_start(table, writes)} WHERE key = ? AND {column} = ?", (args[0], args[place])

    return tell


def _by_one_of(table: Table, column: str, n_before: int) -> Teller:
    """Returns the translation of a lookup of several values of `column`.

    n_before: 1 if a key precedes the list of members or fields in the arguments, else 0.
    """

    def tell(args: Sequence[Json]) -> Told | None:
        if len(args) <= n_before:
            return None
        places = ", ".join("?" * (len(args) - n_before))
        return f"{_start(table)} WHERE {'key = ? AND ' if n_before else ''}{column} IN ({places})", args

    return tell


def _by_score(args: Sequence[Json]) -> Told | None:
    """Translates ZRANGEBYSCORE and ZCOUNT: `(5` excludes the limit 5, `-inf` and `+inf` are no limits."""
    if len(args) < 3:
        return None
    text, params = f"{_start(SORTED_SETS)} WHERE key = ?", [args[0]]
    for limit, operator in ((str(args[1]), ">"), (str(args[2]), "<")):
        if limit.lstrip("+-(") != "inf":
            text += f" AND score {operator}{'' if limit.startswith('(') else '='} ?"
            params.append(to_number(limit.lstrip("(")))
    return text, params


def _by_pattern(args: Sequence[Json]) -> Told | None:
    """Translates KEYS."""
    return (f"{_start(STRINGS)} WHERE key GLOB ?", args[:1]) if args else None


def _counted(args: Sequence[Json]) -> Told | None:
    """Translates INCR and INCRBY, which fail if the value is not a number."""
    return (f"{_start(STRINGS, True)} WHERE key = ? AND CAST(value AS INTEGER) > 0", args[:1]) if args else None


def _set(args: Sequence[Json]) -> Told | None:
    """Translates SET, which looks up a key only with NX; None without NX."""
    words = {str(arg).upper() for arg in args[2:]}
    return _by_key(STRINGS, writes=True)(args) if "NX" in words else None


def _start(table: Table, writes: bool = False) -> str:
    """Returns the start of the query, which is an UPDATE if the command changes the value (`writes`)."""
    last = table.columns[-1].name
    return f"UPDATE {table.name} SET {last} = {last}" if writes else f"SELECT {last} FROM {table.name}"


_TELLERS: dict[str, Teller] = {
    **dict.fromkeys(("GET", "STRLEN", "GETRANGE", "TTL", "PTTL", "TYPE"), _by_key(STRINGS)),
    **dict.fromkeys(
        ("GETEX", "GETDEL", "SETNX", "EXPIRE", "PEXPIRE", "PERSIST"), _by_key(STRINGS, writes=True)
    ),
    **dict.fromkeys(("INCR", "INCRBY"), _counted),
    "SET": _set,
    "MGET": _by_one_of(STRINGS, "key", 0),
    "EXISTS": _by_one_of(STRINGS, "key", 0),
    "KEYS": _by_pattern,
    **dict.fromkeys(("HGET", "HEXISTS", "HSTRLEN"), _by_key_and(HASHES, "field")),
    **dict.fromkeys(("HINCRBY", "HSETNX", "HDEL"), _by_key_and(HASHES, "field", writes=True)),
    "HMGET": _by_one_of(HASHES, "field", 1),
    **dict.fromkeys(("HGETALL", "HKEYS", "HVALS", "HLEN"), _by_key(HASHES)),
    "SISMEMBER": _by_key_and(SETS, "member"),
    "SMISMEMBER": _by_one_of(SETS, "member", 1),
    "SREM": _by_key_and(SETS, "member", writes=True),
    **dict.fromkeys(("SMEMBERS", "SCARD", "SRANDMEMBER"), _by_key(SETS)),
    "SPOP": _by_key(SETS, writes=True),
    **dict.fromkeys(("ZSCORE", "ZRANK", "ZREVRANK"), _by_key_and(SORTED_SETS, "member")),
    "ZINCRBY": _by_key_and(SORTED_SETS, "member", 2, writes=True),
    "ZREM": _by_key_and(SORTED_SETS, "member", writes=True),
    **dict.fromkeys(("ZCARD", "ZRANGE", "ZREVRANGE"), _by_key(SORTED_SETS)),
    **dict.fromkeys(("ZRANGEBYSCORE", "ZCOUNT"), _by_score),
    **dict.fromkeys(("LLEN", "LRANGE", "LINDEX", "LPOS"), _by_key(LISTS)),
    **dict.fromkeys(("LPOP", "RPOP"), _by_key(LISTS, writes=True)),
}  # fmt: skip
