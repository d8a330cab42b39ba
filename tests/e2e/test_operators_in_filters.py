"""Objects and quotes in inputs that become syntax of MongoDB are proven at the driver."""

from __future__ import annotations

import json
import random

import pytest

from conftest import free_port
from database_servers import FIXTURE

pytestmark = pytest.mark.e2e


def test_an_object_becomes_an_operator_and_a_quote_ends_a_program(project, packages, mongodb_port):
    project.add("logins.js", (FIXTURE / "logins.js").read_text())
    (project.folder / "node_modules").symlink_to(packages)
    project.environment |= {
        "MONGODB_URL": f"mongodb://127.0.0.1:{mongodb_port}/logins_{random.getrandbits(32):x}",
        "PORT": str(free_port()),
    }

    result = project.run("--max-calls", "150", "--seed", "1", "--", "node", "logins.js", timeout_s=400)

    assert result.code == 1, result.stderr
    findings = json.loads((project.folder / "wimble-out" / "findings.json").read_text())["findings"]
    proven = {one["operation"]: one for one in findings if one["oracle"] == "nosql-injection"}
    assert set(proven) == {"POST /logins", "POST /searches", "GET /users"}, result.stdout
    lines = (project.folder / "logins.js").read_text().splitlines()
    for one in proven.values():
        assert "users.find" in lines[one["cause"]["line"] - 1]
        assert one["test"]
    assert "became an operator of users.find" in proven["POST /logins"]["observed"]
    assert "'$ne': " in proven["GET /users"]["observed"]
    assert "this.name ==" in proven["POST /searches"]["observed"]
