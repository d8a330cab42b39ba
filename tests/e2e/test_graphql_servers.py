"""GraphQL servers as people build them: Apollo Server, GraphQL Yoga, json-graphql-server. What they break at is found,
what they refuse is not, and the written tests pass."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_graphql import FIXTURE, packages  # noqa: F401 (a fixture)
from test_run import run_generated_tests

pytestmark = pytest.mark.e2e

REFUSALS = ("no such", "bad email", "priority is", "are open")


@pytest.fixture
def folder(project, packages):  # noqa: F811
    (project.folder / "node_modules").symlink_to(packages)
    return project


def places(project, server: str, *marks: str) -> set[int]:
    """The lines of the server's text with these marks."""
    lines = (project.folder / server).read_text().splitlines()
    return {next(number for number, line in enumerate(lines, 1) if mark in line) for mark in marks}


def run(project, server: str, *options: str, max_calls: int = 200) -> list[dict]:
    project.add(server, (FIXTURE / server).read_text())
    result = project.run(
        "--max-calls",
        str(max_calls),
        "--seed",
        "1",
        "--format",
        "node-test",
        *options,
        "--",
        "node",
        server,
        timeout_s=300.0,
    )
    assert result.code == 1, result.stderr
    findings = project.summary["findings"]
    assert not [finding["title"] for finding in findings if any(words in finding["title"] for words in REFUSALS)]
    assert all(finding["test"] for finding in findings), (
        "each is shown on a fresh server, with what it needs made first"
    )
    return findings


@pytest.mark.long
def test_apollo_shows_causes_that_its_answers_mask(folder):
    # The others find nothing here that is masked, and each test of a server with its state in memory takes many starts.
    names = ("searchPosts", "createPost", "publishPost", "now")
    findings = run(folder, "apollo.mjs", *(part for name in names for part in ("--only", f"operation:{name}")))
    assert folder.summary["operations"] == {"total": 4, "reached_2xx": 4}
    marks = ("any pattern", "any text", "no such user")
    assert {finding["cause"]["line"] for finding in findings} >= places(folder, "apollo.mjs", *marks)
    ran = run_generated_tests(folder)
    assert ran.returncode == 0, "stacks in errors, and what the day decides, are not asserted: " + ran.stdout[-4000:]


@pytest.mark.long
def test_yoga_shows_causes_that_its_answers_mask(folder):
    only = ("--only", "operation:average", "--only", "operation:addTask", "--only", "operation:moveTask")
    findings = run(folder, "yoga.mjs", *only, max_calls=400)
    assert folder.summary["operations"] == {"total": 3, "reached_2xx": 3}
    assert {finding["cause"]["line"] for finding in findings} == places(
        folder, "yoga.mjs", "no tasks", "no such parent", "no such place"
    )
    ran = run_generated_tests(folder)
    assert ran.returncode == 0, ran.stdout[-4000:]


@pytest.mark.long
def test_json_graphql_server(folder):
    folder.add("data.json", '{"posts": [{"id": 1, "title": "one", "user_id": 5}], "users": [{"id": 5, "name": "Ada"}]}')
    package = Path("node_modules/json-graphql-server")
    command = ["node", str(package / "bin/json-graphql-server.cjs"), "data.json", "--port", str(folder.port)]
    result = folder.run("--max-calls", "100", "--seed", "1", "--include", str(package), "--", *command, timeout_s=300.0)
    assert result.code == 1, result.stderr
    assert folder.summary["operations"]["total"] == 16
    assert folder.summary["operations"]["reached_2xx"] >= 15
    causes = [
        (finding["cause"]["file"], finding["cause"]["line"], finding["title"].partition(": ")[2])
        for finding in folder.summary["findings"]
    ]
    assert any(file.endswith("src/resolver/Mutation/createMany.ts") for file, _, _ in causes)
    assert len(causes) == len(set(causes)), "one mistake is one fault, whichever type's resolver shows it"
    ran = run_generated_tests(folder)
    assert ran.returncode == 0, ran.stdout[-4000:]
