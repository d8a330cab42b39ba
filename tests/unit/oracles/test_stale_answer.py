"""Reads that answer what was there before a call has removed or changed it."""

import msgspec
import pytest

from wimble.model.database import DatabaseCommand
from wimble.oracles.databases.stale_answer import NAME

ITEM = {"id": 1, "name": "a"}


def found(make, judge, *calls, commands=(), site="a.js:1", dialect="postgres"):
    """calls: (method, target, status, answer[, what was sent]). commands: (call, what the database got)."""
    made = []
    for method, target, status, answer, *sent in calls:
        operation = make.operation(method, target.replace("/1", "/{id}"))
        body = make.answer(0, sent[0]).body if sent else b""
        made.append((operation, make.answer(status, answer), None, make.Request(method, target, (), body)))
    # One operation for each method and path, as in a real description.
    known = {call[0].id: call[0] for call in reversed(made)}
    interactions = tuple(
        DatabaseCommand(
            database="d", dialect=dialect, call=call, site=site, text=text, params=tuple(params), affected=1
        )
        for call, text, *params in commands
    )
    run = make.evaluation(*((known[call[0].id], *call[1:]) for call in made))
    judged = judge(msgspec.structs.replace(run, interactions=interactions))
    return [one.title for one in judged if one.oracle == NAME]


READ = ("GET", "/items/1", 200, ITEM)


def test_what_was_removed_is_still_answered(make, judge):
    (title,) = found(make, judge, READ, ("DELETE", "/items/1", 204, b""), READ)
    assert title == "GET /items/{id} answers what was there before DELETE /items/{id} has removed it"


def test_what_may_never_have_been_there_has_not_been_removed(make, judge):
    unknown, removed = ("GET", "/items/1", 200, {"msg": "(undefined)"}), ("DELETE", "/items/1", 204, b"")
    assert found(make, judge, unknown, removed, unknown) == []
    asked = ("GET", "/items/1?keysOnly=1", 200, {"memory": {"keys": []}})
    assert found(make, judge, asked, removed, asked) == []
    assert found(make, judge, ("PUT", "/items/1", 500, {}, {"msg": "a"}), unknown, removed, unknown) == []
    assert len(found(make, judge, ("PUT", "/items/1", 201, {}, {"msg": "a"}), unknown, removed, unknown)) == 1
    nested = ("GET", "/items/1", 200, {"item": [{"key": "1"}]})
    assert len(found(make, judge, nested, removed, nested)) == 1


@pytest.mark.parametrize(
    ("act", "after"),
    [
        (("DELETE", "/items/1", 404, {}), READ),  # refused
        (("DELETE", "/items/1", 202, {}), READ),  # later
        (("DELETE", "/items/2", 204, b""), READ),  # another one
        (("DELETE", "/items/1", 204, b""), ("GET", "/items/1", 404, {})),
        (("DELETE", "/items/1", 204, b""), ("GET", "/items/1", 200, {**ITEM, "removed": True})),
        (("POST", "/items/1", 200, ITEM), READ),
        (("PUT", "/items/1", 200, ITEM, {"name": "a"}), READ),  # the same value
        (("PUT", "/items/1", 200, {"ok": True}, {"name": "b"}), READ),  # does not say what is stored
        (("PATCH", "/items/1", 200, {"name": "b"}, {"name": "b"}), ("GET", "/items/1", 200, {**ITEM, "name": "b"})),
    ],
)
def test_other_answers_are_none(make, judge, act, after):
    assert found(make, judge, READ, act, after) == []


def test_a_change_that_was_answered_does_not_show(make, judge):
    changed = ("PATCH", "/items/1", 200, {"id": 1, "name": "b"}, {"name": "b"})
    (title,) = found(make, judge, READ, changed, READ)
    assert title.endswith("before PATCH /items/{id} has changed it")
    assert found(make, judge, changed, READ) == []  # nothing was read before
    assert found(make, judge, READ, changed, ("PATCH", "/items/1", 200, ITEM, {"name": "a"}), READ) == []


def test_beneath_what_was_removed_an_object_counts_and_a_list_does_not(make, judge):
    removed = ("DELETE", "/items/1", 204, b"")
    empty = {"items": [], "total": 0, "of": {"name": ""}}
    for answer, n in (({"balance": 7}, 1), ([{"balance": 7}], 0), ({}, 0), (empty, 0), ({**empty, "items": [1]}, 1)):
        read = ("GET", "/items/1/account", 200, answer)
        assert len(found(make, judge, read, removed, read)) == n


MADE = ("POST", "/items", 201, {"id": 1}, {"name": "door", "cents": 30})
CHANGED = ("PATCH", "/items/1", 200, {"name": "gate", "cents": 70}, {"name": "gate", "cents": 70})
LOOKED_UP = (1, 'SELECT name, cents FROM "items" WHERE id = 1')
STORED = (0, "INSERT INTO items (name, headline) VALUES ('door', 'OAK DOOR')")
COPIED = (0, "INSERT INTO labels (name) VALUES ('door')")
WRITTEN = (2, "UPDATE items SET name = 'gate', cents = 70 WHERE id = 1")


@pytest.mark.parametrize(
    ("answer", "commands", "n"),
    [
        ({"headline": "OAK DOOR"}, (LOOKED_UP, WRITTEN), 1),
        ({"total": 60}, (LOOKED_UP, WRITTEN), 1),
        ({"headline": "OAK"}, (LOOKED_UP, WRITTEN), 0),  # shows nothing that has changed
        ({"headline": "DOOR OR GATE"}, (LOOKED_UP, WRITTEN), 0),
        ({"headline": "OAK DOOR"}, (LOOKED_UP, WRITTEN, (3, "SELECT name FROM items WHERE id = 1")), 1),
        ({"headline": "OAK DOOR"}, (LOOKED_UP, WRITTEN, STORED, (3, "SELECT name FROM items WHERE id = 1")), 0),
        ({"headline": "OAK DOOR"}, (LOOKED_UP, WRITTEN, COPIED, (3, "SELECT name FROM items WHERE id = 1")), 0),
        ({"headline": "door"}, (LOOKED_UP, WRITTEN, COPIED, (3, "SELECT name FROM items WHERE id = 1")), 0),
        ({"headline": "OAK DOOR"}, (WRITTEN,), 0),  # it may come from elsewhere
    ],
)
def test_what_is_made_of_a_former_value_that_is_kept_is_stale(make, judge, answer, commands, n):
    read = ("GET", "/items/1/label", 200, answer)
    titles = found(make, judge, MADE, read, CHANGED, read, commands=commands)
    assert titles == ["GET /items/{id}/label answers what was there before PATCH /items/{id} has changed it"] * n


def test_a_summary_elsewhere_is_stale_if_the_changed_table_is_not_asked_for_again(make, judge):
    read = ("GET", "/summary", 200, {"highest": 30})
    for again, n in (((), 1), (((3, "SELECT max(cents) FROM items"),), 0)):
        commands = ((1, "SELECT max(cents) FROM items"), WRITTEN, *again)
        titles = found(make, judge, MADE, read, CHANGED, read, commands=commands)
        assert titles == ["GET /summary answers what was there before PATCH /items/{id} has changed it"] * n


def test_what_a_file_with_times_keeps_may_be_meant_to_be_old(make, judge, tmp_path):
    read = ("GET", "/items/1/label", 200, {"headline": "OAK DOOR"})
    for text, n in (("labels.set(id, row.name)", 1), ("if (Date.now() - at < 60000) return labels.get(id)", 0)):
        file = tmp_path / f"{n}.js"
        file.write_text(text)
        titles = found(make, judge, MADE, read, CHANGED, read, commands=(LOOKED_UP, WRITTEN), site=f"{file}:1")
        assert len(titles) == n


def test_collections_are_tables(make, judge):
    read = ("GET", "/items/1/label", 200, {"headline": "OAK DOOR"})
    commands = ((1, "items.find", {"_id": 1}), (2, "items.update", {"_id": 1}, {"$set": {"name": "gate"}}))
    assert len(found(make, judge, MADE, read, CHANGED, read, commands=commands, dialect="mongo")) == 1
