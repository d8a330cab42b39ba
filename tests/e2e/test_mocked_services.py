"""An API behind a payment service that nobody can reach: both branches are found, and the suite brings its answers.

Everything runs in a network namespace with loopback only.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from namespaces import LOOPBACK_ONLY, has_namespaces
from runners import RUNNER_PACKAGES, RUNNER_VERSIONS, installed_packages, runner_command, runner_packages

LONG = pytest.mark.long
JEST_24 = "jest 24"
"""The oldest version, from which most differs."""
pytestmark = [pytest.mark.e2e, pytest.mark.timeout(240)]

SERVER = """
const http = require('node:http');
http.createServer(async (req, res) => {
  const send = (status, body) => {
    res.writeHead(status, { 'content-type': 'application/json' });
    res.end(JSON.stringify(body));
  };
  if (req.url === '/openapi.json') {
    const responses = { 200: { description: 'paid' }, 402: { description: 'declined' }, 503: { description: 'later' } };
    return send(200, { openapi: '3.0.0', info: { title: 'shop', version: '1' }, paths: { '/pay': { get: { responses } } } });
  }
  if (req.url !== '/pay') return send(404, { error: 'no' });
  try {
    const answer = await fetch('https://payments.example/v1/charges', { method: 'POST', body: '{}' });
    if (answer.status === 503) return send(503, { error: 'later' });
    const charge = await answer.json();
    if (charge.outcome.reason === 'declined') return send(402, { error: 'declined' });
    send(200, { charge: charge.id ?? null });
  } catch (error) {
    send(error.cause?.code === 'CERT_HAS_EXPIRED' ? 504 : 502, { error: 'payments' });
  }
}).listen(process.env.PORT);
"""
PORT = "39471"


def run(*command: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    line = [*LOOPBACK_ONLY, *command]
    environment = {**os.environ, "PORT": PORT, **env}
    return subprocess.run(line, cwd=cwd, env=environment, capture_output=True, text=True, timeout=110, check=False)


@pytest.mark.parametrize(
    "test_format", ["node-test", *(pytest.param(name, marks=LONG) for name in ("jest", "vitest", "pytest", JEST_24))]
)
def test_a_suite_answers_in_the_place_of_services(tmp_path: Path, test_format: str) -> None:
    if not has_namespaces():
        pytest.skip("there are no network namespaces here, without which an escape would reach somebody")
    (tmp_path / "server.js").write_text(SERVER)
    if test_format == JEST_24:
        test_format = "jest"
        (tmp_path / "node_modules").symlink_to(installed_packages(*RUNNER_VERSIONS[0]))
    elif test_format in RUNNER_PACKAGES:
        (tmp_path / "node_modules").symlink_to(runner_packages(test_format))
    wimble = [sys.executable, "-m", "wimble", "run", "--max-calls", "160", "--seed", "1", "--format", test_format]
    done = run(*wimble, "--", "node", "server.js", cwd=tmp_path)
    assert done.returncode in (0, 1), done.stderr
    summary = json.loads((tmp_path / "wimble-out/summary.json").read_text())
    (service,) = summary["external_services"]
    assert service["origin"] == "https://payments.example"
    assert "POST /v1/charges" in service["requests"]
    statuses = {outcome for one in summary["calls_per_operation"] for outcome in one["outcomes"]}
    assert {"200", "402", "503", "504"} <= statuses

    folder = tmp_path / "wimble-out/tests"
    files = [path for path in folder.iterdir() if re.search(r"(^test_.*\.py|\.(test|vitest)\.[cm]js)$", path.name)]
    text = "".join(path.read_text() for path in files)
    assert re.search(r"\.post\(['\"]/v1/charges['\"]\)\.reply\(503", text)
    assert "declined" in text
    assert re.search(r"\.expired_?certificate\(\)", text, flags=re.IGNORECASE)
    runner = runner_command(test_format, folder)
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    suite = run(*runner, cwd=tmp_path, TMPDIR=str(temporary))
    assert suite.returncode == 0, suite.stdout + suite.stderr
    assert list(temporary.glob("wimble-*")) == []

    # Without its answer, a test fails and says what it did not expect.
    for path in files:
        path.write_text(re.sub(r"^ *mocks\.on\([^\n]*reply\(503[^\n]*\n", "", path.read_text(), flags=re.MULTILINE))
    broken = run(*runner, cwd=tmp_path)
    assert broken.returncode != 0
    assert "POST https://payments.example/v1/charges" in broken.stdout + broken.stderr

    # The SUT of somebody else calls the real services.
    elsewhere = run(*runner, cwd=tmp_path, WIMBLE_BASE_URL="http://127.0.0.1:1", PYTEST_ADDOPTS="-rs")
    assert "with WIMBLE_BASE_URL, the SUT calls the real services" in elsewhere.stdout + elsewhere.stderr
