"""Which user a call is made as: mostly one per test case, a share without any, and what the document asks for.

Without users nothing here draws a random number, so runs without authentication stay what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import msgspec

from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.users import AuthUser

NOBODY = ""
NOBODY_SHARE = 0.1
"""Share of test cases of nobody: whether an operation is guarded at all is only seen by them."""
SAME_USER_SHARE = 0.9
"""Share of calls made as the user of the call before: what one may not see of another is found by the rest."""
OPEN_SHARE = 0.2
"""Share of calls with a user where the document says that nobody has to log in."""


class UserChooser:
    """The users of one run."""

    def __init__(self, users: Sequence[AuthUser], rng: Random) -> None:
        self.users = tuple(users)
        self._rng = rng

    def choose(self, operation: Operation, earlier: Sequence[Call]) -> str:
        """For a new call behind `earlier`."""
        if not self.users:
            return NOBODY
        rng = self._rng
        fitting = [user.name for user in self.users if is_fitting(user, operation)]
        if not fitting or (needs_nobody(operation) and rng.random() >= OPEN_SHARE):
            return NOBODY
        last = next((call.user for call in reversed(earlier) if call.user), NOBODY)
        if last in fitting and rng.random() < SAME_USER_SHARE:
            return last
        if rng.random() < NOBODY_SHARE:
            return NOBODY
        return fitting[int(rng.random() * len(fitting))]

    def changed(self, parent: TestCase, call: int) -> TestCase | None:
        """The test case with another user for one call, or for all; None where there is no other."""
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
    """Whether the user may have what the operation asks for."""
    if not user.scheme or not operation.security:
        return True
    return any(user.scheme in schemes or not schemes for schemes in operation.security)


def needs_nobody(operation: Operation) -> bool:
    return operation.security is not None and (not operation.security or () in operation.security)


def as_user(test_case: TestCase, name: str, changed: set[int]) -> TestCase:
    """The test case with some of its calls made as `name`."""
    calls = tuple(
        msgspec.structs.replace(call, user=name) if index in changed else call
        for index, call in enumerate(test_case.calls)
    )
    return TestCase(calls, test_case.setup)
