"""Puts rows into the databases behind the tests beside this file, and takes back what they and their calls have
changed.

The work is done by database.cjs, in a process of Node that reads commands from its standard input: so the drivers and
the connections are those of the system under test.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any


class Database:
    """Raises RuntimeError, with what the database said, when it does not do what it is asked."""

    def __init__(self) -> None:
        program = Path(__file__).parent / "database.cjs"
        self._process = subprocess.Popen(
            ["node", str(program)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def begin(self) -> None:
        """Before a test: remembers what is there, or makes the tables hold that again."""
        self._ask("begin")

    def insert(self, table: str, row: dict[str, Any], in_database: str | None = None) -> None:
        """Columns that are not named get their defaults. in_database: its name, where several have such a table."""
        self._ask("insert", table, row, in_database)

    def redis(self, command: list[str], in_database: str | None = None) -> None:
        """Runs a command of Redis: `["HSET", "session:1", "role", "admin"]`. in_database: its name, where there are
        several."""
        self._ask("redis", command, in_database)

    def restore(self) -> None:
        """After a test: makes the tables hold what they held at `begin`."""
        self._ask("restore")

    def leave(self) -> None:
        """After the SUT has stopped: the same, and what its next start writes will stay."""
        self._ask("leave")

    def close(self) -> None:
        self._process.communicate()

    def _ask(self, *command: Any) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(command) + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline()
        error = json.loads(answer) if answer else "database.cjs has ended"
        if error:
            raise RuntimeError(error)
