"""Starts the system under test (SUT) for the tests beside this file, talks to it, and stops it.

Fresh state: every test starts with a freshly started SUT, unless only GET, HEAD, OPTIONS and TRACE calls were sent (and
answered) since its last start, for then nothing can have changed. Tests marked `shares_start` get a fresh one only
where others than such tests of their file ran since the last: they do the same whatever of them ran before, or the SUT
starts slowly, and they belong in their order: where each test of a file shares its start, run whole files. Tests marked
`starts_anew` get a new one in any case, since also reads may have changed what the SUT remembers. All were verified
under this same rule.

WIMBLE_BASE_URL=http://host:port   runs the tests against a server that is running already; nothing is started or
stopped.

Calls made as a user take passwords and keys from environment variables; users log in after each start of the SUT.

Its processes are in sut_process.py, requests in sut_http.py, users in sut_users.py, signed tokens in sut_tokens.py.

Needs nothing but Python's standard library.
"""

from __future__ import annotations

import json as json_module
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sut_http import (
    NOT_GIVEN,
    NoAnswer,
    Response,
    await_answer,
    cookie,
    field,
    free_port,
    holds,
    is_listening,
    is_port_free,
    is_served,
    last_segment,
    send,
    signed,
)
from sut_process import MAX_OUTPUT_BYTES, StartLock, SutProcess
from sut_tokens import signed_token
from sut_users import Credentials, Users

__all__ = ["NoAnswer", "Response", "Sut", "cookie", "field", "holds", "jwt", "last_segment"]

# <settings>
COMMAND: list[str] = []
WORKING_DIR = Path(__file__).parent
BASE_URL = "http://127.0.0.1:3000"
IS_PORT_FIXED = True
PORT_VARIABLES: dict[str, str | None] = {}  # what the SUT's environment says about its port, as verified; None: nothing
VARIABLES: dict[str, str | None] = {}  # others that the SUT reads, as the tests were verified; None: not set
PLACE_VARIABLES: dict[str, str] = {}  # the same with places of services: set where this process does not have them
PATH_VARIABLES: dict[str, str] = {}  # such places in the SUT's folder
OTHER_PORT: list[str] = []  # variables by which the SUT may take another port, if something else has its own
START_TIMEOUT_S = 60.0
READY_PATHS: list[str] = []  # are there once the SUT is ready; none: it is when it listens
READY_ANSWERS: list[dict[str, Any]] = []  # to GET once the SUT is ready, where the first moment brings others
HEADERS: list[list[str]] = []  # [name, value] of headers that every request has
RESET = ""  # a command, URL or path on the SUT that brings back the first state; empty: none
DATA_FILES: list[str] = []  # and folders/ that the SUT writes: put back whenever it was stopped
USERS: list[dict[str, Any]] = []  # `${NAME}` is an environment variable, `{token}` what the login brings
HAS_MOCKS = False  # of other services that the SUT calls: mocks.py
KEYS: dict[str, dict[str, Any]] = {}  # of tokens: where their secret is, an environment variable or a place in a file
# </settings>

CALL_TIMEOUT_S = 10.0
TAKEN = f"{BASE_URL} is taken by something else: stop it, or set WIMBLE_BASE_URL={BASE_URL} to test it."
READ_ONLY = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
HERE = Path(__file__).resolve().parent


class Sut:
    """The SUT, started when the first test asks for it."""

    def __init__(self) -> None:
        self._given_url = os.environ.get("WIMBLE_BASE_URL") or ("" if COMMAND else BASE_URL)
        self.url = self._given_url or BASE_URL
        self.mocks: Any = None
        if HAS_MOCKS and not self._given_url:
            self.mocks = import_module("mocks").Mocks()
        self._process: SutProcess | None = None
        self._users = Users(USERS, self._request_of_login)
        self._lock = StartLock(HERE)
        self._other_port = list(OTHER_PORT)
        self._may_have_changed = False
        self._is_reset = False  # by RESET, since the last start
        self._has_broken_off = False  # did not answer, or is gone
        self._is_disturbed = False  # by a test with a start of its own, since the last start
        self._file = ""

    def fresh(
        self, file: str, *, is_shared: bool, is_new: bool = False, when_stopped: Callable[[], None] = lambda: None
    ) -> None:
        """A SUT in its initial state for a test of `file`, but for what tests on a shared start left: starts it, or
        starts it again where a call may have changed more, or if is_new. when_stopped: called before a start, and
        before RESET: both may write."""
        if self.mocks:
            self.mocks.pause()
        is_kept = not self._may_have_changed or (is_shared and not self._is_disturbed and file == self._file)
        self._file = file
        is_running = self._process is not None and not self._process.has_ended and not self._has_broken_off
        if not self._given_url and (is_new or not (is_running and is_kept)):
            self._stop_processes()
            when_stopped()
            self._start()
        self._is_disturbed = self._is_disturbed or not is_shared
        if RESET and (self._may_have_changed or not self._is_reset):
            when_stopped()
            self._reset()
        self._users.log_in_all()
        if self.mocks:
            self.mocks.begin()

    def _reset(self) -> None:
        """Runs RESET; users log in again after it."""
        self._users.forget()
        if RESET.startswith(("/", "http://", "https://")):
            parts = urlsplit(RESET)
            at = f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            status = self.request("POST", target, at=at, timeout_s=START_TIMEOUT_S).status
            assert 200 <= status < 300, f"The reset by POST {RESET} was answered with {status}."
        else:
            environment = {**os.environ, "WIMBLE_BASE_URL": self.url}
            done = subprocess.run(
                RESET, shell=True, cwd=WORKING_DIR, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
            )
            output = done.stdout.decode("utf-8", "replace")[-MAX_OUTPUT_BYTES:]
            assert done.returncode == 0, f"The reset by '{RESET}' ended with code {done.returncode}:\n{output}"
        self._is_reset = True
        self._may_have_changed = False

    def stop(self) -> None:
        """Stops the SUT with all its processes."""
        self._stop_processes()
        if self.mocks:
            self.mocks.close()
        self._lock.release()

    def _stop_processes(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.stop()

    def request(
        self,
        method: str,
        target: str,
        *,
        headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        body: str | bytes | None = None,
        json: Any = NOT_GIVEN,
        user: str = "",
        only_head: bool = False,
        timeout_s: float = CALL_TIMEOUT_S,
        at: str = "",
    ) -> Response:
        """Sends one request exactly as written: no path is normalised, no redirect followed, no header added but Host,
        Connection, Content-Length, Accept where none is given, and Content-Type for `json`; with the credentials of
        `user`. `only_head`: the body, which may have no end, is not read.

        Raises: NoAnswer, when the connection breaks, time is up, or the answer is not HTTP.
        """
        if method not in READ_ONLY or (self.mocks and self.mocks.are_planned):
            self._may_have_changed = True  # a SUT may keep what a service answers
        pairs = list(headers.items()) if isinstance(headers, Mapping) else list(headers)
        if user:
            pairs, target = signed(self._users.credentials(user), pairs, target)
        data = body.encode() if isinstance(body, str) else body
        if json is not NOT_GIVEN:
            data = json_module.dumps(json, separators=(",", ":"), ensure_ascii=False).encode()
            if all(name.lower() != "content-type" for name, _ in pairs):
                pairs.append(("Content-Type", "application/json"))
        try:
            response = send(
                at or self.url,
                method,
                target,
                common=HEADERS,
                pairs=pairs,
                body=data,
                timeout_s=timeout_s,
                only_head=only_head,
            )
        except NoAnswer:
            self._has_broken_off = True  # a SUT that broke off is not fresh any more
            raise
        if self.mocks:
            self.mocks.check()  # fails where the SUT has sent a request that the test does not expect
        return response

    def is_gone(self, within_s: float = 3.0) -> bool:
        """Whether the SUT has died, or does so within `within_s`."""
        ends_at = time.monotonic() + within_s
        while True:
            if (self._process is not None and self._process.has_ended) or not is_listening(self.url):
                self._has_broken_off = True
                return True
            if time.monotonic() > ends_at:
                return False
            time.sleep(0.05)

    def login(self, name: str) -> Credentials:
        """Logs a user in, again if need be; answers the headers, cookies and query that its calls are sent with."""
        return self._users.log_in(name)

    def _request_of_login(self, method: str, target: str, **options: Any) -> Response:
        """A login counts neither as a change nor as a failure of the SUT."""
        state = self._may_have_changed, self._has_broken_off
        response = self.request(method, target, **options)
        self._may_have_changed, self._has_broken_off = state
        return response

    def _start(self) -> None:
        self._lock.take()
        is_moving = IS_PORT_FIXED and not is_port_free(self.url)
        if is_moving:
            self._take_other_port()
        with tempfile.TemporaryDirectory(prefix="wimble-") as folder:
            port_file = Path(folder) / "port"
            self._process = SutProcess(
                COMMAND,
                cwd=WORKING_DIR,
                env={**_sut_environment(port_file, self.mocks), **self._port_environment()},
                files=[f"{WORKING_DIR}/{name}" for name in DATA_FILES],
            )
            self._may_have_changed = self._has_broken_off = self._is_reset = self._is_disturbed = False
            self._users.forget()
            try:
                self._wait_until_listening(self._process, port_file)
            except BaseException as error:
                self.stop()
                if not is_moving or not isinstance(error, RuntimeError):
                    raise
                self._other_port = []  # its port does not come from them
                self.url = BASE_URL
                raise RuntimeError(f"{TAKEN}\nOn another port: {error}") from error
        if is_moving:
            sys.stderr.write(f"{BASE_URL} is taken by something else: the SUT listens on {self.url}.\n")

    def _take_other_port(self) -> None:
        """What listens on the port is not the SUT of these tests. It may be another one that uses the same data."""
        if not self._other_port:
            raise RuntimeError(TAKEN)
        parts = urlsplit(BASE_URL)
        self.url = f"{parts.scheme}://{parts.hostname}:{free_port()}"

    def _port_environment(self) -> dict[str, str]:
        return {} if self.url == BASE_URL else dict.fromkeys(self._other_port, str(urlsplit(self.url).port))

    def _wait_until_listening(self, process: SutProcess, port_file: Path) -> None:
        ends_at = time.monotonic() + START_TIMEOUT_S
        while True:
            if not IS_PORT_FIXED:
                self.url = _url_of_port(port_file)
            if self.url and self._is_ready() and not process.has_ended:
                return
            if process.has_ended:
                raise RuntimeError(f"The SUT ended before it listened. Its last output:\n{process.last_output()}")
            if time.monotonic() > ends_at:
                raise RuntimeError(
                    f"The SUT did not listen within {START_TIMEOUT_S:g} s. Its last output:\n{process.last_output()}"
                )
            time.sleep(0.02)

    def _is_ready(self) -> bool:
        if not is_listening(self.url):
            return False
        if not all(is_served(self.url, path, common=HEADERS, timeout_s=CALL_TIMEOUT_S) for path in READY_PATHS):
            return False
        for answer in READY_ANSWERS:
            await_answer(self.url, answer, common=HEADERS)
        return True


def jwt(key: str, claims: Any) -> str:
    """A JWT with these claims, signed with a secret of the SUT, which is read where the SUT reads it."""
    token: str = signed_token(KEYS[key], claims, WORKING_DIR)
    return token


def _sut_environment(port_file: Path, mocks: Any) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    paths = {name: str(WORKING_DIR / value) for name, value in PATH_VARIABLES.items()}
    env = {**PLACE_VARIABLES, **paths, **own}
    # a variable that the run did not have may tell the SUT of another database
    has_other_database = any(name.startswith(("WIMBLE_DATABASE_URL", "WIMBLE_REDIS_URL")) for name in own)
    for name, value in {**VARIABLES, **PORT_VARIABLES}.items():
        if value is not None:
            env[name] = value
        elif name in PORT_VARIABLES or not has_other_database:
            env.pop(name, None)
    if not IS_PORT_FIXED:
        env["WIMBLE_PORT_FILE"] = str(port_file)
        preload = json_module.dumps(str(HERE / "report-port.cjs"))
        env["NODE_OPTIONS"] = f"{env.get('NODE_OPTIONS', '')} --require {preload}"
    return {**env, **mocks.variables(env)} if mocks else env


def _url_of_port(port_file: Path) -> str:
    """The SUT's address, as its first listening server told report-port.cjs; empty as long as none listens."""
    text = port_file.read_text() if port_file.exists() else ""
    parts = urlsplit(BASE_URL)
    return f"{parts.scheme}://{parts.hostname}:{text.strip()}" if text.endswith("\n") else ""
