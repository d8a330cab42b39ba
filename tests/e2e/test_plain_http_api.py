"""The search on bench/undeclared/http, whose routes stand in conditions of one function, without a document."""

from __future__ import annotations

import json

import pytest

from conftest import ROOT, free_port
from wimble.engine.events import FindingFound, PhaseStarted, Progress
from wimble.engine.run import run
from wimble.engine.session.stop import StopRequest
from wimble.settings import Settings

pytestmark = pytest.mark.e2e

FOLDER = ROOT / "bench" / "undeclared" / "http"
N_CALLS = 900
"""Logins join within these calls, and faults behind some of them are found."""


def test_the_search_finds_its_faults_and_no_operations_that_do_not_exist(tmp_path, monkeypatch):
    monkeypatch.setenv("PORT", str(free_port()))
    settings = Settings(
        command=("node", "server.mjs"),
        working_dir=FOLDER,
        output_dir=tmp_path / "out",
        max_time_s=None,
        max_calls=N_CALLS,
        seed=1,
    )
    n_operations, titles = 0, []
    events = run(settings, StopRequest())
    for event in events:
        if isinstance(event, PhaseStarted) and event.phase not in ("boot", "search"):
            break
        if isinstance(event, Progress):
            n_operations = event.operations_total
        if isinstance(event, FindingFound):
            titles.append(event.finding.title)
    events.close()
    n_wanted = len(json.loads((FOLDER / "operations.json").read_text(encoding="utf-8")))
    assert n_wanted <= n_operations <= n_wanted + 5, "those of one part more (`/login/{part2}`)"
    assert len(titles) >= 8, titles
