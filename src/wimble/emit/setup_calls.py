"""The calls of helpers with which generated tests apply setup actions, by the kind of action."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from wimble.emit.database_setup import has_tables
from wimble.emit.javascript import js_string, js_value
from wimble.emit.mock_answers import MockLine, mock_line
from wimble.emit.python_source import py_string, py_value
from wimble.model.setup_kinds.answer import Answer
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.setup_kinds.insert_document import InsertDocument
from wimble.model.setup_kinds.insert_key import InsertKey, insert_command
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.suite import SuiteDatabase, VerifiedTest
from wimble.model.testcase import SetupAction, TestCase
from wimble.types import Json


class SetupCall(msgspec.Struct, frozen=True):
    """A call of a suite's helper, such as `database.insert('members', { id: 1 }, 'shop')`."""

    helper: str
    function: str
    value: Json
    before: str = ""
    """A text argument before the value; empty: none."""
    after: str = ""
    """A text argument after the value; empty: none."""

    def js_lines(self) -> list[str]:
        start = f"await {self.helper}.{self.function}({js_string(self.before) + ', ' if self.before else ''}"
        end = f", {js_string(self.after)});" if self.after else ");"
        return f"{start}{js_value(self.value, column=len(start) + 6)}{end}".splitlines()

    def py_lines(self) -> list[str]:
        start = f"{self.helper}.{self.function}({py_string(self.before) + ', ' if self.before else ''}"
        end = f", {py_string(self.after)})" if self.after else ")"
        return f"{start}{py_value(self.value, column=len(start) + 4)}{end}".splitlines()


def _insert(action: DatabaseAction, test_case: TestCase, databases: Sequence[SuiteDatabase]) -> SetupCall:
    rows = action.inserted(test_case)
    value = dict(zip(rows.columns, rows.rows[0], strict=True))
    return SetupCall("database", "insert", value, str(rows.table), _named(action, databases))


def _run_command(action: InsertKey, test_case: TestCase, databases: Sequence[SuiteDatabase]) -> SetupCall:
    rows = action.inserted(test_case)
    command = list(insert_command(rows, rows.rows[0]) or ())
    return SetupCall("database", "redis", command, after=_named(action, databases))


def _named(action: DatabaseAction, databases: Sequence[SuiteDatabase]) -> str:
    """Returns the name of the action's database if several databases have its table; otherwise an empty text."""
    (own,) = (one for one in databases if one.home.id == action.database)
    others = [
        one
        for one in databases
        if has_tables(one) == has_tables(own) and any(table.name == action.table for table in one.tables)
    ]
    return own.home.id if len(others) > 1 else ""


Writer: TypeAlias = Callable[[Any, TestCase, Sequence[SuiteDatabase]], SetupCall | MockLine]

SETUP_CALLS: Final[dict[type[SetupAction], Writer]] = {
    InsertRow: _insert,
    InsertDocument: _insert,
    InsertKey: _run_command,
    Answer: lambda action, test_case, databases: mock_line(action, test_case),
}


def py_setup_lines(test: VerifiedTest, databases: Sequence[SuiteDatabase]) -> list[str]:
    """Returns a line such as `database.insert("members", {"id": 1, "card": "a"})` for each setup action of a test."""
    lines = [line for call in _calls(test, databases) for line in call.py_lines()]
    return [*lines, ""] if lines else []


def js_setup_lines(test: VerifiedTest, databases: Sequence[SuiteDatabase]) -> list[str]:
    """Returns a line such as `await database.insert('members', { id: 1 });` for each setup action of a test."""
    lines = [line for call in _calls(test, databases) for line in call.js_lines()]
    return [*lines, ""] if lines else []


def _calls(test: VerifiedTest, databases: Sequence[SuiteDatabase]) -> list[SetupCall | MockLine]:
    setup = test.test_case.setup
    return [SETUP_CALLS[type(action)](action, test.test_case, databases) for action in setup]
