"""Starts the system under test (SUT) for the tests beside this file, talks to it, and stops it.

Fresh state: every test starts with a freshly started SUT, unless only GET, HEAD, OPTIONS and TRACE calls were sent (and
answered) since its last start, for then nothing can have changed. Tests marked `shares_start` get a fresh one only
where others than such tests of their file ran since the last: they do the same whatever of them ran before, or the SUT
starts slowly, and they belong in their order: where each test of a file shares its start, run whole files. All were
verified under this same rule.

WIMBLE_BASE_URL=http://host:port   runs the tests against a server that is running already; nothing is started or
stopped.

Calls made as a user take passwords and keys from environment variables; users log in after each start of the SUT.

The SUT runs in a process group of its own below a small guard (this same file, run as a program). The guard holds a
pipe to the test process: when the tests end, are interrupted or are killed, the pipe closes and the guard stops the
whole group. So npm, shells and workers are stopped too, and nothing is left behind. Where the SUT ends by itself, the
guard says so by closing its output and waits: files are put back only after the tests' pipe has closed, for until then
the tests may have them open.

Needs nothing but Python's standard library (http.client sends paths exactly as they are written).
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import hashlib
import hmac
import http.client
import json as json_module
import os
import re
import shlex
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from email.message import Message
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlencode, urlsplit

# <settings>
COMMAND: list[str] = []
WORKING_DIR = Path(__file__).parent
BASE_URL = "http://127.0.0.1:3000"
IS_PORT_FIXED = True
PORT_VARIABLES: dict[str, str | None] = {}  # what the SUT's environment says about its port, as verified; None: nothing
READY_PATHS: list[str] = []  # are there once the SUT is ready; none: it is when it listens
HEADERS: list[list[str]] = []  # [name, value] of headers that every request has
RESET = ""  # a command, URL or path on the SUT that brings back the first state; empty: none
DATA_FILES: list[str] = []  # that the SUT writes: put back whenever it was stopped
USERS: list[dict[str, Any]] = []  # `${NAME}` is an environment variable, `{token}` what the login brings
HAS_MOCKS = False  # of other services that the SUT calls: mocks.py
KEYS: dict[str, dict[str, Any]] = {}  # of tokens: where their secret is, an environment variable or a place in a file
# </settings>

START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 2.0  # from SIGTERM to SIGKILL
CALL_TIMEOUT_S = 10.0
MAX_OUTPUT_BYTES = 16_384  # of the SUT's output that are kept for messages
READ_ONLY = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})
NOT_GIVEN: Any = object()
HERE = Path(__file__).resolve().parent


class NoAnswer(AssertionError):
    """A call without an answer. `failure` is `timeout`, `connection-lost` or `malformed-response`."""

    def __init__(self, failure: str, message: str) -> None:
        super().__init__(message)
        self.failure = failure


class Response:
    """An answer. `json` is None where the body is not JSON."""

    def __init__(self, status: int, headers: Message, body: bytes) -> None:
        self.status = status
        self.headers = headers
        self.body = _decoded(body, headers.get("content-encoding") or "")
        self.text = self.body.decode("utf-8", "replace")
        self.json: Any = None
        with contextlib.suppress(ValueError):
            self.json = json_module.loads(self.text)

    def __repr__(self) -> str:
        return f"<{self.status} {self.text[:200]!r}>"


class _FinalResponse(http.client.HTTPResponse):
    """http.client takes early hints (103) for the answer."""

    def _read_status(self) -> tuple[str, int, str]:
        while True:
            version, status, reason = super()._read_status()  # type: ignore[misc]
            if not 100 < status < 200 or status == 101:
                return version, status, reason
            http.client.parse_headers(self.fp)


class Sut:
    """The SUT, started when the first test asks for it."""

    def __init__(self) -> None:
        self._given_url = os.environ.get("WIMBLE_BASE_URL") or ("" if COMMAND else BASE_URL)
        self.url = self._given_url or BASE_URL
        self.mocks: Any = None
        if HAS_MOCKS and not self._given_url:
            self.mocks = import_module("mocks").Mocks()
        self._guard: subprocess.Popen[bytes] | None = None
        self._has_ended = threading.Event()  # set when the SUT has ended; its guard may still run
        self._files: dict[Path, bytes | None] = {}
        self._output = b""
        self._may_have_changed = False
        self._is_reset = False  # by RESET, since the last start
        self._has_broken_off = False  # did not answer, or is gone
        self._is_disturbed = False  # by a test with a start of its own, since the last start
        self._file = ""
        self._sessions: dict[str, tuple[str, list[str]]] = {}  # user's name -> token, cookies; since the last start
        self._lock_fd: int | None = None

    def fresh(self, file: str, *, is_shared: bool, when_stopped: Callable[[], None] = lambda: None) -> None:
        """A SUT in its initial state for a test of `file`, but for what tests on a shared start left: starts it, or
        starts it again where a call may have changed more. when_stopped: called before a start, and before RESET: both
        may write."""
        if self.mocks:
            self.mocks.pause()
        is_kept = not self._may_have_changed or (is_shared and not self._is_disturbed and file == self._file)
        self._file = file
        is_running = self._guard is not None and not self._has_ended.is_set() and not self._has_broken_off
        if not self._given_url and not (is_running and is_kept):
            self._stop_processes()
            when_stopped()
            self._start()
        self._is_disturbed = self._is_disturbed or not is_shared
        if RESET and (self._may_have_changed or not self._is_reset):
            when_stopped()
            self._reset()
        self._log_in_all()
        if self.mocks:
            self.mocks.begin()

    def _reset(self) -> None:
        """Runs RESET; users log in again after it."""
        self._sessions.clear()
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
        if self._lock_fd is not None:
            os.close(self._lock_fd)
            self._lock_fd = None

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
        if method not in READ_ONLY:
            self._may_have_changed = True
        pairs = list(headers.items()) if isinstance(headers, Mapping) else list(headers)
        if user:
            pairs, target = _signed(self._credentials(user), pairs, target)
        data = body.encode() if isinstance(body, str) else body
        if json is not NOT_GIVEN:
            data = json_module.dumps(json, separators=(",", ":"), ensure_ascii=False).encode()
            if all(name.lower() != "content-type" for name, _ in pairs):
                pairs.append(("Content-Type", "application/json"))
        connection = self._connection(at or self.url, timeout_s)
        connection.response_class = _FinalResponse
        ends_at = time.monotonic() + timeout_s
        try:
            has_host = any(name == "Host" for name, _ in HEADERS)
            connection.putrequest(method, target, skip_host=has_host, skip_accept_encoding=True)
            for name, value in HEADERS:
                connection.putheader(name, value)
            connection.putheader("Connection", "close")
            if all(name.lower() != "accept" for name, _ in pairs):
                connection.putheader("Accept", "*/*")
            for name, value in pairs:
                connection.putheader(name, value.encode("latin-1", "replace"))
            if data is not None or method not in (*READ_ONLY, "DELETE", "TRACE", "CONNECT"):
                connection.putheader("Content-Length", str(len(data or b"")))
            connection.endheaders(data)
            answer = connection.getresponse()
            return self._expected(Response(answer.status, answer.headers, b"" if only_head else answer.read()))
        except (TimeoutError, OSError, http.client.HTTPException) as error:
            self._has_broken_off = True  # a SUT that broke off is not fresh any more
            raise NoAnswer(
                _failure_of(error, ends_at), f"{method} {target}: {error or type(error).__name__}"
            ) from error
        finally:
            connection.close()

    def _expected(self, response: Response) -> Response:
        """The response, if the SUT has sent no request to another service that the test does not expect."""
        if self.mocks:
            self.mocks.check()
        return response

    def is_gone(self, within_s: float = 3.0) -> bool:
        """Whether the SUT has died, or does so within `within_s`."""
        ends_at = time.monotonic() + within_s
        while True:
            if (self._guard is not None and self._has_ended.is_set()) or not _is_listening(self.url):
                self._has_broken_off = True
                return True
            if time.monotonic() > ends_at:
                return False
            time.sleep(0.05)

    def login(self, name: str) -> tuple[list[tuple[str, str]], str, str]:
        """Logs a user in, again if need be; answers the headers, cookies and query that its calls are sent with."""
        user = _user(name)
        session: tuple[str, list[str]] = ("", [])
        if "login" in user:
            recipe = _filled_all(user["login"], name)
            state = self._may_have_changed, self._has_broken_off
            answer = self._send_login(recipe)
            self._may_have_changed, self._has_broken_off = state
            if answer.status >= 400:
                raise RuntimeError(f"The login of user {name!r} was answered with {answer.status}.")
            if recipe.get("cookies"):
                lines = answer.headers.get_all("set-cookie") or []
                session = ("", [line.split(";")[0].strip() for line in lines])
            elif "token_header" in recipe:
                session = (answer.headers.get(recipe["token_header"], ""), [])
            else:
                session = (_at_pointer(answer.json, recipe["token"]), [])
            if not recipe.get("cookies") and not session[0]:
                raise RuntimeError(f"The login of user {name!r} brought no token.")
        self._sessions[name] = session
        return self._credentials(name)

    def _log_in_all(self) -> None:
        for user in USERS:
            if user["name"] not in self._sessions:
                self.login(user["name"])

    def _send_login(self, recipe: dict[str, Any]) -> Response:
        address = recipe["url"]
        parts = urlsplit(address)
        headers = [(name, value) for name, value in recipe.get("headers", ())]
        if "basic" in recipe:
            headers.append(("Authorization", _basic(recipe["basic"])))
        body = recipe.get("body")
        if "form" in recipe:
            body = urlencode(recipe["form"])
            headers.append(("Content-Type", "application/x-www-form-urlencoded"))
        target = address
        if parts.scheme:
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        at = f"{parts.scheme}://{parts.netloc}" if parts.scheme else ""
        method = recipe.get("method", "POST")
        return self.request(method, target, headers=headers, body=body, json=recipe.get("json", NOT_GIVEN), at=at)

    def _credentials(self, name: str) -> tuple[list[tuple[str, str]], str, str]:
        """(headers, cookies, query)"""
        user = _user(name)
        token, cookies = self._sessions.get(name, ("", []))

        def with_token(key: str) -> list[tuple[str, str]]:
            return [
                (field, _filled(value, name).replace("{token}", token))
                for field, value in user.get(key, ())
                if token or "{token}" not in value
            ]

        headers = with_token("headers")
        if "basic" in user:
            headers.append(("Authorization", _basic(_filled_all(user["basic"], name))))
        all_cookies = [f"{field}={value}" for field, value in with_token("cookies")] + cookies
        query = "&".join(f"{quote(field, safe='')}={quote(value, safe='')}" for field, value in with_token("query"))
        return headers, "; ".join(all_cookies), query

    def _connection(self, url: str, timeout_s: float) -> http.client.HTTPConnection:
        parts = urlsplit(url)
        if parts.scheme != "https":
            return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=timeout_s)
        context = ssl.create_default_context()
        context.check_hostname = False  # test servers sign their own certificates
        context.verify_mode = ssl.CERT_NONE
        return http.client.HTTPSConnection(parts.hostname or "", parts.port, timeout=timeout_s, context=context)

    def _start(self) -> None:
        self._take_lock()
        if IS_PORT_FIXED and not _is_port_free(BASE_URL):
            raise RuntimeError(
                f"{BASE_URL} is taken by something else: stop it, or set WIMBLE_BASE_URL={BASE_URL} to test it."
            )
        with tempfile.TemporaryDirectory(prefix="wimble-") as folder:
            port_file = Path(folder) / "port"
            self._output = b""
            self._files = _contents_of_files()
            self._guard = subprocess.Popen(
                [sys.executable, str(HERE / "sut.py"), *COMMAND],
                cwd=WORKING_DIR,
                env=_sut_environment(port_file, self.mocks),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            self._has_ended = threading.Event()
            threading.Thread(target=self._keep_output, args=(self._guard, self._has_ended), daemon=True).start()
            self._may_have_changed = self._has_broken_off = self._is_reset = self._is_disturbed = False
            self._sessions.clear()
            try:
                self._wait_until_listening(port_file)
            except BaseException:
                self.stop()
                raise

    def _wait_until_listening(self, port_file: Path) -> None:
        ends_at = time.monotonic() + START_TIMEOUT_S
        while True:
            if not IS_PORT_FIXED:
                self.url = _url_of_port(port_file)
            if self.url and self._is_ready() and not self._has_ended.is_set():
                return
            if self._has_ended.is_set():
                raise RuntimeError(f"The SUT ended before it listened. Its last output:\n{self._last_output()}")
            if time.monotonic() > ends_at:
                raise RuntimeError(
                    f"The SUT did not listen within {START_TIMEOUT_S:g} s. Its last output:\n{self._last_output()}"
                )
            time.sleep(0.02)

    def _is_ready(self) -> bool:
        return _is_listening(self.url) and all(map(self._is_served, READY_PATHS))

    def _is_served(self, target: str) -> bool:
        connection = self._connection(self.url, CALL_TIMEOUT_S)
        try:
            connection.request("GET", target, headers=dict(HEADERS))
            return connection.getresponse().status < 400
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()

    def _keep_output(self, guard: subprocess.Popen[bytes], has_ended: threading.Event) -> None:
        assert guard.stdout is not None
        with guard.stdout as stream:
            while chunk := os.read(stream.fileno(), 65_536):
                self._output = (self._output + chunk)[-MAX_OUTPUT_BYTES:]
        has_ended.set()

    def _last_output(self) -> str:
        lines = self._output.decode("utf-8", "replace").strip().splitlines()[-20:]
        return "\n".join(lines) or "(it printed nothing)"

    def _stop_processes(self) -> None:
        guard, self._guard = self._guard, None
        if guard is None:
            return
        assert guard.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            guard.stdin.close()
        try:
            guard.wait(STOP_TIMEOUT_S + 1)
        except subprocess.TimeoutExpired:
            _kill_group(guard.pid, signal.SIGKILL)
            guard.wait()
        _put_back(self._files)

    def _take_lock(self) -> None:
        """One test process at a time: there is one port."""
        if self._lock_fd is None:
            name = hashlib.sha256(str(HERE).encode()).hexdigest()[:16]
            self._lock_fd = _opened(Path(tempfile.gettempdir()) / f"wimble-{name}.lock")
            fcntl.flock(self._lock_fd, fcntl.LOCK_EX)


def _opened(lock: Path) -> int:
    """Reading is enough to lock a file, and systems refuse to create one where another user's is."""
    try:
        return os.open(lock, os.O_RDONLY)
    except FileNotFoundError:
        return os.open(lock, os.O_RDONLY | os.O_CREAT, 0o644)


def last_segment(location: str) -> str:
    """What a Location header names: its last path segment, decoded."""
    return unquote(re.split("[?#]", location)[0].rstrip("/").rsplit("/", 1)[-1])


def cookie(headers: Message, name: str) -> str:
    """The value that a response sets for a cookie; empty if it does not set it."""
    for line in headers.get_all("set-cookie") or []:
        key, _, value = line.split(";", 1)[0].partition("=")
        if key.strip() == name:
            return value.strip()
    return ""


def jwt(key: str, claims: Any) -> str:
    """A JWT with these claims, signed with a secret of the SUT, which is read where the SUT reads it."""
    known = KEYS[key]
    algorithm, place = known["algorithm"], known["place"]
    secret = os.environ.get(known["variable"] or " ") or (_text_at(**place) if place else "")
    if not secret:
        raise RuntimeError(f"set {known['variable'] or 'the variable of the secret'}: the SUT signs its tokens with it")
    header = {"alg": algorithm, "typ": "JWT"}
    texts = [json_module.dumps(part, separators=(",", ":"), ensure_ascii=False) for part in (header, claims)]
    signed = ".".join(_base64url(text.encode()) for text in texts)
    digest = hmac.new(secret.encode(), signed.encode(), f"sha{algorithm[2:]}").digest()
    return f"{signed}.{_base64url(digest)}"


def _base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def _text_at(file: str, before: str, index: int) -> str:
    """The text that stands in a file of the SUT after `before`; empty if the file has changed."""
    try:
        lines = (WORKING_DIR / file).read_text(encoding="utf-8").splitlines()
        rest = [line for line in lines if before in line][index].split(before, 1)[1].strip()
    except (OSError, IndexError):
        return ""
    return rest[1:].split(rest[0], 1)[0] if rest[:1] in "\"'`" and rest else rest


def holds(elements: list[Any], part: Any) -> bool:
    """Whether an element equals `part`, or has all members of the object `part`; for lists whose order nobody asked
    for."""
    if not isinstance(part, dict) or not part:
        return any(_is_same(element, part) for element in elements)
    return any(
        isinstance(element, dict) and all(key in element and _is_same(element[key], part[key]) for key in part)
        for element in elements
    )


def _is_same(value: Any, other: Any) -> bool:
    """As JSON: in Python 1 equals True."""
    return json_module.dumps(value, sort_keys=True) == json_module.dumps(other, sort_keys=True)


def _user(name: str) -> dict[str, Any]:
    for user in USERS:
        if user["name"] == name:
            return user
    raise RuntimeError(f"There is no user {name!r}.")


def _filled(template: str, name: str) -> str:
    """A value with environment variables filled in."""

    def value_of(match: re.Match[str]) -> str:
        if value := os.environ.get(match[1]):
            return value
        raise RuntimeError(f"Set the environment variable {match[1]}: user {name!r} needs it.")

    return re.sub(r"\$\{([A-Za-z_]\w*)\}", value_of, template)


def _filled_all(value: Any, name: str) -> Any:
    if isinstance(value, str):
        return _filled(value, name)
    if isinstance(value, list | tuple):
        return [_filled_all(item, name) for item in value]
    if isinstance(value, dict):
        return {key: _filled_all(item, name) for key, item in value.items()}
    return value


def _basic(pair: list[str]) -> str:
    return "Basic " + base64.b64encode(":".join(pair).encode()).decode()


def _at_pointer(value: Any, pointer: str) -> str:
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            value = value[int(key)] if key.isdigit() and int(key) < len(value) else None
        else:
            value = value.get(key) if isinstance(value, dict) else None
    return "" if value is None else str(value)


def _signed(
    credentials: tuple[list[tuple[str, str]], str, str], pairs: list[tuple[str, str]], target: str
) -> tuple[list[tuple[str, str]], str]:
    """Headers and target with credentials: headers replace those of the same name, cookies and query join them."""
    headers, cookies, query = credentials
    replaced = {name.lower() for name, _ in headers}
    out = [pair for pair in pairs if pair[0].lower() not in replaced] + headers
    if cookies:
        own = [value for name, value in out if name.lower() == "cookie"]
        out = [pair for pair in out if pair[0].lower() != "cookie"]
        out.append(("Cookie", "; ".join([*own, cookies])))
    return out, target + (("&" if "?" in target else "?") + query if query else "")


def _decoded(body: bytes, codings: str) -> bytes:
    """The body without its content codings; as it came, where it is not in the coding that it is said to be in."""
    with contextlib.suppress(zlib.error):
        for name in reversed(codings.lower().split(",")):
            if name.strip() in ("gzip", "x-gzip", "deflate"):
                is_raw = body[:1] and body[0] & 0x0F != 8 and body[:2] != b"\x1f\x8b"
                body = zlib.decompress(body, -zlib.MAX_WBITS if is_raw else zlib.MAX_WBITS | 32)
    return body


def _failure_of(error: Exception, ends_at: float) -> str:
    if isinstance(error, TimeoutError) or time.monotonic() >= ends_at:
        return "timeout"
    if isinstance(error, OSError | http.client.IncompleteRead):
        return "connection-lost"
    return "malformed-response"


def _sut_environment(port_file: Path, mocks: Any) -> dict[str, str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    for name, value in PORT_VARIABLES.items():
        env.pop(name, None)
        if value is not None:
            env[name] = value
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


def _is_listening(url: str) -> bool:
    parts = urlsplit(url)
    try:
        socket.create_connection((parts.hostname, parts.port or (443 if parts.scheme == "https" else 80)), 1.0).close()
    except OSError:
        return False
    return True


def _is_port_free(url: str) -> bool:
    """False when something still listens after a moment (the SUT of the run before may need one to go away)."""
    for _ in range(20):
        if not _is_listening(url):
            return True
        time.sleep(0.1)
    return False


def _contents_of_files() -> dict[Path, bytes | None]:
    """Of DATA_FILES; None for one that is not there."""
    files = [WORKING_DIR / name for name in DATA_FILES]
    return {file: file.read_bytes() if file.exists() else None for file in files}


def _put_back(files: dict[Path, bytes | None]) -> None:
    for file, content in files.items():
        if content is None:
            file.unlink(missing_ok=True)
        elif not file.exists() or file.read_bytes() != content:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)


def _kill_group(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, number)


def _wait_for(event: threading.Event) -> None:
    """Holds no lock, which a signal's handler may need."""
    while not event.is_set():
        time.sleep(0.05)


def _close_output() -> None:
    """Tells the tests that the SUT has ended."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)
    os.dup2(nothing, 2)


def _guard(command: list[str]) -> None:
    """Runs `command` in this process group until standard input closes; then stops the group, at the latest by
    SIGKILL."""
    group = os.getpid()  # started in a new session, so it leads a group of its own
    is_stopping = threading.Event()
    files = _contents_of_files()  # put back here too, for the tests may be gone
    has_ended = threading.Event()

    def end_group() -> None:
        _put_back(files)
        _kill_group(group, signal.SIGKILL)

    def stop_group(*_: object) -> None:
        if is_stopping.is_set():
            return
        is_stopping.set()
        if not has_ended.is_set():
            _kill_group(group, signal.SIGTERM)
            threading.Timer(STOP_TIMEOUT_S, end_group).start()

    def watch_tests() -> None:
        while os.read(0, 1024):
            pass
        stop_group()

    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, stop_group)
    try:
        child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except OSError as error:
        sys.exit(f"{shlex.join(command)}: {error.strerror}")
    threading.Thread(target=watch_tests, daemon=True).start()
    assert child.stdout is not None
    # The pipe ends when every process that holds it is gone; the child itself may end while its workers still live.
    while chunk := os.read(child.stdout.fileno(), 65_536):
        with contextlib.suppress(
            BrokenPipeError
        ):  # the tests are gone: nobody reads, but the group must still be stopped
            os.write(1, chunk)
    child.wait()
    has_ended.set()
    _close_output()
    _wait_for(is_stopping)
    end_group()


if __name__ == "__main__":
    _guard(sys.argv[1:])
