"""Works on operations that ask for a user: signs up, logs in, and tries how later calls carry the credentials.

Each step opens the next one. A sign-up that has succeeded is sent again as another user, followed by a login with the
same values. Credentials that an answer gives are tried on the first operation that has asked for a user: as a Bearer
token, as cookies, then in all usual places at once, from which those that are needed are told one by one. What has
opened one operation is tried on all others that have asked for a user at once.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Final, TypeAlias

from wimble.model.carried_credentials import carried_by
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.model.testcase import Call, TestCase
from wimble.own_keys import OWN_KEYS
from wimble.search.access.access import Access
from wimble.search.access.identities import with_same_user
from wimble.search.access.openings import Attempt, Entry, entry_of_session
from wimble.search.access.user_calls import LoginContent
from wimble.search.access.ways import BASIC, Way, first_ways
from wimble.search.generators.entrance.signed_attempts import SignedAttempts
from wimble.search.generators.generator import Generator, Outcome, Proposal
from wimble.search.sampling.sampler import Sampler
from wimble.types import OperationId

PROBABILITY: Final = 0.5
"""Probability of having a turn, while there is something to try."""
MAX_SIGN_UPS: Final = 12
"""Test cases with a sign-up or a login that has not succeeded yet."""
LOGINS: Final = 3
"""Logins that are tried after a sign-up: each with another of its values as the name of the user."""
_LOGIN_TRIES: Final[tuple[tuple[int, LoginContent], ...]] = (
    (0, "inputs"), (0, "form"), (0, "alone"), *((preference, "inputs") for preference in range(1, LOGINS)), (1, "alone")
)  # fmt: skip
MAX_TOKENS: Final = 2
"""Tokens of one answer that are tried."""
MAX_FORBIDDEN: Final = 8
"""Attempts on one operation that knows the user and does not let it in: it may need a second token, or another role."""
MAX_VAIN: Final = 40
"""Failed attempts with the credentials of one giver, after which only what has opened something is tried."""
MAX_VAIN_UNASKED: Final = 6
"""The same for a key of our own for which the SUT has asked no service."""

_Task: TypeAlias = Callable[[], TestCase | None]


class _Trial(Proposal):
    """A test case that makes an attempt in its last call to the attempt's operation."""

    attempt: Attempt | None = None


class GettingIn(Generator):
    """Takes what has opened something first, then what is new, then sign-ups."""

    def __init__(self, access: Access, sampler: Sampler) -> None:
        super().__init__()
        self._access = access
        self._sampler = sampler
        self._likely: deque[Attempt] = deque()
        self._attempts: deque[Attempt] = deque()
        self._logins: deque[_Task] = deque()
        self._n_sign_ups: Counter[OperationId] = Counter()
        """How often each entrance has been tried; some join during the search."""
        self._queued: set[tuple[OperationId, Entry]] = set()
        self._vain: dict[str, int] = {}
        self._known_denied: set[OperationId] = set()
        self._known_givers: set[str] = set()
        self._n_ways = 0
        self._n_shapes: dict[OperationId, int] = {}
        """How many kinds of sign-ups were known when logins were queued."""
        self._known_rows: set[OperationId] = set()
        self._stored: deque[tuple[OperationId, TestCase]] = deque()
        """Operations that know their users and let in none, and logins of stored users to try on them."""
        self._known_of_stored: tuple[bool, int, frozenset[OperationId]] = (False, 0, frozenset())
        """Whether a stored user can log in, the words that were compared, and the operations, as of that time."""
        self._narrowed: set[Entry] = set()
        self._forbidden: set[tuple[OperationId, Entry]] = set()
        """Entries by which an operation has known a user and not let in."""
        self._n_forbidden: dict[OperationId, int] = {}
        self._signed_attempts = SignedAttempts(access)
        self._n_key_answers = 0

    def is_ready(self) -> bool:
        has_tasks = self._likely or self._logins or self._attempts or self._stored
        return bool(has_tasks) or self._next_entrance() is not None or self._next_confirmation() is not None

    def propose(self, progress: float) -> Proposal | None:
        for queue in (self._likely, self._attempts):
            if queue is self._attempts and self._logins:
                test_case = self._logins.popleft()()
                if test_case is not None:
                    return Proposal(test_case, self, is_sampled=True)
            while queue:
                attempt = queue.popleft()
                if self._is_open(attempt):
                    return self._trial(attempt)
        stored = self._as_stored_user()
        if stored is not None:
            return Proposal(stored, self, is_sampled=True)
        confirmed = self._confirmed_login()
        if confirmed is not None:
            return Proposal(confirmed, self, is_sampled=True)
        entrance = self._next_entrance()
        if entrance is not None:
            self._n_sign_ups[entrance.id] += 1
            return Proposal(self._sampler.sample_for(entrance), self, is_sampled=True)
        return None

    def observe(self, outcome: Outcome) -> None:
        proposal = outcome.proposal
        if isinstance(proposal, _Trial) and proposal.attempt is not None:
            self._judge(proposal.attempt, outcome)
        access = self._access
        for signed_up, shapes in access.sign_up_shapes.items():
            if len(shapes) > self._n_shapes.get(signed_up, 0):
                self._n_shapes[signed_up] = len(shapes)
                self._queue_logins(signed_up)
        if access.sign_ups.n_ways > self._n_ways:
            self._n_ways = access.sign_ups.n_ways
            self._queue_other_users()
        if len(access.stored_users.rows) > len(self._known_rows):
            self._queue_logins_of_stored_users()
        self._queue_stored_users()
        if access.renewed:
            self._try_anew(access.take_renewed())
        if len(access.obtained) > len(self._known_givers) or len(access.denied) > len(self._known_denied):
            self._queue_attempts()
        if access.denied:
            self._note_key_answers()
            self._attempts.extend(self._signed_attempts.new_attempts())
        if access.newly_read:
            self._queue_read_places()

    # -- attempts -----------------------------------------------------------------------------------------------

    def _trial(self, attempt: Attempt) -> Proposal:
        return _Trial(self._sampler.sample_attempt(attempt), self, is_sampled=True, attempt=attempt)

    def _is_open(self, attempt: Attempt) -> bool:
        """Whether the attempt may still tell something."""
        entry = attempt.entry
        assert entry is not None
        known = self._opened_by(attempt.operation)
        if any(other.giver == entry.giver and len(other.way.fields) <= 1 for other in known):
            return False
        n_forbidden = self._n_forbidden.get(attempt.operation.id, 0)
        is_stuck = n_forbidden >= MAX_FORBIDDEN or (n_forbidden > 0 and not self._has_own_place(attempt))
        if is_stuck and not known and not entry.is_signed:  # a signed token may have the claims that are asked for
            return False
        most = MAX_VAIN_UNASKED if self._access.signed_tokens.is_unasked(entry.giver) else MAX_VAIN
        is_vain = self._vain.get(entry.giver, 0) >= most
        return not is_vain or entry in self._access.openings.of_giver(entry.giver)

    def _has_own_place(self, attempt: Attempt) -> bool:
        """Whether the attempt carries something in a place that the operation was seen to read."""
        assert attempt.entry is not None
        read = {place.lower() for place in self._access.places_of(attempt.operation)}
        fields = attempt.entry.way.fields
        return len(fields) <= 1 and any(place.lower() in read for place, _ in fields)

    def _judge(self, attempt: Attempt, outcome: Outcome) -> None:
        entry = attempt.entry
        found = _attempted_call(attempt, outcome)
        if entry is None or found is None:
            return
        call, observation = found
        if not self._access.has_come_in(call, observation):
            if entry not in self._access.openings.of_giver(entry.giver):
                self._vain[entry.giver] = self._vain.get(entry.giver, 0) + 1
            return
        self._vain[entry.giver] = 0
        if observation.exchange.denial() and not attempt.operation.entrance:
            self._note_forbidden(attempt.operation.id, entry)
        elif attempt.operation.id in self._access.openings.ways:
            self._access.openings.keep(attempt.operation, self._opened_by(attempt.operation))
        self._note_opened(attempt.operation, entry)
        for operation in self._access.denied.values():
            if not self._opened_by(operation):
                self._put(self._likely, operation, entry)

    def _note_opened(self, operation: Operation, entry: Entry) -> None:
        """Keeps the way in; of one with several places, each is tried alone."""
        is_single = len(entry.way.fields) <= 1
        known = self._access.openings.ways.get(operation.id, [])
        if is_single and any(len(other.way.fields) > 1 for other in known):
            self._access.openings.keep(operation, [one for one in known if len(one.way.fields) <= 1])
        self._access.openings.note(operation, entry, is_first=is_single and not entry.is_signed)
        if not is_single and entry not in self._narrowed:
            self._narrowed.add(entry)
            for field in entry.way.fields:
                single = Entry(entry.giver, Way((field,)), entry.preference)
                self._put(self._likely, operation, single)

    def _note_forbidden(self, operation: OperationId, entry: Entry) -> None:
        self._forbidden.add((operation, entry))
        if not entry.is_signed:  # a token that we sign may name a user who is not there
            self._n_forbidden[operation] = self._n_forbidden.get(operation, 0) + 1

    def _opened_by(self, operation: Operation) -> list[Entry]:
        """Returns the entries that have opened an operation; not those by which it only knows its users.

        These may lack something beside: a second token against forged requests.
        """
        known = self._access.openings.ways.get(operation.id, [])
        return [entry for entry in known if (operation.id, entry) not in self._forbidden]

    def _queue_attempts(self) -> None:
        access = self._access
        new_givers = [giver for giver in access.obtained if giver not in self._known_givers]
        new_denied = [one for one in access.denied.values() if one.id not in self._known_denied]
        self._known_givers.update(new_givers)
        self._known_denied.update(one.id for one in new_denied)
        for operation in new_denied:
            for giver in access.obtained:
                for entry in (*access.openings.of_giver(giver), *self._entries_to_try(giver, operation)):
                    self._put(
                        self._likely if entry in access.openings.of_giver(giver) else self._attempts, operation, entry
                    )
        for giver in new_givers:
            for operation in access.denied.values():
                if operation not in new_denied:
                    for entry in self._entries_to_try(giver, operation):
                        self._put(self._attempts, operation, entry)

    def _try_anew(self, givers: Collection[str]) -> None:
        """Has the credentials of these givers tried again, unless they have let somebody in: other calls give them."""
        for giver in givers:
            if not self._access.openings.of_giver(giver):
                self._queued = {(operation, entry) for operation, entry in self._queued if entry.giver != giver}
                self._vain.pop(giver, None)
                self._known_givers.discard(giver)

    def _note_key_answers(self) -> None:
        """Tokens with our own keys have another chance once a service has answered these keys."""
        n_key_answers = len(self._access.signed_tokens.key_answers)
        if n_key_answers > self._n_key_answers:
            self._n_key_answers = n_key_answers
            for key in OWN_KEYS:
                self._vain.pop(key, None)

    def _queue_read_places(self) -> None:
        """Queues the places that the code of operations has read, for operations that are still closed."""
        access = self._access
        for operation_id, field in access.take_newly_read():
            operation = access.denied.get(operation_id)
            if operation is None or self._opened_by(operation):
                continue
            for giver, obtained in access.obtained.items():
                if obtained.has_token:
                    self._put(self._likely, operation, Entry(giver, Way((field,))))

    def _entries_to_try(self, giver: str, operation: Operation) -> Iterator[Entry]:
        obtained = self._access.obtained[giver]
        if operation.entrance and not obtained.is_page:
            return  # users who are in need not get in
        if obtained.has_token:
            places = (*obtained.own_places(), *self._access.places_of(operation))
            schemes = self._access.schemes_of(operation)
            ways = first_ways(tuple(dict.fromkeys(places)), schemes, has_cookies=obtained.has_cookies)
            n_tokens = sum(one.kind == "token" for one in obtained.credentials)
            for preference in range(min(n_tokens, MAX_TOKENS)):
                yield from (Entry(giver, way, preference) for way in ways)
        elif obtained.has_cookies:
            yield entry_of_session(giver)
        if not obtained.has_token and obtained.test_case.calls[-1].operation.entrance == "sign-up":
            yield from (Entry(giver, BASIC, preference) for preference in range(2))

    def _put(self, queue: deque[Attempt], operation: Operation, entry: Entry) -> None:
        if (operation.id, entry) not in self._queued:
            self._queued.add((operation.id, entry))
            queue.append(Attempt(operation, entry))

    # -- entrances ----------------------------------------------------------------------------------------------

    def _queue_logins(self, signed_up: OperationId) -> None:
        for login in self._access.entrances:
            if login.entrance == "login":
                for preference, sent in _LOGIN_TRIES:
                    self._logins.append(partial(self._login, signed_up, login, preference, sent=sent))

    def _queue_other_users(self) -> None:
        """Queues calls of the operations that have let in nobody, as a user who has signed up in a new way."""
        way = self._access.sign_ups.newest_way
        if way is not None:
            self._logins.extend(partial(self._as_other_user, name, way) for name in sorted(self._access.forbidden))

    def _as_other_user(self, name: OperationId, way: Call) -> TestCase | None:
        operation = self._access.denied.get(name)
        if operation is None or name not in self._access.forbidden:
            return None
        test_case = self._sampler.sample_for(operation)
        for at, call in enumerate(test_case.calls):
            if call.operation is way.operation:
                return test_case.with_call(at, with_same_user(way, call))
        return None

    def _queue_logins_of_stored_users(self) -> None:
        for sign_up in self._access.stored_users.rows:
            if sign_up in self._known_rows:
                continue
            self._known_rows.add(sign_up)
            for login in self._access.entrances:
                if login.entrance == "login":
                    for preference in range(LOGINS):
                        self._logins.append(partial(self._login_of_stored_user, sign_up, login, preference))

    def _login_of_stored_user(self, sign_up: OperationId, login: Operation, preference: int) -> TestCase | None:
        if self._access.stored_users.has_logged_in(login.id):
            return None
        return self._access.stored_users.login(sign_up, self._sampler.call(login, ()), preference)

    def _queue_stored_users(self) -> None:
        """Queues logins of users with the rights that guards have asked for, for operations that let in nobody."""
        stored, forbidden = self._access.stored_users, self._access.forbidden
        known = stored.can_log_in, stored.n_compared, frozenset(forbidden)
        if known != self._known_of_stored:
            self._known_of_stored = known
            self._stored.extend((name, user) for name in sorted(forbidden) for user in stored.others_to_try(name))

    def _as_stored_user(self) -> TestCase | None:
        """Returns a test case for an operation that begins with the login of a stored user; None if there is none."""
        while self._stored:
            name, user = self._stored.popleft()
            operation = self._access.denied.get(name) if name in self._access.forbidden else None
            if operation is not None and not self._access.stored_users.is_let_in(name):
                self._access.stored_users.choose(name, user)
                return self._sampler.sample_for(operation)
        return None

    def _login(
        self, signed_up: OperationId, login: Operation, preference: int, *, sent: LoginContent
    ) -> TestCase | None:
        if login.id in self._access.obtained:
            return None
        return self._sampler.user_calls.login_after(signed_up, self._sampler.call(login, ()), preference, sent=sent)

    def _next_confirmation(self) -> tuple[OperationId, Operation, Operation] | None:
        """Returns a sign-up, an operation that may confirm its user, and a login that nobody has got through."""
        access, known = self._access, self._sampler.learned
        for login in access.entrances if access.signed_up else ():
            if login.entrance == "login" and login.id not in access.obtained:
                for signed_up in access.signed_up:
                    found = access.confirmations.next_for(signed_up, login.id, lambda one: len(known.of(one)))
                    if found is not None:
                        return signed_up, found, login
        return None

    def _confirmed_login(self) -> TestCase | None:
        found = self._next_confirmation()
        if found is None:
            return None
        signed_up, confirming, login = found
        n_tries = self._access.confirmations.note_try(confirming, login.id)
        call, sampler = self._sampler.call, self._sampler
        return self._sampler.user_calls.login_after_confirmation(
            signed_up, call(confirming, ()), call(login, ()), n_tries % LOGINS, sampler.learned.of(confirming)
        )

    def _next_entrance(self) -> Operation | None:
        """Returns the entrance that has been tried least often; None if all have succeeded, or were tried enough."""
        access = self._access
        waiting = [
            one
            for one in access.entrances
            if one.id not in access.succeeded and self._n_sign_ups[one.id] < MAX_SIGN_UPS
        ]
        return min(waiting, key=lambda one: self._n_sign_ups[one.id], default=None)


def _attempted_call(attempt: Attempt, outcome: Outcome) -> tuple[Call, Observation] | None:
    """Returns the last call that has made the attempt, with its observation; None if none has."""
    evaluation = outcome.evaluation
    found: tuple[Call, Observation] | None = None
    for call, observation in zip(evaluation.test_case.calls, evaluation.observations, strict=False):
        if call.operation is attempt.operation and carried_by(call).fields:
            found = call, observation
    return found
