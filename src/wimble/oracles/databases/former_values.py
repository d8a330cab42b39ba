"""Recognises an answer that was made of a value which has changed since, and that the program has kept.

The value may be derived (in capitals, within a sentence, multiplied), so that no member of the answer has its name.
Then it counts that the answer has what the value was before, and not what it is now, and that the first read has asked
the database for the changed table. If the second read has asked for it, too (it has looked whether there is such a
row), nothing that was written may have what the answer shows: it may be stored on purpose. A file that computes times
may keep what it has read for a while, which is no fault.
"""

from __future__ import annotations

import json
import linecache
import re
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Final

from wimble.databases.asked_tables import asked_tables
from wimble.http.exchange import request_of
from wimble.json_texts import held_json
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Observation
from wimble.model.resource_names import plain_name
from wimble.model.setup import value_of
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.oracles.databases.kept_changes import changes_of_call, iter_changes
from wimble.oracles.oracle import CallView, place_of_command
from wimble.types import ABSENT, Absent, Json

LEAST_TEXT: Final = 3
"""Shorter texts occur in others by chance."""
LEAST_NUMBER: Final = 20
"""Many numbers are multiples of smaller ones."""
FOR_A_TIME: Final = re.compile(
    r"Date\.now\(|performance\.now\(|hrtime|setInterval\(|setTimeout\(|\bttl\b|max_?age|expire(?!sIn\b)|\blru",
    re.IGNORECASE,
)
"""What stands in programs that keep something until some time; `expiresIn` is how long a token holds."""


def keeps_former_value(
    view: CallView, first: Observation, act: Observation, stored: Iterable[tuple[str, Json]], *, is_beneath: bool
) -> bool:
    """Whether the call has answered a former value that the program has kept.

    first: the same call before the act, with the same answer. stored: members that the act has changed, with the values
    that they have since. is_beneath: whether what is read is the changed resource, or beneath it.
    """
    evaluation = view.evaluation
    changed = {one.change.table.lower() for one in changes_of_call(evaluation, act.call_index) if one.is_update}
    is_asked_again = bool(changed & asked_tables(evaluation, view.observation.call_index))
    if not changed & asked_tables(evaluation, first.call_index) or (is_asked_again and not is_beneath):
        return False
    shown = list(_scalars(view.observation.exchange.value()))
    kept = [
        former
        for name, value in stored
        for former in _former_values(evaluation, act.call_index, plain_name(name))
        if former != value and _is_shown(former, shown) and not _is_shown(value, shown)
    ]
    if is_asked_again:
        kept = [former for former in kept if not _may_be_stored(evaluation, former, shown, changed)]
    return bool(kept) and not _is_kept_for_a_time(evaluation, first)


def _may_be_stored(
    evaluation: Evaluation, former: Json, shown: Sequence[str | int | float], changed: Container[str]
) -> bool:
    """Whether what is shown of a former value may stand in rows: as it is shown, or as the value in another table."""
    made = [json.dumps(one, ensure_ascii=False) for one in shown if _is_shown(former, [one])]
    for change in iter_changes(evaluation.interactions_of(DatabaseCommand)):
        written = f"{change.command.text} {json.dumps(change.command.params, ensure_ascii=False)}"
        is_elsewhere = change.change.table.lower() not in changed
        if any(one.strip('"') in written for one in made) or (is_elsewhere and str(former) in written):
            return True
    return bool(evaluation.test_case.setup_of(DatabaseAction))


def _is_kept_for_a_time(evaluation: Evaluation, first: Observation) -> bool:
    """Whether a file from which the call has asked the database deals with times."""
    commands = evaluation.interactions_of(DatabaseCommand, first.call_index)
    files = {file for one in commands if (file := place_of_command(one).file)}
    return any(FOR_A_TIME.search("".join(linecache.getlines(file))) for file in sorted(files))


def _former_values(evaluation: Evaluation, before: int, name: str) -> Iterator[Json]:
    """Yields what earlier calls have sent, and what made rows have, under a plain name."""
    test_case = evaluation.test_case
    for observation in evaluation.observations[:before]:
        sent = held_json(request_of(observation).body or b"")
        if isinstance(sent, dict):
            yield from (value for given, value in sent.items() if plain_name(given) == name)
    for _, action in test_case.setup_of(DatabaseAction):
        for column, gene in zip(action.columns, action.genes, strict=True):
            value = value_of(test_case, gene)
            if plain_name(column.name) == name and value is not ABSENT:
                yield value


def _scalars(value: Json | Absent) -> Iterator[str | int | float]:
    if isinstance(value, dict | list):
        for member in value.values() if isinstance(value, dict) else value:
            yield from _scalars(member)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield value


def _is_shown(value: Json, shown: Sequence[str | int | float]) -> bool:
    """Whether one of the values contains the text, or is the number or a multiple of it."""
    if isinstance(value, str):
        return len(value) >= LEAST_TEXT and any(isinstance(one, str) and value.lower() in one.lower() for one in shown)
    if not isinstance(value, int | float) or isinstance(value, bool) or abs(value) < LEAST_NUMBER:
        return False
    return any(not isinstance(one, str) and one != 0 and one % value == 0 for one in shown)
