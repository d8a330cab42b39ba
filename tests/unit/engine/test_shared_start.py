"""Tests that share a start: what is written is what was verified, test by test in the order of its file."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import pytest
from msgspec.structs import replace

from engine_parts import REQUESTS, ScriptedSut, calls_of, new_coordinator, new_verification
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.session.stop import StopRequest
from wimble.engine.stability.repeated_runs import Run
from wimble.engine.verify import files_of_tests, settled_files, shared_start
from wimble.engine.verify.files_of_tests import TestFile, Trial
from wimble.engine.verify.rehearsals import KINDS, by_kind_of_rehearsal
from wimble.engine.verify.settled_files import settle
from wimble.engine.verify.shared_start import verify_in_shared_starts
from wimble.model.external import ExternalRequest
from wimble.model.run_conditions import AS_TESTS_RUN, Conditions
from wimble.model.setup_kinds.answer import Answer
from wimble.model.suite import TestFileKind, TestKind, VerifiedTest
from wimble.settings import Settings
from wimble.types import TargetId
from wimble.users import Secrets

ONE_CALL = calls_of("POST /a")


class Step(NamedTuple):
    """A test by what it does to the one thing that this SUT holds: `delete`, `make`, `read`; or it tosses a coin, draws
    (high by itself), or tells the `date`. `tell` makes the thing go, and holds what turns out to be a secret. `tire`
    does something else at its third run."""

    does: str
    result: str = ""

    @property
    def candidate(self) -> Step:
        return self

    fault_key = None

    @property
    def evaluation(self) -> SimpleNamespace:
        return SimpleNamespace(n_random_values=int(self.does == "draw"))


class Outcome(NamedTuple):
    does: str
    kind: TestKind

    @property
    def file_kind(self) -> TestKind:
        return self.kind


class FakeFiles:
    """Runs files of such tests, in place of a SUT: each from a fresh start, on which the thing is there."""

    def __init__(self) -> None:
        self.sut = ScriptedSut()
        self.verification = new_verification(self.sut)
        self.n_runs = 0
        self.n_runs_until_learnt = 0
        self.has_time = True
        self._n_tosses = 0
        self._n_tired = 0

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.verification.coordinator.notices.warnings

    def run_file(self, _: object, trials: list[Trial], conditions: Conditions = AS_TESTS_RUN) -> list[Step]:
        self.n_runs += 1
        is_there = True
        results = []
        for test in (cast(Step, trial.test) for trial in trials):
            if test.does in ("delete", "make", "lose", "tell"):
                is_there = test.does == "make"
            result = "found" if is_there or test.does != "read" else "missing"
            if test.does in ("toss", "lose"):
                self._n_tosses += 1
                result = f"side {self._n_tosses}"
            if test.does == "draw":
                result = f"found {conditions.random_bias or 'high'}"
            if test.does == "date":
                result = f"found {self.sut.is_another_day}"
            if test.does == "tire":
                self._n_tired += 1
                result = f"found {self._n_tired == 3}"
            results.append(test._replace(result=result))
        return results

    def is_secret(self, _: object, __: object, test: Outcome) -> bool:
        return test.does == "tell" and self.n_runs >= self.n_runs_until_learnt

    def settled(self, **files: list[str]) -> dict[str, list[str]]:
        tests = {kind: TestFile([trial(does) for does in files.get(kind, [])]) for kind in KINDS}
        list(settle(self.verification, tests, self.limit()))
        for file in tests.values():
            file.leave_out_secrets(self.verification)
        self._assert_is_true_of_the_sut({kind: file.sure for kind, file in tests.items()})
        return {kind: [cast(Outcome, test).does for test in file.sure] for kind, file in tests.items()}

    def limit(self) -> PhaseLimit:
        """Allows one round, unless there is time."""
        if self.has_time:
            return PhaseLimit(self.verification.coordinator.budget, StopRequest(), until=1.0)
        return cast(PhaseLimit, OneRound(self))

    def _assert_is_true_of_the_sut(self, files: dict[TestKind, list[VerifiedTest]]) -> None:
        for kind, tests in files.items():
            outcomes = [cast(Outcome, test) for test in tests]
            again = self.run_file(None, [trial(outcome.does) for outcome in outcomes])
            assert [agreed(None, [run]) for run in again] == outcomes
            assert all(outcome.kind == kind for outcome in outcomes)


class OneRound:
    def __init__(self, files: FakeFiles) -> None:
        self._files = files

    @property
    def is_reached(self) -> bool:
        return self._files.n_runs > 0


def agreed(_: object, runs: list[Step]) -> Outcome | None:
    if len({run.result for run in runs}) > 1:
        return None
    return Outcome(runs[0].does, "success" if runs[0].result.startswith("found") else "other")


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> FakeFiles:
    made = FakeFiles()
    monkeypatch.setattr(settled_files, "_run_file", made.run_file)
    monkeypatch.setattr(settled_files, "_agreed", agreed)
    monkeypatch.setattr(files_of_tests, "is_secret", made.is_secret)
    return made


def trial(does: str) -> Trial:
    return Trial(cast(Run, Step(does)))


def test_what_another_kind_of_test_does_when_run_in_its_file_moves_to_the_file_that_is_its_own(
    files: FakeFiles,
) -> None:
    # `read` was refused when it ran behind all others; alone in its file it succeeds, and in its new file it does not
    # again.
    assert files.settled(success=["make"], other=["read"]) == {"fault": [], "success": ["make", "read"], "other": []}


def test_what_did_something_else_when_rehearsed_begins_in_the_file_that_is_its_own() -> None:
    read, make = Trial(cast(Run, Rehearsed("other"))), Trial(cast(Run, Rehearsed("success")))
    tests = by_kind_of_rehearsal(
        {
            "fault": TestFile([Trial(cast(Run, Rehearsed("fault")), today=[cast(Run, "run")])]),
            "success": TestFile([read, make]),
            "other": TestFile([Trial(cast(Run, Rehearsed("other")), today=[cast(Run, "run")])]),
        }
    )
    assert {kind: [one.test.kind for one in file.trials] for kind, file in tests.items()} == {
        "fault": ["fault"],
        "success": ["success"],
        "other": ["other", "other"],
    }
    assert [len(one.today) for file in tests.values() for one in file.trials] == [1, 0, 0, 0], "what changed runs anew"
    assert [one.has_moved for one in tests["other"].trials] == [False, True]


class Rehearsed(NamedTuple):
    kind: TestKind


def test_a_test_that_fits_into_neither_file_is_left_out(files: FakeFiles) -> None:
    assert files.settled(success=["make", "delete"], other=["read"]) == {
        "fault": [],
        "success": ["make", "delete"],
        "other": [],
    }


def test_what_changes_from_run_to_run_is_left_out_and_the_rest_stays(files: FakeFiles) -> None:
    assert files.settled(success=["make", "toss", "read"]) == {"fault": [], "success": ["make", "read"], "other": []}


def test_what_ran_behind_a_test_that_had_to_go_goes_too_where_rounds_run_out(
    monkeypatch: pytest.MonkeyPatch, files: FakeFiles
) -> None:
    monkeypatch.setattr(settled_files, "MAX_ROUNDS", 1)
    assert files.settled(success=["make", "tire", "read"])["success"] == ["make"]


@pytest.mark.parametrize("differing", ["toss", "date"])
def test_what_differs_on_another_day_is_left_out_before_the_last_run_which_the_others_have_without_it(
    monkeypatch: pytest.MonkeyPatch, files: FakeFiles, differing: str
) -> None:
    monkeypatch.setattr(settled_files, "MAX_ROUNDS", 1)
    assert files.settled(success=["make", differing, "read"])["success"] == ["make", "read"]


def test_what_has_run_on_two_days_is_written_where_the_time_is_over_then(files: FakeFiles) -> None:
    files.has_time = False
    assert files.settled(success=["make", "read"])["success"] == ["make", "read"]
    assert files.n_runs == 2 + len(KINDS), "one on each day, and those with which this test looks at the files"


def test_a_file_that_has_run_today_runs_on_another_day_after_its_time_too(files: FakeFiles) -> None:
    files.has_time = False
    files.n_runs = 1
    run = cast(Run, SimpleNamespace(does="make", result="found", took_s=0.1, evaluation=Step("make").evaluation))
    rehearsed = TestFile([Trial(cast(Run, Step("make")), today=[run])])
    not_rehearsed = TestFile([trial("make")])
    tests: dict[TestFileKind, TestFile] = {"success": rehearsed, "other": not_rehearsed}
    list(settle(files.verification, tests, files.limit()))
    assert (len(rehearsed.sure), len(not_rehearsed.sure)) == (1, 0)


def test_what_the_last_run_has_no_time_for_is_written_unless_a_test_before_it_has_gone() -> None:
    run = cast(Run, Step("read"))
    reached, not_reached, changed, not_run = (Trial(run, today=[run], other_days=[run]) for _ in range(4))
    changed.note_change()
    not_run.other_days.clear()
    file = TestFile([reached, not_reached, changed, not_run])
    file.note_runs([run])
    assert [one is trial for one, trial in zip(file.trials, (reached, not_reached), strict=True)] == [True, True]
    assert file.n_cut == 2


def test_a_number_that_the_sut_counts_is_not_asserted_behind_a_test_that_had_to_go() -> None:
    n_tosses = [0]

    def program(memory: dict[str, Any], operation_id: str) -> tuple[int, Any]:
        if operation_id == "POST /toss":
            n_tosses[0] += 1
        memory["n"] = memory.get("n", 0) + 1
        return 200 + n_tosses[0] * (operation_id == "POST /toss"), {"id": memory["n"]}

    for max_rounds in (1, 12):
        verification = new_verification(ScriptedSut(program))
        file = TestFile(
            [
                Trial(cast(Run, SimpleNamespace(candidate=one, test_case=one.test_case, kind="success")))
                for one in (
                    Candidate(test_case=calls, original=calls, fault_key=None, targets=frozenset())
                    for calls in (calls_of("POST /a"), calls_of("POST /toss"), calls_of("POST /b"))
                )
            ]
        )
        limit = PhaseLimit(verification.coordinator.budget, StopRequest(), until=1.0)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(settled_files, "MAX_ROUNDS", max_rounds)
            list(settle(verification, {"success": file}, limit))
        written = [
            (test.test_case.calls[0].operation.id, {check.value for check in test.calls[0].checks})
            for test in file.sure
        ]
        assert written == [("POST /a", {1}), ("POST /b", set())]


def test_a_file_from_which_a_test_has_gone_runs_once_more(files: FakeFiles) -> None:
    assert files.settled(success=["make", "read"])["success"] == ["make", "read"]
    n_of_settled = files.n_runs
    files.settled(success=["make", "tire", "read"])
    assert files.n_runs - n_of_settled == n_of_settled + 1
    n_before = files.n_runs
    files.settled(success=["make", "toss", "read"])
    assert files.n_runs - n_before == n_of_settled, "it has gone before the last run"


def test_a_test_that_does_something_else_once_another_has_gone_is_verified_anew(files: FakeFiles) -> None:
    """`lose` makes the thing go, and tosses a coin: without it `read` finds what is there, in each run."""
    assert files.settled(success=["lose", "read"])["success"] == ["read"]
    assert files.settled(success=["read"], other=["lose", "read"]) == {
        "fault": [],
        "success": ["read", "read"],
        "other": [],
    }


@pytest.mark.parametrize("n_runs", [0, 3, 4, 6])
def test_what_was_verified_behind_a_test_with_a_secret_is_verified_anew(files: FakeFiles, n_runs: int) -> None:
    """Without `tell`, `read` finds what is there."""
    files.n_runs_until_learnt = n_runs
    assert files.settled(success=["read"], other=["tell", "read"]) == {
        "fault": [],
        "success": ["read", "read"],
        "other": [],
    }


def test_a_file_that_lost_a_test_runs_once_more_after_the_time_too(files: FakeFiles) -> None:
    files.has_time = False
    assert files.settled(success=["make", "tell", "make", "read"])["success"] == ["make", "make", "read"]


def test_what_was_verified_behind_a_test_with_a_secret_is_left_out_if_rounds_run_out(
    monkeypatch: pytest.MonkeyPatch, files: FakeFiles
) -> None:
    monkeypatch.setattr(settled_files, "MAX_ROUNDS", 1)
    assert files.settled(success=["make", "tell", "make", "read"])["success"] == ["make"]


def test_what_another_day_changes_is_left_out(files: FakeFiles) -> None:
    assert files.settled(success=["read", "date"])["success"] == ["read"]
    assert files.warnings == ()


def test_where_another_day_changes_most_tests_the_clock_is_to_blame(files: FakeFiles) -> None:
    assert files.settled(success=["date"] * 4 + ["read"])["success"] == ["date"] * 4 + ["read"]
    assert len(files.warnings) == 1


def test_what_is_drawn_is_no_matter_of_the_day(files: FakeFiles) -> None:
    # Today its draws are high each time, so that only another day shows the other side.
    assert files.settled(success=["read", "draw"])["success"] == ["read"]
    assert files.settled(success=["date"] * 4 + ["draw"])["success"] == ["date"] * 4, (
        "nor is it kept where the day plays a part for many"
    )


def test_where_starts_are_slow_all_tests_are_one_file(files: FakeFiles, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Outcome, "file_kind", "all")
    file = TestFile([trial(does) for does in ("delete", "read", "make", "toss")])
    tests = {"all": file}
    limit = PhaseLimit(files.verification.coordinator.budget, StopRequest(), until=1.0)
    list(settle(files.verification, tests, limit))  # type: ignore[arg-type]
    assert [cast(Outcome, test).does for test in file.verified] == ["delete", "read", "make"], "of both kinds"


@pytest.mark.parametrize("has_time", [True, False])
def test_what_is_worth_most_comes_first_where_time_is_short(has_time: bool) -> None:
    few, many = (
        Candidate(test_case=ONE_CALL, fault_key=None, targets=frozenset(map(TargetId, range(n))), original=ONE_CALL)
        for n in (1, 9)
    )
    fault = Candidate(test_case=ONE_CALL, fault_key=("f",), targets=frozenset(), original=ONE_CALL)
    limit = SimpleNamespace(allows=lambda duration_s, share: has_time)
    verification = new_verification(ScriptedSut())
    ordered = shared_start._in_order(verification, [few, many, fault], limit).candidates  # type: ignore[arg-type]
    assert list(ordered) == ([few, many, fault] if has_time else [fault, many, few])


def asking(memory, operation_id):
    """Asks a service in each call; a second time, once it has been asked for something else."""
    targets = ["/rates"] + ["/late"] * bool(memory.get("was_called"))
    memory["was_called"] = operation_id == "POST /b"
    memory[REQUESTS] = [
        ExternalRequest(call=0, site="", n=n, origin="https://a.example:443", method="GET", target=target)
        for n, target in enumerate(targets)
    ]
    return 200, None


class AskingSut(ScriptedSut):
    """Its requests are answered as planned."""

    def evaluate(self, test_case, **how):
        one = super().evaluate(test_case, **how)
        planned = {answer.path: number for number, answer in test_case.setup_of(Answer)}
        answered = tuple(replace(request, answered_by=planned.get(request.path)) for request in one.interactions)
        return replace(one, interactions=answered)


def test_tests_that_share_a_start_expect_the_requests_to_services_that_they_send() -> None:
    verification = new_verification(AskingSut(asking))
    candidates = [
        Candidate(test_case=calls, original=calls, fault_key=None, targets=frozenset())
        for calls in (calls_of("POST /b"), calls_of("POST /a"))
    ]
    limit = PhaseLimit(verification.coordinator.budget, StopRequest(), until=1.0)
    verified: list[VerifiedTest] = []
    list(verify_in_shared_starts(verification, candidates, limit, verified))
    expected = [[answer.path for _, answer in test.test_case.setup_of(Answer)] for test in verified]
    assert expected == [["/rates"], ["/rates", "/late"]]


@pytest.mark.parametrize("n_runs", [3, 6, 9, 99])
def test_what_turns_out_to_be_a_secret_late_leaves_no_trace_in_what_others_expect(n_runs: int) -> None:
    """n_runs: after as many runs it is known that the path is a secret."""
    secrets = Secrets()
    n_ran = [0]

    def program(memory: dict[str, Any], operation_id: str) -> tuple[int, list[str]]:
        n_ran[0] += 1
        if n_ran[0] == n_runs:
            secrets.hide("/told-to-ann")
        memory.setdefault("made", []).append(operation_id)
        return 200, memory["made"]

    settings = Settings(command=("node",), secrets=secrets, max_time_s=None, max_calls=1000)
    verification = new_verification(ScriptedSut(program), coordinator=new_coordinator(settings))
    candidates = [
        Candidate(test_case=calls, original=calls, fault_key=None, targets=frozenset())
        for calls in (calls_of("POST /a"), calls_of("POST /told-to-ann"), calls_of("POST /b"))
    ]
    verified: list[VerifiedTest] = []
    limit = PhaseLimit(verification.coordinator.budget, StopRequest(), until=1.0)
    list(verify_in_shared_starts(verification, candidates, limit, verified))

    paths = [test.test_case.calls[0].operation.id for test in verified]
    asserted = {check.value for check in verified[-1].calls[0].checks}
    assert asserted <= {*paths, len(paths)}
    assert paths == ["POST /a", *["POST /told-to-ann"] * (n_runs == 99), "POST /b"]
    assert len(verification.coordinator.notices.warnings) == (0 if n_runs == 99 else 1)
