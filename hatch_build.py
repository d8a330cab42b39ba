"""Puts the Node agent, with its production packages, into the wheel and the sdist, so that no npm is needed afterwards.

A wheel built from the sdist takes the agent from there: only a build from the repository talks to the npm registry.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

AGENT_FILES = ("package.json", "package-lock.json", "register.cjs", "src", "mocks")
PACKED_NAME = "_agent_node"
"""Of the folder, in the package (where runtimes/node/node_agent.py looks first) and at the root of the sdist."""


class AgentBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # uses agents/node as it is
            return
        packed = Path(self.root, PACKED_NAME)
        if not packed.is_dir():
            packed = self._pack()
        prefix = f"wimble/{PACKED_NAME}" if self.target_name == "wheel" else PACKED_NAME
        # File by file, because a forced folder is filtered by hatch, and an agent that lacks one module is no agent.
        for file in sorted(packed.rglob("*")):
            if file.is_file():
                build_data["force_include"][str(file)] = f"{prefix}/{file.relative_to(packed).as_posix()}"

    def _pack(self) -> Path:
        source = Path(self.root, "agents", "node")
        packed = Path(self.root, "build", PACKED_NAME)
        shutil.rmtree(packed, ignore_errors=True)
        packed.mkdir(parents=True)
        for name in AGENT_FILES:
            copy = shutil.copytree if (source / name).is_dir() else shutil.copy2
            copy(source / name, packed / name)
        npm = shutil.which("npm")
        if npm is None:
            raise RuntimeError("building wimble needs npm (Node 20 or newer): it packs the agent's packages")
        command = [npm, "ci", "--omit=dev", "--ignore-scripts", "--no-bin-links", "--no-audit", "--no-fund"]
        subprocess.run(command, cwd=packed, check=True)
        return packed
