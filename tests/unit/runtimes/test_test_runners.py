"""The format of a suite goes by the test runner that is installed, whatever range package.json names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wimble.runtimes.node.test_runners import test_format as format_of


def install(folder: Path, **versions: str) -> None:
    for name, version in versions.items():
        package = folder / "node_modules" / name / "package.json"
        package.parent.mkdir(parents=True)
        package.write_text(json.dumps({"name": name, "version": version}))


def name_in_package(folder: Path, *names: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "package.json").write_text(json.dumps({"devDependencies": dict.fromkeys(names, "*")}))


@pytest.mark.parametrize("version", ["24.0.0", "27.5.1", "30.2.0"])
def test_jest_without_superagent_uses_the_helper_alone(tmp_path: Path, version: str) -> None:
    name_in_package(tmp_path, "jest", "express")
    install(tmp_path, jest=version)
    found = format_of(tmp_path, None)
    assert found is not None
    assert (found.name, found.packages, found.install) == ("jest", (), "")
    assert found.reason == f"for Jest {version}, which the project has installed"


@pytest.mark.parametrize(
    ("jest", "superagent", "is_used"),
    [("24.9.0", "8.1.2", True), ("26.6.3", "9.0.2", False), ("27.0.1", "10.4.2", True), ("29.7.0", "3.8.3", True)],
)
def test_superagent_is_used_where_this_jest_can_load_it(
    tmp_path: Path, jest: str, superagent: str, is_used: bool
) -> None:
    name_in_package(tmp_path, "jest")
    install(tmp_path, jest=jest, superagent=superagent)
    found = format_of(tmp_path, None)
    assert found is not None
    assert (found.name, found.packages) == ("jest", ("superagent",) if is_used else ())


def test_a_runner_in_a_folder_above_is_installed(tmp_path: Path) -> None:
    name_in_package(tmp_path / "api", "vitest")
    install(tmp_path, vitest="3.2.4")
    found = format_of(tmp_path / "api", None)
    assert found is not None
    assert found.name == "vitest"


@pytest.mark.parametrize(
    ("versions", "reason"),
    [
        ({}, "package.json names jest, but no node_modules folder contains it"),
        ({"jest": "23.6.0"}, "Jest 23.6.0 is installed, and suites are tested with Jest 24 to 30"),
        ({"jest": "31.0.0"}, "Jest 31.0.0 is installed, and suites are tested with Jest 24 to 30"),
        ({"jest": "next"}, "package.json names jest, but no node_modules folder contains it"),
    ],
)
def test_another_runner_leads_to_node_test_with_the_reason(
    tmp_path: Path, versions: dict[str, str], reason: str
) -> None:
    name_in_package(tmp_path, "jest")
    install(tmp_path, **versions)
    found = format_of(tmp_path, None)
    assert found is not None
    assert (found.name, found.reason) == ("node-test", f"for node:test, since {reason}")


def test_the_next_runner_is_tried(tmp_path: Path) -> None:
    name_in_package(tmp_path, "jest", "vitest")
    install(tmp_path, jest="22.0.0", vitest="1.6.1")
    found = format_of(tmp_path, None)
    assert found is not None
    assert found.name == "vitest"


def test_a_format_that_the_user_asks_for_says_what_to_install(tmp_path: Path) -> None:
    asked = format_of(tmp_path, "jest")
    assert asked is not None
    assert (asked.name, asked.packages) == ("jest", ("superagent",))
    assert asked.install == "npm install --save-dev jest superagent"
    install(tmp_path, jest="29.7.0")
    asked = format_of(tmp_path, "jest")
    assert asked is not None
    assert (asked.packages, asked.install) == ((), ""), "it runs as it is"
    asked = format_of(tmp_path, "vitest")
    assert asked is not None
    assert asked.install == "npm install --save-dev vitest"
    asked = format_of(tmp_path, "pytest")
    assert asked is not None
    assert (asked.name, asked.install) == ("pytest", "")


def test_unreadable_files_are_no_runners(tmp_path: Path) -> None:
    name_in_package(tmp_path, "jest")
    install(tmp_path, jest="29.7.0")
    (tmp_path / "node_modules" / "jest" / "package.json").write_text("{")
    found = format_of(tmp_path, None)
    assert found is not None
    assert found.name == "node-test"
