"""Drivers of databases that a project uses and the agent does not watch, or not in the installed version."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from wimble.runtimes.node.package_manifests import installed_version, manifest_in, named_packages

FIRST_WATCHED: Final = {
    "@electric-sql/pglite": (0, 3, 15),
    "mariadb": (3,),
    "mongodb": (2, 2),
    "mongoose": (4,),
    "postgres": (3,),
    "redis": (2, 6),
}
"""Package -> the first version that is watched. Those of docs/databases.md that are not here are watched in all."""
UNWATCHED: Final = frozenset(
    [
        "@aws-sdk/client-dynamodb",
        "@elastic/elasticsearch",
        "@google-cloud/firestore",
        "@neondatabase/serverless",
        "@planetscale/database",
        "arangojs",
        "cassandra-driver",
        "couchbase",
        "firebase-admin",
        "memcached",
        "mssql",
        "nano",
        "neo4j-driver",
        "oracledb",
        "rethinkdb",
        "tedious",
    ]
)
"""Drivers that are not watched in any version."""


def unwatched_drivers(working_dir: Path) -> list[str]:
    """Returns what is said of each such driver among the project's dependencies, such as `tedious 18.6.1`."""
    return [told for name in _dependencies(working_dir) if (told := _told(name, working_dir))]


def _dependencies(working_dir: Path) -> Iterator[str]:
    for folder in (working_dir, *working_dir.absolute().parents):
        manifest = manifest_in(folder)
        if manifest:
            yield from sorted(named_packages(manifest, ("dependencies",)))
            return


def _told(name: str, working_dir: Path) -> str:
    if name not in UNWATCHED and name not in FIRST_WATCHED:
        return ""
    version = installed_version(working_dir, name)
    if not version:
        return ""
    first = FIRST_WATCHED.get(name)
    if first is None:
        return f"{name} {version}"
    if _numbers(version) >= first:
        return ""
    return f"{name} {version} ({'.'.join(map(str, first))} and later is watched)"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.partition("-")[0].split(".") if part.isdigit())
