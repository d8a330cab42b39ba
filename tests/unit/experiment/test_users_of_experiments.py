"""Whom the calls of a tool, and of the suite that is measured, are made as."""

from __future__ import annotations

from pathlib import Path

import pytest

from wimble.config.project_file import read_project_file
from wimble.experiment.schemathesis import _first_user


def project(folder: Path, text: str):
    file = folder / "users.toml"
    file.write_text(text)
    return read_project_file(file, folder, {"KEY": "from-the-environment"})


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ("", []),
        ('[[auth]]\nname = "a"\nbearer = "tell-nobody"', ["--header", "Authorization: Bearer tell-nobody"]),
        ('[[auth]]\nname = "a"\nheaders = { X-Key = "${KEY}" }', ["--header", "X-Key: from-the-environment"]),
        ('[[auth]]\nname = "a"\nbasic = { username = "ann", password = "tell-nobody" }', ["--auth", "ann:tell-nobody"]),
        ('[[auth]]\nname = "a"\nlogin = { path = "/login", json = { u = "ann" }, token = "/t" }', None),
    ],
)
def test_schemathesis_calls_as_the_first_user_where_it_can(
    tmp_path: Path, text: str, arguments: list[str] | None
) -> None:
    without_check = ["--exclude-checks", "ignored_auth"] if arguments else []
    assert _first_user(project(tmp_path, text)) == (None if arguments is None else [*arguments, *without_check])


def test_values_that_stand_in_the_file_are_given_to_the_suite_by_the_names_that_it_asks_for(tmp_path: Path) -> None:
    read = project(tmp_path, '[[auth]]\nname = "ann-b"\nbearer = "tell-nobody"')
    assert read.secrets.variables["WIMBLE_ANN_B_BEARER"] == "tell-nobody"
