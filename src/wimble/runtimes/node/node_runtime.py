"""Node as a runtime."""

from __future__ import annotations

from typing import Final

from wimble.runtimes.node.javascript_notation import JAVASCRIPT_NOTATION
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.runtimes.node.library_hosting import host_library
from wimble.runtimes.node.node_agent import NODE_AGENT
from wimble.runtimes.node.node_interpreter import NODE_INTERPRETER
from wimble.runtimes.node.npm_projects import NPM_PROJECTS
from wimble.runtimes.node.v8_stacks import V8_STACKS
from wimble.runtimes.runtime import Runtime

NODE: Final = Runtime(
    name="node",
    title="Node",
    interpreter=NODE_INTERPRETER,
    loading=NODE_AGENT,
    values=JAVASCRIPT,
    notation=JAVASCRIPT_NOTATION,
    stacks=V8_STACKS,
    projects=NPM_PROJECTS,
    host_library=host_library,
)
