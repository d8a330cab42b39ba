"""Test runners that generated suites are for, and how to get and start them."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

RUNNER_PACKAGES = {"jest": ("jest@29.7.0", "superagent@10.2.3"), "vitest": ("vitest@4.1.12",)}
"""What the formats whose runner comes from npm need."""


def runner_packages(format_name: str) -> Path:
    """A node_modules folder with what the format needs, installed once per machine."""
    packages = RUNNER_PACKAGES[format_name]
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
        return ["node", "node_modules/jest/bin/jest.js", "--config", str(tests / "jest.config.cjs")]
    if format_name == "vitest":
        return ["node", "node_modules/vitest/vitest.mjs", "run", "--config", str(tests / "vitest.config.mjs")]
    if format_name == "pytest":
        return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests)]
    files = sorted(str(path) for path in tests.glob("*.test.mjs"))
    assert files
    return ["node", "--test", "--test-concurrency=1", "--test-reporter=tap", *files]
