"""Calls that were denied for want of a user: attempts to get in repeat them, so that only the credentials differ.

Other inputs decide how far a call comes: a guard may look for a tenant, or a validator at the body, before it looks at
credentials. With new values, a call would often be refused before that, which tells nothing of its credentials.
"""

from __future__ import annotations

from wimble.model.operation import Operation
from wimble.model.testcase import TestCase
from wimble.search.resources.references import inserted, with_only
from wimble.types import OperationId


class DeniedCalls:
    """One denied call of each operation, with the calls and the setup that it needs."""

    def __init__(self) -> None:
        self._known: dict[OperationId, TestCase] = {}

    def note(self, test_case: TestCase, index: int) -> None:
        """Notes the denied call at this index."""
        self._known[test_case.calls[index].operation.id] = with_only(test_case, [index])

    def after(self, begun: TestCase, operation: Operation) -> TestCase | None:
        """Returns the denied call of an operation after these calls; None if there is none, or for an entrance.

        An entrance sends what a user has signed up with, so it is always a new call.
        """
        known = None if operation.entrance else self._known.get(operation.id)
        if known is None:
            return None
        made = inserted(known, 0, begun.calls)
        return TestCase(made.calls, (*begun.setup, *made.setup))
