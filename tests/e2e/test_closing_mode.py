"""A call that closes an API until its next start must not take the rest of the search along."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.long]


def test_a_mode_that_stays_in_memory_ends_with_a_fresh_start(project):
    result = project.run("--max-calls", "3000", "--seed", "1", "--format", "node-test", "--", "node", "closing.js")
    assert result.code == 1, result.stderr
    assert project.summary["operations"] == {"total": 10, "reached_2xx": 10}  # with that of the document
    covered = project.summary["branches"]
    assert covered["covered"] >= 20, covered  # with the API closed all the time: 9
    assert all("answers 503: closed" in finding["title"] for finding in project.summary["findings"])
    ran = project.run_suite()
    assert ran.returncode == 0, ran.stdout[-4000:]
