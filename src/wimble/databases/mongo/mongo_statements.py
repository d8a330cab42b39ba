"""Compiles commands of MongoDB to the collection that they search and their filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from wimble.databases.conditions.truth import Truth
from wimble.databases.mongo.document_values import Regex, Value, from_extended
from wimble.databases.mongo.matching import found_in
from wimble.databases.mongo.unsupported import Unsupported
from wimble.databases.mongo.verbs import is_read
from wimble.types import Json

OTHER_SOURCES = frozenset(
    {"$changeStream", "$collStats", "$currentOp", "$documents", "$indexStats", "$listSessions", "$planCacheStats"}
)
"""Stages that start an aggregation with documents that do not come from the collection."""
MAX_DOCUMENTS = 100
"""The largest number of documents of a collection for which distances are computed."""


class DocumentStatement(msgspec.Struct, frozen=True, eq=False):
    """A command with a filter."""

    collection: str
    condition: Value
    """The filter. For an aggregation, it is the conjunction of its leading `$match` stages; for several updates or
    deletes, the disjunction of their conditions."""
    shape: str
    """The command without its values, as names of targets contain it."""
    is_read: bool
    is_count: bool = False
    """Always False: a command that counts documents returns their number."""

    def truth(self, tables: Mapping[str, Sequence[Value]], params: Sequence[Value] = ()) -> Truth | None:
        """Returns whether the command finds documents among `tables`, and the distance to the other outcome.

        None if that is not known.
        """
        try:
            return found_in(tables[self.collection], self.condition)
        except (Unsupported, RecursionError, ArithmeticError, TypeError, ValueError, AttributeError, LookupError):
            return None


def document_statement(text: str, params: Sequence[Json]) -> DocumentStatement | None:
    """Returns the compiled command; None if it searches no documents, or if the agent has left its filter out."""
    collection, _, verb = text.partition(" ")[0].rpartition(".")
    command = params[0] if params else None
    if not collection or not isinstance(command, dict):
        return None
    try:
        condition = _condition(verb, from_extended(command))
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    if condition is None:
        return None
    return DocumentStatement(collection, condition, f"{text}({_shape(condition)})", is_read(text))


def _condition(verb: str, command: Value) -> Value:
    match verb:
        case "find":
            return command.get("filter", {})
        case "count" | "distinct" | "findAndModify":
            return command.get("query", {})
        case "update":
            return _any_of([one["q"] for one in command["updates"]])
        case "delete":
            return _any_of([one["q"] for one in command["deletes"]])
        case "aggregate":
            return _matched(command["pipeline"])
    return None


def _any_of(conditions: list[Value]) -> Value:
    return conditions[0] if len(conditions) == 1 else {"$or": conditions}


def _matched(pipeline: list[Value]) -> Value:
    """Returns the conjunction of the leading `$match` stages of an aggregation.

    None if the number of its results does not show whether documents were found.
    """
    if any("$facet" in stage or "$unionWith" in stage for stage in pipeline):
        return None
    if pipeline and not OTHER_SOURCES.isdisjoint(pipeline[0]):
        return None
    conditions = []
    for stage in pipeline:
        if "$match" not in stage:
            break
        conditions.append(stage["$match"])
    return {"$and": conditions} if len(conditions) > 1 else conditions[0] if conditions else {}


def _shape(value: Value) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_shape(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list):
        shapes = list(dict.fromkeys(_shape(one) for one in value))
        return "[" + ", ".join(shapes) + "]"
    return f"/{value.pattern}/" if isinstance(value, Regex) else "?"


def documents_query(collection: str) -> str:
    """Returns the command that fetches the documents for which distances are computed, at most MAX_DOCUMENTS."""
    return msgspec.json.encode({"find": collection, "filter": {}, "limit": MAX_DOCUMENTS}).decode()


def documents_in(reply: Json) -> tuple[Value, ...]:
    """Returns the documents in the reply to `documents_query`."""
    return tuple(from_extended(document) for document in reply["cursor"]["firstBatch"])
