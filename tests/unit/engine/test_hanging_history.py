"""Test cases that were not answered take long to repeat, and are looked at last among what ran before a fault."""

from __future__ import annotations

from engine_parts import calls_of
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.candidates.fault_prefix import MAX_HUNG, MAX_RESTARTS_OF_ALL, rebuild_from_history
from wimble.engine.faults.fault_book import Witness
from wimble.engine.faults.history import History
from wimble.engine.session.budget import Budget
from wimble.engine.session.phase_time import PhaseLimit
from wimble.engine.session.stop import StopRequest
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause

READ, CHANGE = calls_of("GET /a"), calls_of("POST /a")


def evaluation(test_case, *, is_answered):
    request = HttpRequest("POST", "/a")
    answered = http_observation(0, request, HttpResponse(200, (), b"{}"))
    hung = http_observation(0, request, None, failure="timeout")
    return Evaluation(test_case=test_case, observations=(answered if is_answered else hung,), reached={})


class HangingTrials:
    """Nothing shows the fault, and nothing is answered unless `hangs` is False."""

    def __init__(self, *, hangs=True):
        self._hangs = hangs
        self.n_hung = self.n_rebuilding = 0

    def start_for_rebuilding(self):
        self.n_rebuilding += 1

    def prepare(self, _test_case):
        self.n_hung += self._hangs

    def shows(self, _candidate, _test_case):
        return False


def test_what_hung_is_no_likely_cause():
    history = History()
    history.note(evaluation(CHANGE, is_answered=True))
    history.note(evaluation(CHANGE, is_answered=False))
    assert (len(history.accepted), len(history.test_cases)) == (1, 2)


def rebuilt(trials):
    finding = Finding(
        oracle="o", key=("f",), operation="GET /a", status=500, title="t", observed="o", expected="e", cause=Cause(),
        call_index=0,
    )  # fmt: skip
    witness = Witness(finding, evaluation(READ, is_answered=True), history=(CHANGE,) * 256)
    candidate = Candidate(test_case=READ, fault_key=("f",), targets=frozenset(), original=READ)
    limit = PhaseLimit(Budget(max_time_s=None, max_calls=1), StopRequest(), until=0.5)
    return rebuild_from_history(trials, candidate, witness, limit)


def test_few_test_cases_of_a_history_may_hang():
    trials = HangingTrials()
    assert rebuilt(trials) is None
    assert trials.n_hung == MAX_HUNG


def test_the_starts_of_all_faults_are_limited():
    trials = HangingTrials(hangs=False)
    for _ in range(MAX_RESTARTS_OF_ALL):
        rebuilt(trials)
    assert trials.n_rebuilding == MAX_RESTARTS_OF_ALL
