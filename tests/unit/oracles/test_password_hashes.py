"""Answers with the hash of a password."""

import pytest

from wimble.http.http_messages import HttpRequest
from wimble.oracles.security.password_hashes import NAME

BCRYPT = "$2b$10$" + "a" * 53
USER = {"id": 1, "email": "a@b.example"}


def found(make, judge, answer, status=200):
    return [
        one for one in judge(make.evaluation((make.operation(), make.answer(status, answer)))) if one.oracle == NAME
    ]


@pytest.mark.parametrize(
    ("answer", "path"),
    [
        ({**USER, "password": BCRYPT}, "$.password"),
        ({"token": "t", "user": {**USER, "password_hash": "866ef93a6a7b998df3abc0ffb7885fec"}}, "$.user.password_hash"),
        ([{"ok": 1}, {**USER, "hash": "$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub"}], "$[1].hash"),
        ({"name": "x", "hashedPassword": "0123456789abcdef"}, "$.hashedPassword"),
        ({**USER, "password": "5e884898da28047151d0e56f8dc6292773603d0d6aabbdd62a11ef721d1542d8"}, "$.password"),
        ({**USER, "userPassword": "XohImNooBHFR0OVvjcYpJ3NgPQ1qq73WKhHvch0VQtg="}, "$.userPassword"),
        ({**USER, "pwd": "9f86d081884c7d65:" + "0123456789abcdef" * 8}, "$.pwd"),
    ],
)
def test_a_hash_beside_what_tells_a_user_is_a_fault(make, judge, answer, path):
    (finding,) = found(make, judge, answer, status=201)
    assert finding.title == f"GET /things answers the hash of a password ({path})"


@pytest.mark.parametrize(
    "answer",
    [
        {"hash": BCRYPT},  # what was asked for
        {**USER, "password": "***"},
        {**USER, "password": "866ef93a6a7b998df3abc0ffb7885f"},  # of no length that digests have
        {**USER, "passwordHash": None},
        {**USER, "hash": "866ef93a6a7b998df3abc0ffb7885fec"},  # of a file
        {**USER, "passwordPolicy": "at least eight characters"},
        b"password: $2b$10$",
    ],
)
def test_other_answers_are_none(make, judge, answer):
    assert found(make, judge, answer) == []


def test_what_the_call_has_sent_is_none(make, judge):
    sent = HttpRequest("POST", "/things", body=f'{{"passwordHash": "{BCRYPT}"}}'.encode())
    answered = make.answer(201, {**USER, "passwordHash": BCRYPT})
    assert not [one for one in judge(make.evaluation((make.operation(), answered, None, sent))) if one.oracle == NAME]


def test_refusals_and_further_operations_are_not_told(make, judge):
    assert found(make, judge, {**USER, "password": BCRYPT}, status=404) == []
