"""wimble is killed, which it cannot notice: nothing is left behind, and nothing that was found is lost."""

from __future__ import annotations

import os
import signal

import pytest

from waiting import is_listening, wait_until

pytestmark = pytest.mark.e2e

BLOCKED = """
setTimeout(() => { for (;;); }, 1000);
require('./shop.js');
"""


def kill_while_searching(project, server: str) -> None:
    """Kills wimble after it has found a fault."""
    process = project.start("--max-time", "60s", "--seed", "1", "--format", "node-test", "--", "node", server)
    try:
        for line in process.stderr:
            if "finding after" in line:
                break
        else:
            raise AssertionError("it ended without a fault")
        os.kill(process.pid, signal.SIGKILL)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("text", ["require('./shop.js');", BLOCKED], ids=["idle", "blocked"])
def test_the_sut_of_a_killed_run_ends(project, text):
    project.add("server.js", text)
    kill_while_searching(project, "server.js")
    wait_until(lambda: not is_listening(project.port))
    again = project.run("--max-calls", "100", "--seed", "1", "--format", "none", "--", "node", "shop.js")
    assert "port-taken" not in again.stderr
    assert project.summary["calls"] >= 100


def test_the_report_of_a_killed_run_has_its_faults_and_a_suite_that_passes(project):
    kill_while_searching(project, "shop.js")
    journal = project.folder / "wimble-out" / "journal.jsonl"
    assert '"type":"fault"' in journal.read_text()
    made = project.wimble("report")
    assert made.code == 1, made.stderr
    summary = project.summary
    assert summary["stopped_by"] == "killed"
    assert all(finding["test"] for finding in summary["findings"])
    assert summary["lines"]["covered"] > 10
    assert (project.folder / "wimble-out" / "report" / "index.html").exists()
    assert not journal.exists(), "it is done"
    suite = project.run_suite()
    assert suite.returncode == 0, suite.stdout[-4000:]
    assert project.is_port_free()


def test_the_report_of_a_killed_run_needs_no_sut(project):
    kill_while_searching(project, "shop.js")
    (project.folder / "shop.js").unlink()
    made = project.wimble("report")
    assert made.code == 1, made.stderr
    assert "no tests were written, for none can be verified without the SUT" in made.stdout
    (finding, *_) = project.summary["findings"]
    assert finding["calls"][-1]["status"] == finding["status"]
    assert "the SUT did not start" in made.stdout
    assert (project.folder / "wimble-out" / "journal.jsonl").exists(), "the suite can still be made"


def test_a_run_after_a_killed_one_keeps_what_that_had_found(project):
    kill_while_searching(project, "shop.js")
    again = project.run("--max-calls", "50", "--seed", "1", "--format", "none", "--", "node", "shop.js")
    assert "an earlier run was killed after it had found" in again.stderr
    made = project.wimble("report")
    assert made.code == 1, made.stderr
    assert project.summary["stopped_by"] == "killed"


def test_there_is_nothing_to_report_of_a_run_that_came_to_its_end(project):
    project.run("--max-calls", "50", "--seed", "1", "--format", "none", "--", "node", "shop.js")
    refused = project.wimble("report")
    assert refused.code == 2
    assert "error: there is no journal of a killed run in <folder>/wimble-out" in refused.message
    assert "the last run there came to its end" in refused.message
