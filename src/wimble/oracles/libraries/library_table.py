"""The oracles of libraries, in the order of the table: each comes after the oracles that it yields to."""

from __future__ import annotations

from wimble.oracles.failures import crashes
from wimble.oracles.libraries import library_faults
from wimble.oracles.oracle import Oracle

LIBRARY_ORACLES: tuple[Oracle, ...] = (
    crashes.PROCESS_DIED._replace(judge_evaluation=library_faults.of_sensible_calls(crashes.judge_died)),
    crashes.UNHANDLED_ERROR._replace(judge_evaluation=library_faults.of_sensible_calls(crashes.judge_unhandled)),
    *library_faults.ORACLES,
)
