"""Servers of databases for benchmarks: each empty, for as long as the block runs. They give the variables that tell a
SUT their addresses."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from tools import REPOSITORY, WORK_DIR, await_port, free_port, stop

SCRIPTS = REPOSITORY / "scripts"


@contextmanager
def postgresql() -> Iterator[dict[str, str]]:
    with _server_of_script("postgres") as port:
        yield {"DATABASE_URL": f"postgres://wimble@127.0.0.1:{port}/postgres"}


@contextmanager
def mariadb() -> Iterator[dict[str, str]]:
    with _server_of_script("mariadb") as port:
        yield {"DATABASE_URL": f"mysql://wimble@127.0.0.1:{port}/shop"}


@contextmanager
def redis() -> Iterator[dict[str, str]]:
    port = free_port()
    server = subprocess.Popen(
        ["redis-server", "--port", str(port), "--save", "", "--dir", str(WORK_DIR)], stdout=subprocess.DEVNULL
    )
    try:
        await_port(port)
        yield {"REDIS_URL": f"redis://127.0.0.1:{port}"}
    finally:
        stop(server)


@contextmanager
def mongodb() -> Iterator[dict[str, str]]:
    """A server in memory that speaks MongoDB's protocol. It ends with its standard input."""
    line = ["sh", str(SCRIPTS / "mongodb.sh"), "run"]
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        port = server.stdout.readline().strip()
        if not port:
            raise RuntimeError("no MongoDB for benchmarks here: scripts/install-test-tools.sh")
        try:
            yield {"MONGODB_URL": f"mongodb://127.0.0.1:{port}/bench"}
        finally:
            server.stdin.close()


SERVERS: dict[str, Callable[[], AbstractContextManager[dict[str, str]]]] = {
    "postgresql": postgresql,
    "mariadb": mariadb,
    "redis": redis,
    "mongodb": mongodb,
}


@contextmanager
def databases(names: Sequence[str]) -> Iterator[dict[str, str]]:
    with contextlib.ExitStack() as stack:
        variables: dict[str, str] = {}
        for name in names:
            variables |= stack.enter_context(SERVERS[name]())
        yield variables


@contextmanager
def _server_of_script(name: str) -> Iterator[int]:
    """The port of the server that scripts/NAME.sh starts. Raises: RuntimeError, if there is no such server."""
    folder = Path(f"/tmp/wimble-bench-{name}-{os.getpid()}")  # the server's own user has to get there
    log = folder.with_suffix(".out")
    script = SCRIPTS / f"{name}.sh"
    # A file, since a server would keep a pipe open.
    with log.open("w", encoding="utf-8") as output:
        done = subprocess.run(["sh", str(script), "start", str(folder)], stdout=output, stderr=output, check=False)
    said = log.read_text(encoding="utf-8")
    try:
        if done.returncode != 0:
            raise RuntimeError(f"{name} did not start: {said[-500:]}")
        yield int(said.split()[-1])
    finally:
        if done.returncode == 0:
            subprocess.run(["sh", str(script), "stop", str(folder)], check=False)
        shutil.rmtree(folder, ignore_errors=True)
        for file in (log, Path(f"{folder}.log")):
            file.unlink(missing_ok=True)
