"""Recognises an answer that was made of a value which has changed since, and that the program has kept.

The value may be derived (in capitals, within a sentence, multiplied), so that no member of the answer has its name.
Then it counts that the database was asked for the changed table by the first read only, and that the answer has what
the value was before, and not what it is now.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from wimble.databases.languages import language_of
from wimble.http.exchange import request_of
from wimble.json_texts import held_json
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.observation import Observation
from wimble.model.resource_names import plain_name
from wimble.model.setup import value_of
from wimble.model.setup_kinds.database_action import DatabaseAction
from wimble.oracles.databases.kept_changes import changes_of_call
from wimble.oracles.oracle import CallView
from wimble.types import ABSENT, Absent, Json

LEAST_TEXT: Final = 3
"""Shorter texts occur in others by chance."""
LEAST_NUMBER: Final = 20
"""Many numbers are multiples of smaller ones."""
_WORD: Final = re.compile(r"\w+")


def keeps_former_value(
    view: CallView, first: Observation, act: Observation, stored: Iterable[tuple[str, Json]]
) -> bool:
    """Whether the call has answered a former value without looking it up.

    first: the same call before the act, with the same answer. stored: members that the act has changed, with the values
    that they have since.
    """
    evaluation = view.evaluation
    changed = {one.change.table.lower() for one in changes_of_call(evaluation, act.call_index) if one.is_update}
    if not changed & _tables_of(evaluation, first) or changed & _tables_of(evaluation, view.observation):
        return False
    shown = list(_scalars(view.observation.exchange.value()))
    return any(
        former != value and _is_shown(former, shown) and not _is_shown(value, shown)
        for name, value in stored
        for former in _former_values(evaluation, act.call_index, plain_name(name))
    )


def _tables_of(evaluation: Evaluation, observation: Observation) -> set[str]:
    """Returns the tables and collections that the call has asked for."""
    commands = evaluation.interactions_of(DatabaseCommand, observation.call_index)
    sources = [language_of(one.dialect).source_of(one) for one in commands if one.dialect is not None]
    return {words[-1].lower() for source in sources if (words := _WORD.findall(source))}


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
