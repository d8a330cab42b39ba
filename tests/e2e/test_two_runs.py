"""Two runs at once on one project, and ports that another process has."""

from __future__ import annotations

import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from waiting import wait_until

pytestmark = pytest.mark.e2e

CHOSEN = "process.env.PORT ??= '{port}';\nrequire('./shop.js');\n"
FIXED = "process.env.PORT = '{port}';\nrequire('./shop.js');\n"


@pytest.fixture
def taken(project) -> Iterator[int]:
    """The project's port, on which this process listens."""
    del project.environment["PORT"]
    with socket.create_server(("127.0.0.1", project.port)):
        yield project.port


@pytest.mark.parametrize("variable", ["PORT", "API_PORT"])
def test_a_sut_that_takes_its_port_from_the_environment_gets_a_free_one(project, taken, variable):
    if variable != "PORT":
        project.environment[variable] = str(taken)
    project.add("server.js", f"process.env.PORT = process.env.{variable} ?? '{taken}';\nrequire('./shop.js');\n")
    options = ("--max-calls", "60", "--seed", "1", "--only", "method:POST", "--format", "node-test")
    result = project.run(*options, "--", "node", "server.js")
    assert result.code == 1, result.stderr
    assert f"port {taken} is taken by" in result.stderr
    assert "it was started with PORT=" in result.stderr
    suite = project.run_suite()
    assert suite.returncode == 0, suite.stdout[-4000:]


def test_a_fixed_port_that_is_taken_gets_a_sentence_with_its_holder(project, taken):
    project.add("server.js", FIXED.format(port=taken))
    result = project.run("--max-calls", "100", "--", "node", "server.js")
    assert result.code == 3
    assert "the SUT cannot listen: port <port> is taken by" in result.message
    assert "(pid " in result.message
    assert "if it takes its port from PORT" in result.message


@contextmanager
def held_while_listening(run: subprocess.Popen[str], project) -> Iterator[None]:
    """Stops a run while its SUT listens, so that the SUT does not start again meanwhile."""

    def is_held() -> bool:
        run.send_signal(signal.SIGSTOP)
        if not project.is_port_free():
            return True
        run.send_signal(signal.SIGCONT)
        return False

    try:
        wait_until(is_held)
        yield
    finally:
        run.send_signal(signal.SIGCONT)


def test_two_runs_at_once_each_have_a_port_and_a_folder(project):
    del project.environment["PORT"]
    project.add("server.js", CHOSEN.format(port=project.port))
    options = ("--max-calls", "200", "--seed", "1", "--only", "method:POST")
    first = project.start(*options, "--", "node", "server.js")
    try:
        for line in first.stderr:
            if "searching" in line:
                break
        with held_while_listening(first, project):
            in_use = project.run("--max-calls", "100", "--", "node", "server.js")
            second = project.run("--out", "other", *options, "--", "node", "server.js")
        assert in_use.code == 2
        assert "another run of wimble is writing into" in in_use.message
        assert second.code == 1, second.stderr
        assert "which another run of wimble has started" in second.stderr
        assert (
            f"another run of wimble works on this project ({first.args[0]} -m wimble (pid {first.pid}))"
            in second.stderr
        )
        first.communicate(timeout=120)
        assert first.returncode == 1, "the first one is not disturbed"
    finally:
        first.kill()
        first.communicate()
    assert all(finding["test"] for finding in project.summary["findings"])
