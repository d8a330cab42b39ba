"""Answers of Amazon DynamoDB: items without members yet, which the program shows as it reads them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wimble.model.external import ExternalRequest
from wimble.types import Json

_VERSION: Final = "DynamoDB_20120810."
_ITEM: Final = frozenset({"GetItem"})
_ITEMS: Final = frozenset({"Query", "Scan"})
_WRITES: Final = frozenset({"PutItem", "UpdateItem", "DeleteItem"})


def table_answers(request: ExternalRequest, sent: dict[str, Json]) -> Iterator[Json]:
    """Yields bodies of successful answers; nothing if it is no request to DynamoDB. sent: the members of its body."""
    target = request.header("x-amz-target")
    asked = target.removeprefix(_VERSION)
    if asked == target:
        return
    if asked in _ITEM:
        yield {"Item": {}}
    elif asked in _ITEMS:
        yield {"Items": [{}], "Count": 1, "ScannedCount": 1}
        yield {"Items": [], "Count": 0, "ScannedCount": 0}
    elif asked in _WRITES:
        yield {"Attributes": {}}
    elif asked == "BatchGetItem":
        tables = sent.get("RequestItems")
        yield {
            "Responses": {table: [{}] for table in tables} if isinstance(tables, dict) else {},
            "UnprocessedKeys": {},
        }
    elif asked == "TransactGetItems":
        yield {"Responses": [{"Item": {}}]}


def refused_by_table(request: ExternalRequest) -> Json | None:
    """Returns what DynamoDB says of a write whose condition does not hold; None for other requests."""
    asked = request.header("x-amz-target").removeprefix(_VERSION)
    if asked not in _WRITES:
        return None
    return {"__type": "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException", "message": "error-message"}
