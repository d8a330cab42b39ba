"""Resets and fills a Redis database.

As for tables, no change is overlooked: each argument of a command that does not only read counts as a key that it may
have changed. A reset restores the value of a key that existed, and removes a key that did not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeVar

import msgspec

from wimble.agent.mocks.connection_proxy import Connected
from wimble.databases.redis.key_tables import database_of_keys
from wimble.model.database import Database, InsertRows, QueryResult
from wimble.model.setup_kinds.insert_key import insert_command
from wimble.state.proxied_database import Refused, RunQuery, rows_of
from wimble.state.recovery_file import RecoveryFile
from wimble.state.redis.stored_keys import READ_VALUES, rows_of_table, table_asked
from wimble.state.resettable import Resettable
from wimble.types import Json

READING: Final = frozenset(
    [
        "GET",
        "MGET",
        "STRLEN",
        "GETRANGE",
        "SUBSTR",
        "EXISTS",
        "TYPE",
        "TTL",
        "PTTL",
        "EXPIRETIME",
        "PEXPIRETIME",
        "KEYS",
        "SCAN",
        "RANDOMKEY",
        "DBSIZE",
        "OBJECT",
        "MEMORY",
        "DUMP",
        "TOUCH",
        "LCS",
        "HGET",
        "HMGET",
        "HGETALL",
        "HKEYS",
        "HVALS",
        "HLEN",
        "HEXISTS",
        "HSTRLEN",
        "HSCAN",
        "HRANDFIELD",
        "LLEN",
        "LRANGE",
        "LINDEX",
        "LPOS",
        "SCARD",
        "SMEMBERS",
        "SISMEMBER",
        "SMISMEMBER",
        "SRANDMEMBER",
        "SSCAN",
        "SINTER",
        "SUNION",
        "SDIFF",
        "SINTERCARD",
        "ZCARD",
        "ZCOUNT",
        "ZRANGE",
        "ZREVRANGE",
        "ZRANGEBYSCORE",
        "ZREVRANGEBYSCORE",
        "ZRANGEBYLEX",
        "ZREVRANGEBYLEX",
        "ZRANK",
        "ZREVRANK",
        "ZSCORE",
        "ZMSCORE",
        "ZSCAN",
        "ZLEXCOUNT",
        "ZRANDMEMBER",
        "ZINTER",
        "ZUNION",
        "ZDIFF",
        "ZINTERCARD",
        "BITCOUNT",
        "BITPOS",
        "GETBIT",
        "PFCOUNT",
        "XLEN",
        "XRANGE",
        "XREVRANGE",
        "XREAD",
        "XINFO",
        "XPENDING",
        "GEOPOS",
        "GEODIST",
        "GEOHASH",
        "GEOSEARCH",
        "MULTI",
        "EXEC",
        "DISCARD",
        "WATCH",
        "UNWATCH",
        "PUBLISH",
        "SUBSCRIBE",
        "UNSUBSCRIBE",
        "PSUBSCRIBE",
        "PUNSUBSCRIBE",
        "SPUBLISH",
        "ECHO",
        "PING",
        "TIME",
        "INFO",
        "CONFIG",
        "COMMAND",
        "CLIENT",
        "SELECT",
        "AUTH",
        "HELLO",
        "WAIT",
        "SCRIPT",
    ]
)
"""Commands that change no key."""
SWEEPING: Final = frozenset(
    ["FLUSHALL", "FLUSHDB", "EVAL", "EVALSHA", "FCALL", "SWAPDB", "RESTORE-ASKING", "FUNCTION", "MIGRATE"]
)
"""Commands whose arguments do not show which keys they change."""

MAX_KEYS: Final = 20_000
MAX_KEYS_SHOWN: Final = 1000
"""The largest number of keys whose values are read for distances."""
KEYS_PER_SCRIPT: Final = 1000

READ: Final = """local r = {}
for i, k in ipairs(KEYS) do
  local d = redis.call('DUMP', k)
  r[i] = {d or '', d and redis.call('PTTL', k) or 0}
end
return r"""
WRITE: Final = """for i, k in ipairs(KEYS) do
  local d, t = ARGV[2 * i - 1], tonumber(ARGV[2 * i])
  redis.call('DEL', k)
  if d ~= '' then redis.call('RESTORE', k, t > 0 and t or 0, d) end
end
return 0"""

T = TypeVar("T")

GONE: Final = ""
"""The dump of a key that does not exist."""


class Entry(msgspec.Struct, frozen=True):
    """A key's value as DUMP returns it, and its time to live in milliseconds (negative: unlimited)."""

    dump: Json
    ttl_ms: int


class SavedKeys(msgspec.Struct, frozen=True):
    """The content of a database before the run."""

    database: str
    keys: tuple[tuple[Json, Entry], ...]


class RedisDatabase(Resettable):
    """A Redis database, whose keys are restored from their dumps."""

    contents = "keys"

    def __init__(
        self, connected: Connected, run_query: RunQuery, journal: RecoveryFile | None, warn: Callable[[str], None]
    ) -> None:
        super().__init__(connected, run_query, journal, warn)
        self._initial: dict[str, tuple[Json, Entry]] = {}
        """(key, entry) by `_name` of the key."""
        self._base: dict[str, tuple[Json, Entry]] = {}
        self._pending: dict[str, Json] = {}
        self._is_swept = False

    @property
    def label(self) -> str:
        return f"redis database {self.connected.name} on {self.connected.host}"

    def attach(self, *, can_write: bool) -> None:
        """Reads the keys if they may be written later."""
        if not can_write:
            return
        try:
            saved = self._journal.read(SavedKeys) if self._journal is not None else None
            if saved is not None:
                self._initial = {_name(key): (key, entry) for key, entry in saved.keys}
                self._is_swept = True
                self._put_back(is_exact=True)
                self._warn(f"keys of the {self.label} that an earlier run had left changed were put back")
            keys = self._all_keys()
            if len(keys) > MAX_KEYS:
                self._warn(f"the {self.label} holds more than {MAX_KEYS:,} keys and is not reset")
                return
            self._initial = self._read(keys)
            self._base = dict(self._initial)
            if self._journal is not None:
                self._journal.write(SavedKeys(self.connected.id, tuple(self._initial.values())))
            self.can_write = True
        except (Refused, OSError) as error:
            self._warn(f"the {self.label} is not reset between tests: {error}")

    def note(self, text: str, params: Sequence[Json]) -> None:
        """Records which keys a command of the SUT may have changed; an empty text stands for an unknown command."""
        if text in READING:
            return
        if not text or text in SWEEPING:
            self._is_swept = True
        for param in params:
            self._pending[_name(param)] = param

    def note_everything(self) -> None:
        self._is_swept = True

    @property
    def is_touched(self) -> bool:
        return self._is_swept or bool(self._pending)

    def _rebaseline(self) -> None:
        self._initial = self._read(self._all_keys())
        self._pending.clear()
        self._is_swept = False

    def baseline(self) -> object:
        return dict(self._initial)

    def use_baseline(self, baseline: object) -> None:
        assert isinstance(baseline, dict)
        for own, other in ((self._initial, baseline), (baseline, self._initial)):
            self._pending |= {name: key for name, (key, entry) in own.items() if other.get(name) != (key, entry)}
        self._initial = dict(baseline)

    def forget_rebaseline(self) -> None:
        if self._initial != self._base:
            self._initial = dict(self._base)
            self._is_swept = True

    # ---- for the search ---------------------------------------------------------------------------------------------

    @property
    def schema(self) -> Database:
        return database_of_keys(self.connected.id, self.connected.name)

    def query(self, text: str, params: tuple[Json, ...]) -> QueryResult:
        """Returns the rows of one of the tables that model the keys; other queries return an error."""
        table = table_asked(text)
        if table is None:
            return QueryResult(error="no such query")
        try:
            keys = sorted(self._all_keys(), key=_name)[:MAX_KEYS_SHOWN]
            return rows_of_table(table, keys, self._run(READ_VALUES, keys, ()))
        except Refused as error:
            return QueryResult(error=str(error))

    def insert(self, inserts: Sequence[InsertRows]) -> tuple[str, ...]:
        """Inserts keys. Returns one error message for each of `inserts`, empty if it succeeded."""
        return tuple("; ".join(self._insert(wanted)) for wanted in inserts)

    def _insert(self, wanted: InsertRows) -> Iterator[str]:
        for row in wanted.rows:
            command = insert_command(wanted, row)
            if command is None or not self.can_write:
                yield f"the {self.label} is not written to" if command is not None else "no such table or column"
                continue
            name, key, *rest = command
            self._pending[_name(key)] = key
            error = self._run_query(str(name), (key, *rest)).error
            if error:
                yield error

    def _put_back(self, *, is_exact: bool) -> None:
        """Restores all keys that may have changed. Raises: Refused."""
        suspects = dict(self._pending)
        if self._is_swept:
            suspects |= {_name(key): key for key in self._all_keys()}
            suspects |= {name: key for name, (key, _) in self._initial.items()}
        current = self._read(list(suspects.values()))
        wrong: list[tuple[Json, Entry]] = []
        for name, key in suspects.items():
            before, after = self._initial.get(name), current.get(name)
            if before is None and after is not None:
                wrong.append((key, Entry(GONE, 0)))
            elif before is not None and (after is None or not _is_same(before[1], after[1])):
                wrong.append(before)
        for some in _batches(wrong):
            arguments = [part for _, entry in some for part in (entry.dump, str(entry.ttl_ms))]
            self._run(WRITE, [key for key, _ in some], arguments)
        self._pending.clear()
        self._is_swept = False

    def _all_keys(self) -> list[Json]:
        keys: dict[str, Json] = {}
        cursor = "0"
        while True:
            ((reply,),) = rows_of(self._run_query, "SCAN", cursor, "COUNT", "1000")
            cursor = str(reply[0])
            keys |= {_name(key): key for key in reply[1]}
            if cursor == "0" or len(keys) > MAX_KEYS:
                return list(keys.values())

    def _read(self, keys: Sequence[Json]) -> dict[str, tuple[Json, Entry]]:
        """Returns the entries of those of the keys that exist. Raises: Refused."""
        found: dict[str, tuple[Json, Entry]] = {}
        for some in _batches(keys):
            for key, (dump, ttl_ms) in zip(some, self._run(READ, some, ()), strict=True):
                if dump != GONE:
                    found[_name(key)] = (key, Entry(dump, ttl_ms))
        return found

    def _run(self, script: str, keys: Sequence[Json], arguments: Sequence[Json]) -> Json:
        ((reply,),) = rows_of(self._run_query, "EVAL", script, str(len(keys)), *keys, *arguments)
        return reply


def _is_same(before: Entry, after: Entry) -> bool:
    """Returns whether two entries are equal. Since times to live decrease, only their presence is compared."""
    return before.dump == after.dump and (before.ttl_ms > 0) == (after.ttl_ms > 0)


def _name(key: Json) -> str:
    """Returns a unique name for a key, which is a text, or bytes if it is not valid text; numbers become texts."""
    if isinstance(key, str):
        return "t" + key
    if isinstance(key, dict):
        return "b" + str(key.get("$bytes"))
    return "t" + str(key)


def _batches(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), KEYS_PER_SCRIPT):
        yield items[start : start + KEYS_PER_SCRIPT]
