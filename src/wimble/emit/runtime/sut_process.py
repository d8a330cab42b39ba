"""The processes of the system under test (SUT), and the guard that stops them.

The SUT runs in a process group of its own below a small guard (this same file, run as a program). The guard holds a
pipe to the test process: when the tests end, are interrupted or are killed, the pipe closes and the guard stops the
whole group. So npm, shells and workers are stopped too, and nothing is left behind. Where the SUT ends by itself, the
guard says so by closing its output and waits: files are put back only after the tests' pipe has closed, for until then
the tests may have them open.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

STOP_TIMEOUT_S = 2.0  # from SIGTERM to SIGKILL
LEFT_AFTER_S = 60.0  # age of a lock that nobody holds, before others remove it
MAX_OUTPUT_BYTES = 16_384  # of the SUT's output that are kept for messages


class SutProcess:
    """A start of the SUT.

    files: those that the SUT writes, which are put back when it has stopped; the names of folders end with a slash.
    """

    def __init__(self, command: list[str], *, cwd: Path, env: dict[str, str], files: list[str]) -> None:
        self._files = _contents_of(files)
        self._output = b""
        self._has_ended = threading.Event()
        self._guard = subprocess.Popen(
            [sys.executable, __file__, json.dumps(files), *command],
            cwd=cwd,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        threading.Thread(target=self._keep_output, daemon=True).start()

    @property
    def has_ended(self) -> bool:
        """Whether the SUT has ended; its guard may still run."""
        return self._has_ended.is_set()

    def _keep_output(self) -> None:
        assert self._guard.stdout is not None
        with self._guard.stdout as stream:
            while chunk := os.read(stream.fileno(), 65_536):
                self._output = (self._output + chunk)[-MAX_OUTPUT_BYTES:]
        self._has_ended.set()

    def last_output(self) -> str:
        """Returns the last lines that the SUT has printed."""
        lines = self._output.decode("utf-8", "replace").strip().splitlines()[-20:]
        return "\n".join(lines) or "(it printed nothing)"

    def stop(self) -> None:
        """Stops the SUT with all its processes, and puts back its files."""
        assert self._guard.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._guard.stdin.close()
        try:
            self._guard.wait(STOP_TIMEOUT_S + 1)
        except subprocess.TimeoutExpired:
            _kill_group(self._guard.pid, signal.SIGKILL)
            self._guard.wait()
        _put_back(self._files)


class StartLock:
    """One test process at a time starts the SUT, since there is one port."""

    def __init__(self, folder: Path) -> None:
        name = hashlib.sha256(str(folder).encode()).hexdigest()[:16]
        self._file = Path(tempfile.gettempdir()) / f"wimble-{name}.lock"
        self._fd: int | None = None

    def take(self) -> None:
        """Waits for the others."""
        _remove_left_locks(self._file.parent)
        while self._fd is None:
            fd = _opened(self._file)
            fcntl.flock(fd, fcntl.LOCK_EX)
            if _is_at(fd, self._file):
                self._fd = fd
            else:  # the one who held it has removed it
                os.close(fd)

    def release(self) -> None:
        if self._fd is not None:
            with contextlib.suppress(OSError):  # another user's
                self._file.unlink()
            os.close(self._fd)
            self._fd = None


def _remove_left_locks(folder: Path) -> None:
    """Removes what killed tests have left: old locks that nobody holds."""
    for lock in folder.glob("wimble-" + "[0-9a-f]" * 16 + ".lock"):
        with contextlib.suppress(OSError):  # held, another user's, or removed already
            if time.time() - lock.stat().st_mtime < LEFT_AFTER_S:
                continue
            fd = os.open(lock, os.O_RDONLY)
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                lock.unlink()
            finally:
                os.close(fd)


def _opened(lock: Path) -> int:
    """Reading is enough to lock a file, and systems refuse to create one where another user's is."""
    try:
        return os.open(lock, os.O_RDONLY)
    except FileNotFoundError:
        return os.open(lock, os.O_RDONLY | os.O_CREAT, 0o644)


def _is_at(fd: int, file: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(fd), file.stat())
    except FileNotFoundError:
        return False


def _contents_of(files: list[str]) -> dict[str, bytes | None]:
    """None for one that is not there, empty for a folder."""
    return {name: _content_of(name) if Path(name).exists() else None for name in files}


def _content_of(name: str) -> bytes:
    return b"" if name.endswith("/") else Path(name).read_bytes()


def _put_back(contents: dict[str, bytes | None]) -> None:
    """A folder has to come before what is in it."""
    folders = [name for name in contents if name.endswith("/")]
    for name in folders:
        if contents[name] is not None:
            Path(name).mkdir(parents=True, exist_ok=True)
    for name in [name for name in contents if name not in folders]:
        _put_back_file(Path(name), contents[name])
    for name in reversed(folders):
        if contents[name] is None:
            with contextlib.suppress(OSError):  # not empty, or not there
                Path(name).rmdir()


def _put_back_file(file: Path, content: bytes | None) -> None:
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


def _guard(files: list[str], command: list[str]) -> None:
    """Runs `command` in this process group until standard input closes; then stops the group, at the latest by
    SIGKILL."""
    group = os.getpid()  # started in a new session, so it leads a group of its own
    is_stopping = threading.Event()
    contents = _contents_of(files)  # put back here too, for the tests may be gone
    has_ended = threading.Event()

    def end_group() -> None:
        _put_back(contents)
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
    _guard(json.loads(sys.argv[1]), sys.argv[2:])
