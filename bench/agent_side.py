"""A server with the agent inside, driven through the seam alone: no search, no HTTP client of wimble's."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from tools import START_WAIT_S, WORK_DIR

from wimble.agent.processes.launch import ProcessTree, agent_environment
from wimble.agent.processes.sut_log import SutLog
from wimble.agent.protocol.evaluation_request import EvaluationRequest
from wimble.agent.session import AgentSession
from wimble.agent.transport import Transport
from wimble.model.targets import TargetTable
from wimble.runtimes.node.node_runtime import NODE
from wimble.types import TargetId

RESULT_WAIT_S = 10.0


class AgentSide:
    """What the core sees of the server: its session, its targets, and how long it took to listen."""

    def __init__(self, session: AgentSession, table: TargetTable, start_s: float) -> None:
        self.session = session
        self.table = table
        self.start_s = start_s

    def begin_with_all_covered(self, local_port: int) -> None:
        """Begins an evaluation for calls from that port, in which nothing is left to cover."""
        covered = [TargetId(number) for number in range(len(self.table))]
        self.session.begin(EvaluationRequest(port=local_port, covered=covered))

    def next_evaluation(self, local_port: int) -> None:
        self.session.end(RESULT_WAIT_S)
        self.begin_with_all_covered(local_port)

    def begin_with_none_covered(self, local_port: int) -> None:
        """Begins an evaluation in which everything is still to be covered, hints wanted."""
        self.session.begin(EvaluationRequest(port=local_port))

    def next_uncovered_evaluation(self, local_port: int) -> None:
        self.session.end(RESULT_WAIT_S)
        self.begin_with_none_covered(local_port)


@contextlib.contextmanager
def server_with_agent(command: Sequence[str], cwd: Path, port: int) -> Iterator[AgentSide]:
    transport = Transport()
    table = TargetTable()
    session = AgentSession(transport, table)
    environment = agent_environment(transport.path, [NODE], cwd, base={**os.environ, "PORT": str(port)})
    start_s = time.perf_counter()
    tree = ProcessTree(tuple(command), cwd, environment, SutLog(WORK_DIR / "agent-side.log"))
    try:
        while not is_listening(port):
            session.poll(0.005)
            if time.perf_counter() - start_s > START_WAIT_S:
                raise TimeoutError("the server with the agent does not listen:\n" + "\n".join(tree.last_lines(10)))
        took_s = time.perf_counter() - start_s
        session.close_boot(RESULT_WAIT_S)
        yield AgentSide(session, table, took_s)
    finally:
        tree.stop(session.agents.pids)
        transport.close()


def is_listening(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False
