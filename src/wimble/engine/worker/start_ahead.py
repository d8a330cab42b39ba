"""Fresh starts that can wait until they cost little: the next one loads while the search goes on."""

from __future__ import annotations

from wimble.engine.worker.database_outages import Clock
from wimble.execute.sut.sut import Sut


class StartAhead:
    """Begins the next start of a SUT ahead of its use, and tells when it has had the time to load."""

    def __init__(self, sut: Sut, clock: Clock) -> None:
        self._sut = sut
        self._clock = clock
        self._begun_s: float | None = None

    def note_start(self) -> None:
        """Notes a start of the SUT, which begins the one after it where there are such starts."""
        self._begun_s = self._clock.monotonic()

    def is_loaded(self, start_s: float) -> bool:
        """Whether a fresh start takes no longer now than it will later. Begins one if there is none.

        start_s: how long a start takes that was not begun ahead.
        """
        if not self._sut.has_standby:
            self._sut.keep_standbys(1)
            self._begun_s = self._clock.monotonic()
        if not self._sut.has_standby:
            return True  # one ahead of its use would disturb the SUT
        return self._begun_s is None or self._clock.monotonic() - self._begun_s >= start_s
