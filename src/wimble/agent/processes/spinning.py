"""Polling for a short while before sleeping, as long as that pays.

Waking up a process takes longer than a small API takes to answer, so the core looks for an answer again and again
before it sleeps (2,080 calls/s became 2,600). It pays only where answers usually arrive that soon: the SUT, its
databases and other programs on the machine need the CPU core that polling takes.
"""

from __future__ import annotations

from typing import Final

from wimble.agent.processes.usable_cores import usable_cores

SPIN_S: Final = 0.001 if usable_cores() > 1 else 0.0
"""How long the core polls before it sleeps. With a single core, polling keeps the SUT from answering."""

MIN_SHARE: Final = 0.5
"""The core polls while at least this share of the last waits took less than SPIN_S."""

RATE: Final = 1 / 16
"""Weight of the newest wait in that share (exponential smoothing)."""


class Spinning:
    """Whether the next wait for one kind of message polls first, by how long the last ones took."""

    def __init__(self, spin_s: float = SPIN_S) -> None:
        self._spin_s = spin_s
        self._share = MIN_SHARE

    @property
    def window_s(self) -> float:
        """How long to poll before sleeping; 0.0 if sleeping at once is better."""
        return self._spin_s if self._share >= MIN_SHARE else 0.0

    def note(self, waited_s: float) -> None:
        """Takes the length of a wait, with or without polling."""
        self._share += ((waited_s < self._spin_s) - self._share) * RATE
