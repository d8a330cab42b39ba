"""Hints for texts that are too long for the column that they are written to: many APIs answer that with a fault.

No target leads there, since a refused command has no line or branch of its own. So each input that a command has
written to such a column is once sent with one character too many, also if it is only a part of the text, or was written
otherwise there (a slug, in capitals).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from wimble.databases.languages import language_of
from wimble.engine.queries.injection_targets import sites_of_call
from wimble.feedback.input_to_state.input_sites import Site
from wimble.model.database import Database, DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.hints import InjectionHint
from wimble.model.resource_names import plain_name
from wimble.types import OperationId

MAX_LENGTH: Final = 4000
"""Longest text that is sent: no limit of a column that someone has chosen is longer."""
LEAST_PART: Final = 4
"""Characters of an input that is found within a longer text: fewer are there by chance."""
MAX_LOOKS: Final = 20
"""Number of commands of an operation, from one place of the program, that are searched for inputs."""


class ColumnLimits:
    """Proposes a text beyond the limit, once for each input and column."""

    def __init__(self) -> None:
        self._proposed: set[tuple[str, ...]] = set()
        self._looks: Counter[tuple[OperationId, str]] = Counter()
        """By operation and place: the number of commands that were searched for inputs."""

    def hints(self, evaluation: Evaluation, schemas: Mapping[str, Database]) -> Iterator[InjectionHint]:
        """Yields a hint for each input that is to be tried with the inputs of the evaluation."""
        for command in evaluation.interactions_of(DatabaseCommand):
            database = schemas.get(command.database)
            if database is None or command.error or not (command.affected or command.returned):
                continue
            if command.call < len(evaluation.test_case.calls):
                yield from self._of_command(evaluation, command, database)

    def _of_command(
        self, evaluation: Evaluation, command: DatabaseCommand, database: Database
    ) -> Iterator[InjectionHint]:
        operation = evaluation.test_case.calls[command.call].operation
        self._looks[operation.id, command.place] += 1
        if self._looks[operation.id, command.place] > MAX_LOOKS:
            return
        written = [
            one for one in language_of(database.dialect).limited_texts(command, database) if one.max_length < MAX_LENGTH
        ]
        sites = sites_of_call(evaluation, command.call) if written else []
        for limited in written:
            for site in _written(sites, limited.text):
                key = (operation.id, command.place, _name(evaluation, command.call, site), limited.column)
                if key not in self._proposed:
                    self._proposed.add(key)
                    yield InjectionHint(
                        key=key,
                        call=command.call,
                        address=site.address,
                        inner=site.inner,
                        templates=("a" * (limited.max_length + 1),),
                    )


def _written(sites: Sequence[Site], text: str) -> list[Site]:
    """Returns the inputs that are the text; if there are none, those that it contains, else those whose letters and
    digits it contains.
    """
    texts = [(site, site.value) for site in sites if isinstance(site.value, str)]
    whole = [site for site, value in texts if value == text]
    parts = [site for site, value in texts if len(value) >= LEAST_PART and value in text]
    if whole or parts:
        return whole or parts
    plain = plain_name(text)
    return [site for site, value in texts if len(own := plain_name(value)) >= LEAST_PART and own in plain]


def _name(evaluation: Evaluation, call: int, site: Site) -> str:
    given = evaluation.test_case.calls[call].operation.inputs[site.address.input]
    return ".".join(str(step) for step in (given.name, *site.address.path, *site.inner))
