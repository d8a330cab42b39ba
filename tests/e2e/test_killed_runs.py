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
            if "fault after" in line:
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
    again = project.run("--max-calls", "100", "--seed", "1", "--", "node", "shop.js")
    assert "port-taken" not in again.stderr
    assert project.summary["calls"] >= 100
