"""Evaluations -> findings. One file per oracle (or per family), one line each in `judge.ORACLES`.

`judge(evaluation)` is what the rest of wimble calls.
"""

from wimble.oracles.judge import ORACLES, Judge
from wimble.oracles.oracle import Oracle

judge = Judge()
"""The judge of this process: a cache of compiled schemas, and nothing that changes a verdict."""

__all__ = ["ORACLES", "Judge", "Oracle", "judge"]
