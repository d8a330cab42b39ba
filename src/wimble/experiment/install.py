"""Installs pinned versions of other tools at their first use, each into a folder of wimble's cache.

A lock ensures that several processes install a tool only once.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from wimble.agent.processes.launch import cache_dir
from wimble.errors import UsageError

C8_FILES = Path(__file__).parent / "c8"
SCHEMATHESIS_VERSION = "4.32.5"
INSTALL_LIMIT_S = 900.0
_DONE = ".installed"


def c8() -> Path:
    """Returns c8's script, which is run with node. Raises: UsageError, if c8 cannot be installed."""
    lock = C8_FILES / "package-lock.json"
    name = f"c8-{hashlib.sha256(lock.read_bytes()).hexdigest()[:12]}"

    def make(folder: Path) -> None:
        for file in ("package.json", "package-lock.json"):
            shutil.copy2(C8_FILES / file, folder / file)
        _run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], "c8", cwd=folder)

    return _installed(cache_dir() / name, make) / "node_modules" / "c8" / "bin" / "c8.js"


def schemathesis(folder: Path | None = None) -> Path:
    """Returns the `st` command in a virtual environment, which is `folder`, or by default a folder of the cache.

    Raises: UsageError, if Schemathesis cannot be installed.
    """

    def make(folder: Path) -> None:
        _run([sys.executable, "-m", "venv", "--clear", str(folder)], "Schemathesis")
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        _run([*pip, f"schemathesis=={SCHEMATHESIS_VERSION}"], "Schemathesis")

    return _installed(folder or cache_dir() / f"schemathesis-{SCHEMATHESIS_VERSION}", make) / "bin" / "st"


def _installed(folder: Path, make: Callable[[Path], None]) -> Path:
    """Returns the folder, after filling it with `make` if that has not been done. Raises: UsageError, if that fails."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / _DONE).exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
            make(folder)
            (folder / _DONE).touch()
    return folder


def _run(command: Sequence[str], what: str, cwd: Path | None = None) -> None:
    try:
        done = subprocess.run(
            command,
            cwd=cwd,
            capture_output=True,
            text=True,
            timeout=INSTALL_LIMIT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise UsageError("tool-not-installed", f"{what} could not be installed: {error}") from error
    if done.returncode != 0:
        raise UsageError(
            "tool-not-installed",
            f"{what} could not be installed: `{' '.join(command[:3])}` answered {done.returncode}",
            details=tuple((done.stderr or done.stdout).strip().splitlines()[-5:]),
            hint="It is fetched from its registry at the first use; see that this machine can reach it.",
        )
