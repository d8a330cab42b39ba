"""State that wimble does not see, brought back by the user's own reset."""

from __future__ import annotations

import subprocess

import pytest

from conftest import SERVERS

pytestmark = pytest.mark.e2e


@pytest.fixture
def entries(project, tmp_path):
    project.add("entries.js", (SERVERS / "entries.js").read_text())
    project.entries_file = tmp_path / "entries"
    project.environment["ENTRIES_FILE"] = str(project.entries_file)
    return project


def names(project):
    return sorted(test["name"] for test in project.summary["tests"])


@pytest.mark.parametrize(
    ("reset", "test_format"),
    [
        ('rm -f "$ENTRIES_FILE"', "node-test"),
        ("/reset", "pytest"),
        pytest.param('rm -f "$ENTRIES_FILE"', "pytest", marks=pytest.mark.long),
        pytest.param("/reset", "node-test", marks=pytest.mark.long),
    ],
)
def test_each_test_finds_the_first_state_and_suites_do_too(entries, reset, test_format):
    result = entries.run(
        "--max-calls", "60", "--seed", "1", "--reset", reset, "--format", test_format, "--", "node", "entries.js"
    )
    assert result.code == 0, result.stderr
    assert not entries.entries_file.exists(), "the last reset is at the end of the run"
    assert names(entries)
    runner = ["node", "--test"] if test_format == "node-test" else ["python", "-m", "pytest", "-q"]
    suite = entries.folder / "wimble-out" / "tests"
    files = [str(file) for file in suite.glob("*.test.mjs")] if test_format == "node-test" else [str(suite)]
    for _ in range(2):
        done = subprocess.run(
            [*runner, *files], cwd=entries.folder, env=entries.environment, capture_output=True, text=True, timeout=120, check=False
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_server_that_runs_already_is_reset(entries):
    server = subprocess.Popen(["node", "entries.js"], cwd=entries.folder, env=entries.environment)
    try:
        result = entries.run(
            "--url", f"http://127.0.0.1:{entries.port}", "--max-calls", "60", "--seed", "1", "--reset", "/reset"
        )
    finally:
        server.kill()
        server.wait()
    assert result.code == 0, result.stderr
    refused = "POST /entries answers 409, after POST /entries"
    assert any(name.startswith(refused) for name in names(entries)), "verification, too, began without entries"
    assert not entries.entries_file.exists()


def test_a_reset_that_fails_is_told_before_the_search(entries):
    result = entries.run("--max-calls", "10", "--reset", "echo no such script; exit 7", "--", "node", "entries.js")
    assert result.code == 3, result.stderr
    assert "ended with code 7" in result.message
    assert "no such script" in result.message
