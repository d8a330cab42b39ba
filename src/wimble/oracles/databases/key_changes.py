"""What calls change in a store of keys (Redis) that is the program's database.

Many programs use such a store beside their database: for copies of rows, locks, limits and counters, which may change
in any call. So changes count only in calls that ask no other database, and only of keys that stay, whose names say
nothing of that kind, and that the call has not looked for in vain before (then it makes a copy). What is queued for a
transaction has no reply of its own, and does not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from wimble.databases.data_change import DataChange
from wimble.model.database import DatabaseCommand
from wimble.types import ABSENT, Absent, Json

DIALECT: Final = "redis"
_OF_OTHER_USE: Final = re.compile(
    r"cache|lock|mutex|semaphore|rate|limit|throttl|token|otp|nonce|seen|dedup|idempot|visit|presence|online|counter"
    r"|\b(?:stats?|views?|ids?|seq|next)\b",
    re.IGNORECASE,
)
_ADDING: Final = frozenset(["LPUSH", "RPUSH", "SADD", "ZADD"])
_REMOVING: Final = frozenset(["HDEL", "LPOP", "LREM", "RPOP", "SPOP", "SREM", "ZREM"])
_SETTING: Final = frozenset(["DECR", "DECRBY", "HINCRBY", "HINCRBYFLOAT", "HMSET", "HSET", "SET"])
_LIMITING: Final = frozenset(["EXPIRE", "EXPIREAT", "PEXPIRE", "PEXPIREAT"])
_PLAIN_SET: Final = 2
"""Parameters of a SET without options such as an expiry."""


def iter_key_changes(commands: Sequence[DatabaseCommand]) -> Iterator[tuple[DatabaseCommand, DataChange]]:
    """Yields the commands of a call that have changed keys, and how; the table is the key."""
    if any(one.dialect != DIALECT for one in commands):
        return
    limited = {_key(one) for one in commands if one.text in _LIMITING}
    missed: set[str] = set()
    for command in commands:
        key = _key(command)
        change = None if command.error or command.returned is None else _change(command, key)
        if change is None and command.returned == 0:
            missed.add(key)
        if change is not None and key not in limited | missed and not _OF_OTHER_USE.search(key):
            yield command, change


def _key(command: DatabaseCommand) -> str:
    return str(command.params[0]) if command.params else ""


def _change(command: DatabaseCommand, key: str) -> DataChange | None:
    """Returns what a command does to its key; None if it changes nothing."""
    if command.text in _ADDING:
        return DataChange("insert", key) if command.returned else None
    if command.text in _REMOVING:
        return DataChange("delete", key) if command.returned else None
    if command.text not in _SETTING or (command.text == "SET" and len(command.params) != _PLAIN_SET):
        return None
    return DataChange("update", key, _assigned(command, key))


def _assigned(command: DatabaseCommand, key: str) -> Mapping[str, Json | Absent]:
    """Returns the fields that a command sets; for a key without fields, the key's last part."""
    rest = command.params[1:]
    if command.text not in ("HSET", "HMSET"):
        is_of_field = command.text.startswith("HINCRBY")
        return {str(rest[0]) if is_of_field and rest else key.rpartition(":")[2]: ABSENT}
    if rest and isinstance(rest[0], dict):
        return dict(rest[0])
    return {str(name): value for name, value in zip(rest[::2], rest[1::2], strict=False)}
