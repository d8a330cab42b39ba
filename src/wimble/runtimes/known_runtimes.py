"""The runtimes for which there is an agent, by name."""

from __future__ import annotations

from collections.abc import Mapping

from wimble.runtimes.node.node_runtime import NODE
from wimble.runtimes.runtime import Runtime

RUNTIMES: Mapping[str, Runtime] = {runtime.name: runtime for runtime in (NODE,)}
"""In order of preference: the first one is assumed where no agent has said hello, as in a black-box run."""
