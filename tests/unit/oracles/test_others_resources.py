"""Operations that let a user in to what the API keeps to another one."""

from __future__ import annotations

import pytest

from wimble.genes import IntegerGene
from wimble.http.declarations import HttpInput
from wimble.oracles.security.others_resources import NAME

ANN, BOB, NOBODY = (("authorization", "Bearer a"),), (("authorization", "Bearer b"),), ()
NOTE = {"id": 7, "text": "my secret", "pinned": False}
EMPTY: list[object] = []


def titles(make, judge, *calls):
    """calls: (headers of the sender, method, target, status, answer[, what was sent])."""
    known, made = {}, []
    for headers, method, target, status, answer, *sent in calls:
        path = target.replace("/7", "/{id}")
        inputs = (
            [HttpInput(name="id", location="path", template=IntegerGene(), required=True)] if path != target else []
        )
        operation = known.setdefault(f"{method} {path}", make.operation(method, path, inputs=inputs))
        body = make.answer(0, sent[0]).body if sent else b""
        made.append((operation, make.answer(status, answer), None, make.Request(method, target, headers, body)))
    return [one.title for one in judge(make.evaluation(*made)) if one.oracle == NAME]


MADE = (ANN, "POST", "/notes", 201, NOTE, {"text": "my secret"})
READ = (ANN, "GET", "/notes/7", 200, NOTE)
REFUSED = (BOB, "GET", "/notes/7", 404, {"error": "no such note"})
LISTED = (ANN, "GET", "/notes", 200, [NOTE])
LEFT_OUT = (BOB, "GET", "/notes", 200, EMPTY)
CLOSED = (NOBODY, "POST", "/notes/7/pin", 401, {})
PINNED = (BOB, "POST", "/notes/7/pin", 200, {**NOTE, "pinned": True})


def test_what_one_read_keeps_from_a_user_is_shown_by_another_one(make, judge):
    closed, shown = (
        (NOBODY, "GET", "/notes/7/print", 401, {}),
        (BOB, "GET", "/notes/7/print", 200, {"page": "my secret"}),
    )
    (title,) = titles(make, judge, MADE, READ, REFUSED, closed, shown)
    assert title == "GET /notes/{id}/print shows what another user has made and GET /notes/{id} keeps to that user"
    assert titles(make, judge, MADE, READ, REFUSED, shown) == [], "anybody may see it"
    public = (BOB, "GET", "/notes/7/print", 200, {"page": "nothing of it"})
    assert titles(make, judge, MADE, READ, REFUSED, closed, public) == []
    assert titles(make, judge, MADE, READ, (BOB, "GET", "/notes/7", 200, NOTE), closed, shown) == []
    own = (ANN, *shown[1:])
    assert titles(make, judge, MADE, READ, REFUSED, closed, own) == []


def test_an_act_counts_if_the_resource_is_still_kept_from_the_user(make, judge):
    before = (MADE, LISTED, LEFT_OUT, CLOSED, PINNED)
    (title,) = titles(make, judge, *before, LEFT_OUT)
    assert title == "POST /notes/{id}/pin acts on what another user has made and GET /notes keeps to that user"
    assert titles(make, judge, *before) == []
    assert titles(make, judge, *before, (*LEFT_OUT[:4], [NOTE])) == [], "who joins may read it"


@pytest.mark.parametrize(
    ("after", "is_found"),
    [([], True), ([{**NOTE, "pinned": True}], True), ([NOTE], False), ([{**NOTE, "views": 2}], False)],
)
def test_an_act_that_answers_nothing_counts_if_the_owner_reads_something_else(make, judge, after, is_found):
    done = (*PINNED[:3], 204, b"")
    found = titles(make, judge, MADE, LISTED, LEFT_OUT, CLOSED, done, LEFT_OUT, (*LISTED[:4], after))
    assert bool(found) is is_found


def test_a_list_of_what_is_own_keeps_single_reads_private_only_of_what_people_keep_for_themselves(make, judge):
    def found(noun):
        calls = [
            (ANN, "POST", f"/{noun}", 201, NOTE, {"text": "my secret"}),
            (ANN, "GET", f"/{noun}", 200, {"items": [NOTE]}),
            (BOB, "GET", f"/{noun}", 200, {"items": []}),
            (NOBODY, "GET", f"/{noun}/7", 401, {}),
            (BOB, "GET", f"/{noun}/7", 200, NOTE),
        ]
        return titles(make, judge, *calls)

    assert len(found("orders")) == len(found("bank-accounts")) == 1
    assert found("polls") == []
