"""A database on another machine could be somebody's: it is read, and changed only where the user allows it."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from wimble.state.database_kinds import DATABASE_KINDS
from wimble.state.sut_databases import SutDatabases


class FakeDatabase:
    def __init__(self, connected: Any, *_others: object) -> None:
        self.connected = connected
        self.label = "PostgreSQL database shop"
        self.may_write: list[bool] = []

    def attach(self, *, can_write: bool) -> None:
        self.may_write.append(can_write)


def taken_up(
    monkeypatch: pytest.MonkeyPatch, folder: Path, *, is_local: bool, is_allowed: bool
) -> tuple[list[bool], list[str]]:
    """Whether the database may be written to, and what is told."""
    monkeypatch.setitem(DATABASE_KINDS, "postgres", FakeDatabase)
    connected = SimpleNamespace(
        id="pg:db.example:5432/shop", dialect="postgres", host="db.example", is_local=is_local, is_in_process=False
    )
    proxy: Any = SimpleNamespace(connected={connected.id: connected}, has_held=False, release=lambda: None)
    taken = SutDatabases(folder, allow_remote=is_allowed)
    taken.started(proxy)
    taken.attach()
    (database,) = taken._all.values()
    assert isinstance(database, FakeDatabase)
    return database.may_write, list(taken.take_notes())


def test_a_remote_one_is_not_written_to(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    may_write, notes = taken_up(monkeypatch, tmp_path, is_local=False, is_allowed=False)
    assert may_write == [False]
    (note,) = notes
    assert "db.example" in note and "--allow-remote-database" in note


@pytest.mark.parametrize(("is_local", "is_allowed"), [(True, False), (False, True)])
def test_a_local_one_is_and_one_that_the_user_allows(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, is_local: bool, is_allowed: bool
) -> None:
    assert taken_up(monkeypatch, tmp_path, is_local=is_local, is_allowed=is_allowed) == ([True], [])
