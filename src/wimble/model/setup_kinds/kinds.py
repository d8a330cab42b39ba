"""The table of kinds of setup actions.

A kind is a subclass of `SetupAction`: what it holds, how it is described, copied and made smaller is in its class. What
needs more than data stands in one table of each layer, keyed by the class: who applies it and takes it back
(execute/setup_appliers.py), how generated tests do (emit/setup_calls.py), how a changed one is made valid again
(databases/setup_repair.py).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from wimble.model.database import Dialect
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.model.setup_kinds.insert_document import InsertDocument
from wimble.model.setup_kinds.insert_key import InsertKey
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import SetupAction

SETUP_KINDS: Final[dict[str, type[SetupAction]]] = {"row": InsertRow, "document": InsertDocument, "key": InsertKey}
"""By the name under which actions are stored."""

INSERTS: Final[dict[Dialect, Callable[..., DatabaseAction]]] = {
    "postgres": partial(InsertRow, dialect="postgres"),
    "mysql": partial(InsertRow, dialect="mysql"),
    "sqlite": partial(InsertRow, dialect="sqlite"),
    "mongo": InsertDocument,
    "redis": InsertKey,
}
"""What puts a row into a database of a dialect: takes the fields of `DatabaseAction`."""
