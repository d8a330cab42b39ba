"""Which operations of a description the search calls, and the inputs that it gives them beside the declared ones."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from wimble.http.entrances import with_entrances
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.operation import Operation, Specification
from wimble.settings import Settings
from wimble.spec.operation_filters import only, parsed_filter, selected


class SearchedOperations:
    """The choice of the user among the operations."""

    def __init__(self, settings: Settings) -> None:
        """Raises: UsageError, if a filter cannot be read."""
        self._filters = tuple(parsed_filter(text) for text in settings.only)
        self._has_room = settings.uses("undeclared-inputs")
        self._has_entrances = settings.uses("getting-in") and not settings.users

    def initial(self, specification: Specification) -> Specification:
        """Returns the description with the operations that the search begins with. Raises: SchemaError if none fits."""
        specification = only(specification, self._filters)
        return replace(specification, operations=self._prepared(specification.operations, ()))

    def joining(self, found: Specification, known: Sequence[Operation]) -> tuple[Operation, ...]:
        """Returns the operations that join the known ones."""
        return self._prepared(selected(found.operations, self._filters), known)

    def _prepared(self, operations: tuple[Operation, ...], known: Sequence[Operation]) -> tuple[Operation, ...]:
        if self._has_room:
            operations = with_undeclared_inputs(operations)
        if self._has_entrances:
            # Whether an operation signs users up depends on what the others do.
            operations = with_entrances((*known, *operations))[len(known) :]
        return operations
