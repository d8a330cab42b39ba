"""A SUT that we did not start ends: whose call it was, and how long we wait for it."""

import socket
import threading
import time

import pytest

from engine_parts import ScriptedSut, new_coordinator, new_worker
from wimble.errors import TargetError
from wimble.execute.sut.black_box_sut import BlackBoxSut
from wimble.http.binding import http_operation
from wimble.http.exchange import failure_of
from wimble.model.testcase import Call, TestCase
from wimble.oracles import Judge
from wimble.runtimes.node.node_runtime import NODE
from wimble.settings import Settings
from wimble.types import OperationId


class Mortal:
    """A server that ends at a path: within the call (`/now`), or once it has answered (`/then`)."""

    def __init__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return None
            with connection:
                while head := connection.recv(65_536):
                    path = head.split()[1].decode()
                    if path == "/now":
                        return self.end()
                    closing = b"connection: close\r\n" if path == "/then" else b""
                    if path == "/then":
                        self.end()
                    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n" + closing + b"\r\n")
                    if closing:
                        return None

    def end(self):
        # Closing alone would leave the other thread's accept, and with it the port, as it is.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()


@pytest.fixture
def sut():
    server = Mortal()
    made = BlackBoxSut(Settings(url=f"http://127.0.0.1:{server.port}", return_timeout_s=0.1), runtime=NODE)
    yield made
    made.stop()


def case(*paths):
    return TestCase(
        tuple(Call(http_operation(id=OperationId(f"GET {path}"), method="GET", path=path), ()) for path in paths)
    )


def blamed(evaluation):
    """Operations that are told to have ended the SUT, by this evaluation and by the one before it."""
    return [
        [finding.operation for finding in Judge()(one) if finding.oracle == "process-died"]
        for one in (evaluation, *evaluation.late)
    ]


def test_a_call_that_gets_no_answer_is_what_it_died_of(sut):
    evaluation = sut.evaluate(case("/a", "/now", "/b"))
    assert [failure_of(one) for one in evaluation.observations] == [None, "connection-lost", "not-sent"]
    assert evaluation.is_sut_lost
    assert blamed(evaluation) == [["GET /now"]]


def test_a_call_that_finds_nobody_is_not_what_it_died_of(sut):
    evaluation = sut.evaluate(case("/a", "/then", "/b"))
    assert [failure_of(one) for one in evaluation.observations] == [None, None, "connection-lost"]
    assert blamed(evaluation) == [["GET /then"]]


def test_nor_is_the_test_case_that_finds_nobody(sut):
    first = sut.evaluate(case("/a", "/then"))
    assert not first.is_sut_lost
    evaluation = sut.evaluate(case("/b"))
    assert evaluation.is_sut_lost
    assert evaluation.late[0].test_case == first.test_case
    assert blamed(evaluation)[1:] == [["GET /then"]]
    assert evaluation.crashes[0].late is not None, "so that findings of its own are dropped (engine/evaluator)"


def test_it_is_waited_for_as_long_as_is_said_and_its_last_calls_are_named(sut):
    sut.evaluate(case("/a", "/now"))
    start_s = time.monotonic()
    with pytest.raises(TargetError, match=r"has ended, and is not back after 0\.1 s") as caught:
        sut.restart()
    assert time.monotonic() - start_s < 3
    assert caught.value.details == ("its last calls: GET /a 200, GET /now without an answer",)
    assert caught.value.slug == "sut-gone"


@pytest.mark.parametrize(("command", "n_tries"), [((), 1), (("node", "server.js"), 2)])
def test_only_a_sut_that_we_start_is_started_twice(command, n_tries):
    class Gone(ScriptedSut):
        n_restarts = 0

        def restart(self):
            self.n_restarts += 1
            raise TargetError("sut-gone", "gone")

    sut = Gone()
    with pytest.raises(TargetError):
        new_worker(sut, new_coordinator(Settings(url="http://127.0.0.1:1", command=command))).restart()
    assert sut.n_restarts == n_tries
