"""The changes that a command of MongoDB makes to documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wimble.databases.data_change import DataChange
from wimble.types import ABSENT, Absent, Json


def change_in_documents(text: str, params: Sequence[Json]) -> DataChange | None:
    """Returns the change of a command such as `books.update`; None for one that only reads."""
    collection, _, verb = text.partition(" ")[0].rpartition(".")
    command = params[0] if params and isinstance(params[0], dict) else {}
    match verb:
        case "insert":
            return DataChange("insert", collection)
        case "delete":
            return DataChange("delete", collection)
        case "update":
            updates = command.get("updates")
            changes = [one.get("u") for one in updates if isinstance(one, dict)] if isinstance(updates, list) else []
            return DataChange("update", collection, _assigned_by(changes))
        case "findAndModify" if command.get("remove"):
            return DataChange("delete", collection)
        case "findAndModify":
            return DataChange("update", collection, _assigned_by([command.get("update")]))
    return None


def _assigned_by(changes: Sequence[Json]) -> dict[str, Json | Absent]:
    return dict(pair for change in changes for pair in _set_members(change))


def _set_members(change: Json) -> Iterator[tuple[str, Json | Absent]]:
    """Yields the members that an update sets or removes by operators, or those of the document that it puts there.

    The operator `$setOnInsert` sets members of no document that exists.
    """
    for name, value in change.items() if isinstance(change, dict) else ():
        if not name.startswith("$"):
            yield name, value
        elif isinstance(value, dict) and name != "$setOnInsert":
            for path, given in value.items():
                member, dot, _ = path.partition(".")
                yield member, ABSENT if dot else given
