"""Unique indexes of collections, and the writes that would meet a taken value."""

import pytest

from wimble.databases.mongo.refused_documents import document_conflicts_of
from wimble.model.database import Column, Database, DatabaseCommand, Table, TableName, UniqueKey

USERS = Table(
    name=TableName("users"),
    columns=(Column(name="_id", type_name="objectId", type="objectid"),),
    primary_key=("_id",),
    unique=(UniqueKey(("email",)), UniqueKey(("home.street", "home.number"))),
)
VIEW = Table(name=TableName("seen"), columns=(), primary_key=("_id",), is_view=True)
DATABASE = Database(id="main", dialect="mongo", tables=(USERS, VIEW))


def filters(text: str, *params: object) -> list[object]:
    command = DatabaseCommand(database="main", call=0, site="", text=text, params=params, affected=1)
    return [one.params[0]["filter"] for one in document_conflicts_of(command, DATABASE)]


HOME = {"home.street": "Storgata", "home.number": 3}


def test_an_insert_meets_the_values_of_each_index_that_it_has_all_fields_of():
    document = {"_id": 7, "email": "kari@x.no", "home": {"street": "Storgata", "number": 3}}
    assert filters("users.insert", {"documents": [document]}) == [
        {"_id": 7},
        {"email": "kari@x.no"},
        HOME,
    ]
    assert filters("users.insert", {"documents": [{"email": None, "home": {"street": "Storgata"}}]}) == []


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("users.update", {"updates": [{"q": {}, "u": {"$set": {"email": "kari@x.no"}, "$inc": {"n": 1}}}]}),
        ("users.update", {"updates": [{"q": {}, "u": {"email": "kari@x.no"}}]}),
        ("users.findAndModify", {"query": {}, "update": {"$set": {"email": "kari@x.no", "home": {"number": 3}}}}),
    ],
)
def test_an_update_meets_what_it_sets(text, sent):
    assert filters(text, sent) == [{"email": "kari@x.no"}]


def test_paths_may_be_set_by_name():
    assert filters("users.update", {"updates": [{"q": {}, "u": {"$set": HOME}}]}) == [HOME]


@pytest.mark.parametrize(
    ("text", "params"),
    [
        ("users.find", ({"filter": {"email": "kari@x.no"}},)),
        ("users.update", ({"updates": [{"q": {}, "u": [{"$set": {"email": "a"}}]}]},)),
        ("users.insert", ({"documents": []},)),
        ("users.insert", ({"documents": [{"_id": {"$oid": "0" * 24}}]},)),
        ("users.insert", ({"documents": [{"email": ["a"]}]},)),
        ("seen.insert", ({"documents": [{"_id": 1}]},)),
        ("others.insert", ({"documents": [{"_id": 1}]},)),
        ("users.insert", ()),
    ],
)
def test_all_else_meets_nothing(text, params):
    assert filters(text, *params) == []
