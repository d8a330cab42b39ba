"""Answers that are kept although a call has created something that belongs in them."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine_parts import FakeDatabases, ScriptedSut, new_coordinator, new_worker, operation
from wimble.engine.caches.kept_answers import run_kept_answers
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.faults.shown_faults import ShownFaults
from wimble.engine.stability.repeated_runs import NOT_AGAIN
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import Database, DatabaseCommand, DatabaseHome
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.run_conditions import AS_TESTS_RUN
from wimble.model.suite import VerifiedCall, VerifiedTest
from wimble.model.targets import Target, TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.oracles.databases.kept_answer import is_meant_to_be_old
from wimble.settings import Settings
from wimble.types import OperationId

HOME = DatabaseHome(id="main", driver="pg", host="", port=0, name="", is_reset=True)
CREATE, COUNT = operation("POST /books"), operation("GET /books/count")
INSERT, SELECT = "INSERT INTO books (title) VALUES ('x')", "SELECT count(*) FROM books"
Memory = dict[str, Any]
Handler = Callable[["Shop"], Any]


class Shop(ScriptedSut):
    """Keeps books in a database, which is put back before each run, and what it likes in its memory."""

    def __init__(self, read: Handler, create: Handler, file: str = "") -> None:
        self.rows = 0
        super().__init__(self._answer, databases=FakeDatabases((HOME,), (Database(id="main", dialect="postgres"),)))
        self._handlers = {COUNT.id: read, CREATE.id: create}
        self._file = file
        self._commands: list[DatabaseCommand] = []
        self.table = TargetTable()
        self._call = 0

    @property
    def kept(self) -> Memory:
        return self._memory

    def run(self, text: str) -> None:
        self._commands.append(
            DatabaseCommand(database="main", dialect="postgres", call=self._call, site="", text=text, affected=1)
        )

    def evaluate(self, test_case: TestCase, **options: Any) -> Evaluation:
        self.rows, self._commands, self._call = 3, [], -1
        return replace(super().evaluate(test_case, **options), interactions=tuple(self._commands))

    def _answer(self, memory: Memory, operation_id: str) -> tuple[int, Any]:
        self._call += 1
        answer: tuple[int, Any] = self._handlers[OperationId(operation_id)](self)
        return answer

    def reached(self, test_case: TestCase) -> dict[Any, Reached]:
        if not self._file:
            return {}
        target = self.table.register(Target(kind="line", file=self._file, line=1, column=0))
        return {target: Reached(1.0, len(test_case.calls) - 1)}


def creates(shop: Shop) -> Any:
    shop.run(INSERT)
    shop.rows += 1
    return 201, {"id": shop.rows}


def creates_later(shop: Shop) -> Any:
    return 202, creates(shop)[1]


def clears(shop: Shop) -> Any:
    shop.kept.pop("n", None)
    return creates(shop)


def asks(shop: Shop) -> int:
    shop.run(SELECT)
    return shop.rows


def counts(shop: Shop) -> Any:
    return 200, {"n": asks(shop)}


def keeps_count(shop: Shop) -> Any:
    return 200, {"n": shop.kept["n"] if "n" in shop.kept else shop.kept.setdefault("n", asks(shop))}


def keeps_list(shop: Shop) -> Any:
    return 200, ["book"] * keeps_count(shop)[1]["n"]


def keeps_page(shop: Shop) -> Any:
    return 200, ["book"] * min(2, keeps_count(shop)[1]["n"])


def stores_count(shop: Shop) -> Any:
    if "n" not in shop.kept:
        shop.run("INSERT INTO summaries (n) VALUES (3)")
    return keeps_count(shop)


def tells_start(shop: Shop) -> Any:
    return 200, {"books": keeps_page(shop)[1], "start": shop.n_starts}


def found(tmp_path: Path, read: Handler, create: Handler = creates, file: str = "") -> tuple[list[str], Shop]:
    titles, shop, shown = shown_by(tmp_path, read, create, file)
    assert [test.findings[0].title for test in shown.tests] == titles
    assert not shown.notes
    return titles, shop


def shown_by(
    tmp_path: Path, read: Handler, create: Handler = creates, file: str = ""
) -> tuple[list[str], Shop, ShownFaults]:
    shop = Shop(read, create, file)
    settings = Settings(command=("node",), max_time_s=None, max_calls=100, working_dir=tmp_path)
    coordinator = new_coordinator(settings, operations=[CREATE, COUNT], table=shop.table)
    worker = new_worker(shop, coordinator)
    worker.evaluate(TestCase((Call(COUNT, ()),)))  # the search has read it
    response = HttpResponse(201, (), b"{}")
    seen = (VerifiedCall(observation=http_observation(0, HttpRequest("POST", "/books"), response)),)
    tests = [VerifiedTest(name="t", kind="other", test_case=TestCase((Call(CREATE, ()),)), calls=seen)]
    shown = result_of(run_kept_answers(coordinator, worker, tests, StartPolicy()))
    return [fault.finding.title for fault in coordinator.faults], shop, shown


def result_of(events: Generator[Any, None, ShownFaults]) -> ShownFaults:
    while True:
        try:
            next(events)
        except StopIteration as stop:
            result: ShownFaults = stop.value
            return result


@pytest.mark.parametrize("read", [keeps_count, keeps_list])
def test_what_is_kept_after_a_creation_is_told(tmp_path: Path, read: Handler) -> None:
    titles, shop = found(tmp_path, read)
    assert titles == ["GET /books/count answers what was there before POST /books has created something"]
    assert shop.n_starts == 7, "one with all cases, four for a closer look, two for the test"


def test_the_test_of_a_kept_answer_reads_creates_and_reads_on_a_new_start(tmp_path: Path) -> None:
    _, _, shown = shown_by(tmp_path, keeps_count)
    (test,) = shown.tests
    assert [call.operation.id for call in test.test_case.calls] == [COUNT.id, CREATE.id, COUNT.id]
    assert [[check.value for check in call.checks] for call in test.calls] == [[3], [4], [3]]
    assert (test.kind, test.starts_anew, test.shares_start) == ("fault", True, False)


def test_what_is_not_kept_as_tests_run_has_a_note_instead_of_a_test(tmp_path: Path) -> None:
    def keeps_in_search(shop: Shop) -> Any:
        return keeps_count(shop) if shop.conditions[-1:] != [AS_TESTS_RUN] else counts(shop)

    titles, _, shown = shown_by(tmp_path, keeps_in_search)
    assert len(titles) == 1
    assert (list(shown.tests), list(shown.notes.values())) == ([], [NOT_AGAIN])


@pytest.mark.parametrize(
    ("read", "create", "n_starts"),
    [
        (counts, creates, 1),
        (keeps_count, clears, 1),
        (keeps_count, creates_later, 1),
        (keeps_page, creates, 5),  # what was created is on another page
        (stores_count, creates, 1),
        (tells_start, creates, 5),
    ],
)
def test_what_may_be_right_is_not_told(tmp_path: Path, read: Handler, create: Handler, n_starts: int) -> None:
    titles, shop = found(tmp_path, read, create)
    assert titles == []
    assert shop.n_starts == n_starts


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("const n = await count();", 1),
        ("if (Date.now() - at > 1000) n = null;", 0),
        ("import cached from 'lru-cache';", 0),
        ("const cached = require('./cache');", 1),
    ],
)
def test_what_is_kept_for_a_while_is_meant_to_be_old(tmp_path: Path, text: str, n: int) -> None:
    file = tmp_path / "books.js"
    file.write_text(text)
    assert len(found(tmp_path, keeps_count, file=str(file))[0]) == n


def test_a_project_with_a_cache_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "package.json").write_text('{"dependencies": {"node-cache": "5"}}')
    titles, shop = found(tmp_path, keeps_count)
    assert (titles, shop.n_starts) == ([], 0)


@pytest.mark.parametrize(
    ("own", "shared", "is_old"),
    [
        ("return counts.get(id);", "log(Date.now() - began);", False),
        ("return counts.get(id);", "jwt.sign({ sub }, SECRET, { expiresIn: '2h' });", False),
        ("jwt.sign({ sub }, SECRET, { expiresIn: '2h' });", "", False),
        ("if (Date.now() > until) counts.delete(id);", "", True),
        ("return counts.get(id);", "const cache = {}; if (Date.now() > until) delete cache[key];", True),
    ],
)
def test_what_other_calls_have_run_counts_where_it_keeps_something(
    tmp_path: Path, own: str, shared: str, is_old: bool
) -> None:
    files = []
    for name, text in (("own.js", own), ("shared.js", shared)):
        (tmp_path / name).write_text(text)
        files.append([str(tmp_path / name)])
    seen = http_observation(0, HttpRequest("GET", "/"), HttpResponse(200, (), b""))
    evaluation = Evaluation(test_case=TestCase(()), observations=(seen,), reached={})
    assert is_meant_to_be_old(evaluation, *files) == is_old
