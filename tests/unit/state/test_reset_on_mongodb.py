"""Which commands a reset of MongoDB sends, to a server that is made up: real ones are in tests/e2e."""

from __future__ import annotations

import json

import pytest

from wimble.agent.mocks.connection_proxy import Connected
from wimble.model.database import InsertRows, QueryResult, TableName
from wimble.state.mongo.mongo_database import MongoDatabase
from wimble.state.recovery_file import RecoveryFile

CONNECTED = Connected(
    id="mongodb:localhost:1/shop", driver="mongodb", dialect="mongo", host="localhost", port=1, name="shop", is_local=True,
    is_in_process=False,
)  # fmt: skip


class Server:
    """Keeps documents in the order of their inserts, as MongoDB's own does."""

    def __init__(self, **collections):
        self.collections = {name: list(documents) for name, documents in collections.items()}
        self.asked: list[str] = []
        self.refuses = ""

    def __call__(self, text, _params):
        command = json.loads(text)
        verb, name = next(iter(command.items()))
        self.asked.append(verb)
        if verb == self.refuses:
            return QueryResult(error="not authorized")
        return QueryResult(columns=("reply",), rows=((self.answer(verb, name, command),),))

    def answer(self, verb, name, command):
        documents = self.collections.setdefault(name, []) if isinstance(name, str) else []
        if verb == "insert":
            documents += command["documents"]
        elif verb == "delete":
            gone = command["deletes"][0]["q"]["_id"]["$in"]
            documents[:] = [one for one in documents if one["_id"] not in gone]
        elif verb == "update":
            wanted, new = command["updates"][0]["q"]["_id"]["$eq"], command["updates"][0]["u"]
            documents[:] = [new if one["_id"] == wanted else one for one in documents]
        listed = (
            [{"name": one, "type": "collection"} for one in self.collections]
            if verb == "listCollections"
            else documents
        )
        return {"cursor": {"id": {"$numberLong": "0"}, "firstBatch": list(listed) if verb != "listIndexes" else []}}


@pytest.fixture
def server():
    return Server(books=[{"_id": n, "a": {"$numberInt": "1"}} for n in range(5)], empty=[])


@pytest.fixture
def database(server, tmp_path):
    made = MongoDatabase(CONNECTED, server, RecoveryFile(tmp_path, CONNECTED.id), lambda text: pytest.fail(text))
    made.attach(can_write=True)
    server.asked.clear()
    return made


def test_reading_costs_nothing(database, server):
    database.note("books.find", ())
    database.note("books.aggregate", ())
    assert not database.is_touched
    assert server.asked == []


@pytest.mark.parametrize(
    "change",
    [
        lambda books: books.append({"_id": 9}),
        lambda books: books.pop(1),
        lambda books: books.clear(),
        lambda books: books.__setitem__(2, {"a": {"$numberDouble": "1.0"}, "_id": 2}),
    ],
)
def test_documents_are_as_they_were_at_their_places(database, server, change):
    before = list(server.collections["books"])
    change(server.collections["books"])
    database.note("books.update", ())
    assert database.reset()
    assert server.collections["books"] == before
    assert server.asked.count("find") == 1, "only the collection that was touched"


def test_lost_documents_come_back_at_their_place(database, server):
    before = list(server.collections["books"])
    del server.collections["books"][1]
    database.note("books.findAndModify", ())
    assert database.reset()
    assert server.collections["books"] == before


def test_new_collections_are_emptied(database, server):
    server.collections["log"] = [{"_id": 1}]
    database.note("log.insert", ())
    assert database.reset()
    assert server.collections["log"] == []


@pytest.mark.parametrize("text", ["", "books.drop", ".dropDatabase", "books.aggregate $out", "books.unheardOf"])
def test_what_may_have_changed_anything_leads_to_all_collections(database, server, text):
    server.collections["books"].clear()
    server.collections["other"] = [{"_id": 1}]
    database.note(text, ())
    assert database.reset()
    assert len(server.collections["books"]) == 5
    assert server.collections["other"] == []


def test_documents_of_tests_are_inserted_and_taken_back(database, server):
    insert = InsertRows(CONNECTED.id, TableName("books"), ("_id", "title"), ((7, "x"),))
    assert database.insert([insert]) == ("",)
    assert server.collections["books"][-1] == {"_id": 7, "title": "x"}
    assert database.reset()
    assert len(server.collections["books"]) == 5


def test_what_a_login_left_stays_until_the_end(database, server):
    server.collections["books"].append({"_id": "session"})
    database.note("books.insert", ())
    database.rebaseline()
    database.note("books.update", ())
    assert database.reset()
    assert len(server.collections["books"]) == 6
    assert database.close()
    assert len(server.collections["books"]) == 5


def test_a_reset_leads_from_one_content_to_another_and_back(database, server):
    first = database.baseline()
    server.collections["books"].append({"_id": "kim"})
    database.note("books.insert", ())
    database.rebaseline()
    second = database.baseline()
    for _ in range(2):
        server.collections["books"].append({"_id": "lee"})
        database.note("books.insert", ())
        database.use_baseline(first)
        assert database.reset()
        assert len(server.collections["books"]) == 5
        database.use_baseline(second)
        assert database.reset()
        assert [one["_id"] for one in server.collections["books"]][5:] == ["kim"]
        database.use_baseline(second)
        assert not database.is_touched


def test_a_killed_run_is_made_good_by_the_next(database, server, tmp_path):
    server.collections["books"].clear()
    said: list[str] = []
    after = MongoDatabase(CONNECTED, server, RecoveryFile(tmp_path, CONNECTED.id), said.append)
    after.attach(can_write=True)
    assert len(server.collections["books"]) == 5
    assert said == [
        "documents of the MongoDB database shop on localhost that an earlier run had left changed were put back"
    ]


def test_a_server_that_refuses_is_told_of(server, tmp_path):
    said: list[str] = []
    server.refuses = "find"
    database = MongoDatabase(CONNECTED, server, RecoveryFile(tmp_path, CONNECTED.id), said.append)
    database.attach(can_write=True)
    assert not database.can_write
    assert said == ["the MongoDB database shop on localhost is not reset between tests: not authorized"]
