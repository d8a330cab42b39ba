"""The oracles, which judge evaluations and return findings.

Each oracle (or family of oracles) has a file, and a line in `judge.ORACLES`. The rest of wimble calls
`judge(evaluation)`.
"""

from wimble.oracles.judge import ORACLES, Judge
from wimble.oracles.oracle import Oracle

judge = Judge()
"""The judge of this process. It caches compiled schemas; the cache does not change a verdict."""

__all__ = ["ORACLES", "Judge", "Oracle", "judge"]
