"""Runs a program with mocked services, without a SUT: `redirected_program.py PROGRAM PLAN ALLOWED INCLUDED`.

The last three are JSON: answers as in protocol/mocks.md, and lists of hosts. Prints JSON: what the
program printed, and the requests that arrived.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec

from wimble.agent.mocks.mock_server import MockServer
from wimble.model.external import ExternalOutcome, PlannedAnswer
from wimble.runtimes.node.node_agent import agent_dir, mock_server

HERE = Path(__file__).parent


def main() -> None:
    program, plan, *lists = sys.argv[1:]
    allowed, included = map(json.loads, lists)
    server = MockServer(mock_server(agent_dir()), allowed=allowed, included=included)
    try:
        answers = msgspec.json.decode(plan, type=list[PlannedAnswer])
        down = msgspec.json.decode(os.environ.get("PLANNED_OUTCOMES", "[]"), type=list[ExternalOutcome])
        server.plan(5, answers, down)
        preload = f"--require={HERE / 'preload.cjs'}"
        done = subprocess.run(
            ["node", program],
            env={**os.environ, **server.environment(), "NODE_OPTIONS": preload},
            capture_output=True,
            text=True,
            timeout=50,
            check=False,
        )
        taken = msgspec.to_builtins(server.take())
        requests = [one for one in taken if one["type"] != "closed"]
        printed = [json.loads(line) for line in done.stdout.splitlines()]
        print(json.dumps({"printed": printed, "errors": done.stderr, "requests": requests, "starts": server.n_starts}))
    finally:
        server.close()


if __name__ == "__main__":
    main()
