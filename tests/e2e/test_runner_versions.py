"""Suites run with the command that is printed, on each major version of the runners that projects have installed."""

from __future__ import annotations

import json
import re
import subprocess

import pytest

from runners import RUNNER_VERSIONS, installed_packages

LONG = pytest.mark.long
FIRST_AND_LAST = ("jest@24", "vitest@5")
"""The oldest version, from which most differs, and the newest one. Other tests run suites with the newest Jest."""
pytestmark = pytest.mark.e2e
OPTIONS = ("--max-calls", "30", "--seed", "1", "--only", "method:POST")


def printed(output: str, label: str) -> str:
    """What stands beside a label of the closing lines."""
    found = re.search(rf"^{label} +(.+)$", output, re.MULTILINE)
    assert found, output
    return found[1]


def run_as_printed(project, output: str) -> str:
    """The output of the suite, which passes."""
    ran = subprocess.run(
        printed(output, "run them"),
        shell=True, cwd=project.folder, env=project.environment, capture_output=True, text=True, timeout=120,
        check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-4000:]
    return ran.stdout + ran.stderr


@pytest.mark.parametrize(
    "packages",
    [pytest.param(one, marks=() if one[0].startswith(FIRST_AND_LAST) else LONG) for one in RUNNER_VERSIONS],
    ids="-".join,
)
def test_suites_run_with_each_major_version(project, request, packages):
    runner, _, version = packages[0].partition("@")
    if packages[0].startswith("vitest@5"):
        node = request.getfixturevalue("node_with_sqlite")  # Vitest 5 needs Node 22
        project.environment["PATH"] = f"{node}:{project.environment['PATH']}"
    (project.folder / "node_modules").symlink_to(installed_packages(*packages))
    project.add("package.json", json.dumps({"name": "p", "type": "module", "devDependencies": {runner: "*"}}))
    project.add("shop.cjs", (project.folder / "shop.js").read_text())

    result = project.run(*OPTIONS, "--", "node", "shop.cjs")

    assert result.code == 1, result.stderr
    assert f"{version}, which the project has installed" in result.stdout
    assert project.summary["suite"]["format"] == runner
    assert project.summary["suite"]["needs"] == []
    n_tests = len(project.summary["tests"])
    assert n_tests >= 3
    assert re.search(rf"Tests:? +{n_tests} passed", run_as_printed(project, result.stdout))


def test_a_runner_that_is_not_installed_leads_to_node_test(project):
    project.add("package.json", json.dumps({"name": "p", "devDependencies": {"jest": "^29"}}))

    result = project.run(*OPTIONS, "--", "node", "shop.js")

    assert "for node:test, since package.json names jest, but no node_modules folder contains it" in result.stdout
    assert project.summary["suite"]["format"] == "node-test"
    run_as_printed(project, result.stdout)


def test_a_format_that_lacks_packages_says_which(project):
    result = project.run(*OPTIONS, "--format", "jest", "--", "node", "shop.js")

    assert printed(result.stdout, "needs") == "first npm install --save-dev jest superagent"
    assert project.summary["suite"]["needs"] == ["first npm install --save-dev jest superagent"]
