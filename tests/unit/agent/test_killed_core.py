"""What a core leaves that was killed: its processes end, whether or not they can end themselves."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from waiting import is_running, wait_until
from wimble.agent.processes.left_processes import end_left_processes
from wimble.agent.transport import Transport

CORE = """
import os, sys
from pathlib import Path
from wimble.agent.processes.launch import ProcessTree
from wimble.agent.mocks.mock_server import MockServer
from wimble.agent.processes.sut_log import SutLog
from wimble.agent.transport import Transport
from wimble.agent.processes.watcher import watcher

transports = [Transport() for command in sys.argv[1:]]
trees = [
    ProcessTree(("sh", "-c", command), Path(), {**os.environ, "WIMBLE_SOCKET": transport.path}, SutLog(Path("sut.log")))
    for command, transport in zip(sys.argv[1:], transports)
]
trees[0].stop()
mocks = MockServer(["false"])
Path("made").write_text(" ".join([transports[0].path, str(mocks._folder / "x")]))
print(transports[1].path, watcher().pid, *(tree.pid for tree in trees), flush=True)
sys.stdin.read()
"""
STUBBORN = "trap '' TERM; echo ready > ready; while true; do sleep 0.05; done"


@pytest.fixture
def core(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A core that has started three trees and stopped the first."""
    process = subprocess.Popen(
        [sys.executable, "-c", CORE, "sleep 99", "sleep 99 & echo $! > inner; wait", STUBBORN],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


def test_all_trees_of_a_killed_core_end_and_its_folders_go(core: subprocess.Popen[str], tmp_path: Path) -> None:
    assert core.stdout is not None
    path, *pids = core.stdout.readline().split()
    wait_until(lambda: (tmp_path / "ready").exists() and (tmp_path / "inner").exists())
    inner = int((tmp_path / "inner").read_text())
    assert is_running(inner)
    core.send_signal(signal.SIGKILL)
    wait_until(lambda: not any(is_running(pid) for pid in (inner, *map(int, pids))))
    made = [Path(path).parent, *(Path(one).parent for one in (tmp_path / "made").read_text().split())]
    wait_until(lambda: not any(folder.exists() for folder in made))


def ignored_signals(status: str) -> int:
    """The bits of the ignored signals, as Linux shows them."""
    return int(status.partition("SigIgn:")[2].split()[0], 16)


def test_the_watcher_survives_what_a_terminal_sends_and_ends_with_the_core(core: subprocess.Popen[str]) -> None:
    assert core.stdout is not None
    _, watcher, _, *pids = core.stdout.readline().split()
    status = Path(f"/proc/{watcher}/status")
    wait_until(lambda: not status.exists() or ignored_signals(status.read_text()) & 1 << (signal.SIGTERM - 1))
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(int(watcher), number)
    assert is_running(int(watcher))
    core.communicate()
    wait_until(lambda: not any(is_running(int(pid)) for pid in (watcher, *pids)))


@pytest.fixture
def left(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process of a run on `tmp_path` whose core has ended."""
    path = str(tmp_path / "s")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(path)
    process = subprocess.Popen(["sleep", "99"], env={**os.environ, "WIMBLE_SOCKET": path, "WIMBLE_ROOT": str(tmp_path)})
    yield process
    process.kill()
    process.wait()


def test_a_run_ends_what_an_earlier_one_left_and_says_so(left: subprocess.Popen[bytes], tmp_path: Path) -> None:
    (note,) = end_left_processes(tmp_path)
    assert f"sleep 99 (pid {left.pid})" in note
    assert left.wait(5) == -signal.SIGTERM
    assert not (tmp_path / "s").exists()
    assert end_left_processes(tmp_path) == []


def test_processes_of_another_project_are_left_alone(left: subprocess.Popen[bytes], tmp_path: Path) -> None:
    assert end_left_processes(tmp_path / "other") == []
    assert left.poll() is None


def test_processes_of_a_run_that_is_at_work_are_left_alone(tmp_path: Path) -> None:
    transport = Transport()
    process = subprocess.Popen(
        ["sleep", "99"], env={**os.environ, "WIMBLE_SOCKET": transport.path, "WIMBLE_ROOT": str(tmp_path)}
    )
    try:
        assert end_left_processes(tmp_path) == []
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()
        transport.close()
