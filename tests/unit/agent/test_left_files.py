"""What killed processes have left among temporary files is removed, by wimble and by suites, and nothing else."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wimble.agent.processes.left_files import mocks_prefix, remove_left_files
from wimble.emit.runtime.sut_process import _remove_left_locks
from wimble.emit.runtime_files import runtime_text

ALIVE = os.getpid()
HELD, LEFT = "wimble-00000000000000aa.lock", "wimble-00000000000000bb.lock"


@pytest.fixture
def dead() -> int:
    """The number of a process that has ended."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


@pytest.fixture
def kept_and_left(tmp_path: Path, dead: int) -> tuple[set[str], set[str]]:
    """Names of what has to stay, and of what has to go."""
    texts = {
        f"wimble-port-{ALIVE}-1": "", f"wimble-port-{dead}-1": "", "wimble-lock-a": str(ALIVE),
        "wimble-lock-b": str(dead), "wimble-lock-new": str(dead), "wimble-lock-empty": "", "wimble-notes": "",
        f"mine-{dead}-1": "",
    }  # fmt: skip
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    for pid in (ALIVE, dead):
        (tmp_path / f"wimble-mocks-{pid}-x").mkdir()
        (tmp_path / f"wimble-mocks-{pid}-x" / "authority.pem").write_text("")
    for path in tmp_path.iterdir():
        if path.name != "wimble-lock-new":
            os.utime(path, (0, 0))
    left = {f"wimble-port-{dead}-1", "wimble-lock-b", f"wimble-mocks-{dead}-x"}
    return {path.name for path in tmp_path.iterdir()} - left, left


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_wimble_removes_what_killed_processes_left(tmp_path, kept_and_left):
    remove_left_files(tmp_path)
    assert names(tmp_path) == kept_and_left[0]
    remove_left_files(tmp_path / "none")


def test_suites_in_javascript_do_the_same(tmp_path, kept_and_left):
    program = f"{runtime_text('sut-left-files.cjs')}\nremoveLeftFiles({str(tmp_path)!r});"
    subprocess.run(["node", "-e", program], check=True)
    assert names(tmp_path) == kept_and_left[0]


@pytest.mark.parametrize("by_suite", [False, True])
def test_of_locks_without_an_owner_those_that_nobody_holds_are_removed(tmp_path, by_suite):
    for name in (HELD, LEFT, "wimble-00000000000000cc.lock"):
        (tmp_path / name).write_text("")
        age_s = 0 if "cc" in name else 3600
        os.utime(tmp_path / name, (time.time() - age_s,) * 2)
    with (tmp_path / HELD).open() as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        _remove_left_locks(tmp_path) if by_suite else remove_left_files(tmp_path)
    assert names(tmp_path) == {HELD, "wimble-00000000000000cc.lock"}


def test_folders_of_mocks_name_their_process():
    assert mocks_prefix().startswith(f"wimble-mocks-{ALIVE}-")
