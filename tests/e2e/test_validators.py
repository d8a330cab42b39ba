"""Schemas of validation libraries shape the inputs of operations whose document declares none.

Each operation has a fault behind an input that its schema accepts, and no message says what is wrong with an input.
"""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from database_servers import ROOT, installed
from wimble.engine.events import FindingFound

pytestmark = pytest.mark.e2e

VALIDATORS = ROOT / "tests" / "e2e" / "validators"
ROUTE = re.compile(r"app\.(get|post|put)\('([^']+)'")


def document(app: Path) -> dict:
    """The routes of an app, with nothing but their paths."""
    paths: dict[str, dict] = {}
    for method, path in ROUTE.findall(app.read_text()):
        names = re.findall(r":(\w+)", path)
        parameters = [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]
        operation = {"parameters": parameters, "responses": {"200": {"description": "ok"}}}
        paths.setdefault(re.sub(r":(\w+)", r"{\1}", path), {})[method] = operation
    return {"openapi": "3.0.3", "info": {"title": "validators", "version": "1"}, "paths": paths}


@pytest.mark.parametrize(
    ("folder", "n_operations", "max_calls"), [(VALIDATORS, 14, 3000), (VALIDATORS / "old", 8, 500)]
)
def test_a_fault_behind_each_schema_is_found(project, monkeypatch, folder, n_operations, max_calls):
    modules = installed(folder)
    shutil.copy(folder / "app.cjs", project.folder / "app.cjs")
    (project.folder / "node_modules").symlink_to(modules)
    routes = document(folder / "app.cjs")
    project.add("openapi.json", json.dumps(routes))
    with project.search(monkeypatch, {}, ("node", "app.cjs"), max_calls) as events:
        found = [event.finding.title for event in events if isinstance(event, FindingFound)]
    faults = {title.split("Error: ")[1] for title in found if title.endswith(" fault")}
    assert faults == set(re.findall(r"'(\w+ fault)'", (folder / "app.cjs").read_text()))
    assert len(routes["paths"]) == n_operations
    assert not [title for title in found if "getter" in title or "more than once" in title]
