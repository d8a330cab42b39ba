"""The table of how changed setup actions are made valid again, by their kind.

A mutation or an edit of one value may break a rule that relates it to others; alone, no further mutation mends that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeAlias

from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.setup_kinds.insert_document import InsertDocument
from wimble.model.setup_kinds.insert_key import InsertKey
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import SetupAction, TestCase

Repair: TypeAlias = Callable[[TestCase, TestCase], TestCase]
"""From a test case whose setup actions of the kind may be broken, and the one that it was made from."""


def _rows(changed: TestCase, before: TestCase) -> TestCase:
    if not any(isinstance(action, DatabaseAction) and action.checks for action in changed.setup):
        return changed
    from wimble.databases.sql.row_repair import repaired  # imports the parser of SQL

    return repaired(changed, before)


def _as_it_is(changed: TestCase, before: TestCase) -> TestCase:
    """For kinds whose values do not depend on each other."""
    return changed


REPAIRS: Final[dict[type[SetupAction], Repair]] = {
    InsertRow: _rows,
    InsertDocument: _as_it_is,
    InsertKey: _as_it_is,
}


def repaired_setup(changed: TestCase, before: TestCase) -> TestCase:
    """`changed`, made from `before`, with setup actions that can be applied, as far as that is known."""
    for kind in dict.fromkeys(type(action) for action in changed.setup):
        changed = REPAIRS[kind](changed, before)
    return changed
