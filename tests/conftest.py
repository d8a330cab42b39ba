"""Shared fixtures. Keep it small: a fixture that one folder needs lives in that folder's conftest."""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis
import pytest

# No test fails because the machine is busy, or on some days only.
hypothesis.settings.register_profile("wimble", deadline=None, derandomize=True)
hypothesis.settings.load_profile("wimble")

E2E_TIMEOUT_S = 900
"""A last resort: the longest of these tests runs wimble several times, and each process has a time-out of its own."""

EXTRA_CERTIFICATES = "NODE_EXTRA_CA_CERTS"


def pytest_configure() -> None:
    """Gives certificates that only Node's own variable names to npm alone, in the same meaning.

    With this variable, Node 20 parses all certificates that it knows at each start, which takes longer (33 ms) than the
    rest of its start, and tests start thousands of Node processes. Of these, only npm needs them.
    """
    extra = os.environ.pop(EXTRA_CERTIFICATES, None)
    if not extra or "NPM_CONFIG_CAFILE" in os.environ or not Path(extra).is_file():
        return
    command = ["node", "-p", "require('node:tls').rootCertificates.join('\\n')"]
    known = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    with tempfile.NamedTemporaryFile("w", suffix=".pem", delete=False) as file:
        file.write(f"{known}\n{Path(extra).read_text('utf-8')}")
    atexit.register(os.unlink, file.name)
    os.environ["NPM_CONFIG_CAFILE"] = file.name


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
