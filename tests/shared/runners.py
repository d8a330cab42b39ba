"""Test runners that generated suites are for, and how to get and start them."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

RUNNER_PACKAGES = {"jest": ("jest@29.7.0", "superagent@10.2.3"), "vitest": ("vitest@4.1.12",)}
"""What the formats whose runner comes from npm need."""
RUNNER_VERSIONS = (
    ("jest@24.9.0", "superagent@8.1.2"),
    ("jest@25.5.4",),
    ("jest@26.6.3", "superagent@10.4.2"),
    ("jest@27.5.1", "superagent@10.4.2"),
    ("jest@28.1.3",),
    ("jest@29.7.0", "superagent@3.8.3"),
    ("jest@30.2.0", "superagent@10.4.2"),
    ("vitest@1.6.1",),
    ("vitest@2.1.9",),
    ("vitest@3.2.4",),
    ("vitest@4.1.12",),
    ("vitest@5.1.1",),
)
"""Each major version of the runners, with old and new versions of the client of Jest's tests, and without it."""


def runner_packages(format_name: str) -> Path:
    """A node_modules folder with what the format needs, installed once per machine."""
    return installed_packages(*RUNNER_PACKAGES[format_name])


def installed_packages(*packages: str) -> Path:
    """A node_modules folder with the packages, installed once per machine."""
    folder = Path(tempfile.gettempdir()) / f"wimble-{'-'.join(packages).replace('@', '-')}"
    if not (folder / "done").exists():
        folder.mkdir(exist_ok=True)
        (folder / "package.json").write_text("{}")
        command = ["npm", "install", "--no-audit", "--no-fund", *packages]
        installed = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=180)
        if installed.returncode != 0:
            pytest.skip(f"npm could not install {' '.join(packages)}: {installed.stderr[-200:]}")
        (folder / "done").touch()
    return folder / "node_modules"


def runner_command(format_name: str, tests: Path) -> list[str]:
    """To be started in the project's folder; a runner from npm is in its node_modules."""
    if format_name == "jest":
        return ["node", "node_modules/jest/bin/jest.js", "--config", str(tests / "jest.config.json")]
    if format_name == "vitest":
        return ["node", "node_modules/vitest/vitest.mjs", "run", "--config", str(tests / "vitest.config.mjs")]
    if format_name == "pytest":
        return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests)]
    files = sorted(str(path) for path in tests.glob("*.test.mjs"))
    assert files
    return ["node", "--test", "--test-concurrency=1", "--test-reporter=tap", *files]
