"""Hints for texts and numbers that the column that they are written to cannot hold: many APIs answer that with a fault.

No target leads there, since a refused command has no line or branch of its own. So each text that a command has written
to such a column is once sent with one character too many, also if it is only a part of what is written, or was written
otherwise there (a slug, in capitals); and each number once as the smallest that is too large, also one that rows are
looked for with if the database refuses that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from wimble.databases.languages import language_of
from wimble.engine.queries.injection_targets import sites_of_call
from wimble.feedback.comparison.omitted_inputs import is_site_named
from wimble.feedback.input_to_state.input_sites import Site
from wimble.feedback.input_to_state.transforms.number_transforms import number_of
from wimble.model.database import Database, DatabaseCommand
from wimble.model.evaluation import Evaluation
from wimble.model.hints import InjectionHint
from wimble.model.resource_names import plain_name
from wimble.types import OperationId

LEAST_PART: Final = 4
"""Characters of an input that is found within a longer text: fewer are there by chance."""
MAX_SITES: Final = 4
"""Number of inputs with a number that are tried for one column."""
MAX_LOOKS: Final = 20
"""Number of commands of an operation, from one place of the program, that are searched for inputs."""


class ColumnLimits:
    """Proposes a value beyond the limit, once for each input and column."""

    def __init__(self) -> None:
        self._proposed: set[tuple[str, ...]] = set()
        self._looks: Counter[tuple[OperationId, str]] = Counter()
        """By operation and place: the number of commands that were searched for inputs."""

    def hints(self, evaluation: Evaluation, schemas: Mapping[str, Database]) -> Iterator[InjectionHint]:
        """Yields a hint for each input that is to be tried with the inputs of the evaluation."""
        for command in evaluation.interactions_of(DatabaseCommand):
            database = schemas.get(command.database)
            if database is None or command.error:
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
        written = language_of(database.dialect).limited_values(command, database)
        sites = sites_of_call(evaluation, command.call) if written else []
        for limited in written:
            if isinstance(limited.value, str):
                found = _written(sites, limited.value)
            else:
                equal = [site for site in sites if number_of(site.value) == limited.value]
                name = limited.column.rpartition(".")[2]
                named = [site for site in equal if is_site_named(site, name, evaluation.test_case)]
                found = (named or equal)[:MAX_SITES]  # many inputs may be 1
            for site in found:
                key = (operation.id, command.place, _name(evaluation, command.call, site), limited.column)
                if key not in self._proposed:
                    self._proposed.add(key)
                    yield InjectionHint(
                        key=key,
                        call=command.call,
                        address=site.address,
                        inner=site.inner,
                        templates=(limited.beyond,),
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
