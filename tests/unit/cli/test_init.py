"""`wimble init`: a project file from what the project has, that is read without complaint."""

import json

import pytest

from wimble.cli.init_command import init_command
from wimble.config.project_file import read_project_file
from wimble.errors import UsageError


def initialised(folder, monkeypatch, **files):
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    monkeypatch.chdir(folder)
    init_command.main([], standalone_mode=False)
    return read_project_file(None, folder, {}).options, (folder / "wimble.toml").read_text()


@pytest.mark.parametrize(
    ("package", "command"),
    [
        ({"scripts": {"start": "node a.js"}, "main": "b.js"}, ["npm", "start"]),
        ({"main": "b.js"}, ["node", "b.js"]),
        ({"scripts": {"dev": "vite"}}, None),
        ({"scripts": ["start"]}, None),
    ],
)
def test_the_command_is_that_of_the_package(tmp_path, monkeypatch, package, command):
    options, _ = initialised(tmp_path, monkeypatch, package_json=json.dumps(package), b_js="")
    assert options.get("command") == command


def test_a_program_without_a_package(tmp_path, monkeypatch):
    assert initialised(tmp_path, monkeypatch, server_js="")[0] == {"command": ["node", "server.js"]}


def test_documents_of_the_project_are_named_as_a_comment(tmp_path, monkeypatch):
    options, text = initialised(tmp_path, monkeypatch, openapi_yaml="openapi: 3.0.3")
    assert options == {}
    assert '# schema = ["openapi.yaml"]   # found in the project' in text


def test_a_file_that_exists_is_kept(tmp_path, monkeypatch):
    (tmp_path / "wimble.toml").write_text("[run]\nseed = 1\n")
    with pytest.raises(UsageError, match="exists already"):
        initialised(tmp_path, monkeypatch)
    assert (tmp_path / "wimble.toml").read_text() == "[run]\nseed = 1\n"
