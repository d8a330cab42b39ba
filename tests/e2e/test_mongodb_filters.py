"""What a filter finds by our reading of it is what it finds on a server."""

from __future__ import annotations

import json
import random

import pytest

from database_servers import run_on_mongodb
from wimble.databases.mongo.document_values import from_extended
from wimble.databases.mongo.matching import document_truth

pytestmark = pytest.mark.e2e

DOCUMENTS = [
    {"_id": 0, "a": 1, "s": "Emma", "l": [1, 2, 3], "d": {"x": 1}, "items": [{"k": "a", "n": 1}, {"k": "b", "n": 5}]},
    {"_id": 1, "a": 2.5, "s": "emma", "l": [], "d": {"x": None}, "items": []},
    {"_id": 2, "a": None, "s": "", "l": 2, "d": {}, "t": {"$date": "2024-01-01T00:00:00Z"}},
    {"_id": 3, "a": "1", "l": [[1, 2], "x"], "d": [{"x": 1}, {"y": 2}], "t": {"$date": "2025-01-01T00:00:00Z"}},
    {"_id": 4, "a": True, "o": {"$oid": "0123456789abcdef01234567"}, "items": [{"k": "b", "n": 1}]},
]
# Not asked is what this server does otherwise than MongoDB's own: `{l: [1, 2]}` also finds lists that have such a list
# in them.
FILTERS = [
    *({"a": {operator: value}} for operator in ("$eq", "$ne", "$gt", "$gte", "$lt", "$lte") for value in (1, 2, "1")),
    {"a": None}, {"a": True}, {"a": {"$in": [1, "1"]}}, {"a": {"$nin": [1, None]}}, {"a": {"$exists": False}}, {"o": {"$exists": True}},
    {"l": 2}, {"l": [1, 2, 3]}, {"l": {"$ne": 2}}, {"l": {"$size": 3}}, {"l": {"$size": 0}}, {"l": {"$all": [1, 3]}}, {"l": {"$gt": 2}},
    {"l": {"$elemMatch": {"$gt": 1, "$lt": 3}}}, {"l": {"$not": {"$gt": 2}}},
    {"d.x": 1}, {"d.x": None}, {"d.x": {"$exists": True}}, {"d.x": {"$ne": 1}}, {"d": {"x": 1}},
    {"items.k": "b"}, {"items": {"$elemMatch": {"k": "b", "n": 1}}}, {"items.k": "b", "items.n": 1}, {"items.n": {"$gt": 4}},
    {"s": {"$regex": "^em", "$options": "i"}}, {"s": {"$regex": "^em"}}, {"s": {"$not": {"$regex": "m"}}},
    {"t": {"$gte": {"$date": "2024-06-01T00:00:00Z"}}}, {"t": {"$lt": {"$date": "2024-06-01T00:00:00Z"}}}, {"t": {"$gt": 5}},
    {"o": {"$oid": "0123456789abcdef01234567"}}, {"o": "0123456789abcdef01234567"},
    {"a": {"$mod": [2, 1]}}, {"a": {"$type": "string"}}, {"l": {"$type": "array"}},
    {"$or": [{"a": 1}, {"s": ""}]}, {"$nor": [{"a": 1}, {"s": ""}]}, {"$and": [{"a": {"$gt": 0}}, {"a": {"$lt": 2}}]},
    {"$expr": {"$eq": ["$a", "$d.x"]}},
]  # fmt: skip


def test_filters_find_what_they_find_on_a_server(packages, mongodb_port):
    asked = json.dumps({"documents": DOCUMENTS, "filters": FILTERS})
    script = (
        f"const asked = bson.EJSON.parse({json.dumps(asked)}, {{ relaxed: false }});"
        "await db.collection('c').insertMany(asked.documents); const found = [];"
        "for (const filter of asked.filters) found.push((await db.collection('c').find(filter).toArray()).map((one) => one._id).sort());"
        "console.log(JSON.stringify(found))"
    )
    answers = json.loads(run_on_mongodb(mongodb_port, f"filters_{random.getrandbits(32):x}", script, packages))
    documents = [from_extended(one) for one in DOCUMENTS]
    wrong = []
    for plain, on_server in zip(FILTERS, answers, strict=True):
        condition = from_extended(plain)
        own = [number for number, one in enumerate(documents) if document_truth(one, condition).value]
        if own != on_server:
            wrong.append((plain, own, on_server))
    assert not wrong, wrong
