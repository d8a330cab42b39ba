"""Runs programs in a network namespace with loopback only: a connection that escapes in a test reaches nobody."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

LOOPBACK_ONLY = (
    "unshare",
    "--map-root-user",
    "--net",
    "sh",
    "-c",
    '(ip link set lo up || ifconfig lo up) 2>/dev/null && exec "$@"',
    "sh",
)


@cache
def has_namespaces() -> bool:
    """Whether this system lets this user make a network namespace."""
    try:
        return subprocess.run([*LOOPBACK_ONLY, "true"], capture_output=True, timeout=20, check=False).returncode == 0
    except OSError:
        return False


def run_in_namespace(script: Path, *arguments: str, timeout_s: float = 60, **variables: str) -> str:
    """Runs a Python script without a network, and returns what it prints. Skips the test if that is not possible.

    variables: of its environment, beside those of this process.
    """
    if not has_namespaces():
        pytest.skip("there are no network namespaces here, without which an escape would reach somebody")
    command = [*LOOPBACK_ONLY, sys.executable, str(script), *arguments]
    environment = {**os.environ, **variables}
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout_s, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout
