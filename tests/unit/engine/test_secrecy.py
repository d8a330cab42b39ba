"""Tests that send a secret are left out before the others are verified behind them."""

from types import SimpleNamespace

import pytest

from wimble.engine.secrecy import without_secrets
from wimble.model.http import HttpRequest
from wimble.users import Secrets

SECRET = "s3cret-of-ann"


@pytest.fixture
def context():
    secrets = Secrets()
    secrets.hide(SECRET)
    warnings = []
    return SimpleNamespace(
        settings=SimpleNamespace(secrets=secrets), warn=warnings.append, warnings=warnings, fault_notes={}
    )


def run_sending(request):
    return SimpleNamespace(
        candidate=SimpleNamespace(fault_key=("k",)),
        evaluation=SimpleNamespace(observations=(SimpleNamespace(request=request),)),
    )


@pytest.mark.parametrize(
    "request_with_it",
    [
        HttpRequest("GET", f"/notes?q={SECRET}"),
        HttpRequest("GET", "/notes", (("X-Note", SECRET),)),
        HttpRequest("POST", "/notes", (), f'{{"text": "{SECRET}"}}'.encode()),
    ],
)
def test_what_sends_a_secret_is_left_out_and_told(context, request_with_it):
    clean = run_sending(HttpRequest("POST", "/notes", (), b"{}"))
    assert without_secrets(context, [run_sending(request_with_it), clean]) == [clean]
    assert list(context.fault_notes) == [("k",)]
    assert context.warnings == ["1 tests were not written, for they hold a secret"]


def test_where_there_is_none_nothing_is_told(context):
    clean = run_sending(HttpRequest("GET", "/notes"))
    assert without_secrets(context, [clean]) == [clean]
    assert context.warnings == []
