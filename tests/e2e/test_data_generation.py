"""A fault behind rows that no call makes: tests bring them, with the value of the input, and the generated suite does
too."""

from __future__ import annotations

import json
import random

import pytest

from conftest import free_port
from database_servers import FIXTURE

pytestmark = pytest.mark.e2e


@pytest.mark.parametrize("folder", [".", pytest.param("api", marks=pytest.mark.long)])
def test_a_row_with_the_value_of_the_input_leads_to_the_fault_behind_it(project, packages, postgres, folder):
    """folder: that of the API and of its packages, below the one that it is started in."""
    name = f"members_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    program = project.add(f"{folder}/members.js", (FIXTURE / "members.js").read_text())
    (project.folder / folder / "node_modules").symlink_to(packages)
    project.environment |= {"DATABASE_URL": postgres.url(name), "PORT": str(free_port())}

    result = project.run("--max-calls", "200", "--seed", "1", "--format", "node-test", "--", "node", str(program))

    assert result.code == 1, result.stderr
    assert project.summary["operations"]["reached_2xx"] == 2, "the operation, and that of the document"
    (finding,) = project.summary["findings"]
    lines = program.read_text().splitlines()
    assert "guardian.toLowerCase" in lines[finding["cause"]["line"] - 1]
    (told,) = json.loads((project.folder / "wimble-out" / "findings.json").read_text())["findings"]
    assert "with rows that the test inserts and the database accepts (cities, members)" in told["observed"]
    assert finding["test"]
    assert postgres.run(name, "SELECT * FROM members").strip() == "[[]]"

    for _ in range(2):
        ran = project.run_suite()
        assert ran.returncode == 0, ran.stdout[-4000:]
    assert postgres.run(name, "SELECT * FROM members").strip() == "[[]]"
