"""The wheel works by itself: installed into an empty venv, on a machine with Node and without an npm registry."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

REPOSITORY = Path(__file__).resolve().parents[2]

# Plain `http`, so that nothing at all has to be installed for the SUT.
SERVER = """
const http = require('node:http');
const document = {
  openapi: '3.0.3',
  info: { title: 'Wheel', version: '1.0.0' },
  paths: { '/age': { get: {
    parameters: [{ name: 'years', in: 'query', required: true, schema: { type: 'integer' } }],
    responses: { 200: { description: 'fine' } },
  } } },
};
http.createServer((request, response) => {
  const url = new URL(request.url, 'http://local');
  if (url.pathname === '/openapi.json') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(document));
    return;
  }
  if (Number(url.searchParams.get('years')) === 130) {
    response.statusCode = 500;
  }
  response.end('ok');
}).listen(0, '127.0.0.1');
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built by way of the sdist, as `make wheel` does."""
    out = tmp_path_factory.mktemp("dist")
    run_quietly([sys.executable, "-m", "build", "--outdir", str(out), str(REPOSITORY)])
    return next(out.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` folder of an empty venv that the wheel was installed into."""
    venv = tmp_path_factory.mktemp("empty") / "venv"
    run_quietly([sys.executable, "-m", "venv", str(venv)])
    run_quietly([str(venv / "bin" / "python"), "-m", "pip", "install", "--quiet", str(wheel)])
    return venv / "bin"


def run_quietly(command: list[str], *, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Output of a command that has to succeed."""
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def without_npm_registry() -> dict[str, str]:
    """The environment of a machine that reaches no registry, and sees nothing of this repository."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return kept | {"npm_config_registry": "http://127.0.0.1:9", "npm_config_offline": "true"}


def test_wheel_carries_the_agent_and_only_its_production_packages(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    source = REPOSITORY / "agents" / "node" / "src"
    modules = {f"wimble/_agent_node/src/{file.relative_to(source).as_posix()}" for file in source.rglob("*.?js")}
    assert modules and modules <= set(names)
    packages = {name.split("/")[3] for name in names if name.startswith("wimble/_agent_node/node_modules/")}
    assert {"acorn", "magic-string"} <= packages
    assert not {"typescript", "express", "@types"} & packages


def test_installed_command_tells_its_version(installed: Path, tmp_path: Path) -> None:
    assert "0." in run_quietly([str(installed / "wimble"), "--version"], cwd=tmp_path, env=without_npm_registry())


def test_installed_command_finds_a_fault_without_npm_registry(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "server.js").write_text(SERVER, encoding="utf-8")
    command = [str(installed / "wimble"), "run", "--max-calls", "2000", "--seed", "1", "--", "node", "server.js"]
    done = subprocess.run(
        command, cwd=tmp_path, env=without_npm_registry(), capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr
    summary = json.loads((tmp_path / "wimble-out" / "summary.json").read_text(encoding="utf-8"))
    assert summary["lines"]["total"] > 0, "the agent saw no file"
    assert [finding["status"] for finding in summary["findings"]] == [500]
    assert list((tmp_path / "wimble-out" / "tests").glob("*.test.mjs"))
