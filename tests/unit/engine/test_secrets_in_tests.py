"""Tests that send a secret are left out before the others are verified behind them."""

import pytest

from engine_parts import calls_of, new_coordinator, new_verification
from wimble.engine.candidates.candidate import Candidate
from wimble.engine.stability.repeated_runs import Run
from wimble.engine.verify.secrets_in_tests import without_secrets
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest
from wimble.model.evaluation import Evaluation
from wimble.settings import Settings
from wimble.users import Secrets

SECRET = "s3cret-of-ann"


@pytest.fixture
def verification():
    secrets = Secrets()
    secrets.hide(SECRET)
    return new_verification(coordinator=new_coordinator(Settings(command=("node",), secrets=secrets)))


def run_sending(request):
    case = calls_of("POST /notes")
    candidate = Candidate(test_case=case, fault_key=("k",), targets=frozenset(), original=case)
    observation = http_observation(0, request, failure="timeout")
    return Run(candidate, case, Evaluation(test_case=case, observations=(observation,), reached={}))


@pytest.mark.parametrize(
    "request_with_it",
    [
        HttpRequest("GET", f"/notes?q={SECRET}"),
        HttpRequest("GET", "/notes", (("X-Note", SECRET),)),
        HttpRequest("POST", "/notes", (), f'{{"text": "{SECRET}"}}'.encode()),
    ],
)
def test_what_sends_a_secret_is_left_out_and_told(verification, request_with_it):
    clean = run_sending(HttpRequest("POST", "/notes", (), b"{}"))
    assert without_secrets(verification, [run_sending(request_with_it), clean]) == [clean]
    assert list(verification.fault_notes) == [("k",)]
    assert verification.coordinator.notices.warnings == ("1 test was not written, for it holds a secret",)


def test_where_there_is_none_nothing_is_told(verification):
    clean = run_sending(HttpRequest("GET", "/notes"))
    assert without_secrets(verification, [clean]) == [clean]
    assert verification.coordinator.notices.warnings == ()
