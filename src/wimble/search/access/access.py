"""Learns how to get in: which operations ask for a user, which calls give credentials, and how these are carried.

It is filled from answers, and used wherever calls are made: a call to an operation that asks for a user follows the
calls that give it credentials, and carries them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from wimble.genes.taint_markers import is_like_marker
from wimble.model.carried_credentials import can_carry, carried_by, replaces_input
from wimble.model.evaluation import Evaluation
from wimble.model.forgery_tokens import FORGERY_TOKEN
from wimble.model.hints import Hint, InputHint
from wimble.model.observation import Denial, GivenCredential, Observation
from wimble.model.operation import Operation
from wimble.model.resource_names import singular
from wimble.model.testcase import Call, TestCase
from wimble.search.access.choices import Choices
from wimble.search.access.confirmations import Confirmations
from wimble.search.access.denied_calls import DeniedCalls
from wimble.search.access.identities import (
    names_sent,
)
from wimble.search.access.named_schemes import scheme_named
from wimble.search.access.obtained import Obtained, with_inherited
from wimble.search.access.openings import Entry, Openings
from wimble.search.access.preparations import Preparations
from wimble.search.access.same_origin import SameOrigin
from wimble.search.access.sign_ups import SignUps
from wimble.search.access.signed_tokens import SignedTokens
from wimble.search.access.stale_givers import StaleGivers, giving_calls
from wimble.search.access.stored_users import StoredUsers
from wimble.search.access.ways import SCHEMES, Field
from wimble.search.resources.references import with_only
from wimble.types import OperationId

ANSWERS_READ: Final = 12
"""Number of successful answers of an operation in which credentials are looked for."""
REFUSALS_READ: Final = 24
"""Number of refusals of an operation that are read for whether they ask for a user."""
MAX_PLACES: Final = 8
MAX_SCHEMES: Final = 3
MAX_OBTAINED: Final = 6
MAX_SHAPES: Final = 4
"""Number of sign-ups with different members after which a login is tried."""


class Access:
    """What is known about getting into one API."""

    def __init__(
        self, operations: Sequence[Operation], rng: Random, is_made_up: Callable[[str], bool] = is_like_marker
    ) -> None:
        """is_made_up: whether a text is most likely one that was made up."""
        self.entrances: list[Operation] = []
        self.confirmations = Confirmations(rng)
        self.preparations = Preparations(rng)
        self.join(operations)
        self.denied: dict[OperationId, Operation] = {}
        """Operations that have asked for a user, in the order in which they did."""
        self.denied_calls = DeniedCalls()
        self.openings = Openings()
        self.obtained: dict[str, Obtained] = {}
        """By the operation that gives them."""
        self.signed_up: dict[OperationId, TestCase] = {}
        """The calls of a sign-up that has succeeded, by its operation."""
        self.sign_up_shapes: dict[OperationId, dict[frozenset[str], None]] = {}
        """The names of the texts that sign-ups have sent which succeeded."""
        self.sign_ups = SignUps(rng)
        self.stored_users = StoredUsers(rng, is_made_up)
        self.stale_givers = StaleGivers(rng, lambda giver: bool(self.openings.of_giver(giver)))
        self.renewed: dict[str, None] = {}
        """Givers whose calls others have taken the place of, since the generator has looked."""
        self.choices = Choices(rng, is_made_up)
        self.same_origin = SameOrigin()
        self.succeeded: set[OperationId] = set()
        self.places: dict[OperationId, dict[str, None]] = {}
        """What the code of each operation has read and not found."""
        self.newly_read: dict[tuple[OperationId, Field], None] = {}
        """(operation, place and what has to be before the credentials there) since the generator has looked."""
        self.schemes: dict[OperationId, dict[str, None]] = {}
        """Texts that the code of each operation wants before the credentials in `Authorization`."""
        self.signed_tokens = SignedTokens(rng)
        self._n_read: dict[OperationId, int] = {}
        self._n_refusals: dict[OperationId, int] = {}
        self._n_refused_users: dict[OperationId, int] = {}
        self.forbidden: set[OperationId] = set()
        """Operations that no user has got into, though they have known one."""
        self.failed: set[OperationId] = set()
        """Operations that have only failed for the users whom they have let in: these may lack what others have."""
        self._on_ways_in: set[OperationId] = set()
        """Operations by which users get in that are no entrances."""
        self._denials: dict[OperationId, Denial] = {}
        """How operations have denied calls without credentials."""

    def join(self, operations: Sequence[Operation]) -> None:
        """Adds the operations among these by which users get in."""
        self.entrances += [one for one in operations if one.entrance]
        self.confirmations.join(operations)

    # -- learning -----------------------------------------------------------------------------------------------

    def observe(self, evaluation: Evaluation) -> None:
        """Learns from the answers, and from what guards have read; the work per answer is limited."""
        for hint in evaluation.hints:
            self.signed_tokens.note_hint(evaluation, hint)
            self.stored_users.note_hint(hint)
            if isinstance(hint, InputHint):
                self._note_read(evaluation.test_case, hint)
            elif self.denied:
                self._note_scheme(evaluation.test_case, hint)
        if evaluation.interactions:
            self.signed_tokens.note_interactions(evaluation)
        self.stale_givers.observe(evaluation, self.obtained)
        for row in evaluation.user_rows:
            self.stored_users.note_row(row)
        for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
            if observation.exchange.complaint() != "limit":
                self._note_answer(evaluation, call, observation)

    def _note_answer(self, evaluation: Evaluation, call: Call, observation: Observation) -> None:
        operation = call.operation
        if operation.entrance == "sign-up":
            self.sign_ups.note(evaluation, call, observation)
        self._note_forbidden(evaluation.test_case, call, observation)
        self._note_let_in(call, observation)
        self.same_origin.observe(call, observation)
        if observation.outcome in ("ok", "redirected", "partial"):
            self._note_success(evaluation, call, observation)
        if observation.outcome != "ok" and observation.is_answered and operation.id not in self.denied:
            self._note_refusal(evaluation.test_case, observation)

    def _note_read(self, test_case: TestCase, hint: InputHint) -> None:
        """Notes a header, cookie or query parameter that the code has read: a guard may look for credentials there.

        A member of the body is noted if it is called like a token against forged requests.
        """
        is_field = hint.location == "body" and len(hint.path) == 1 and FORGERY_TOKEN.search(hint.path[0])
        is_place = hint.location in ("header", "cookie", "query") or is_field
        if not is_place or not 0 <= hint.call < len(test_case.calls):
            return
        places = self.places.setdefault(test_case.calls[hint.call].operation.id, {})
        place = f"{hint.location} {hint.path[0]}"
        if place not in places and len(places) < MAX_PLACES:
            places[place] = None
            self.newly_read[test_case.calls[hint.call].operation.id, (place, "")] = None

    def _note_scheme(self, test_case: TestCase, hint: Hint) -> None:
        """Notes the text that the code of an operation without success wants before the credentials."""
        call = test_case.calls[hint.call] if 0 <= hint.call < len(test_case.calls) else None
        if call is None or call.operation.id not in self.denied or call.operation.id in self.succeeded:
            return
        known = self.schemes.setdefault(call.operation.id, {})
        scheme = scheme_named(call, hint) if len(known) < MAX_SCHEMES else ""
        if scheme and scheme not in SCHEMES and scheme not in known:
            known[scheme] = None
            self.newly_read[call.operation.id, ("header Authorization", scheme)] = None

    def schemes_of(self, operation: Operation) -> tuple[str, ...]:
        """Returns the texts that the code wants before the credentials in `Authorization`."""
        return tuple(self.schemes.get(operation.id, ()))

    def take_renewed(self) -> dict[str, None]:
        """Returns `renewed`, and empties it."""
        taken, self.renewed = self.renewed, {}
        return taken

    def take_newly_read(self) -> dict[tuple[OperationId, Field], None]:
        """Returns `newly_read`, and empties it."""
        taken, self.newly_read = self.newly_read, {}
        return taken

    def forgets_users(self, begun: TestCase) -> bool:
        """Whether the SUT can sign up the users of these calls again: it keeps them in a database, which is reset."""
        signed_up = [call.operation.id for call in begun.calls if call.operation.entrance == "sign-up"]
        is_stored = any(name in self.stored_users.rows for name in signed_up)
        return is_stored and not self.sign_ups.are_names_taken

    def places_of(self, operation: Operation) -> tuple[str, ...]:
        """Returns where the code has read something that was not there, and where the document has credentials."""
        return tuple(dict.fromkeys((*self.places.get(operation.id, ()), *operation.credential_places)))

    def _note_success(self, evaluation: Evaluation, call: Call, observation: Observation) -> None:
        operation = call.operation
        has_succeeded = has_let_in(operation, observation) if operation.entrance else observation.outcome == "ok"
        if has_succeeded and operation.entrance == "login" and self._is_left_behind(evaluation, observation.call_index):
            return
        if has_succeeded and operation.id in self._on_ways_in:
            self.choices.note_success(call)
        if has_succeeded:
            if operation.id in self.denied and operation.id not in self.succeeded:
                self._note_admitted(call)
            self.succeeded.add(operation.id)
            if operation.entrance == "login" and evaluation.test_case.setup:
                self.stored_users.note_login(evaluation.test_case, observation.call_index)
            if operation.entrance == "sign-up":
                self.sign_ups.note_succeeded(call)
                self.confirmations.note_signed_up(operation, observation)
                self._note_signed_up(evaluation.test_case, observation.call_index)
        is_led_away = observation.outcome == "redirected" and bool(observation.exchange.denial())
        if not is_led_away and (has_succeeded or not operation.entrance):  # to a login, or back to its page
            self._note_given(evaluation, operation, observation)

    def _note_given(self, evaluation: Evaluation, operation: Operation, observation: Observation) -> None:
        """Notes the credentials that a call has answered, if its operation is not known to give any that let in."""
        is_stale = self.stale_givers.is_stale(operation.id)
        n_read = 0 if is_stale else self._n_read.get(operation.id, 0)
        is_full = len(self.obtained) >= MAX_OBTAINED and not operation.entrance
        if not is_stale and (operation.id in self.obtained or n_read >= ANSWERS_READ or is_full):
            return
        self._n_read[operation.id] = n_read + 1
        credentials = observation.exchange.credentials()
        obtained = self._obtained_by(evaluation.test_case, observation, credentials)
        if obtained is None:
            return
        if is_stale:
            self.stale_givers.renew(operation.id)
            self.renewed[operation.id] = None
            if not obtained.sources:
                before = with_only(evaluation.test_case, range(observation.call_index + 1))
                obtained = Obtained(before, obtained.credentials)
        self.obtained[operation.id] = obtained
        self._on_ways_in.update(one.operation.id for one in obtained.test_case.calls if not one.operation.entrance)

    def _is_left_behind(self, evaluation: Evaluation, index: int) -> bool:
        """Whether the call is a login of a user whom another test case has signed up, and none of its own."""
        calls = zip(evaluation.test_case.calls[:index], evaluation.observations, strict=False)
        signed_up = [
            call for call, seen in calls if call.operation.entrance == "sign-up" and has_let_in(call.operation, seen)
        ]
        return self.sign_ups.is_left_behind(evaluation.test_case.calls[index], signed_up)

    def _obtained_by(
        self, test_case: TestCase, observation: Observation, given: tuple[GivenCredential, ...]
    ) -> Obtained | None:
        """Returns what a call that has succeeded gives to later calls; None for nothing, or nothing new."""
        index = observation.call_index
        call = test_case.calls[index]
        entrance = call.operation.entrance
        is_entered = bool(entrance) and has_let_in(call.operation, observation)
        is_page = bool(given) and all(one.kind == "cookie" or one.is_against_forgery for one in given)
        if is_page and not entrance and not carried_by(call).fields:
            return None if self._is_known_page(given) else Obtained(with_only(test_case, [index]), given)
        needed = self._needed(test_case, index)
        if carried_by(call).fields and not entrance:
            # What users get once they are in lets nobody in, except for a token against forged requests.
            tokens = tuple(one for one in given if one.is_against_forgery)
            return with_inherited(needed, tokens) if tokens else None
        if carried_by(call).fields and is_entered:
            return with_inherited(needed, given)
        is_signed_up = is_entered and entrance == "sign-up"
        return Obtained(needed, given) if is_signed_up or given else None

    def _is_known_page(self, given: tuple[GivenCredential, ...]) -> bool:
        """Whether another page has given a session, and a token, of the same names."""
        names = {(one.kind, one.name) for one in given}
        return any(names == {(one.kind, one.name) for one in known.credentials} for known in self.obtained.values())

    def _note_signed_up(self, test_case: TestCase, index: int) -> None:
        """Notes the calls of a sign-up; also of one that has sent other members, as long as nobody could log in."""
        operation = test_case.calls[index].operation
        shapes = self.sign_up_shapes.setdefault(operation.id, {})
        can_log_in = any(one.entrance == "login" and one.id in self.succeeded for one in self.entrances)
        if len(shapes) >= MAX_SHAPES or (shapes and can_log_in):
            return
        shape = names_sent(test_case.calls[index])
        if shape not in shapes:
            shapes[shape] = None
            self.signed_up[operation.id] = self._needed(test_case, index)

    def _note_admitted(self, call: Call) -> None:
        """Notes the claims of a signed token with which an operation that asks for a user has succeeded."""
        admitted = self.signed_tokens.note_admitted(carried_by(call))
        if admitted is not None and call.operation.id not in self.openings.ways:
            way, key = admitted
            self.openings.note(call.operation, Entry(key, way, is_signed=True), is_first=False)

    def _note_let_in(self, call: Call, observation: Observation) -> None:
        """Notes the claims of a signed token with which an operation that asks for a user has not denied a call."""
        carried = carried_by(call)
        if not carried.fields or call.operation.id not in self.denied or not observation.is_answered:
            return
        has_succeeded = observation.outcome == "ok"
        if has_succeeded or not (observation.exchange.denial() or observation.exchange.complaint() == "missing"):
            self.signed_tokens.note_let_in(call.operation.id, carried, has_succeeded=has_succeeded)

    def _note_refusal(self, test_case: TestCase, observation: Observation) -> None:
        call = test_case.calls[observation.call_index]
        operation = call.operation
        if not can_carry(operation) or carried_by(call).fields:
            return
        n_read = self._n_refusals[operation.id] = self._n_refusals.get(operation.id, 0) + 1
        denial = observation.exchange.denial() if n_read <= REFUSALS_READ else ""
        if operation.entrance and denial == "forbidden" and self._has_pages():
            denial = "forged"  # in other words
        if denial == "forged" or (denial and not operation.entrance):
            self.denied[operation.id] = operation
            self.denied_calls.note(test_case, observation.call_index)
            self._denials[operation.id] = denial

    def _has_pages(self) -> bool:
        """Whether some answers give tokens against forged requests."""
        return any(one.is_against_forgery for known in self.obtained.values() for one in known.credentials)

    def _note_forbidden(self, test_case: TestCase, call: Call, observation: Observation) -> None:
        operation = call.operation
        if not observation.is_answered or not carried_by(call).fields:
            return
        if observation.outcome == "ok":
            if operation.id in self.forbidden or operation.id in self.failed:
                self.sign_ups.note_admitted(test_case, observation.call_index)
                self.stored_users.note_admitted(test_case, observation.call_index)
                for giver in giving_calls(call):
                    self.choices.note_admitted(operation.id, with_only(test_case, [giver]))
                self.forbidden.discard(operation.id)
                self.failed.discard(operation.id)
            return
        if operation.id in self.forbidden:
            self._note_stored_user(test_case, observation)
        if observation.outcome == "failed" and operation.id not in self.succeeded:
            self.failed.add(operation.id)
        elif observation.outcome == "refused" and self._n_refused_users.get(operation.id, 0) < REFUSALS_READ:
            self._n_refused_users[operation.id] = self._n_refused_users.get(operation.id, 0) + 1
            if operation.id not in self.succeeded and observation.exchange.denial() == "forbidden":
                self.forbidden.add(operation.id)

    def _note_stored_user(self, test_case: TestCase, observation: Observation) -> None:
        """Notes whether the user of a call that has not succeeded was let in where others were not."""
        denial = observation.exchange.denial() if observation.outcome == "refused" else ""
        if denial == "forbidden":
            self.stored_users.note_forbidden(test_case, observation.call_index)
        elif not denial and observation.outcome in ("refused", "failed"):
            self.stored_users.note_passed(test_case, observation.call_index)

    def _needed(self, test_case: TestCase, index: int) -> TestCase:
        """Returns the call with the sign-up before it, unless it is one, and with the calls to which these refer.

        What confirms the user comes between them.
        """
        kinds = [call.operation.entrance for call in test_case.calls]
        if kinds[index] == "sign-up":
            return with_only(test_case, [index])
        before = [number for number in range(index) if kinds[number] == "sign-up"][-1:]
        confirming = [
            number
            for signed_up in before
            for number in range(signed_up + 1, index)
            if self.confirmations.is_confirming(test_case.calls[number].operation)
        ]
        return with_only(test_case, [*before, *confirming, index])

    def has_come_in(self, call: Call, observation: Observation) -> bool:
        """Whether a call with credentials was let in, or at least known, where a call without them was not.

        If the credentials stand in place of an input that the call had (a tenant), a refusal may come from that.
        """
        operation = call.operation
        if not observation.is_answered or observation.exchange.complaint() == "limit":
            return False
        if observation.outcome == "refused" and not observation.exchange.denial() and replaces_input(call):
            return False
        denial, before = observation.exchange.denial(), self._denials.get(operation.id)
        if operation.entrance:
            return denial != "forged" and (denial != "forbidden" or before != "forged")  # known users come later
        return not denial or (denial == "forbidden" and before == "unknown")


def has_let_in(operation: Operation, observation: Observation) -> bool:
    """Whether a sign-up or login has succeeded: it redirects to another page, or answers with no form to try again."""
    if observation.outcome not in ("ok", "redirected"):
        return False
    exchange = observation.exchange
    if not exchange.place():
        return not exchange.asks_again()
    *_, parent, last = ("", "", *exchange.place().partition("?")[0].rstrip("/").lower().split("/"))
    own = operation.place[-1].lower() if operation.place else ""
    is_denied = operation.entrance == "login" and bool(exchange.denial())
    return not is_denied and own != (singular(parent) if last == "new" else last)  # users/new has the form for users
