"""Tells whether a table is meant to keep a record of what happened, refusals included: a log, attempts, sessions.

Some words always say so. Others do if the table is one of them (`events`, `job_queue`, `session_data`), rather than
about one (`event_registrations`), and if the API does not manage them: an API with `POST /events` keeps concerts there.
"""

from __future__ import annotations

import re
from typing import Final

from wimble.model.resource_names import plain_name, singular

_WORDS: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_RECORDS: Final = re.compile(
    r"audit|attempt|metric|outbox|traces?$|tracing|^(?!.*(?:blog|catalog|dialog|analog|backlog)s?$).*logs?$"
)
_HAPPENED: Final = frozenset(["session", "event", "history", "job", "queue", "login"])
_ENDS: Final = frozenset(["log", "entry", "record", "item", "data", "store", "stream", "message"])
"""Last words of names that say no more than that the table holds something."""


def keeps_records(table: str, text: str, operation: str) -> bool:
    """Whether a call of the operation may be meant to write into the table although it is refused.

    table: its name; empty if it is not known. text: the command.
    """
    words = [singular(word) for word in _WORDS.findall(table or text)]
    if any(map(_RECORDS.search, words)):
        return True
    if not table:
        return not _HAPPENED.isdisjoint(words)
    if plain_name(singular(table)) in plain_name(operation):
        return False
    heads = [word for word in words if word not in _ENDS]
    return any(word in _HAPPENED for word in heads[-1:])
