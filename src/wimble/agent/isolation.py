"""The rules of isolation during the search (protocol/README.md, "Isolation"), and the seeds of the SUT's randomness."""

from __future__ import annotations

import msgspec

SEED_BITS = 53
"""A JSON number represents all integers below 2**53 exactly."""
_MASK = (1 << 64) - 1


class Isolation(msgspec.Struct, frozen=True):
    """Sleeps are skipped, schedules are held, and `seed` determines the SUT's random numbers."""

    seed: int

    def seed_of(self, number: int) -> int:
        """Returns the seed of evaluation `number` of a run. Each has another one, so that random ids do not repeat.

        Source: the output function of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
        """
        word = (self.seed * 0x9E3779B97F4A7C15 + number * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
        return (word ^ (word >> 31)) >> (64 - SEED_BITS)
