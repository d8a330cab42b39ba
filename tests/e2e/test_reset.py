"""State that wimble does not see, brought back by the user's own reset."""

from __future__ import annotations

import subprocess

import pytest

from conftest import SERVERS

pytestmark = pytest.mark.e2e


@pytest.fixture
def ledger(project, tmp_path):
    project.add("ledger.js", (SERVERS / "ledger.js").read_text())
    project.ledger = tmp_path / "entries"
    project.environment["LEDGER_FILE"] = str(project.ledger)
    return project


def names(project):
    return sorted(test["name"] for test in project.summary["tests"])


@pytest.mark.parametrize("reset", ['rm -f "$LEDGER_FILE"', "/reset"])
@pytest.mark.parametrize("test_format", ["node-test", "pytest"])
def test_each_test_finds_the_first_state_and_suites_do_too(ledger, reset, test_format):
    result = ledger.run(
        "--max-calls", "60", "--seed", "1", "--reset", reset, "--format", test_format, "--", "node", "ledger.js"
    )
    assert result.code == 0, result.stderr
    assert not ledger.ledger.exists(), "the last reset is at the end of the run"
    assert names(ledger)
    runner = ["node", "--test"] if test_format == "node-test" else ["python", "-m", "pytest", "-q"]
    suite = ledger.folder / "wimble-out" / "tests"
    files = [str(file) for file in suite.glob("*.test.mjs")] if test_format == "node-test" else [str(suite)]
    for _ in range(2):
        done = subprocess.run(
            [*runner, *files], cwd=ledger.folder, env=ledger.environment, capture_output=True, text=True, timeout=120, check=False
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_server_that_runs_already_is_reset(ledger):
    server = subprocess.Popen(["node", "ledger.js"], cwd=ledger.folder, env=ledger.environment)
    try:
        result = ledger.run(
            "--url", f"http://127.0.0.1:{ledger.port}", "--max-calls", "60", "--seed", "1", "--reset", "/reset"
        )
    finally:
        server.kill()
        server.wait()
    assert result.code == 0, result.stderr
    refused = "POST /entries answers 409, after POST /entries"
    assert any(name.startswith(refused) for name in names(ledger)), "verification, too, began without entries"
    assert not ledger.ledger.exists()


def test_a_reset_that_fails_is_told_before_the_search(ledger):
    result = ledger.run("--max-calls", "10", "--reset", "echo no such script; exit 7", "--", "node", "ledger.js")
    assert result.code == 3, result.stderr
    assert "ended with code 7" in result.message
    assert "no such script" in result.message
