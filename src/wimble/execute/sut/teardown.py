"""Restores databases before the SUT is left for good, also if the SUT connects to them only when it is called."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from wimble.agent.session import AgentSession
from wimble.errors import WimbleError
from wimble.execute.runner import PULSE_WAIT_S, Runner, RunOptions
from wimble.execute.sut.sut_starts import SutStarts
from wimble.execute.timeouts import CallTimeouts
from wimble.model.testcase import TestCase
from wimble.state.sut_databases import SutDatabases

CLOSING_STARTS: Final = 3
"""How often the SUT is started at the end if its databases could not be restored. The agent's statements give up on a
lock after two seconds."""


class Teardown:
    """Leaves a SUT, once."""

    def __init__(self, starts: SutStarts, timeouts: CallTimeouts, output_dir: Path) -> None:
        self._starts = starts
        self._timeouts = timeouts
        self._output_dir = output_dir
        self._is_done = False

    def leave(self) -> None:
        """Restores databases, and stops the processes, so that nothing of the SUT changes rows afterwards.

        If the SUT has ended, or keeps them locked by an open transaction, it is started once more for that; and again
        if the database refuses even then, since a transaction of the ended process may take some seconds to end.
        """
        if self._is_done:
            return
        starts = self._starts
        address, databases = starts.server.address, starts.state.databases
        if starts.state.is_hook_due and starts.processes.is_alive and address is not None:
            starts.reset_by_hook(address)
        if not databases.has_any:
            return
        is_closed = False
        with contextlib.suppress(WimbleError):
            if starts.processes.is_alive and starts.processes.session.pulse(PULSE_WAIT_S) == "alive":
                is_closed = databases.close()
            for _ in range(CLOSING_STARTS):
                if is_closed:
                    break
                starts.stop()
                starts.start()
                is_closed = self._close_afresh()
        starts.stop()  # a held command or a job of the SUT would run while results are written
        self._is_done = True
        if not is_closed:
            databases.note(
                f"rows of a database could not be put back; they are kept in {self._output_dir}, and the next run with "
                "that output folder puts them back"
            )

    def _close_afresh(self) -> bool:
        """Closes the databases after a fresh start, if necessary during a repetition of a test case with commands.

        Returns whether all databases were closed.
        """
        starts = self._starts
        databases, test_case = starts.state.databases, starts.state.last_with_commands
        if not databases.is_out_of_reach:
            return databases.close()
        if test_case is None:
            return False
        session, runner = starts.processes.session, starts.server.runner
        return close_at_first_command(test_case, session, runner, databases, self._timeouts)


class _Closed(Exception):
    """Raised when the databases are restored, to cancel the current call."""


def close_at_first_command(
    test_case: TestCase, session: AgentSession, runner: Runner, databases: SutDatabases, timeouts: CallTimeouts
) -> bool:
    """Repeats a test case that ran commands, and closes the SUT's databases while its first command is held.

    That command never runs if the SUT is stopped then. Calls that the test case sends at once are sent one after the
    other, since the second one would go on waiting. Returns whether all databases were closed.
    """
    is_done = False

    def close_held() -> None:
        nonlocal is_done
        session.poll(0)
        if session.databases.has_held:
            is_done = databases.close()
            raise _Closed

    runner.client.wait_with(close_held)
    with contextlib.suppress(_Closed):
        runner.run(replace(test_case, at_once=None), RunOptions(), timeouts)
    return is_done
