"""Filters: which documents they find, how near the others are, and documents made for them."""

from __future__ import annotations

from datetime import datetime
from random import Random

import pytest

from wimble.databases.conditions.truth import closeness
from wimble.databases.mongo.document_values import ObjectId, Regex, from_extended, plain
from wimble.databases.mongo.matching import document_truth, found_in
from wimble.databases.mongo.unsupported import Unsupported
from wimble.databases.mongo.wanted_documents import document_with, planned_document

BOOK = {
    "title": "Emma", "year": 1815, "tags": ["novel", "old"], "author": {"name": "Austen", "born": datetime(1775, 12, 16)},
    "copies": [{"shelf": "A", "days": 3}, {"shelf": "B", "days": 9}], "of": ObjectId("0" * 23 + "1"), "gone": None,
}  # fmt: skip

TRUE = [
    {},
    {"title": "Emma", "year": {"$gte": 1815, "$lt": 1816}},
    {"tags": "old"},
    {"tags": ["novel", "old"]},
    {"tags": {"$all": ["old", "novel"]}},
    {"tags": {"$size": 2}},
    {"tags.1": "old"},
    {"author.name": {"$in": ["Eliot", "Austen"]}},
    {"author.name": {"$nin": ["Eliot"]}},
    {"author.born": {"$lt": datetime(1800, 1, 1)}},
    {"copies.days": {"$gt": 8}},
    {"copies": {"$elemMatch": {"shelf": "A", "days": {"$lt": 5}}}},
    {"tags": {"$elemMatch": {"$gt": "nz", "$lt": "oz"}}},
    {"of": ObjectId("0" * 23 + "1")},
    {"gone": None, "never": None},
    {"gone": {"$exists": True}, "never": {"$exists": False}},
    {"year": {"$mod": [5, 0]}},
    {"year": {"$type": "number"}, "tags": {"$type": "array"}},
    {"title": {"$regex": "^em", "$options": "i"}},
    {"title": Regex("^E", "")},
    {"title": {"$not": {"$regex": "^X"}}},
    {"$or": [{"year": 1}, {"title": "Emma"}]},
    {"$nor": [{"year": 1}, {"title": "Ema"}]},
    {"$and": [{"year": {"$ne": 1}}, {"title": {"$ne": "Ema"}}]},
    {"$expr": {"$gt": ["$year", {"$size": "$tags"}]}},
]
FALSE = [
    {"title": "Ema"},
    {"year": {"$gt": 1815}},
    {"year": "1815"},
    {"tags": "new"},
    {"tags": {"$ne": "old"}},
    {"tags": {"$all": ["old", "new"]}},
    {"tags": {"$size": 3}},
    {"copies": {"$elemMatch": {"shelf": "A", "days": {"$gt": 5}}}},
    {"author.name": {"$exists": False}},
    {"title": {"$gt": 5}},
    {"year": {"$mod": [5, 1]}},
    {"$expr": {"$lt": ["$year", 1800]}},
    {"$nor": [{"title": "Emma"}]},
]


@pytest.mark.parametrize("condition", TRUE, ids=str)
def test_a_document_is_found(condition):
    truth = document_truth(BOOK, condition)
    assert truth.value is True and truth.to_true == 0.0 and truth.to_false > 0.0


@pytest.mark.parametrize("condition", FALSE, ids=str)
def test_a_document_is_not_found(condition):
    truth = document_truth(BOOK, condition)
    assert truth.value is False and truth.to_false == 0.0 and 0.0 < closeness(truth.to_true) < 1.0


@pytest.mark.parametrize(
    ("near", "far"),
    [
        ({"title": "Emme"}, {"title": "Persuasion"}),
        ({"year": {"$gt": 1816}}, {"year": {"$gt": 2000}}),
        ({"author.born": datetime(1775, 12, 17)}, {"author.born": datetime(1999, 1, 1)}),
        ({"title": "Emma", "year": 1}, {"title": "Emmi", "year": 1}),
        ({"tags": {"$size": 3}}, {"tags": {"$size": 9}}),
        ({"copies.days": {"$gt": 10}}, {"copies.days": {"$gt": 90}}),
        ({"copies": {"$elemMatch": {"shelf": "A", "days": {"$gt": 5}}}}, {"copies": {"$elemMatch": {"shelf": "A", "days": {"$gt": 50}}}}),
        ({"$expr": {"$lt": ["$year", 1800]}}, {"$expr": {"$lt": ["$year", 100]}}),
    ],
)  # fmt: skip
def test_distances_show_the_way(near, far):
    assert document_truth(BOOK, near).to_true < document_truth(BOOK, far).to_true


def test_no_documents_are_further_than_any_that_are_there():
    assert found_in([], {"title": "Emma"}).to_true > found_in([BOOK], {"title": "Persuasion"}).to_true


@pytest.mark.parametrize("condition", [{"$where": "true"}, {"$text": {"$search": "a"}}, {"at": {"$near": [0, 0]}}])
def test_what_is_not_understood_is_said(condition):
    with pytest.raises(Unsupported):
        document_truth(BOOK, condition)


CALCULATED = {"$expr": {"$gt": ["$year", {"$size": "$tags"}]}}
PLACED = {"tags.1": "old"}


@pytest.mark.parametrize("condition", [one for one in [*TRUE, *FALSE] if one not in (CALCULATED, PLACED)], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_a_document_that_is_made_for_a_filter_is_found_by_it(condition, seed):
    planned = planned_document(condition, Random(seed))
    assert planned is not None
    document = document_with({path: wish.value for path, wish in planned.wishes.items()})
    document |= dict.fromkeys(planned.mentioned, "x")
    assert document_truth(document, condition).value is True


def test_what_would_have_to_be_calculated_backwards_is_not_made():
    assert planned_document(CALCULATED, Random(1)) is None


@pytest.mark.parametrize(
    ("extended", "value", "shown"),
    [
        ({"$numberInt": "3"}, 3, 3),
        ({"$numberLong": "9007199254740993"}, 9007199254740993, 9007199254740993),
        ({"$numberDouble": "1.5"}, 1.5, 1.5),
        ({"$oid": "0123456789abcdef01234567"}, ObjectId("0123456789abcdef01234567"), "0123456789abcdef01234567"),
        ({"$date": {"$numberLong": "-1"}}, datetime(1969, 12, 31, 23, 59, 59, 999000), "1969-12-31T23:59:59.999Z"),
        ([{"a": {"$numberInt": "1"}}], [{"a": 1}], [{"a": 1}]),
        ({"$regularExpression": {"pattern": "a", "options": "i"}}, Regex("a", "i"), None),
    ],
)
def test_values_of_extended_json(extended, value, shown):
    assert from_extended(extended) == value
    assert plain(value) == shown
