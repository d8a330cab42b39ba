"""Waits for a database server that takes no connections.

What the search observes during an outage is real behaviour of the SUT. But tests are made of what the SUT does without
an outage, so evaluations for tests are repeated once the server is back.
"""

from __future__ import annotations

import time
from typing import Final, Protocol

from wimble.engine.session.notices import Notices
from wimble.engine.session.stop import StopRequest
from wimble.model.database import Databases

DATABASE_RETURN_S: Final = 30.0
"""How long to wait for a server, and how long to retry the start of a SUT that uses one."""
PERIOD_S: Final = 1.0


class Clock(Protocol):
    """`time`, or a clock that tests control."""

    def monotonic(self) -> float: ...
    def sleep(self, seconds: float, /) -> None: ...


class DatabaseOutages:
    """The outages of one worker's SUT. After one wait in vain it does not wait any more."""

    def __init__(self, databases: Databases, stop: StopRequest, notices: Notices, clock: Clock = time) -> None:
        self._databases = databases
        self._stop = stop
        self._notices = notices
        self._clock = clock
        self._is_given_up = False

    def outlasted(self) -> bool:
        """Waits for the end of an outage, and returns whether there was one that is over now."""
        if self._is_given_up or not self._databases.are_away:
            return False
        end_s = self._clock.monotonic() + DATABASE_RETURN_S
        while self._databases.are_away and not self._stop.is_requested:
            if self._clock.monotonic() >= end_s:
                self._is_given_up = True
                self._notices.warn(
                    f"a database was unavailable for more than {DATABASE_RETURN_S:g} s while tests were made; "
                    "there may be few tests"
                )
                return False
            self._clock.sleep(PERIOD_S)
        return not self._stop.is_requested

    def attempts_at_start(self) -> _Attempts:
        """Returns attempts for a SUT that did not start: at least one, and further ones while a server may be away."""
        has_server = any(not home.is_file for home in self._databases.homes)
        return _Attempts(self._stop, self._notices, self._clock, DATABASE_RETURN_S if has_server else 0.0)


class _Attempts:
    """Attempts at starting a SUT, limited in time."""

    def __init__(self, stop: StopRequest, notices: Notices, clock: Clock, duration_s: float) -> None:
        self._stop = stop
        self._notices = notices
        self._clock = clock
        self._end_s = clock.monotonic() + duration_s

    def may_go_on(self) -> bool:
        """Whether to try again after an attempt that failed; pauses before that."""
        if self._stop.is_requested or self._clock.monotonic() >= self._end_s:
            return False
        self._notices.warn(
            f"the SUT did not restart at once; its database may be unavailable, so the start was retried for up to "
            f"{DATABASE_RETURN_S:g} s"
        )
        self._clock.sleep(PERIOD_S)
        return True
