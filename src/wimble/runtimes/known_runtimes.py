"""The runtimes that have an agent, by name."""

from __future__ import annotations

from collections.abc import Mapping

from wimble.runtimes.node.node_runtime import NODE
from wimble.runtimes.runtime import Runtime

RUNTIMES: Mapping[str, Runtime] = {runtime.name: runtime for runtime in (NODE,)}
"""The runtimes in order of preference: the first one is assumed if no agent has connected, as in a black-box run."""
