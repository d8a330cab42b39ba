"""Answers the requests that the system under test (SUT) sends to other services while the tests beside this file run:
nothing of it leaves this machine.

    mocks.on("https://api.payments.example").post("/v1/charges").reply(200, {"paid": True})

`*` in a path stands for one segment of any value; queries do not count. `.nth(2)` is for the second such request in a
test. What a test does not expect is answered 404, and fails the test.

With WIMBLE_BASE_URL, the SUT runs elsewhere and calls the real services: tests with mocks are skipped then.

The work is done by mocks.cjs, in a process of Node that reads commands from its standard input.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

SKIPPED = "with WIMBLE_BASE_URL, the SUT calls the real services"
IS_SKIPPED = bool(os.environ.get("WIMBLE_BASE_URL"))


class Mocks:
    """The services of the SUT. `check` raises AssertionError with the requests that a test does not expect."""

    def __init__(self) -> None:
        self.are_planned = False  # whether the test has said what services do
        program = Path(__file__).parent / "mocks.cjs"
        self._process = subprocess.Popen(
            ["node", str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def variables(self, environment: dict[str, str]) -> dict[str, str]:
        """The variables with which the SUT is started."""
        described: dict[str, str] = self.ask("listen", {"NODE_OPTIONS": environment.get("NODE_OPTIONS", "")})
        return described

    def begin(self) -> None:
        """Before a test: forgets the answers of the one before."""
        self.are_planned = False
        self.ask("begin")

    def pause(self) -> None:
        """While the SUT starts: what it asks of services then is no test's."""
        self.ask("pause")

    def check(self) -> None:
        """After a call and a test: raises AssertionError if the SUT has sent a request that no line expects."""
        self.ask("check")

    def on(self, origin: str) -> Service:
        """The service at an origin, such as `https://api.payments.example`."""
        return Service(self, origin)

    def close(self) -> None:
        self._process.communicate()

    def ask(self, *command: Any) -> Any:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        answer = json.loads(line) if line else {"error": "mocks.cjs has ended"}
        assert "error" not in answer, answer["error"]
        return answer["value"]


class Service:
    """The requests to one service."""

    def __init__(self, mocks: Mocks, origin: str) -> None:
        self._mocks = mocks
        self._origin = origin

    def request(self, method: str, path: str) -> Request:
        return Request(self._mocks, self._origin, method, path)

    def get(self, path: str) -> Request:
        return self.request("GET", path)

    def post(self, path: str) -> Request:
        return self.request("POST", path)

    def put(self, path: str) -> Request:
        return self.request("PUT", path)

    def patch(self, path: str) -> Request:
        return self.request("PATCH", path)

    def delete(self, path: str) -> Request:
        return self.request("DELETE", path)

    def head(self, path: str) -> Request:
        return self.request("HEAD", path)


class Request:
    """A kind of request, and what it gets."""

    def __init__(self, mocks: Mocks, origin: str, method: str, path: str, number: int | None = None) -> None:
        self._mocks = mocks
        self._place = (origin, method, path)
        self._number = number

    def nth(self, number: int) -> Request:
        """The second such request of a test is number 2."""
        return Request(self._mocks, *self._place, number)

    def reply(self, status: int, body: Any = None, headers: dict[str, str] | None = None) -> None:
        """A text is sent as it is, anything else as JSON."""
        self._plan("reply", status, body, headers)

    def reply_slowly(self, status: int, body: Any = None, headers: dict[str, str] | None = None) -> None:
        self._plan("replySlowly", status, body, headers)

    def truncate(self, status: int, body: Any = None, headers: dict[str, str] | None = None) -> None:
        self._plan("truncate", status, body, headers)

    def reply_bytes(self, status: int, base64: str, headers: dict[str, str] | None = None) -> None:
        self._plan("replyBytes", status, base64, headers)

    def reply_in_parts(self, status: int, parts: list[str], headers: dict[str, str] | None = None) -> None:
        self._plan("replyInParts", status, parts, headers)

    def open_web_socket(self, messages: list[str], headers: dict[str, str] | None = None) -> None:
        """The messages are sent at once."""
        self._plan("openWebSocket", messages, headers)

    def reply_to_messages(self, messages: list[str], headers: dict[str, str] | None = None) -> None:
        """Each message is sent after one of the SUT."""
        self._plan("replyToMessages", messages, headers)

    def no_host(self) -> None:
        self._plan("noHost")

    def try_again(self) -> None:
        self._plan("tryAgain")

    def refuse(self) -> None:
        self._plan("refuse")

    def time_out(self) -> None:
        self._plan("timeOut")

    def expired_certificate(self) -> None:
        self._plan("expiredCertificate")

    def certificate_of_another_host(self) -> None:
        self._plan("certificateOfAnotherHost")

    def self_signed_certificate(self) -> None:
        self._plan("selfSignedCertificate")

    def certificate_of_unknown_authority(self) -> None:
        self._plan("certificateOfUnknownAuthority")

    def certificate_of_own_authority(self) -> None:
        self._plan("certificateOfOwnAuthority")

    def reset(self) -> None:
        self._plan("reset")

    def close_connection(self) -> None:
        self._plan("closeConnection")

    def hang(self) -> None:
        self._plan("hang")

    def _plan(self, name: str, *args: Any) -> None:
        self._mocks.are_planned = True
        self._mocks.ask("plan", *self._place, self._number, name, list(args))
