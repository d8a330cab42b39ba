"""What wimble cannot do with a project is said in one block before the search, with what to do."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.e2e


def test_an_old_driver_is_told_before_the_search(project):
    project.add("package.json", json.dumps({"dependencies": {"mongodb": "2.1"}}))
    project.add("node_modules/mongodb/package.json", json.dumps({"version": "2.1.21"}))
    result = project.run("--max-calls", "300", "--seed", "1", "--format", "none", "--", "node", "shop.js")
    before, _, after = result.stderr.partition("\n  searching")
    assert after, result.stderr
    _, _, block = before.partition("  to know about this project:\n")
    lines = block.splitlines()
    assert len(lines) == 1, result.stderr
    assert "behind mongodb 2.1.21 (2.2 and later is watched) is not watched" in lines[0]
    assert "--reset COMMAND" in lines[0]
    assert "mongodb" not in after, "said once"
    assert sum("mongodb 2.1.21" in warning for warning in project.summary["warnings"]) == 1


def test_a_project_without_limits_has_no_such_block(project):
    result = project.run("--max-calls", "100", "--seed", "1", "--format", "none", "--", "node", "shop.js")
    assert "to know about this project" not in result.stderr
