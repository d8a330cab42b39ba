"""Shared fixtures. Keep it small: a fixture that one folder needs lives in that folder's conftest."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

import hypothesis
import pytest

# No test fails because the machine is busy, or on some days only.
hypothesis.settings.register_profile("wimble", deadline=None, derandomize=True)
hypothesis.settings.load_profile("wimble")

E2E_TIMEOUT_S = 900
"""A last resort: the longest of these tests runs wimble several times, and each process has a time-out of its own."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.get_closest_marker("e2e") and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(E2E_TIMEOUT_S))


@pytest.fixture(scope="session")
def ask_node() -> Callable[[str, Any], Any]:
    """`ask_node(body, questions)`: one Node process answers `function (questions) { body }`, as JSON."""

    def ask(body: str, questions: Any) -> Any:
        script = (
            "const questions = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));"
            f"const answer = (function (questions) {{ {body} }})(questions);"
            "process.stdout.write(JSON.stringify(answer));"
        )
        done = subprocess.run(
            ["node", "-e", script],
            input=json.dumps(questions),
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask
