"""What a database refuses for other rows' sake, and an API has not thought of: taken values, and rows that others point
to."""

from __future__ import annotations

import random

import pytest

from conftest import free_port
from database_servers import FIXTURE

pytestmark = pytest.mark.e2e


def test_writes_that_a_database_refuses_are_found_and_shown(project, packages, postgres):
    name = f"kennel_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    program = project.add("kennel.js", (FIXTURE / "kennel.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    project.environment |= {"DATABASE_URL": postgres.url(name), "PORT": str(free_port())}

    result = project.run("--max-calls", "1000", "--seed", "1", "--format", "node-test", "--", "node", str(program))

    assert result.code == 1, result.stderr
    refused = {
        (finding["operation"], finding["cause"]["message"].partition(" violates ")[2].split('"')[-2])
        for finding in project.summary["findings"]
    }
    assert refused == {
        ("POST /owners", "owners_email_key"),
        ("PATCH /owners/{id}", "owners_email_key"),
        ("DELETE /owners/{id}", "dogs"),
        ("POST /dogs", "dogs_pkey"),
    }
    assert postgres.run(name, "SELECT * FROM dogs").strip() == "[[]]"
    ran = project.run_suite()
    assert ran.returncode == 0, ran.stdout[-4000:]


@pytest.mark.long
def test_unique_values_that_are_taken_in_mongodb_are_found_and_shown(project, packages, mongodb_port):
    name = f"guests_{random.getrandbits(32):x}"
    project.add("guests.js", (FIXTURE / "guests.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    project.environment |= {"MONGODB_URL": f"mongodb://127.0.0.1:{mongodb_port}/{name}", "PORT": str(free_port())}

    result = project.run("--max-calls", "400", "--seed", "1", "--format", "node-test", "--", "node", "guests.js")

    assert result.code == 1, result.stderr
    found = {
        one["operation"] for one in project.summary["findings"] if "E11000 duplicate key" in one["cause"]["message"]
    }
    assert found == {"POST /guests", "PATCH /guests/{room}"}
    ran = project.run_suite()
    assert ran.returncode == 0, ran.stdout[-4000:]
