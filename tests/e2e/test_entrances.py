"""APIs that let nobody in without a login: users are made and logged in by calls, in the search and in its tests."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from database_servers import installed

pytestmark = pytest.mark.e2e

FIXTURE = Path(__file__).parent / "entrances"
SECRET = "s1gning-s3cret-of-notes"
JWT = re.compile(r"eyJ[\w-]{6,}\.[\w-]{6,}\.[\w-]{16,}")
SESSION = re.compile(r"s%3A[\w-]{20,}|s:[\w-]{20,}")


@pytest.fixture(scope="session")
def packages() -> Path:
    return installed(FIXTURE)


@pytest.fixture
def api(project, packages):
    (project.folder / "node_modules").symlink_to(packages)
    project.environment["NOTES_SECRET"] = SECRET

    def prepared(name: str):
        for file in FIXTURE.glob(f"{name}.*"):
            project.add(file.name, file.read_text())
        return project

    return prepared


def output_of(project) -> str:
    return "\n".join(
        path.read_text(errors="replace")
        for path in sorted((project.folder / "wimble-out").rglob("*"))
        if path.is_file()
    )


def test_a_jwt_of_a_login_opens_what_asks_for_it_and_a_signed_one_makes_an_administrator(api):
    project = api("tokens")
    arguments = ("--max-calls", "400", "--seed", "1", "--schema", "/openapi.json")
    result = project.run(*arguments, "--", "node", "tokens.js", timeout_s=400)
    assert result.code == 1, result.stderr
    assert project.summary["operations"] == {"total": 6, "reached_2xx": 6}  # with that of the document
    written = output_of(project)
    assert SECRET not in written + result.stdout + result.stderr
    assert not JWT.search(written + result.stdout)
    assert "wimble-jwt" not in written + result.stdout
    assert "sut.jwt(" in written
    assert "variable: 'NOTES_SECRET'" in written
    suite = project.run_suite()
    assert suite.returncode == 0, suite.stdout


@pytest.mark.long
def test_a_session_is_kept_in_its_cookie_and_its_csrf_token_is_sent_with_it(api):
    project = api("sessions")
    arguments = ("--max-calls", "400", "--seed", "1", "--schema", "/openapi.json")
    result = project.run(*arguments, "--", "node", "sessions.js", timeout_s=400)
    assert result.code == 1, result.stderr
    assert project.summary["operations"] == {"total": 6, "reached_2xx": 6}  # with that of the document
    suite = project.run_suite()
    assert suite.returncode == 0, suite.stdout
    written = output_of(project)
    assert "sut.cookie(" in written
    found = SESSION.search(written + result.stdout)
    assert found is None, written[found.start() - 300 : found.end() + 100]


def test_what_an_api_keeps_from_other_users_and_an_operation_does_not_is_told_with_a_test(api):
    project = api("drafts")
    result = project.run("--max-calls", "800", "--seed", "1", "--", "node", "drafts.js", timeout_s=400)
    assert result.code == 1, result.stderr
    assert {one["title"] for one in project.summary["findings"]} == {
        "POST /drafts/{id}/publish acts on what another user has made and GET /drafts/{id} keeps to that user",
        "GET /drafts/{id}/print shows what another user has made and GET /drafts/{id} keeps to that user",
    }
    assert all(one["test"] for one in project.summary["findings"])
    suite = project.run_suite()
    assert suite.returncode == 0, suite.stdout
