"""Decides whether a URL of a database, such as one in an environment variable, leads to a given database."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias
from urllib.parse import SplitResult, unquote, urlsplit

from wimble.model.database import DatabaseHome

Rule: TypeAlias = Callable[[SplitResult, DatabaseHome], bool]

_MONGO_PORT: Final = 27017
_PORT = re.compile(r":(\d+)\Z")


def leads_to(url: str, home: DatabaseHome) -> bool:
    """Returns whether a URL leads to the database; False for texts that are not the URL of a database."""
    try:
        parts = urlsplit(url)
        rule = _RULES.get(parts.scheme)
        return rule is not None and rule(parts, home)
    except ValueError:  # no URL, or a port that is no number
        return False


def _on_server(default_port: int, default_name: str = "") -> Rule:
    """Returns a rule for URLs whose path is the name of the database."""
    return lambda parts, home: (
        (parts.port or default_port) == home.port and (parts.path.lstrip("/") or default_name) == home.name
    )


def _of_mongo(parts: SplitResult, home: DatabaseHome) -> bool:
    """Compares the server alone: the URL may name several hosts, and programs may name the database elsewhere."""
    hosts = parts.netloc.rpartition("@")[2].split(",")
    return any(_is_mongo_host(unquote(host), home) for host in hosts)


def _is_mongo_host(host: str, home: DatabaseHome) -> bool:
    """Returns whether the host has the server's port or, for a server without a port, the path of its socket."""
    port = _PORT.search(host)
    return host == home.host if home.port == 0 else home.port == (int(port[1]) if port else _MONGO_PORT)


_RULES: Final[dict[str, Rule]] = {
    "postgres": _on_server(5432),
    "postgresql": _on_server(5432),
    "mysql": _on_server(3306),
    "mariadb": _on_server(3306),
    "mongodb": _of_mongo,
    "redis": _on_server(6379, "0"),
    "rediss": _on_server(6379, "0"),
}
"""The rules by scheme of the URL."""
