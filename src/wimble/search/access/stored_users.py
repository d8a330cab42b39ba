"""Users whose rows a test case inserts, and who then log in.

A sign-up makes ordinary users. The row of one, inserted under another name with the same hash, is a user whom the same
password lets in, and whose role, state and organization may be any. Rows that belong to a user can refer to this one,
for the row is there before them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final

import msgspec

from wimble.genes import ConstantGene, EnumGene, Gene, LinkedGene, innermost
from wimble.genes.taint_markers import is_like_marker
from wimble.model.database import TableName
from wimble.model.hints import ComparisonHint, Hint
from wimble.model.resource_names import plain_name
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.testcase import Call, SetupAction, TestCase
from wimble.model.user_row import UserRow
from wimble.search.access.identities import last_sign_up, names_of_user, with_fresh_identity, with_identity_of
from wimble.search.resources.references import with_only
from wimble.types import Json, OperationId

FORBIDDEN_PROBABILITY: Final = 0.6
"""Probability that a test case for an operation that knows its users but lets none in begins with a stored one."""
SHARE: Final = 0.15
"""The same for all others that ask for a user."""
OWN_PROBABILITY: Final = 0.8
"""Probability that a user for an operation is like the one who was let in there, where others were not."""
KNOWN_PROBABILITY: Final = 0.5
"""Probability that it is like one who was let in elsewhere, where others were not."""
CHANGE_PROBABILITY: Final = 0.7
"""Probability that a column that may tell what a user may do gets another value."""
PEERS_PROBABILITY: Final = 0.7
"""Probability that it is one that other users have: their roles exist."""
COMPARED_PROBABILITY: Final = 0.7
"""Probability that it is one with which the program has compared what is called so."""
MAX_COMPARED: Final = 8
"""Values with which the program compares what has one name, and which are kept."""
ROLES: Final = ("admin", "owner", "manager", "staff", "superadmin", "moderator", "editor")
RIGHTS: Final = re.compile(
    r"role|type|kind|level|rank|scope|group|permission|privilege|status|state|admin|staff|owner|super|verified|confirmed"
    r"|active|enabled|approved|plan|tier|banned|blocked|locked|suspended"
)
"""Names of columns and inputs that may tell what a user may do."""
_WORD: Final = re.compile(r"[A-Za-z][\w:-]{1,23}")


class StoredUsers:
    """What is known of users who can be stored."""

    def __init__(self, rng: Random, is_made_up: Callable[[str], bool] = is_like_marker) -> None:
        """is_made_up: whether a text that was compared is most likely one that was made up."""
        self._rng = rng
        self._is_made_up = is_made_up
        self.rows: dict[OperationId, UserRow] = {}
        """By the operation that signs users up."""
        self._logins: dict[OperationId, tuple[TestCase, UserRow]] = {}
        """By the operation that logs them in."""
        self._admitted: dict[OperationId, TestCase] = {}
        """By operation: the stored user whom it has let in, after others were forbidden to call it."""
        self._passed: dict[OperationId, TestCase] = {}
        """By operation: a stored user whom it has refused or failed for another reason than it has others."""
        self._compared: dict[str, list[str]] = {}
        """Words with which the program has compared what may tell rights, by its name."""
        self.n_compared = 0
        """Number of these words, of all names."""
        self._tried: set[tuple[OperationId, str, str]] = set()
        """Operation, column and word of the users that `others_to_try` has yielded."""
        self._chosen: tuple[OperationId, TestCase] | None = None
        """An operation, and the login with which its next test case begins."""

    @property
    def can_log_in(self) -> bool:
        return bool(self._logins)

    def has_logged_in(self, login: OperationId) -> bool:
        return login in self._logins

    def is_login(self, test_case: TestCase) -> bool:
        """Whether the test case begins with the login of a stored user, and inserts no rows but this user's."""
        login = test_case.calls[0].operation.id
        if login not in self._logins or last_sign_up(test_case.calls) is not None:
            return False
        tables = {action.table for _, action in test_case.setup_of(DatabaseAction)}
        return tables <= {action.table for _, action in self._logins[login][0].setup_of(DatabaseAction)}

    def note_row(self, row: UserRow) -> None:
        self.rows.setdefault(row.sign_up.operation.id, row)

    def note_hint(self, hint: Hint) -> None:
        """Notes with which word the program has compared a role or the like: `member.role !== 'staff'`."""
        if not isinstance(hint, ComparisonHint) or not hint.name:
            return
        name = plain_name(hint.name.rpartition(".")[2])
        known = self._compared.get(name, [])
        if RIGHTS.search(name) is None or len(known) >= MAX_COMPARED:
            return
        for word in hint.operands:
            if isinstance(word, str) and _WORD.fullmatch(word) and not self._is_made_up(word) and word not in known:
                self._compared[name] = known = [*known, word]
                self.n_compared += 1

    def note_login(self, test_case: TestCase, index: int) -> None:
        """Notes a login that has succeeded, if the user was stored."""
        login = test_case.calls[index].operation.id
        row = self._row_of(test_case, index)
        if row is not None and login not in self._logins:
            self._logins[login] = with_only(test_case, [index]), row

    def note_admitted(self, test_case: TestCase, index: int) -> None:
        """Notes that an operation that was forbidden to others has succeeded, with the call at the index."""
        user = self._user_of(test_case, index)
        if user is not None:
            self._admitted[test_case.calls[index].operation.id] = user

    def note_passed(self, test_case: TestCase, index: int) -> None:
        """Notes that an operation that was forbidden to others complains of something else, in the call at the index.

        It may complain before it looks at the user: then the user is forbidden to call it later (`note_forbidden`).
        """
        operation = test_case.calls[index].operation.id
        user = self._user_of(test_case, index) if operation not in self._admitted else None
        if user is not None:
            self._passed.setdefault(operation, user)

    def note_forbidden(self, test_case: TestCase, index: int) -> None:
        """Notes that the user of the call at the index is forbidden to make it."""
        operation = test_case.calls[index].operation.id
        user = self._user_of(test_case, index) if operation in self._passed else None
        if user is not None and user.setup == self._passed[operation].setup:
            del self._passed[operation]

    def _user_of(self, test_case: TestCase, index: int) -> TestCase | None:
        """Returns the login of the stored user of a call; None if there is none."""
        logins = [at for at in range(index) if test_case.calls[at].operation.id in self._logins]
        is_stored = bool(logins) and self._row_of(test_case, logins[-1]) is not None
        return with_only(test_case, logins[-1:]) if is_stored else None

    def _row_of(self, test_case: TestCase, index: int) -> UserRow | None:
        """Returns the row that the test case has inserted a copy of for the login at the index; None if it has not."""
        if last_sign_up(test_case.calls[:index]) is not None:
            return None
        tables = {action.table for _, action in test_case.setup_of(DatabaseAction)}
        return next((row for row in self.rows.values() if _action_of(row.setup).table in tables), None)

    # -- making test cases ------------------------------------------------------------------------------------------

    def login(self, sign_up: OperationId, login: Call, preference: int) -> TestCase:
        """Returns a login as another user than the one that has signed up, whose row is inserted.

        preference: which of the values of the sign-up is the user's name (`with_identity_of`).
        """
        row = self.rows[sign_up]
        fresh = with_fresh_identity(TestCase((row.sign_up,)), self._rng).calls[0]
        renamed = dict(zip(names_of_user(row.sign_up), names_of_user(fresh), strict=False))
        setup = tuple(_renamed(action, renamed, self._rng) for action in row.setup)
        return TestCase((with_identity_of(login, fresh, preference),), setup)

    def begun(self, operation: OperationId, *, is_forbidden: bool) -> TestCase | None:
        """Returns the login of a stored user with which a test case for the operation begins; None for another user."""
        if not self._logins:
            return None
        is_likely = is_forbidden or operation in self._admitted
        if self._rng.random() >= (FORBIDDEN_PROBABILITY if is_likely else SHARE):
            return None
        admitted = self._admitted_to(operation, is_forbidden=is_forbidden)
        if admitted is not None:
            return admitted
        test_case, row = self._rng.choice(list(self._logins.values()))
        return self._with_other_rights(test_case, row) if self._rng.random() < CHANGE_PROBABILITY else test_case

    def others_to_try(self, operation: OperationId) -> Iterator[TestCase]:
        """Yields logins of users with each of the rights that the program has compared, once for an operation."""
        for test_case, row in self._logins.values():
            for number, at in _places_of_rights(test_case, row):
                action = test_case.setup[number]
                assert isinstance(action, DatabaseAction)
                column, gene = action.columns[at].name, action.genes[at]
                for word in self._compared_with(column):
                    changed = gene.with_value(word)
                    if changed is None or word == gene.phenotype() or (operation, column, word) in self._tried:
                        continue
                    self._tried.add((operation, column, word))
                    yield test_case.with_action(number, _with_gene(action, at, changed))

    def _compared_with(self, column: str) -> Sequence[str]:
        """Returns the words with which the program has compared what is called as a column; else what is called
        otherwise and may tell rights: a role is the scope of a user.
        """
        return (
            self._compared.get(plain_name(column))
            or [word for words in self._compared.values() for word in words][:MAX_COMPARED]
        )

    def is_let_in(self, operation: OperationId) -> bool:
        """Whether an operation has let in a stored user, or has complained of one in another way than of others."""
        return operation in self._admitted or operation in self._passed

    def choose(self, operation: OperationId, user: TestCase) -> None:
        """Sets the login with which the next test case for the operation begins."""
        self._chosen = operation, user

    def take_chosen(self, operation: OperationId) -> TestCase | None:
        """Returns the login that was chosen for the operation, once."""
        if self._chosen is None or self._chosen[0] != operation:
            return None
        user = self._chosen[1]
        self._chosen = None
        return user

    def with_admitted(self, old: TestCase) -> TestCase:
        """Returns a test case whose last operation is forbidden to its user, in part with one who was let in, if both
        are stored.
        """
        user = self._admitted_to(old.calls[-1].operation.id, is_forbidden=True)
        if user is None or user.calls[0].operation is not old.calls[0].operation:
            return old
        own = old.setup[: len(user.setup)]
        if [_table_of(one) for one in own] != [_table_of(one) for one in user.setup]:
            return old
        return TestCase((user.calls[0], *old.calls[1:]), (*user.setup, *old.setup[len(own) :]))

    def _admitted_to(self, operation: OperationId, *, is_forbidden: bool) -> TestCase | None:
        """Returns mostly the user whom the operation has let in, or one whom others have; None for another user."""
        own = self._admitted.get(operation) or self._passed.get(operation)
        if own is not None and self._rng.random() < OWN_PROBABILITY:
            return own
        others = [*self._admitted.values(), *self._passed.values()] if is_forbidden else []
        return self._rng.choice(others) if others and self._rng.random() < KNOWN_PROBABILITY else None

    def _with_other_rights(self, test_case: TestCase, row: UserRow) -> TestCase:
        places = _places_of_rights(test_case, row)
        if not places:
            return test_case
        number, at = self._rng.choice(places)
        action = test_case.setup[number]
        assert isinstance(action, DatabaseAction)
        gene = self._changed(action.genes[at], action.columns[at].name, row)
        return test_case.with_action(number, _with_gene(action, at, gene))

    def _changed(self, gene: Gene, column: str, row: UserRow) -> Gene:
        if isinstance(innermost(gene), EnumGene) or not isinstance(gene.phenotype(), str):
            return gene.mutated(self._rng, 0.0)
        values: Sequence[Json] = self._compared_with(column)
        if not values or self._rng.random() >= COMPARED_PROBABILITY:
            peers = row.peers.get(column, ())
            values = peers if peers and self._rng.random() < PEERS_PROBABILITY else ROLES
        values = [value for value in values if value != gene.phenotype()] or ROLES
        return gene.with_value(self._rng.choice(values)) or gene


def _table_of(action: SetupAction) -> TableName | None:
    return action.table if isinstance(action, DatabaseAction) else None


def _places_of_rights(test_case: TestCase, row: UserRow) -> list[tuple[int, int]]:
    """Returns the columns of the user's row that may tell what the user may do: numbers of the action and the gene."""
    table = _action_of(row.setup).table
    for number, action in test_case.setup_of(DatabaseAction):
        told = [at for at, column in enumerate(action.columns) if RIGHTS.search(column.name.lower())]
        if action.table == table and told:
            return [(number, at) for at in told]
    return []


def _action_of(setup: tuple[SetupAction, ...]) -> DatabaseAction:
    """Returns the action that inserts the user's own row."""
    action = setup[-1]
    assert isinstance(action, DatabaseAction)
    return action


def _renamed(action: SetupAction, renamed: dict[str, str], rng: Random) -> SetupAction:
    """Returns the action for a row of another user, with other keys."""
    assert isinstance(action, DatabaseAction)
    copy = action.copied(rng)
    by_name = {old.lower(): new for old, new in renamed.items()}
    for at, gene in enumerate(action.genes):
        value = gene.phenotype()
        new = by_name.get(value.lower()) if isinstance(value, str) else None
        if new is not None and not isinstance(gene, LinkedGene):
            copy = _with_gene(copy, at, gene.with_value(new) or ConstantGene(new))
    return copy


def _with_gene(action: DatabaseAction, at: int, gene: Gene) -> DatabaseAction:
    return msgspec.structs.replace(action, genes=(*action.genes[:at], gene, *action.genes[at + 1 :]))
