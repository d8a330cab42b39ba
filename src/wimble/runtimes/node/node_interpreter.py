"""Checks whether the Node that runs the SUT is recent enough for the agent."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

from wimble.errors import UsageError
from wimble.runtimes.runtime import Interpreter

MIN_MAJOR: Final = 20
ANSWER_WAIT_S: Final = 20.0


def check_command(program: str) -> None:
    """Checks the version of the Node that the command uses: the program itself if it is `node`, else the first on PATH.

    Raises: UsageError, if it is too old.
    """
    node = program if Path(program).name == "node" else shutil.which("node")
    if node is None:
        return
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=ANSWER_WAIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return  # a wrapper that accepts no options; the agent reports the version later
    check_version(answer.stdout.strip(), node)


def check_version(version: str, where: str) -> None:
    """Raises UsageError if the version is too old. version: a text such as `v20.1.0`; any other text is accepted."""
    match = re.match(r"v(\d+)\.", version)
    if match and int(match.group(1)) < MIN_MAJOR:
        raise UsageError(
            "node-too-old",
            f"Node {version} is too old",
            where=where,
            details=(f"wimble needs Node {MIN_MAJOR} or newer",),
            hint="put a newer `node` first on PATH",
        )


NODE_INTERPRETER: Final = Interpreter(
    check_command=check_command, check_version=check_version, example="node server.js"
)
