"""The classes that reset and fill databases, by dialect."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from wimble.agent.mocks.connection_proxy import Connected
from wimble.state.mongo.mongo_database import MongoDatabase
from wimble.state.proxied_database import RunQuery
from wimble.state.recovery_file import RecoveryFile
from wimble.state.redis.redis_database import RedisDatabase
from wimble.state.resettable import Resettable
from wimble.state.sql.dialect import Dialect
from wimble.state.sql.mysql_dialect import Mysql
from wimble.state.sql.postgres_dialect import Postgres
from wimble.state.sql.relational import RelationalDatabase
from wimble.state.sql.sqlite_dialect import Sqlite

Maker: TypeAlias = Callable[[Connected, RunQuery, RecoveryFile | None, Callable[[str], None]], Resettable]
"""The signature of these classes' constructors."""


def _relational(dialect: Dialect) -> Maker:
    return lambda connected, run_query, journal, warn: RelationalDatabase(connected, run_query, dialect, journal, warn)


DATABASE_KINDS: Final[dict[str, Maker]] = {
    "postgres": _relational(Postgres()),
    "mysql": _relational(Mysql()),
    "sqlite": _relational(Sqlite()),
    "mongo": MongoDatabase,
    "redis": RedisDatabase,
}
"""The constructors by dialect, as agents report it."""
