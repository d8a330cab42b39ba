"""What databases have to do with an answer of 5xx: a command that was refused, rows that the test brings, and keys that prove nothing.

Rules: what the database has refused within the call is told with the finding, for a program that hides it says only that something went wrong.
Rows that a test brings are allowed by the database, so a program that cannot read them is at fault, and the finding says that it is about such rows.
Values in Redis have no types: that a made text is no number, no JSON or under a key of another kind is no fault of the program.
"""

from __future__ import annotations

import re

from wimble.model.database import Command
from wimble.model.evaluation import Evaluation
from wimble.model.setup import InsertAction
from wimble.oracles.shapes import shortened

MAX_COMMAND = 80
MAX_TABLES = 3
_UNREADABLE = re.compile(
    r"^SyntaxError: .*JSON|not an integer|not a valid float|WRONGTYPE|hash value is not", re.DOTALL
)


def is_about_made_keys(evaluation: Evaluation, message: str) -> bool:
    """Whether an error only says that a made value of Redis is not of the kind that the program stores there."""
    has_keys = any(isinstance(one, InsertAction) and one.dialect == "redis" for one in evaluation.test_case.setup)
    return has_keys and _UNREADABLE.search(message) is not None


def told_of_databases(evaluation: Evaluation, call_index: int, message: str) -> str:
    """Sentences for a finding on that call; empty where databases have no part in it."""
    parts = []
    refused = _refused(evaluation, call_index)
    if refused is not None and refused.error not in message:
        command = " ".join(refused.text.split())
        parts.append(f"the database had refused: {shortened(refused.error, 200)} ({shortened(command, MAX_COMMAND)})")
    tables = dict.fromkeys(
        str(action.table) for action in evaluation.test_case.setup if isinstance(action, InsertAction)
    )
    if tables:
        more = f" and {len(tables) - MAX_TABLES} more" if len(tables) > MAX_TABLES else ""
        named = ", ".join(list(tables)[:MAX_TABLES])
        parts.append(f"on rows that the test brings and the database allows ({named}{more})")
    return "".join(f"; {part}" for part in parts)


def _refused(evaluation: Evaluation, call_index: int) -> Command | None:
    """The last command that failed in the call."""
    failed = [command for command in evaluation.commands if command.call == call_index and command.error]
    return failed[-1] if failed else None
