"""Replaces tokens that wimble has signed with those that a login of the SUT gives.

The search signs tokens since that costs no calls. Whoever reads a test, or sends its calls, rather logs in: that needs
no secret of the SUT, and cannot name a user who is not there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

from wimble.model.carried_credentials import carried_by, with_carried
from wimble.model.setup import with_moved_calls
from wimble.model.testcase import Call, SetupAction, TestCase
from wimble.own_keys import OWN_KEYS
from wimble.search.access.access import Access
from wimble.search.access.identities import with_same_user
from wimble.search.access.made_up import signed_in
from wimble.search.access.openings import Entry
from wimble.search.resources.references import mapped_call


def signs_tokens(test_case: TestCase) -> bool:
    """Whether a call carries a token that is signed with a secret of the SUT."""
    return any(map(_is_signed, test_case.calls))


class RealLogins:
    """Makes test cases whose users log in, from what is known about getting in."""

    def __init__(self, access: Access, rng: Random) -> None:
        self._access = access
        self._rng = rng

    @property
    def are_known(self) -> bool:
        return self._usual_entry() is not None

    def in_place_of_signed(self, test_case: TestCase) -> TestCase | None:
        """Returns the test case with a user who logs in before the first call that carries a signed token.

        None if there is no such call, or no login whose credentials have opened operations.
        """
        signed = [index for index, call in enumerate(test_case.calls) if _is_signed(call)]
        entry = self._entry_for(test_case.calls[signed[0]]) if signed else None
        if entry is None:
            return None
        obtained = self._access.obtained[entry.giver]
        calls, setup, login = _with_user(test_case, obtained.as_new_user(self._rng), signed[0])
        for index in range(login + 1, len(calls)):
            if _is_signed(calls[index]):
                carried = obtained.carried(entry.way, login, calls, entry.preference)
                calls[index] = with_carried(calls[index], carried)
        return TestCase(tuple(calls), setup)

    def _entry_for(self, call: Call) -> Entry | None:
        """Returns the way in which a login has opened the call's operation, or else most of the others."""
        own = filter(self._is_login, self._access.openings.ways.get(call.operation.id, ()))
        return next(own, None) or self._usual_entry()

    def _usual_entry(self) -> Entry | None:
        known = Counter(
            entry for entries in self._access.openings.ways.values() for entry in entries if self._is_login(entry)
        )
        return max(known, key=lambda entry: known[entry], default=None)

    def _is_login(self, entry: Entry) -> bool:
        obtained = self._access.obtained.get(entry.giver)
        return not entry.is_signed and obtained is not None and not (obtained.is_session or obtained.is_page)


def _with_user(test_case: TestCase, user: TestCase, before: int) -> tuple[list[Call], tuple[SetupAction, ...], int]:
    """Returns calls and setup with those of a user who logs in, and the index of the login.

    If the test case has signed a user up, it is this one who logs in. Otherwise another user comes before that call.
    """
    own = next((index for index, call in enumerate(user.calls) if call.operation.entrance == "sign-up"), None)
    signed_up = None if own is None else _latest(user.calls[own], test_case.calls[:before])
    added = list(user.calls)
    at = before if signed_up is None else signed_up
    n_replaced = 0 if signed_up is None else 1
    moved = {index: index + (len(added) - n_replaced if index >= at else 0) for index in range(len(test_case.calls))}
    if own is not None and signed_up is not None:
        added[own] = with_same_user(test_case.calls[signed_up], added[own])
        moved[signed_up] = at + own
    added = [mapped_call(call, lambda index: index + at) for call in added]
    kept = [mapped_call(call, moved.get) for call in test_case.calls]
    setup = (*user.setup, *with_moved_calls(test_case.setup, moved))
    return [*kept[:at], *added, *kept[at + n_replaced :]], setup, at + len(added) - 1


def _latest(call: Call, calls: Sequence[Call]) -> int | None:
    """Returns the index of the last call of the same operation."""
    return next((index for index in reversed(range(len(calls))) if calls[index].operation is call.operation), None)


def _is_signed(call: Call) -> bool:
    signed = signed_in(carried_by(call))
    return signed is not None and signed[1].key not in OWN_KEYS
