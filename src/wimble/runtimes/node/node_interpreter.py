"""Which Node runs the SUT, and whether it is recent enough for the agent."""

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
    """Asks the Node that the command meets for its version: the command's own, else the first on PATH."""
    node = program if Path(program).name == "node" else shutil.which("node")
    if node is None:
        return
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=ANSWER_WAIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return  # a wrapper that takes no options; the agent will tell the version
    check_version(answer.stdout.strip(), node)


def check_version(version: str, where: str) -> None:
    """version: such as `v20.1.0`; any other text passes."""
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
