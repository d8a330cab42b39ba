"""What the search finds is in the journal at once, and can be read however the run ends."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest
from msgspec.structs import replace

from engine_parts import calls_of
from wimble.engine.faults.fault_book import Fault, FaultBook
from wimble.engine.faults.history import History
from wimble.engine.journal.journal import Journal
from wimble.engine.journal.journal_entries import JOURNAL_FILE, run_entry
from wimble.engine.journal.killed_run import KEPT_FILE, NO_PROGRESS, keep_journal, read_killed_run
from wimble.errors import UsageError
from wimble.http.exchange import http_observation, response_of
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause
from wimble.model.testcase import TestCase
from wimble.settings import Settings

BODY = b'{"a":"\xff\xfe and a token-of-the-shop"}'
SETTINGS = Settings(command=("node", "shop.js"), working_dir=Path("/shop"), max_calls=9, max_time_s=None, seed=7)
ENTRY = run_entry(SETTINGS, url="http://127.0.0.1:1", schema="openapi.json", n_operations=3)


def seen(test_case: TestCase, status: int) -> Evaluation:
    return Evaluation(
        test_case=test_case,
        observations=tuple(
            http_observation(index, HttpRequest("GET", "/x"), HttpResponse(status, (("a", "b"),), BODY))
            for index in range(len(test_case.calls))
        ),
        reached={},
    )


def fault(name: str) -> Fault:
    """A fault with an earlier test case, `POST /before`."""
    history = History()
    history.note(seen(calls_of("POST /before"), 201))
    found = Finding(
        oracle="server-error", key=("server-error", name), operation=name, status=500, title=f"{name} answers 500",
        observed="500", expected="no error", cause=Cause(file="/shop/shop.js", line=3, stack="at \ud800"), call_index=0,
    )  # fmt: skip
    return FaultBook().note(seen(calls_of(name), 500), [found], history, calls=5, elapsed_s=0.5)[0]


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    made = Journal(tmp_path / JOURNAL_FILE, clean=lambda text: text.replace("shop.js", "***"))
    made.begin(ENTRY)
    made.note_test_case(calls_of("GET /x"))
    made.note_fault(fault("GET /broken"))
    return made


def test_a_journal_is_complete_without_being_closed(journal: Journal, tmp_path: Path) -> None:
    killed = read_killed_run(tmp_path)
    assert killed.settings.max_calls == 9
    assert killed.settings.working_dir == Path("/shop")
    operations = [call.operation for call in calls_of("GET /x", "POST /before", "GET /broken").calls]
    read = list(killed.test_cases(operations))
    assert [one.calls[0].operation.id for one in read] == ["GET /x", "POST /before", "GET /broken"]
    (reported,) = killed.unseen(frozenset(), "why")
    assert reported.finding.title == "GET /broken answers 500"
    assert reported.finding.cause.stack == "at \ud800"
    assert (reported.note, reported.found_after_calls) == ("why", 5)
    response = response_of(reported.observations[0])
    assert response is not None
    assert (response.status, response.body) == (500, BODY)
    assert killed.unseen(frozenset([("server-error", "GET /broken")]), "why") == ()


def test_how_far_the_search_is_gets_into_it_now_and_then_and_at_its_end(journal: Journal, tmp_path: Path) -> None:
    for elapsed_s in (0.1, 4.0, 4.5):
        journal.note_progress(replace(NO_PROGRESS, elapsed_s=elapsed_s), is_last=elapsed_s == 4.5)
        if elapsed_s == 4.0:
            assert read_killed_run(tmp_path).progress.elapsed_s == 0.1
    assert read_killed_run(tmp_path).progress.elapsed_s == 4.5


def test_secrets_do_not_get_into_it(journal: Journal, tmp_path: Path) -> None:
    assert b"shop.js" not in (tmp_path / JOURNAL_FILE).read_bytes()
    assert (tmp_path / JOURNAL_FILE).stat().st_mode & 0o077 == 0, "answers are for the user only"


def test_test_cases_of_operations_that_are_gone_are_left_out(journal: Journal, tmp_path: Path) -> None:
    operations = [call.operation for call in calls_of("GET /broken").calls]
    assert [len(one.calls) for one in read_killed_run(tmp_path).test_cases(operations)] == [1]


@pytest.mark.parametrize("n_bytes", [1, 20, 200])
def test_a_line_that_was_cut_is_left_out(journal: Journal, tmp_path: Path, n_bytes: int) -> None:
    path = tmp_path / JOURNAL_FILE
    path.write_bytes(path.read_bytes()[:-n_bytes])
    killed = read_killed_run(tmp_path)
    assert len(killed.entries) == (2 if n_bytes == 1 else 1)


def test_a_full_disk_is_said_once_and_leaves_whole_lines(tmp_path: Path) -> None:
    warnings: list[str] = []
    (tmp_path / JOURNAL_FILE).symlink_to("/dev/full")
    journal = Journal(tmp_path / JOURNAL_FILE, warn=warnings.append)
    journal.begin(ENTRY)
    journal.note_fault(fault("GET /broken"))
    (warning,) = warnings
    assert "No space left on device" in warning


def test_a_disk_that_fills_up_with_a_fault_ends_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    made = Journal(tmp_path / JOURNAL_FILE, warn=said.append)
    made.begin(ENTRY)
    monkeypatch.setattr("os.write", fail_as_full)
    made.note_fault(fault("GET /broken"))
    made.note_fault(fault("GET /broken"))
    assert len(said) == 1


def fail_as_full(file: int, data: bytes) -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_the_journal_of_a_run_that_has_its_reports_goes(journal: Journal, tmp_path: Path) -> None:
    journal.close(is_needed=True)
    assert (tmp_path / JOURNAL_FILE).exists()
    journal.close(is_needed=False)
    assert not (tmp_path / JOURNAL_FILE).exists()


def test_the_next_run_keeps_a_journal_with_faults(journal: Journal, tmp_path: Path) -> None:
    message = keep_journal(tmp_path)
    assert "1 fault" in message
    assert (tmp_path / KEPT_FILE).exists()
    assert len(read_killed_run(tmp_path).faults) == 1
    assert keep_journal(tmp_path) == ""


def test_the_next_run_does_not_keep_the_journal_of_a_run_that_has_reported_its_faults(
    journal: Journal, tmp_path: Path
) -> None:
    assert keep_journal(tmp_path, was_reported=True) == ""
    assert not (tmp_path / JOURNAL_FILE).exists()
    assert not (tmp_path / KEPT_FILE).exists()


def test_a_journal_of_another_version_is_refused(tmp_path: Path) -> None:
    (tmp_path / JOURNAL_FILE).write_text('{"type":"run","version":99}\n')
    with pytest.raises(UsageError) as caught:
        read_killed_run(tmp_path)
    assert caught.value.slug == "bad-journal"
