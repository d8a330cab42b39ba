"""Redis as five tables, so that keys are looked for, missed and brought like rows.

A command that asks for a key is told as the SELECT that it would be if each kind of value were a table: `HGET session:1 role` looks for
a row of `redis.hashes` with this key and field. All that is known about distances, about inputs behind operands and about rows to insert holds
for keys then, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import msgspec

from wimble.model.database import Column, Command, Database, Table, TableName
from wimble.sql.scope import Cells
from wimble.sql.values import to_number
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
"""A row for each element, in their order."""
TABLES = (STRINGS, HASHES, SETS, SORTED_SETS, LISTS)

Told = tuple[str, Sequence[Json]]
"""SQL and its parameters."""
Teller = Callable[[Sequence[Json]], Told | None]
"""From the arguments of a command; None where they are none that it takes."""


def database_of_keys(database_id: str, name: str) -> Database:
    return Database(id=database_id, dialect="redis", tables=TABLES, name=name)


def as_query(command: Command) -> Command | None:
    """The command as a query on the tables above; None where it asks for nothing."""
    teller = _TELLERS.get(command.text)
    told = teller(command.params) if teller is not None else None
    if told is None:
        return None
    return msgspec.structs.replace(
        command, text=told[0], params=tuple(told[1]), returned=_n_found(command), affected=None
    )


def as_missed(rows: Mapping[str, Sequence[Cells]], command: Command) -> dict[str, Sequence[Cells]]:
    """The rows without those of the key that the command has missed: it was made after that, by INCR itself or to remember what was missing."""
    missed = str(command.params[0])
    return {table: [row for row in held if row.get("key") != missed] for table, held in rows.items()}


def _n_found(command: Command) -> int | None:
    """How much of what was asked for was there before the command."""
    replied = command.returned
    if replied is None or command.text not in _CREATING:
        return replied
    if command.text in ("INCR", "HINCRBY", "ZINCRBY", "INCRBY"):
        return int(replied > _step(command))  # what is new starts at 0
    return int(replied == 0)  # it was there, so it was not set


def _step(command: Command) -> int:
    """What an increment adds."""
    places = {"INCRBY": 1, "HINCRBY": 2, "ZINCRBY": 1}
    try:
        return int(command.params[places[command.text]])
    except (KeyError, IndexError, TypeError, ValueError):
        return 1


_CREATING = frozenset(["INCR", "INCRBY", "HINCRBY", "ZINCRBY", "SETNX", "HSETNX", "SET"])
"""Commands that make what they do not find."""


# -- commands -----------------------------------------------------------------------------------------------------


def _by_key(table: Table, *, writes: bool = False) -> Teller:
    return lambda args: (f"{_start(table, writes)} WHERE key = ?", args[:1]) if args else None


def _by_key_and(table: Table, column: str, place: int = 1, *, writes: bool = False) -> Teller:
    """place: of the field or member among the arguments."""

    def tell(args: Sequence[Json]) -> Told | None:
        if len(args) <= place:
            return None
        return f"{_start(table, writes)} WHERE key = ? AND {column} = ?", (args[0], args[place])

    return tell


def _by_one_of(table: Table, column: str, n_before: int) -> Teller:
    """n_before: 1 where a key stands before what may be several."""

    def tell(args: Sequence[Json]) -> Told | None:
        if len(args) <= n_before:
            return None
        places = ", ".join("?" * (len(args) - n_before))
        return f"{_start(table)} WHERE {'key = ? AND ' if n_before else ''}{column} IN ({places})", args

    return tell


def _by_score(args: Sequence[Json]) -> Told | None:
    """ZRANGEBYSCORE and ZCOUNT: `(5` is more than 5, `-inf` no limit."""
    if len(args) < 3:
        return None
    text, params = f"{_start(SORTED_SETS)} WHERE key = ?", [args[0]]
    for limit, operator in ((str(args[1]), ">"), (str(args[2]), "<")):
        if limit.lstrip("+-(") != "inf":
            text += f" AND score {operator}{'' if limit.startswith('(') else '='} ?"
            params.append(to_number(limit.lstrip("(")))
    return text, params


def _by_pattern(args: Sequence[Json]) -> Told | None:
    """KEYS."""
    return (f"{_start(STRINGS)} WHERE key GLOB ?", args[:1]) if args else None


def _counted(args: Sequence[Json]) -> Told | None:
    """What cannot be counted up is refused."""
    return (f"{_start(STRINGS, True)} WHERE key = ? AND CAST(value AS INTEGER) > 0", args[:1]) if args else None


def _set(args: Sequence[Json]) -> Told | None:
    """SET asks only with NX: whether somebody else holds it."""
    words = {str(arg).upper() for arg in args[2:]}
    return _by_key(STRINGS, writes=True)(args) if "NX" in words else None


def _start(table: Table, writes: bool = False) -> str:
    """As an UPDATE where the command changes what it finds."""
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
