"""Reads that answer what was there before a call has removed or changed it."""

import pytest

from wimble.oracles.databases.stale_answer import NAME

ITEM = {"id": 1, "name": "a"}


def found(make, judge, *calls):
    """calls: (method, target, status, answer[, what was sent])."""
    made = []
    for method, target, status, answer, *sent in calls:
        operation = make.operation(method, target.replace("/1", "/{id}"))
        body = make.answer(0, sent[0]).body if sent else b""
        made.append((operation, make.answer(status, answer), None, make.Request(method, target, (), body)))
    # One operation for each method and path, as in a real description.
    known = {call[0].id: call[0] for call in reversed(made)}
    judged = judge(make.evaluation(*((known[call[0].id], *call[1:]) for call in made)))
    return [one.title for one in judged if one.oracle == NAME]


READ = ("GET", "/items/1", 200, ITEM)


def test_what_was_removed_is_still_answered(make, judge):
    (title,) = found(make, judge, READ, ("DELETE", "/items/1", 204, b""), READ)
    assert title == "GET /items/{id} answers what was there before DELETE /items/{id} has removed it"


def test_what_may_never_have_been_there_has_not_been_removed(make, judge):
    unknown, removed = ("GET", "/items/1", 200, {"msg": "(undefined)"}), ("DELETE", "/items/1", 204, b"")
    assert found(make, judge, unknown, removed, unknown) == []
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
    for answer, n in (({"balance": 7}, 1), ([{"balance": 7}], 0), ({}, 0)):
        read = ("GET", "/items/1/account", 200, answer)
        assert len(found(make, judge, read, removed, read)) == n
