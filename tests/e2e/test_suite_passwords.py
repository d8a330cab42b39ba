"""A password that no environment variable holds: suites read it where it stands in the project, or say what to set."""

from __future__ import annotations

import json
import os
import subprocess
from urllib.parse import urlsplit

import pytest

from database_servers import FIXTURE
from runners import runner_command

pytestmark = pytest.mark.e2e
PASSWORD = "gu!ld pass"
VARIABLE = "WIMBLE_DATABASE_PASSWORD"


@pytest.fixture
def guild(project, packages, mariadb_url):
    """The API, without its login."""
    socket = f"/tmp/wimble-test-mariadb-{os.getpid()}/socket"
    grant = f"CREATE OR REPLACE USER guild@'%' IDENTIFIED BY '{PASSWORD}'; GRANT ALL ON shop.* TO guild@'%'"
    grant += (
        f"; CREATE OR REPLACE USER guild@localhost IDENTIFIED BY '{PASSWORD}'; GRANT ALL ON shop.* TO guild@localhost"
    )
    command = ["mariadb", "--no-defaults", f"--socket={socket}", "--user=root", "-e", grant]
    subprocess.run(command, check=True, timeout=60)
    project.add("guild.js", (FIXTURE / "guild.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    project.environment["MYSQL_PORT"] = str(urlsplit(mariadb_url).port)
    return project


def run_tests(project, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        runner_command("node-test", project.folder / "wimble-out" / "tests"),
        cwd=project.folder, env=project.environment | variables, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip


def written(project) -> str:
    """The text of the suite. The report shows the API's source, in which the password stands."""
    files = (path for path in (project.folder / "wimble-out" / "tests").iterdir() if path.is_file())
    return "".join(path.read_text(errors="replace") for path in files)


def test_it_is_read_from_the_file_of_the_project(guild):
    guild.add("ormconfig.js", f"module.exports = {{\n  user: 'guild',\n  password: '{PASSWORD}',\n}};\n")

    result = guild.run("--max-calls", "150", "--seed", "1", "--format", "node-test", "--", "node", "guild.js")

    assert result.code == 1, result.stderr
    assert guild.summary["suite"]["needs"] == []
    assert PASSWORD not in written(guild) + result.stdout
    assert "database.insert(" in written(guild)
    ran = run_tests(guild)
    assert ran.returncode == 0, ran.stdout[-4000:]


def test_what_has_to_be_set_is_said_everywhere(guild, tmp_path):
    file = tmp_path / "elsewhere.json"
    file.write_text(json.dumps({"user": "guild", "password": PASSWORD}))
    guild.environment["LOGIN_FILE"] = str(file)

    result = guild.run("--max-calls", "150", "--seed", "1", "--format", "node-test", "--", "node", "guild.js")

    assert result.code == 1, result.stderr
    assert f"needs      the environment variable {VARIABLE}" in result.stdout
    (need,) = guild.summary["suite"]["needs"]
    assert VARIABLE in need
    faults = (guild.folder / "wimble-out" / "tests" / "faults.test.mjs").read_text()
    assert f"// Needs the environment variable {VARIABLE}: the password of guild" in faults
    ran = run_tests(guild)
    assert ran.returncode != 0
    assert "Access denied for user" in ran.stdout, "the reason of the database"
    assert f"set {VARIABLE} to the password of guild" in ran.stdout
    ran = run_tests(guild, **{VARIABLE: PASSWORD})
    assert ran.returncode == 0, ran.stdout[-4000:]
