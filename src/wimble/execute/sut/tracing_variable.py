"""How processes are told to run traced texts."""

from __future__ import annotations

from typing import Final

TRACE_VARIABLE: Final = "WIMBLE_TRACE"
"""Environment variable with which processes run traced texts (protocol/constraints.md)."""
