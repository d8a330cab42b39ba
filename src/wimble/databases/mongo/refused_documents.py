"""Conflicts of writes to MongoDB: documents that already have the written value of a unique index."""

from __future__ import annotations

from collections.abc import Sequence

from wimble.databases.database_language import Conflict
from wimble.databases.mongo.document_values import Value
from wimble.databases.mongo.mongo_statements import document_statement
from wimble.model.database import Database, DatabaseCommand, TableName
from wimble.types import Json


def document_conflicts_of(command: DatabaseCommand, database: Database) -> list[Conflict]:
    """Returns the conflicts of the first document or change of a command; an empty list if it writes nothing."""
    collection, _, verb = command.text.partition(" ")[0].rpartition(".")
    sent = command.params[0] if command.params else None
    table = database.table(TableName(collection))
    written = _written(verb, sent) if isinstance(sent, dict) else None
    if table is None or table.is_view or written is None:
        return []
    found = []
    for key in table.keys:
        if key == ("_id",) and isinstance(_at(written, "_id"), dict):
            continue  # an ObjectId, as drivers give one to each document
        terms = {path: _at(written, path) for path in key}
        if not any(value is None for value in terms.values()):
            query = {"find": collection, "filter": terms}
            found.append(Conflict(text=f"{collection}.find", params=(query,), is_found=True, table=table, key=terms))
    return found


def without_conflicting(conflict: Conflict, documents: Sequence[Value]) -> list[Value]:
    """Returns the documents without those that have the command's values of the unique index.

    The command was not refused, so it wrote these values itself.
    """
    find = document_statement(conflict.text, conflict.params)
    truths = [None if find is None else find.truth({find.collection: [document]}) for document in documents]
    return [
        document for document, truth in zip(documents, truths, strict=True) if truth is None or truth.value is not True
    ]


def _written(verb: str, command: dict[str, Json]) -> Json:
    """Returns the written document, or the values by path that an update sets; None if the command contains neither."""
    match verb:
        case "insert":
            first = command.get("documents")
            return first[0] if isinstance(first, list) and first else None
        case "update":
            first = command.get("updates")
            change = first[0].get("u") if isinstance(first, list) and first and isinstance(first[0], dict) else None
        case "findAndModify":
            change = command.get("update")
        case _:
            return None
    return change.get("$set", change) if isinstance(change, dict) else None


def _at(document: Json, path: str) -> Json:
    """Returns the scalar at a path; None if there is no value, or if it is a list or a document."""
    if isinstance(document, dict) and path in document:
        value = document[path]
    else:
        name, _, rest = path.partition(".")
        return _at(document.get(name), rest) if rest and isinstance(document, dict) else None
    is_tagged = isinstance(value, dict) and len(value) == 1 and next(iter(value)).startswith("$")
    return value if isinstance(value, (str, int, float)) or is_tagged else None
