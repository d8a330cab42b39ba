"""The database languages by dialect.

A language is imported when a SUT first uses it, since importing the SQL parser takes half a second.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from wimble.databases.database_language import DatabaseLanguage
from wimble.model.database import Dialect


def _postgres() -> DatabaseLanguage:
    from wimble.databases.sql.sql_language import SqlLanguage

    return SqlLanguage("postgres", keeps_order=False)


def _mysql() -> DatabaseLanguage:
    from wimble.databases.sql.sql_language import SqlLanguage

    return SqlLanguage("mysql", keeps_order=True)


def _sqlite() -> DatabaseLanguage:
    from wimble.databases.sql.sql_language import SqlLanguage

    return SqlLanguage("sqlite", keeps_order=True)


def _mongo() -> DatabaseLanguage:
    from wimble.databases.mongo.mongo_language import MongoLanguage

    return MongoLanguage()


def _redis() -> DatabaseLanguage:
    from wimble.databases.redis.redis_language import RedisLanguage

    return RedisLanguage()


LANGUAGES: Final[dict[Dialect, Callable[[], DatabaseLanguage]]] = {
    "postgres": _postgres,
    "mysql": _mysql,
    "sqlite": _sqlite,
    "mongo": _mongo,
    "redis": _redis,
}


@cache
def language_of(dialect: Dialect) -> DatabaseLanguage:
    """Returns the language of a dialect; the same object each time."""
    return LANGUAGES[dialect]()
