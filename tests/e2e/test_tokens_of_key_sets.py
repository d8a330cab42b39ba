"""An API that checks tokens with the key set of a service: wimble gets in, and the suite signs its tokens itself."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(120)]

SERVER = Path(__file__).parent / "servers" / "vault.js"


def test_a_token_is_signed_with_a_key_that_the_mocked_service_answers(tmp_path):
    shutil.copy(SERVER, tmp_path / "vault.js")
    line = [sys.executable, "-m", "wimble", "run", "--seed", "4", "--max-calls", "200", "--format", "node-test"]
    done = subprocess.run(
        [*line, "--", "node", "vault.js"], cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False
    )
    summary = json.loads((tmp_path / "wimble-out" / "summary.json").read_text())
    (vault,) = (one for one in summary["calls_per_operation"] if one["operation"] == "GET /vault")
    assert {"200", "401"} <= set(vault["outcomes"]), done.stdout + done.stderr
    tests = "".join(path.read_text() for path in (tmp_path / "wimble-out" / "tests").glob("*.test.*"))
    assert "sut.jwt('ES256', { iss: 'https://login.example/'" in tests
    suite = subprocess.run(
        ["node", "--test", *sorted(str(path) for path in (tmp_path / "wimble-out" / "tests").glob("*.test.mjs"))],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert suite.returncode == 0, suite.stdout
