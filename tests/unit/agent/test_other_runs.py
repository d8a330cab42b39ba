"""What a run is told of another one on the same project, whether or not processes of that one's SUT run just then."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from wimble.agent.processes.left_processes import announce_run, notes_on_other_runs
from wimble.agent.transport import Transport, remove_socket

RUN = """
import sys
from pathlib import Path
from wimble.agent.processes.left_processes import announce_run
from wimble.agent.transport import Transport

transport = Transport()
announce_run(transport.path, Path(sys.argv[1]))
print(transport.path, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def run(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another run on tmp_path, which has no processes of a SUT."""
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    yield process
    process.kill()
    process.communicate()


def test_a_run_whose_sut_starts_again_just_then_is_told(run: subprocess.Popen[str], tmp_path: Path) -> None:
    assert run.stdout is not None
    run.stdout.readline()
    (note,) = notes_on_other_runs(tmp_path)
    assert f"(pid {run.pid})" in note
    assert notes_on_other_runs(tmp_path / "other") == []


def test_a_run_that_was_killed_is_not_told(run: subprocess.Popen[str], tmp_path: Path) -> None:
    assert run.stdout is not None
    path = Path(run.stdout.readline().rstrip())
    run.kill()
    run.wait()
    assert path.exists(), "what it has left"
    assert notes_on_other_runs(tmp_path) == []
    remove_socket(path)
    assert not path.parent.exists()


def test_a_run_is_not_told_of_itself(tmp_path: Path) -> None:
    transport = Transport()
    announce_run(transport.path, tmp_path)
    try:
        assert notes_on_other_runs(tmp_path) == []
    finally:
        transport.close()
    assert not Path(transport.path).parent.exists()
