"""The notation of the language in which a SUT is written."""

from __future__ import annotations

from wimble.model.explain_data import ExplainData
from wimble.runtimes.known_runtimes import RUNTIMES
from wimble.runtimes.source_notation import SourceNotation


def notation_of(explain_data: ExplainData) -> SourceNotation:
    """Returns the notation of the runtime that the data names, or of the first one where that is not known."""
    runtime = RUNTIMES.get(explain_data.runtime) or next(iter(RUNTIMES.values()))
    return runtime.notation
