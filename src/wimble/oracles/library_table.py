"""The oracles of libraries, in the order of the table: each comes after the oracles that it yields to."""

from __future__ import annotations

from wimble.oracles import crashes, library_faults
from wimble.oracles.oracle import Oracle

LIBRARY_ORACLES: tuple[Oracle, ...] = (crashes.PROCESS_DIED, crashes.UNHANDLED_ERROR, *library_faults.ORACLES)
