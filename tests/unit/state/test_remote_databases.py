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


@pytest.mark.parametrize("has_begun", [False, True])
def test_a_host_that_an_input_has_named_is_no_database_if_nothing_is_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, has_begun: bool
) -> None:
    monkeypatch.setitem(DATABASE_KINDS, "redis", FakeDatabase)
    connected = SimpleNamespace(
        id="redis:sew65.invalid:6379/0",
        dialect="redis",
        host="sew65.invalid",
        port=6379,
        is_local=False,
        is_in_process=False,
    )
    proxy: Any = SimpleNamespace(connected={}, has_held=False, release=lambda: None)
    taken = SutDatabases(tmp_path, allow_remote=False)
    taken.started(proxy)
    if has_begun:
        taken.reset()
    proxy.connected[connected.id] = connected
    taken.attach()
    assert len(taken._all) == (0 if has_begun else 1)
    assert len(taken.take_notes()) == (0 if has_begun else 1)


@pytest.mark.parametrize("has_begun", [False, True])
def test_what_has_never_taken_connections_is_not_away(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, has_begun: bool
) -> None:
    monkeypatch.setitem(DATABASE_KINDS, "redis", FakeDatabase)
    connected = SimpleNamespace(
        id="redis:127.0.0.1:9/0", dialect="redis", host="127.0.0.1", port=9, is_local=True, is_in_process=False
    )
    home = SimpleNamespace(id=connected.id, is_file=False, host="127.0.0.1", port=9)
    monkeypatch.setattr(SutDatabases, "homes", (home,))
    proxy: Any = SimpleNamespace(connected={}, has_held=False, release=lambda: None)
    taken = SutDatabases(tmp_path, allow_remote=False)
    taken.started(proxy)
    if has_begun:
        taken.reset()
    proxy.connected[connected.id] = connected
    taken.attach()
    assert taken.are_away is not has_begun
