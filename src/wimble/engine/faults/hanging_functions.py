"""Functions of a library that do not return for some arguments, as the search has seen."""

from __future__ import annotations

from wimble.engine.faults.fault_book import FaultBook
from wimble.oracles.libraries.library_faults import HANGS
from wimble.types import OperationId


def hanging_functions(faults: FaultBook) -> frozenset[OperationId]:
    """Returns the functions with a fault that says so. A phase calls them rarely: each time costs a start, too."""
    of_kind = [fault for fault in faults if fault.finding.oracle == HANGS]
    return frozenset(OperationId(name) for fault in of_kind for name in fault.operations)
