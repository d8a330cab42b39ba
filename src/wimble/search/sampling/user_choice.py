"""Chooses the user of a call: mostly one user per test case, sometimes none, and one that fits the document's security.

If there are no users, no random number is used here, so runs without authentication do not depend on this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.users import AuthUser

NOBODY = ""
NOBODY_PROBABILITY = 0.1
"""Probability that a test case has no user; only such test cases show whether an operation requires one."""
SAME_USER_PROBABILITY = 0.9
"""Probability that a call has the user of the call before. The remaining calls show what one user sees of another."""
OPEN_PROBABILITY = 0.2
"""Probability that a call has a user although the document says that it needs none."""


class UserChooser:
    """The users of one run."""

    def __init__(self, users: Sequence[AuthUser], rng: Random) -> None:
        self.users = tuple(users)
        self._rng = rng

    def choose(self, operation: Operation, earlier: Sequence[Call]) -> str:
        """Returns the name of the user for a new call after `earlier`, or NOBODY."""
        if not self.users:
            return NOBODY
        rng = self._rng
        fitting = [user.name for user in self.users if is_fitting(user, operation)]
        if not fitting or (needs_nobody(operation) and rng.random() >= OPEN_PROBABILITY):
            return NOBODY
        last = next((call.user for call in reversed(earlier) if call.user), NOBODY)
        if last in fitting and rng.random() < SAME_USER_PROBABILITY:
            return last
        if rng.random() < NOBODY_PROBABILITY:
            return NOBODY
        return fitting[int(rng.random() * len(fitting))]

    def changed(self, parent: TestCase, call: int) -> TestCase | None:
        """Returns the test case with another user for one call, or for all; None if there is no other user."""
        rng = self._rng
        operation = parent.calls[call].operation
        names = [user.name for user in self.users if is_fitting(user, operation)]
        others = [name for name in (*names, NOBODY) if name != parent.calls[call].user]
        if not self.users or not others:
            return None
        name = others[int(rng.random() * len(others))]
        changes = {call} if rng.random() < 0.5 else set(range(len(parent.calls)))
        return as_user(parent, name, changes)


def is_fitting(user: AuthUser, operation: Operation) -> bool:
    """Whether the user may satisfy the security of the operation."""
    if not user.scheme or not operation.access:
        return True
    return any(user.scheme in schemes or not schemes for schemes in operation.access)


def needs_nobody(operation: Operation) -> bool:
    """Whether the document says that the operation can be called without a user."""
    return operation.access is not None and (not operation.access or () in operation.access)


def as_user(test_case: TestCase, name: str, changed: set[int]) -> TestCase:
    """Returns the test case with some of its calls made as `name`."""
    calls = tuple(
        msgspec.structs.replace(call, user=name) if index in changed else call
        for index, call in enumerate(test_case.calls)
    )
    return TestCase(calls, test_case.setup)
