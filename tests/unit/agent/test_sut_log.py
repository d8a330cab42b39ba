"""The SUT's log keeps the beginning and the end of long output, and positions in it stay true."""

from __future__ import annotations

import shutil
import subprocess
from collections import namedtuple
from pathlib import Path

import pytest

from wimble.agent.processes import sut_log
from wimble.agent.processes.sut_log import SutLog, is_disk_full

Usage = namedtuple("Usage", "free")


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SutLog:
    """A log that keeps 1,000 bytes of the beginning and of the end, and is cut at 4,000."""
    monkeypatch.setattr(sut_log, "PART_BYTES", 1000)
    monkeypatch.setattr(sut_log, "MIN_PART_BYTES", 1000)
    return SutLog(tmp_path / "out" / "sut.log")


def write_lines(log: SutLog, numbers: range) -> None:
    with log.open() as file:
        file.writelines(f"line {number:>4}\n".encode() for number in numbers)


def test_short_output_is_complete(log: SutLog) -> None:
    write_lines(log, range(400))
    log.bound()
    assert log.path.read_text().count("line") == 400


def test_long_output_keeps_its_beginning_and_its_end(log: SutLog) -> None:
    for start in range(0, 5000, 250):
        write_lines(log, range(start, start + 250))
        log.bound()
    lines = log.path.read_text().splitlines()
    assert log.path.stat().st_size <= 4000
    assert lines[:100] == [f"line {number:>4}" for number in range(100)]
    assert lines[-1] == "line 4999"
    (marker,) = [number for number, line in enumerate(lines) if "wimble" in line]
    n_left_out = int(lines[marker].split()[4].replace(",", ""))
    assert n_left_out == 10 * (5000 - len(lines) + 1), "each line has ten bytes, and the marker counts all of them"
    after = [int(line.split()[1]) for line in lines[marker + 1 :]]
    assert after == list(range(after[0], 5000))


def test_positions_count_what_was_left_out(log: SutLog) -> None:
    write_lines(log, range(395))
    before = log.size
    write_lines(log, range(395, 410))
    log.bound()
    assert log.size == 4100
    assert log.read(before, 10_000).splitlines() == [f"line {number:>4}" for number in range(395, 410)]
    assert "line  400" in log.read(0, 10_000), "output that is gone is left out"
    write_lines(log, range(1))
    assert log.read(4100, 10_000) == "line    0\n"
    assert log.read(before, 20) == "line  409\nline    0\n"


def test_a_process_that_goes_on_writing_writes_behind_the_cut(log: SutLog) -> None:
    with log.open() as output:
        writer = subprocess.Popen(["sh", "-c", "read go; echo late"], stdin=subprocess.PIPE, stdout=output)
    write_lines(log, range(500))
    log.bound()
    writer.communicate(b"go\n")
    assert log.path.read_text().endswith("line  499\nlate\n")


def test_a_small_disk_gets_a_small_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _: Usage(300 << 10))
    log = SutLog(tmp_path / "sut.log")
    with log.open() as file:
        file.write(b"x" * (200 << 10))
    log.bound()
    assert log.path.stat().st_size < 50 << 10


def test_a_disk_with_room_is_not_full(tmp_path: Path) -> None:
    assert not is_disk_full(tmp_path)
    assert not is_disk_full(tmp_path / "missing")
