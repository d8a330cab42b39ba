"""GraphQL, end to end: a real server's schema in, faults in resolvers and tests that pass out."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from test_run import run_generated_tests

from database_servers import installed
from runners import RUNNER_PACKAGES, runner_command, runner_packages

LONG = pytest.mark.long
pytestmark = pytest.mark.e2e

FIXTURE = Path(__file__).parent / "graphql"


@pytest.fixture(scope="session")
def packages() -> Path:
    """The fixture's packages, as its lock file has them."""
    return installed(FIXTURE)


@pytest.fixture
def api(project, packages):
    project.add("server.js", (FIXTURE / "server.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    return project


def line_of(project, text: str) -> int:
    lines = (project.folder / "server.js").read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


def test_faults_in_resolvers_are_found_behind_their_guards_and_the_tests_pass(api):
    result = api.run("--max-calls", "2500", "--seed", "1", "--format", "node-test", "--", "node", "server.js")
    assert result.code == 1, result.stderr
    summary = api.summary
    assert summary["schema"].endswith("/graphql")
    assert summary["operations"] == {"total": 8, "reached_2xx": 8}
    found = {(finding["operation"], finding["cause"]["line"]) for finding in summary["findings"]}
    assert ("query discount", line_of(api, "rate.percent")) in found
    assert ("mutation placeOrder", line_of(api, "zones[")) in found
    nulls = [finding for finding in summary["findings"] if "non-nullable field Book.title" in finding["title"]]
    assert [finding["operation"] for finding in nulls] == ["mutation lendBook"]
    assert len(nulls[0]["calls"]) == 2, "the book is made first"
    assert not any("no such book" in finding["title"] for finding in summary["findings"]), "a refusal is no fault"
    assert {finding["oracle"] for finding in summary["findings"]} == {"graphql-error"}
    assert all(finding["test"] for finding in summary["findings"])
    assert any(test["name"].startswith("mutation placeOrder answers errors: ") for test in summary["tests"])
    ran = run_generated_tests(api)
    assert ran.returncode == 0, ran.stdout[-4000:]


@pytest.mark.parametrize(
    "test_format", [pytest.param("jest", marks=LONG), pytest.param("vitest", marks=LONG), "pytest"]
)
def test_the_tests_pass_in_every_format(api, packages, test_format):
    modules = api.folder / "node_modules"
    modules.unlink()
    modules.mkdir()
    sources = [packages, runner_packages(test_format)] if test_format in RUNNER_PACKAGES else [packages]
    for package in (package for source in sources for package in source.iterdir()):
        if not (modules / package.name).exists():
            (modules / package.name).symlink_to(package)
    # Two operations: what is written differs by kinds of calls only, and each test takes several starts.
    only = ("--only", "operation:discount", "--only", "operation:placeOrder")
    result = api.run("--max-calls", "200", "--seed", "1", "--format", test_format, *only, "--", "node", "server.js")
    assert result.code == 1, result.stderr
    assert {test["file"].split(".")[0].removeprefix("tests/test_").removeprefix("tests/") for test in api.summary["tests"]} == {
        "faults", "successes", "others",
    }  # fmt: skip
    command = runner_command(test_format, api.folder / "wimble-out" / "tests")
    ran = subprocess.run(command, cwd=api.folder, env=api.environment, capture_output=True, text=True, timeout=200)
    assert ran.returncode == 0, (ran.stdout + ran.stderr)[-4000:]


def test_a_schema_file_and_another_path(api):
    text = (api.folder / "server.js").read_text()
    start = text.index("buildSchema(`") + len("buildSchema(`")
    api.add("schema.graphql", text[start : text.index("`);", start)])
    api.add("server.js", text.replace("request.url === '/graphql'", "request.url === '/api/gql'"))
    result = api.run(
        "--schema", "schema.graphql", "--max-calls", "600", "--seed", "1", "--format", "none", "--", "node", "server.js"
    )
    assert result.code in (0, 1), result.stderr
    assert api.summary["operations"]["reached_2xx"] >= 7


def test_without_introspection_the_message_says_what_to_do(api):
    text = (api.folder / "server.js").read_text()
    api.add(
        "server.js",
        text.replace("require('graphql');", "require('graphql');\nconst { NoSchemaIntrospectionCustomRule } = require('graphql');")
        .replace("createHandler({ schema,", "createHandler({ schema, validationRules: (_, __, rules) => [...rules, NoSchemaIntrospectionCustomRule],"),
    )  # fmt: skip
    result = api.run("--max-calls", "50", "--", "node", "server.js")
    assert result.code == 2
    assert "refuses introspection" in result.message
    assert "introspection" in result.message
    assert "--schema schema.graphql" in result.message


def test_a_schema_with_a_syntax_error_is_told_with_its_place(api):
    api.add("schema.graphql", "type Query {\n  books: [Book!!]\n}\n")
    result = api.run("--schema", "schema.graphql", "--", "node", "server.js")
    assert result.code == 2
    assert "line 2, column 16" in result.message
