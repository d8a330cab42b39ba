"""Finds the folder of the Node agent, and makes processes load it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from shutil import which
from typing import Final

from wimble.errors import UsageError
from wimble.runtimes.runtime import AgentLoading

PACKAGES: Final = ("acorn", "magic-string")
VARIABLE: Final = "NODE_OPTIONS"
ENTRY: Final = "register.cjs"
EDITION_VARIABLE: Final = "WIMBLE_EDITION"


def agent_dir() -> Path:
    """Returns the agent's folder in the installed package, or else in the repository that contains this file.

    Raises: UsageError, if neither folder exists, or if the agent's packages are missing.
    """
    package = Path(__file__).resolve().parents[2]
    for folder in (package / "_agent_node", package.parents[1] / "agents" / "node"):
        if (folder / ENTRY).is_file():
            missing = [name for name in PACKAGES if not (folder / "node_modules" / name).is_dir()]
            if missing:
                raise UsageError(
                    "agent-incomplete",
                    f"the Node agent lacks its packages ({', '.join(missing)})",
                    where=str(folder),
                    hint="in a checkout run `make setup`; else install wimble again",
                )
            return folder
    raise UsageError("agent-missing", "the Node agent is not installed", hint="install wimble again")


def variables(folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Returns NODE_OPTIONS with the user's options, followed by the option that preloads the agent, and its edition."""
    entry = str(folder / ENTRY).replace("\\", "\\\\").replace('"', '\\"')
    option = f'--require "{entry}"'
    return {VARIABLE: f"{environment.get(VARIABLE, '')} {option}".strip(), EDITION_VARIABLE: edition_of(folder)}


@cache
def edition_of(folder: Path) -> str:
    """Returns a text that changes whenever a file of the agent does: with it, the agent names its compiled code."""
    stamps = []
    for file in sorted(folder.glob("*.cjs")) + sorted((folder / "src").rglob("*.cjs")):
        stat = file.stat()
        stamps.append((str(file.relative_to(folder)), stat.st_size, stat.st_mtime_ns))
    return sha256(repr((str(folder), stamps)).encode()).hexdigest()[:16]


def mock_server(folder: Path) -> tuple[str, ...]:
    """Returns the command that starts the mock server. The SUT's own Node is on the path, or else some other one."""
    return (which("node") or "node", str(folder / "mocks" / "main.cjs"))


NODE_AGENT: Final = AgentLoading(folder=agent_dir, variable=VARIABLE, variables=variables, mock_server=mock_server)
