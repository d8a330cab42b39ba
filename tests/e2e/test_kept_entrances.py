"""Sign-ups and logins with which many test cases begin are sent once in a search, on a real server and database."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from database_servers import FIXTURE, Postgres, free_port
from wimble.execute.sut.started_sut import StartedSut
from wimble.genes import CarriedGene, CredentialGene, ObjectGene, StringGene
from wimble.genes.fixed import ConstantGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.entrances import with_entrances
from wimble.http.exchange import response_of
from wimble.model.carried_credentials import with_carried
from wimble.model.evaluation import Evaluation
from wimble.model.operation import Operation
from wimble.model.run_conditions import search_conditions, start_conditions
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.targets import TargetTable
from wimble.model.testcase import Call, SetupAction, TestCase
from wimble.runtimes.node.node_runtime import NODE
from wimble.settings import Settings

pytestmark = pytest.mark.e2e


BODY = HttpInput(
    name="body", location="body", template=ObjectGene((("name", StringGene()), ("password", StringGene())))
)


def _operation(name: str, *inputs: HttpInput) -> Operation:
    method, path = name.split()
    return http_operation(id=name, method=method, path=path, inputs=inputs)


SIGN_UP, LOGIN, LOGOUT, LOAN, PATRONS, RECEIVED = with_entrances(
    [
        _operation("POST /register", BODY),
        _operation("POST /login", BODY),
        *map(_operation, ("POST /logout", "POST /loans", "GET /patrons", "GET /received")),
    ]
)


def _entrance(operation: Operation, name: str) -> Call:
    body = ObjectGene((("name", StringGene(name)), ("password", StringGene("pass-1"))))
    return Call(operation, (body, CarriedGene()))


def _call(operation: Operation) -> Call:
    return Call(operation, (CarriedGene(),))


def _as_user(operation: Operation, login: int = 1) -> Call:
    token = CredentialGene(login, "/token", StringGene(""))
    return with_carried(_call(operation), CarriedGene((("header authorization", token),)))


def _case(name: str, *calls: Call) -> TestCase:
    return TestCase((_entrance(SIGN_UP, name), _entrance(LOGIN, name), *calls))


def _answers(evaluation: Evaluation) -> list[tuple[int, object]]:
    answers = [response_of(one) for one in evaluation.observations]
    return [(one.status, one.json() if one.body else None) for one in answers if one is not None]


@pytest.fixture
def sut(tmp_path: Path, packages: Path, postgres: Postgres, monkeypatch) -> Iterator[StartedSut]:
    name = f"patrons_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    (tmp_path / "patrons.js").write_text((FIXTURE / "patrons.js").read_text())
    (tmp_path / "node_modules").symlink_to(packages)
    monkeypatch.setenv("DATABASE_URL", postgres.url(name))
    monkeypatch.setenv("PORT", str(free_port()))
    settings = Settings(command=("node", "patrons.js"), working_dir=tmp_path, output_dir=tmp_path / "out")
    made = StartedSut(settings, TargetTable(), tmp_path / "out" / "sut.log", runtimes=[NODE])
    made.start()
    made.live_under(search_conditions(settings))
    yield made
    made.live_under(start_conditions(settings))
    made.leave()
    made.stop()


def _received(sut: StartedSut) -> object:
    return _answers(sut.evaluate(TestCase((_call(RECEIVED),))))[0][1]


def test_a_test_case_starts_from_what_the_same_entrances_have_left(sut):
    loan = _case("ann", _as_user(LOAN))
    whole = sut.evaluate(loan)
    assert whole.n_kept == 0
    assert _answers(whole)[0] == (201, {"id": 1})
    for _ in range(3):
        again = sut.evaluate(loan)
        assert again.n_kept == 2
        assert _answers(again)[0] == (201, {"id": 1})
        assert _answers(again)[2] == (201, {"count": 1, "patron": 1})  # the loan before was taken back
    assert _received(sut) == {"signUps": 2, "logins": 2}


def test_others_start_from_what_was_there_before(sut):
    loan = _case("ann", _as_user(LOAN))
    for _ in range(3):
        sut.evaluate(loan)
    assert _answers(sut.evaluate(TestCase((_call(PATRONS),)))) == [(200, {"count": 0})]
    assert sut.evaluate(_case("bob", _call(PATRONS))).n_kept == 0
    assert _answers(sut.evaluate(loan))[2] == (201, {"count": 1, "patron": 1})


def test_all_calls_are_sent_outside_of_the_search(sut):
    loan = _case("ann", _as_user(LOAN))
    for _ in range(3):
        kept = sut.evaluate(loan)
    assert kept.n_kept == 2
    sut.live_under(start_conditions(Settings()))
    assert sut.evaluate(loan).n_kept == 0
    assert _answers(sut.evaluate(TestCase((_call(PATRONS),)))) == [(200, {"count": 0})]


def test_a_session_that_has_ended_is_noticed(sut):
    loan = _case("ann", _as_user(LOAN))
    for _ in range(2):
        sut.evaluate(loan)
    assert _answers(sut.evaluate(_case("ann", _as_user(LOGOUT))))[2][0] == 204
    after = sut.evaluate(loan)
    assert after.n_kept == 0
    assert _answers(after)[2] == (201, {"count": 1, "patron": 1})


def test_a_session_in_redis_is_there_again(redis_port, monkeypatch, request):
    monkeypatch.setenv("REDIS_URL", f"redis://127.0.0.1:{redis_port}")
    sut = request.getfixturevalue("sut")
    loan = _case("ann", _as_user(LOAN))
    for _ in range(2):
        sut.evaluate(loan)
    assert _answers(sut.evaluate(_case("ann", _as_user(LOGOUT))))[2][0] == 204
    assert _answers(sut.evaluate(TestCase((_call(PATRONS),)))) == [(200, {"count": 0})]
    after = sut.evaluate(loan)
    assert after.n_kept == 2
    assert _answers(after)[2] == (201, {"count": 1, "patron": "1"})


def test_what_a_start_has_made_the_program_forget_is_noticed(sut):
    loan = _case("ann", _as_user(LOAN))
    for _ in range(2):
        sut.evaluate(loan)
    for _ in range(2):
        sut.restart()
        assert [_answers(sut.evaluate(loan))[2][0] for _ in range(3)] == [201, 201, 201]
    assert sut.evaluate(loan).n_kept == 2


def _row_of(sut: StartedSut, name: str) -> SetupAction:
    (database,) = sut.databases.schemas
    table = next(one for one in database.tables if one.name.name == "patrons")
    columns = tuple(column for column in table.columns if column.name != "id")
    genes = tuple(ConstantGene({"name": name, "password": "pass-1"}[column.name]) for column in columns)
    return InsertRow(genes=genes, database=database.id, dialect="postgres", table=table.name, columns=columns)


def test_a_user_whose_row_is_inserted_logs_in_once(sut):
    sut.evaluate(TestCase((_call(PATRONS),)))
    row, other = _row_of(sut, "cleo"), _row_of(sut, "dora")
    login, loan = _entrance(LOGIN, "cleo"), _as_user(LOAN, 0)
    assert sut.evaluate(TestCase((login, loan), (row,))).n_kept == 0
    for setup in ((row,), (row, other)):
        kept = sut.evaluate(TestCase((login, loan, _call(PATRONS)), setup))
        assert kept.n_kept == 1
        assert kept.refused_setup == ()
        assert _answers(kept)[2] == (200, {"count": len(setup)})
    assert _answers(sut.evaluate(TestCase((login,))))[0][0] == 401
