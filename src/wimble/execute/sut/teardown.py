"""Restores databases before the SUT is left for good, also if the SUT connects to them only when it is called."""

from __future__ import annotations

import contextlib

from msgspec.structs import replace

from wimble.agent.session import AgentSession
from wimble.execute.runner import Runner, RunOptions
from wimble.execute.timeouts import CallTimeouts
from wimble.model.testcase import TestCase
from wimble.state.sut_databases import SutDatabases


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
