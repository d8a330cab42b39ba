"""The table of kinds of setup actions.

A kind is a subclass of `SetupAction`. Its class defines its data, and how it is described, copied and minimised. What
needs more than data is in a table of the layer concerned, by the class: applying and reverting an action
(execute/setup_appliers.py), code for it in generated tests (emit/setup_calls.py), and making a changed action valid
again (databases/setup_repair.py).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from wimble.model.database import Dialect
from wimble.model.setup_kinds.answer import Answer
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.setup_kinds.insert_document import InsertDocument
from wimble.model.setup_kinds.insert_key import InsertKey
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import SetupAction

SETUP_KINDS: Final[dict[str, type[SetupAction]]] = {
    "row": InsertRow,
    "document": InsertDocument,
    "key": InsertKey,
    "answer": Answer,
}
"""Name under which actions are stored -> class."""

INSERTS: Final[dict[Dialect, Callable[..., DatabaseAction]]] = {
    "postgres": partial(InsertRow, dialect="postgres"),
    "mysql": partial(InsertRow, dialect="mysql"),
    "sqlite": partial(InsertRow, dialect="sqlite"),
    "mongo": InsertDocument,
    "redis": InsertKey,
}
"""Dialect -> constructor of the action that inserts a row; it takes the fields of `DatabaseAction`."""
