"""Drivers that the agent does not watch are known before the search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wimble.runtimes.node.unwatched_drivers import unwatched_drivers


def install(folder: Path, **versions: str) -> None:
    (folder / "package.json").write_text(json.dumps({"dependencies": dict.fromkeys(versions, "*")}))
    for name, version in versions.items():
        package = folder / "node_modules" / name / "package.json"
        package.parent.mkdir(parents=True)
        package.write_text(json.dumps({"version": version}))


@pytest.mark.parametrize(
    ("name", "version", "told"),
    [
        ("mongodb", "2.1.21", ["mongodb 2.1.21 (2.2 and later is watched)"]),
        ("mongodb", "3.7.4", []),
        ("mongoose", "3.8.40", ["mongoose 3.8.40 (4 and later is watched)"]),
        ("mongoose", "4.0.0-rc.1", []),
        ("redis", "2.5.3", ["redis 2.5.3 (2.6 and later is watched)"]),
        ("mariadb", "2.5.6", ["mariadb 2.5.6 (3 and later is watched)"]),
        ("mariadb", "3.0.0", []),
        ("tedious", "18.6.1", ["tedious 18.6.1"]),
        ("pg", "8.0.0", []),
        ("express", "5.0.0", []),
    ],
)
def test_drivers_that_are_unknown_or_too_old_are_told(tmp_path: Path, name: str, version: str, told: list[str]) -> None:
    install(tmp_path, **{name: version})
    assert unwatched_drivers(tmp_path) == told
    (tmp_path / "src").mkdir()
    assert unwatched_drivers(tmp_path / "src") == told, "as Node finds it from a folder below"


def test_folders_without_a_project_and_packages_that_are_not_installed_tell_nothing(tmp_path: Path) -> None:
    assert unwatched_drivers(tmp_path) == []
    (tmp_path / "package.json").write_text('{"dependencies": {"tedious": "18"}}')
    assert unwatched_drivers(tmp_path) == []
    (tmp_path / "package.json").write_text("[]")
    assert unwatched_drivers(tmp_path) == []
