"""Makes calls of users: those that let a user in come first, and later calls carry what these answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from random import Random
from typing import Final, Literal, TypeAlias

from wimble.model.carried_credentials import carried_by, with_carried
from wimble.model.learned_input import LearnedInput
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.search.access.access import Access
from wimble.search.access.identities import (
    last_sign_up,
    with_identity_alone,
    with_identity_as_form,
    with_identity_of,
    with_less_of_user,
    with_plausible_identity,
    with_same_user,
)
from wimble.search.access.obtained import Obtained
from wimble.search.access.openings import Attempt, Entry
from wimble.search.access.sign_ups import ADMITTED_PROBABILITY
from wimble.search.access.ways import COOKIES_ONLY
from wimble.search.learned.members import as_page_form
from wimble.search.resources.references import inserted
from wimble.types import OperationId

CARRY_PROBABILITY: Final = 0.9
"""Probability that a new test case for an operation that credentials have opened begins with the calls that give
them. The others show what the operation does without a user."""
SAME_USER_PROBABILITY: Final = 0.9
"""Probability that such a test case begins with the calls of the user by whom the operation was opened, and not with
those of another, if the SUT forgets its users after each test case."""
SESSION_PROBABILITY: Final = 0.5
"""The same if they give a session without a login. The others show what the operation does outside of one."""
PLAUSIBLE_PROBABILITY: Final = 0.8
"""Probability that a sign-up or login that has not succeeded yet sends values that validators accept."""
PLAUSIBLE_AFTER_SUCCESS: Final = 0.3
LESS_PROBABILITY: Final = 0.1
"""Probability that the user of a new test case has signed up without one of the inputs that sign-ups may leave out."""
SAME_IDENTITY_PROBABILITY: Final = 0.8
"""Probability that a login sends what an earlier sign-up of its test case has sent."""
SIGNED_PROBABILITY: Final = 0.5
"""Probability that a call of such a user carries a token of our own, if both have let some in: claims may differ."""

LoginContent: TypeAlias = Literal["inputs", "form", "alone"]
"""How a login sends what a sign-up has sent: in its inputs, with all the rest; as a page with a form does; or a name
and the password alone.
"""
NewCall: TypeAlias = Callable[[Operation, Sequence[Call]], Call]
"""Returns a call of an operation with new values, for the end of a sequence of calls."""
_NO_CALLS: Final = TestCase(())


class UserCalls:
    """Makes the calls of users of one API, from what is known about getting in."""

    def __init__(
        self,
        access: Access,
        rng: Random,
        producers: Callable[[Operation], Sequence[Operation]] = lambda operation: (),
    ) -> None:
        """producers: returns the operations that create what one needs, nearest first."""
        self._access = access
        self._rng = rng
        self._producers = producers
        self._attempt: Attempt | None = None

    def begun(self, operation: Operation) -> TestCase:
        """Returns the calls with which a test case for the operation begins; an empty test case for none."""
        chosen = self._access.stored_users.take_chosen(operation.id)
        if chosen is not None:
            return chosen
        attempt = self._attempt
        if attempt is not None:
            entry = attempt.entry if attempt.operation is operation else None
            return self._begun_by(entry, operation) if entry is not None else _NO_CALLS
        prepared = self._access.preparations.begun(operation, self._producers)
        if prepared is not None:
            return prepared
        entries = self._access.openings.ways.get(operation.id)
        if not entries:
            return _NO_CALLS
        entries = [one for one in entries if not one.is_signed] or entries
        entry = entries[0] if len(entries) == 1 else self._rng.choice(entries)
        if self._rng.random() >= self._carry_probability(operation, entry):
            return _NO_CALLS
        return self._begun_by(entry, operation)

    def _begun_by(self, entry: Entry, operation: Operation) -> TestCase:
        attempt = self._attempt
        giver = self._access.signed_tokens.owned.owner(entry.giver) if entry.is_signed else entry.giver
        if giver not in self._access.obtained or (attempt is None and self._access.stale_givers.is_left_out(giver)):
            return _NO_CALLS
        if attempt is None and not entry.is_signed:
            stored = self._access.stored_users.begun(operation.id, is_forbidden=operation.id in self._access.forbidden)
            if stored is not None:
                return stored
        begun = self._begun_by_user(self._access.obtained[giver])
        if attempt is None and self._rng.random() < LESS_PROBABILITY:
            return with_less_of_user(begun, self._rng)
        return begun

    def _begun_by_user(self, obtained: Obtained) -> TestCase:
        """Returns the calls that give credentials, mostly as the same user if the SUT forgets its users after each test
        case: what the same calls do has to be done once.
        """
        begun = obtained.test_case
        is_same = self._access.forgets_users(begun) and self._rng.random() < SAME_USER_PROBABILITY
        return begun if is_same else obtained.as_new_user(self._rng)

    def _carry_probability(self, operation: Operation, entry: Entry) -> float:
        obtained = self._access.obtained.get(entry.giver)
        is_session = obtained is not None and obtained.is_session and operation.id not in self._access.denied
        return SESSION_PROBABILITY if is_session else CARRY_PROBABILITY

    def begun_otherwise(self, operation: Operation, begun: TestCase, new_call: NewCall) -> TestCase:
        """Returns the calls that let a user in, in part with another sign-up for the same name and password.

        What gives a key or token without one may be asked for others: scopes, a role. An operation that has only failed
        may read what such a user has not given: an address, a phone number.
        """
        access = self._access
        is_known = access.sign_ups.knows_way_into(operation.id) or access.choices.knows_way_into(operation.id)
        has_come_in = operation.id not in access.forbidden and operation.id not in access.failed
        if (has_come_in and not is_known) or self._attempt is not None:
            return begun
        calls = list(begun.calls)
        for index, call in enumerate(calls):
            if call.operation.entrance == "sign-up":
                new = partial(new_call, call.operation, calls[:index])
                calls[index] = self._access.sign_ups.otherwise(operation.id, call, new)
            elif not call.operation.entrance:
                calls[index] = self._access.choices.otherwise(operation.id, call)
        return TestCase(tuple(calls), begun.setup)

    def with_admitted_user(self, old: TestCase) -> TestCase:
        """Returns a test case whose last operation is forbidden to its user, in part with one who is like those whom
        other operations have let in.
        """
        if not old.calls or old.calls[-1].operation.id not in self._access.forbidden:
            return old
        if self._begins_with_stored_user(old.calls[:-1]):
            return self._access.stored_users.with_admitted(old)
        signed_up = [index for index, call in enumerate(old.calls) if call.operation.entrance == "sign-up"]
        others = self._access.sign_ups.admitted_elsewhere(old.calls[signed_up[-1]]) if signed_up else []
        if not others or self._rng.random() >= ADMITTED_PROBABILITY:
            return old
        return old.with_call(signed_up[-1], with_same_user(self._rng.choice(others), old.calls[signed_up[-1]]))

    def attempted(self, attempt: Attempt) -> None:
        """Sets the attempt that the next test cases make; `attempt_done` ends it."""
        self._attempt = attempt

    def attempt_done(self) -> None:
        self._attempt = None

    def identified(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: entrances get values that may let a user in."""
        operation = call.operation
        if not operation.entrance:
            return call
        rng = self._rng
        if operation.entrance == "login":
            signed_up = last_sign_up(earlier)
            if signed_up is not None and rng.random() < SAME_IDENTITY_PROBABILITY:
                return with_identity_of(call, signed_up, rng.randrange(3))
        known = operation.id in self._access.succeeded
        if rng.random() < (PLAUSIBLE_AFTER_SUCCESS if known else PLAUSIBLE_PROBABILITY):
            accepted = self._access.signed_up.get(operation.id)
            return with_plausible_identity(call, rng, None if accepted is None else accepted.calls[-1])
        return call

    def carrying(self, call: Call, earlier: Sequence[Call]) -> Call:
        """Sampling step: the call carries the credentials that an earlier call of its test case answers."""
        return self._access.same_origin.as_own_page(self._carrying_credentials(call, earlier))

    def _carrying_credentials(self, call: Call, earlier: Sequence[Call]) -> Call:
        attempt = self._attempt
        if attempt is not None and attempt.operation is call.operation:
            if attempt.made_up is not None:
                return with_carried(call, attempt.made_up)
            entries = [attempt.entry] if attempt.entry is not None else []
        else:
            entries = self._access.openings.ways.get(call.operation.id, [])
            if self._begins_with_stored_user(earlier):
                return self._carrying_of_other_giver(call, earlier, entries)
        for entry in sorted(entries, key=lambda one: one.is_signed):
            if entry.is_signed:
                token = self._access.signed_tokens.token(entry.way, entry.giver, call.operation.id, earlier)
                return with_carried(call, token)
            index = _giving_index(entry, earlier)
            if index is not None and entry.giver in self._access.obtained:
                signed = self._signed_for(entry.giver, entries)
                if signed is not None and self._rng.random() < SIGNED_PROBABILITY:
                    token = self._access.signed_tokens.token(signed.way, signed.giver, call.operation.id, earlier)
                    return with_carried(call, token)
                obtained = self._access.obtained[entry.giver]
                if attempt is not None and any(place.startswith("body ") for place, _ in entry.way.fields):
                    call = as_page_form(call)
                return with_carried(call, obtained.carried(entry.way, index, list(earlier), entry.preference))
        return self._carrying_of_other_giver(call, earlier, entries)

    def _signed_for(self, giver: str, entries: Sequence[Entry]) -> Entry | None:
        """Returns the entry among these whose tokens we sign for the user that a giver lets in."""
        signed = (one for one in entries if one.is_signed)
        return next((one for one in signed if self._access.signed_tokens.owned.owner(one.giver) == giver), None)

    def _begins_with_stored_user(self, earlier: Sequence[Call]) -> bool:
        """Whether the first calls are those of a stored user. Who signs up after it is what the user's calls create."""
        login = next((one.operation for one in earlier if one.operation.entrance), None)
        return login is not None and self._access.stored_users.has_logged_in(login.id)

    def _carrying_of_other_giver(self, call: Call, earlier: Sequence[Call], entries: Sequence[Entry]) -> Call:
        """Returns the call with what the login of a stored user gives, carried as the credentials of others are."""
        login = next((i for i, one in enumerate(earlier) if one.operation.entrance == "login"), None)
        obtained = None if login is None else self._access.obtained.get(earlier[login].operation.id)
        if login is None or obtained is None or not self._access.stored_users.can_log_in:
            return call
        ways = [entry.way for entry in entries if not entry.is_signed]
        return with_carried(call, obtained.carried(ways[0], login, list(earlier))) if ways else call

    def login_after(
        self, signed_up: OperationId, login: Call, preference: int, *, sent: LoginContent = "inputs"
    ) -> TestCase | None:
        """Returns a sign-up that has succeeded, as a new user, and a login with the same values.

        sent: None if the login is to send them in another way than as its inputs, and its document declares these.
        """
        begun = Obtained(self._access.signed_up[signed_up]).as_new_user(self._rng)
        signed = begun.calls[-1]
        match sent:
            case "inputs":
                call = with_identity_of(login, signed, preference)
            case "form":
                call = with_identity_as_form(login, signed)
            case "alone":
                call = with_identity_alone(login, signed, preference)
        if sent != "inputs" and call is login:
            return None
        carrying = self.carrying(call, begun.calls)
        if not carried_by(carrying).fields:
            carrying = with_carried(call, carried_by(signed))  # both forms have the token of the page
        return TestCase((*begun.calls, carrying), begun.setup)

    def login_after_confirmation(
        self, signed_up: OperationId, confirming: Call, login: Call, preference: int, learnt: Iterable[LearnedInput]
    ) -> TestCase | None:
        """Returns a sign-up, a call that confirms its user, and a login; None if there is no login without the second.

        learnt: the inputs that are known of the operation that confirms.
        """
        begun = self.login_after(signed_up, login, preference)
        if begun is None:
            return None
        *before, last = begun.calls
        confirmed = self._access.confirmations.confirmed(confirming, before[-1], len(before) - 1, learnt)
        return inserted(TestCase((*before, last), begun.setup), len(before), (confirmed,))


def _giving_index(entry: Entry, earlier: Sequence[Call]) -> int | None:
    """Returns the index of the call whose credentials a later one carries; None if there is none.

    It is the last one of the giver. A call that has a session already does not get another one.
    """
    made = [index for index, call in enumerate(earlier) if call.operation.id == entry.giver]
    if entry.way == COOKIES_ONLY:
        made = [index for index in made if not carried_by(earlier[index]).fields] or made
    return made[-1] if made else None
