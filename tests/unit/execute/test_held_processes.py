"""Processes that are held for a moment."""

from __future__ import annotations

import subprocess

import psutil

from waiting import wait_until
from wimble.execute.sut.held_processes import held


def test_processes_are_held_and_go_on_and_ended_ones_are_left_out() -> None:
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    with subprocess.Popen(["sleep", "60"]) as process:
        seen = psutil.Process(process.pid)
        with held([gone.pid, process.pid]):
            assert wait_until(lambda: seen.status() == psutil.STATUS_STOPPED)
        assert wait_until(lambda: seen.status() != psutil.STATUS_STOPPED)
        process.kill()
