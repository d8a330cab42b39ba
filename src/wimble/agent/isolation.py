"""The rules under which a SUT runs during the search (protocol/README.md, "Isolation"), and the seeds of its
randomness."""

from __future__ import annotations

import msgspec

SEED_BITS = 53
"""The integers below it fit exactly into a JSON number."""
_MASK = (1 << 64) - 1


class Isolation(msgspec.Struct, frozen=True):
    """Sleeps are skipped, schedules are held, and randomness comes of `seed`."""

    seed: int

    def seed_of(self, number: int) -> int:
        """For evaluation `number` of a run; each has its own, so that what is drawn as an id is not drawn again.

        Source: the output function of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
        """
        word = (self.seed * 0x9E3779B97F4A7C15 + number * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
        return (word ^ (word >> 31)) >> (64 - SEED_BITS)
