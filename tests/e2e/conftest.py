"""Runs the real command line on small real servers."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import takewhile
from pathlib import Path

import pytest

from database_servers import (  # noqa: F401 (fixtures, and for tests)
    embedded_packages,
    free_port,
    mariadb_url,
    mongodb_port,
    node_with_sqlite,
    packages,
    postgres,
    redis_port,
)
from wimble.engine.events import Event, PhaseStarted
from wimble.engine.run import run as run_engine
from wimble.engine.session.stop import StopRequest
from wimble.settings import Settings

ROOT = Path(__file__).parents[2]
SERVERS = Path(__file__).parent / "servers"


def wimble_command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "wimble", *arguments]


class Result:
    """What a finished command said, with what changes from run to run made plain."""

    def __init__(self, done: subprocess.CompletedProcess[str], folder: Path) -> None:
        self.code = done.returncode
        self.stdout = done.stdout
        self.stderr = done.stderr
        self._folder = folder

    @property
    def message(self) -> str:
        """The error message alone: from the line that starts with `error:` on."""
        lines = self.stderr.splitlines()
        start = next((n for n, line in enumerate(lines) if line.startswith("error:")), len(lines))
        return scrub("\n".join(lines[start:]), self._folder)


def scrub(text: str, folder: Path) -> str:
    text = text.replace(str(folder), "<folder>")
    text = re.sub(r"(127\.0\.0\.1|localhost|\[::1\]):\d+", r"\1:<port>", text)
    text = re.sub(r"\b(port|listens on) \d+", r"\1 <port>", text)
    text = re.sub(r"\bv?\d+\.\d+\.\d+\b(?!\.)", "<version>", text.replace("127.0.0.1", "<loopback>"))
    text = text.replace("<loopback>", "127.0.0.1")
    text = re.sub(r"\(node:\d+\)", "(node:<pid>)", text)
    return re.sub(r"\d+\.\d+ s\b", "<n> s", text)


class Project:
    """A folder of a user, with servers to start in it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.environment = {**os.environ, "PORT": str(self.port), "COLUMNS": "80", "NO_COLOR": "1"}

    def add(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run(self, *arguments: str, timeout_s: float = 120.0) -> Result:
        return self.wimble("run", *arguments, timeout_s=timeout_s)

    def wimble(self, *arguments: str, timeout_s: float = 120.0) -> Result:
        done = subprocess.run(
            wimble_command(*arguments),
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
        return Result(done, self.folder)

    def run_suite(self) -> subprocess.CompletedProcess[str]:
        """The generated tests for node:test, of which there have to be some."""
        suite = sorted(str(path) for path in (self.folder / "wimble-out" / "tests").glob("*.test.mjs"))
        assert suite
        return subprocess.run(
            ["node", "--test", "--test-concurrency=1", *suite],
            cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            wimble_command("run", *arguments),
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    @contextmanager
    def search(
        self, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], command: tuple[str, ...], max_calls: int
    ) -> Iterator[Iterator[Event]]:
        """The events of a search in this process, without what follows it. At the end everything is as it was found."""
        for name, value in {"PORT": str(self.port), **variables}.items():
            monkeypatch.setenv(name, value)
        settings = Settings(
            command=command,
            working_dir=self.folder,
            output_dir=self.folder / "wimble-out",
            max_time_s=None,
            max_calls=max_calls,
            seed=1,
        )
        events = run_engine(settings, StopRequest())
        try:
            yield takewhile(lambda event: not (isinstance(event, PhaseStarted) and event.phase == "minimise"), events)
        finally:
            events.close()  # type: ignore[attr-defined] # a generator

    @property
    def summary(self) -> dict:
        return json.loads((self.folder / "wimble-out" / "summary.json").read_text())

    def is_port_free(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) != 0


@pytest.fixture
def project(tmp_path: Path) -> Project:
    folder = tmp_path / "project"
    folder.mkdir()
    made = Project(folder)
    for server in SERVERS.iterdir():
        made.add(server.name, server.read_text())
    return made
