"""Detects that the SUT answers 429 to everything because its rate limit is used up, and chooses a remedy.

A limit that is kept in the SUT's memory begins anew with a fresh start. For a limit that is kept elsewhere, the search
waits if the wait is short.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from wimble.http.exchange import HttpExchange
from wimble.http.http_messages import HttpResponse
from wimble.model.observation import Observation

STREAK: Final = 10
"""Number of successive calls that are answered with 429. Operations with a limit of their own, such as logins, are
called between others, so they do not reach it.
"""

KNOWN_STREAK: Final = 3
"""The same number once a fresh start has lifted the limit: each further call that is refused is lost."""

MAX_VAIN_RESTARTS: Final = 2
"""Maximum number of fresh starts after which all calls were refused again."""

MAX_WAIT_S: Final = 5.0
"""The search does not wait longer; the user decides about longer waits."""


class RateLimit:
    """Counts the refusals of one run."""

    def __init__(self) -> None:
        self.n_refused = 0
        self._n_calls = 0
        self._streak = 0
        self._n_served = 0
        """Since the last restart."""
        self._n_vain = 0
        self._served_since_restart = True
        self._is_lifted_by_start = False
        self._retry_after = ""

    def note(self, observations: Sequence[Observation], *, is_search: bool = True) -> None:
        """is_search: the calls are the search's; the warning counts no others, such as those of a test of the limit."""
        for observation in observations:
            exchange = observation.exchange
            if isinstance(exchange, HttpExchange) and exchange.response is not None:
                self._note(exchange.response, is_search=is_search)

    def _note(self, response: HttpResponse, *, is_search: bool) -> None:
        self._n_calls += is_search
        if response.status != 429:
            self._streak = 0
            self._n_served += 1
            if not self._served_since_restart:
                self._served_since_restart = self._is_lifted_by_start = True
            return
        self._streak += 1
        self.n_refused += is_search
        self._retry_after = response.header("retry-after") or self._retry_after

    @property
    def is_throttled(self) -> bool:
        """Whether the latest calls were all refused, so many that a limit on all calls is the reason."""
        return self._streak >= (KNOWN_STREAK if self._is_lifted_by_start else STREAK)

    def has_refused(self, n_calls: int) -> bool:
        """Whether the latest n_calls were refused, all or in part, only because of the calls before them.

        After a fresh start, as many calls are served as this time.
        """
        return self._is_lifted_by_start and self._streak > 0 and n_calls <= self._n_served

    def may_restart(self) -> bool:
        """Whether a fresh start may help; the caller then makes one."""
        if not self._served_since_restart:
            self._n_vain += 1
            self._is_lifted_by_start = False
        self._streak = self._n_served = 0
        self._served_since_restart = False
        return self._n_vain < MAX_VAIN_RESTARTS

    def wait_s(self) -> float:
        """Returns how long to wait until calls are served again; 0 if that is unknown or too long."""
        self._streak = 0
        seconds = float(self._retry_after) if self._retry_after.isdecimal() else 0.0
        return seconds if seconds <= MAX_WAIT_S else 0.0

    def warning(self) -> str:
        """Returns a warning for the user, or an empty string if few calls were refused."""
        if self.n_refused < STREAK:
            return ""
        after = f", with Retry-After: {self._retry_after[:40]}" if self._retry_after else ""
        return (
            f"rate limit: {self.n_refused} of {self._n_calls} calls were answered with 429 (too many requests{after}); "
            "disable the limit, or raise it, when the SUT is tested"
        )
