"""Repairs changed setup actions, by their kind.

A mutation or an edit of one value may break a rule that relates this value to others. No further mutation of a single
value repairs that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from wimble.model.setup_kinds.answer import Answer
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.setup_kinds.insert_document import InsertDocument
from wimble.model.setup_kinds.insert_key import InsertKey
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import SetupAction, TestCase

Repair: TypeAlias = Callable[[TestCase, TestCase], TestCase]
"""Repairs the setup actions of one kind: the arguments are the changed test case and the one that it was made from."""


def _rows(changed: TestCase, before: TestCase) -> TestCase:
    if not any(isinstance(action, DatabaseAction) and action.checks for action in changed.setup):
        return changed
    from wimble.databases.sql.row_repair import repaired  # imports the parser of SQL

    return repaired(changed, before)


def _as_it_is(changed: TestCase, before: TestCase) -> TestCase:
    """Returns the test case unchanged: the values of the kind do not depend on each other."""
    return changed


REPAIRS: Final[dict[type[SetupAction], Repair]] = {
    InsertRow: _rows,
    InsertDocument: _as_it_is,
    InsertKey: _as_it_is,
    Answer: _as_it_is,
}


def repaired_setup(changed: TestCase, before: TestCase) -> TestCase:
    """Returns `changed`, which was made from `before`, with its setup actions repaired as far as a repair is known."""
    for kind in dict.fromkeys(type(action) for action in changed.setup):
        changed = REPAIRS[kind](changed, before)
    return changed
