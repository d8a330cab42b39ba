"""Outcomes of services are real to the SUT, wherever it calls from; a request that hangs on purpose costs no time."""

import json
from functools import cache
from pathlib import Path

import pytest

from namespaces import run_in_namespace

pytestmark = pytest.mark.e2e

SCRIPT = Path(__file__).parents[1] / "shared" / "services" / "evaluated_sut.py"
SERVER = Path(__file__).parent / "servers" / "impatient.js"
WELL = '200 {"state":"well"}'
CASES = {
    ("/plain", "answer", 200): WELL,
    ("/plain", "answer", 503): '503 {"state":"well"}',
    ("/plain", "no_host", 0): "ENOTFOUND",
    ("/plain", "try_again", 0): "EAI_AGAIN",
    ("/plain", "refused", 0): "ECONNREFUSED",
    ("/plain", "timed_out", 0): "ETIMEDOUT",
    ("/plain", "reset", 200): "ECONNRESET",
    ("/plain", "closed", 200): "ECONNRESET",
    ("/plain", "truncated", 200): "ECONNRESET",
    ("/plain", "slow", 200): WELL,
    ("/plain", "expired", 0): "CERT_HAS_EXPIRED",
    ("/plain", "wrong_name", 0): "ERR_TLS_CERT_ALTNAME_INVALID",
    ("/plain", "self_signed", 0): "DEPTH_ZERO_SELF_SIGNED_CERT",
    ("/plain", "unknown_authority", 0): "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    ("/plain", "own_authority", 0): "SELF_SIGNED_CERT_IN_CHAIN",
    ("/fetch", "refused", 0): "ECONNREFUSED",
    ("/fetch", "closed", 200): "UND_ERR_SOCKET",
    ("/fetch", "answer", 200): '{"state":"well"}',
    ("/fetch", "expired", 0): "CERT_HAS_EXPIRED",
    ("/fetch", "truncated", 200): "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
    ("/worker", "answer", 200): WELL,
    ("/worker", "refused", 0): "ECONNREFUSED",
    ("/worker", "self_signed", 0): "DEPTH_ZERO_SELF_SIGNED_CERT",
    ("/child", "answer", 200): WELL,
    ("/plain", "killed", 200): WELL,
}
HANGS = {
    ("/signal", "hang", 200): 23,  # DOMException.TIMEOUT_ERR
    ("/controller", "hang", 200): 20,  # DOMException.ABORT_ERR
    ("/socket", "hang", 200): "Error: too slow",
    ("/race", "hang", 200): "Error: raced",
    ("/default", "hang", 200): "Error: too slow",
    ("/default", "hang", 201): "Error: too slow",
    ("/agent", "hang", 200): "Error: too slow",
}
HANGS |= {(*case, True): text for case, text in HANGS.items() if case[0] in {"/signal", "/socket", "/race", "/default"}}
UNGUARDED = {("/plain", "hang", 200), ("/fetch", "hang", 200), ("/plain", "hang", 200, True)}


@cache
def outcomes():
    cases = sorted([*CASES, *HANGS, *UNGUARDED], key=lambda case: case[3:] == ())  # first as in verification, afresh
    printed = json.loads(run_in_namespace(SCRIPT, str(SERVER), json.dumps(cases), timeout_s=100))
    return dict(zip(cases, printed["found"], strict=True)), printed["starts"]


@pytest.mark.parametrize("case", CASES)
def test_outcomes_are_real_to_the_sut(case):
    assert outcomes()[0][case][0] == CASES[case]


@pytest.mark.parametrize("case", HANGS)
def test_a_guarded_request_that_hangs_costs_no_time(case):
    text, elapsed_ms, requests, guarded = outcomes()[0][case]
    assert text == HANGS[case]
    assert guarded == [0]
    assert elapsed_ms < 4500
    assert [reply for _, reply in requests] == ["hang"]


def test_a_request_without_a_time_out_that_hangs_is_known_never_to_end():
    for case in UNGUARDED:
        text, asked_ms, requests, guarded = outcomes()[0][case]
        assert text == "in vain"
        assert asked_ms < 3000
        assert guarded == []
        assert [reply for _, reply in requests] == ["hang"]


def test_calls_without_a_time_out_are_not_guarded():
    assert outcomes()[0]["/plain", "answer", 200][3] == outcomes()[0]["/fetch", "truncated", 200][3] == []


def test_a_mock_server_that_was_killed_is_started_again():
    assert outcomes()[1] == 2
