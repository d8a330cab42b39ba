"""The end of a run restores also what nobody has noted as changed."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from wimble.state.sut_databases import SutDatabases


class FakeDatabase:
    is_touched = False

    def __init__(self, *, can_write: bool, is_in_process: bool) -> None:
        self.connected = SimpleNamespace(id="main", is_in_process=is_in_process)
        self.can_write = can_write
        self.done: list[str] = []

    def note_everything(self) -> None:
        self.done.append("note everything")

    def close(self) -> bool:
        self.done.append("close")
        return True


@pytest.mark.parametrize(
    ("can_write", "is_in_process", "connected", "expected"),
    [
        (True, False, {"main": 1}, ["note everything", "close"]),
        (False, False, {"main": 1}, ["close"]),
        (True, True, {"main": 1}, ["close"]),
        (True, False, {}, ["close"]),
    ],
)
def test_what_can_be_read_is_compared_as_a_whole_at_the_end(
    tmp_path: Path, can_write: bool, is_in_process: bool, connected: dict[str, int], expected: list[str]
) -> None:
    databases = SutDatabases(tmp_path, allow_remote=False)
    fake: Any = FakeDatabase(can_write=can_write, is_in_process=is_in_process)
    proxy: Any = SimpleNamespace(connected=connected)
    databases.started(proxy)
    databases._all = {"main": fake}
    assert databases.close()
    assert fake.done == expected
