"""Jobs that Bull and BullMQ repeat are held while schedules are, and told; those that calls add run."""

from __future__ import annotations

import os
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest

from database_servers import FIXTURE, free_port
from wimble.agent.isolation import Isolation
from wimble.agent.processes.launch import ProcessTree, agent_environment
from wimble.agent.processes.sut_log import SutLog
from wimble.agent.protocol.evaluation_request import EvaluationRequest
from wimble.agent.session import AgentSession
from wimble.agent.transport import Transport
from wimble.model.targets import TargetTable
from wimble.runtimes.node.node_runtime import NODE

pytestmark = pytest.mark.e2e

WAYS = ["/reports", "/later", "/mails"]
ROUNDS_S = 2.5
"""The jobs are repeated each second."""


def test_repeated_jobs_are_held_and_told_and_others_run(packages, redis_port, tmp_path):
    transport, output, port = Transport(), tmp_path / "output", free_port()
    session = AgentSession(transport, TargetTable())
    session.live_under(Isolation(1), None)
    variables = {**os.environ, "PORT": str(port), "REDIS_PORT": str(redis_port)}
    environment = agent_environment(transport.path, [NODE], FIXTURE, base=variables)
    tree = ProcessTree(("node", "jobs.js"), FIXTURE, environment, SutLog(output))

    def call(way: str) -> int:
        request = urllib.request.Request(f"http://127.0.0.1:{port}{way}", method="POST")
        with ThreadPoolExecutor(1) as thread:
            answer = thread.submit(lambda: urllib.request.urlopen(request, timeout=30).status)
            while not answer.done():
                session.poll(0.01)
            return answer.result()

    def call_for_a_while() -> int:
        """How many jobs were repeated meanwhile."""
        before = output.read_text().count("repeated")
        until = time.monotonic() + ROUNDS_S
        while time.monotonic() < until:
            session.begin(EvaluationRequest())
            assert [call(way) for way in WAYS] == [200] * len(WAYS)
            session.end(10)
        return output.read_text().count("repeated") - before

    try:
        assert session.poll_until(lambda: len(session.reports.servers) > 0, 30), output.read_text()
        session.close_boot(10)
        assert call(WAYS[0]) == 200  # what was due at the start has run
        assert call_for_a_while() == 0
        assert sorted((one.kind, one.line, one.expression) for one in session.reports.schedules) == [
            ("cron", 20, "* * * * * *"),
            ("cron", 22, "* * * * * *"),
            ("interval", 21, ""),
        ]
        session.live_under(None, None)
        assert call_for_a_while() > 0
    finally:
        tree.stop(session.agents.pids)
        transport.close()
