"""Evaluates calls of a SUT with planned outcomes of services: `evaluated_sut.py SERVER CASES`.

CASES is JSON: a list of [path, outcome, status], and perhaps true: as generated tests run. Prints JSON: for each case,
what the SUT answered, after how many ms, the clients and replies of its requests, and its guarded calls. If the agent
said that no answer comes, it is "in vain".
"""

import http.client
import json
import os
import select
import signal
import sys
import tempfile
import time
from pathlib import Path

from wimble.agent.isolation import Isolation
from wimble.agent.protocol.evaluation_request import EvaluationRequest
from wimble.agent.protocol.mock_messages import MockRequest
from wimble.execute.endless_waits import EndlessWait
from wimble.execute.sut.started_sut import StartedSut
from wimble.model.external import CONNECT_OUTCOMES, ExternalOutcome, PlannedAnswer
from wimble.model.run_conditions import GUARD_IN_TESTS_MS
from wimble.model.targets import TargetTable
from wimble.runtimes.node.node_runtime import NODE
from wimble.settings import Settings

HOST = "slow.example"


def main() -> None:
    server, cases = Path(sys.argv[1]).resolve(), json.loads(sys.argv[2])
    folder = Path(tempfile.mkdtemp())
    settings = Settings(command=("node", str(server)), working_dir=server.parent, output_dir=folder)
    sut = StartedSut(settings, TargetTable(), folder / "sut.log", runtimes=(NODE,))
    found = []
    try:
        sut.start()
        session, mocks = sut._session, sut._starts.mock_server
        for number, (path, outcome, status, *as_tests) in enumerate(cases):
            if as_tests:
                session.live_under(None, None, guard_ms=GUARD_IN_TESTS_MS)
            else:
                session.live_under(Isolation(1), None)
            if outcome == "killed":  # the mock server; the next connection starts another one
                os.kill(mocks.pid, signal.SIGKILL)
                outcome = "answer"
            is_early = outcome in CONNECT_OUTCOMES
            answer = PlannedAnswer(
                id=0,
                origin=f"https://{HOST}:443",
                method="GET",
                path="/status",
                outcome=outcome,
                status=status,
                headers=(("content-type", "application/json"), ("connection", "close")),
                body='{"state":"well"}',
            )
            outcomes = (ExternalOutcome(HOST, 443, outcome),) if is_early else ()
            mocks.plan(number, () if is_early else (answer,), outcomes)
            connection = http.client.HTTPConnection("127.0.0.1", sut.api.port, timeout=15)
            connection.connect()
            port = connection.sock.getsockname()[1]
            session.begin(EvaluationRequest(port=port, external_outcomes=outcomes))
            connection.request("GET", path)
            answered = answer_of(connection, session)
            connection.close()
            guarded = sorted(session.end(5).guarded)
            seen = [(one.client, one.reply) for one in mocks.take() if isinstance(one, MockRequest)]
            found.append([*answered, seen, guarded])
        print(json.dumps({"found": found, "starts": mocks.n_starts}))
    finally:
        sut.stop()


def answer_of(connection, session):
    """Returns the SUT's answer, or that none comes, and after how many ms it was known."""
    start_s = time.monotonic()
    wait = EndlessWait(session, time.monotonic)
    while not select.select([connection.sock], [], [], 0.01)[0]:
        try:
            session.poll(0)
            wait.watch()
        except TimeoutError:
            return ["in vain", round(1000 * (time.monotonic() - start_s))]
    return json.loads(connection.getresponse().read())


if __name__ == "__main__":
    main()
