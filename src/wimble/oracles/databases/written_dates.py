"""Columns of texts in which the API itself keeps dates, as its own commands have shown.

Databases without a type for dates keep them as texts, and a test may then insert any text. A program that fails to read
such a row as a date is not at fault, if it writes nothing but dates there. So made rows have dates there, too, as if a
model of the program said so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from wimble.databases.data_change import DataChange
from wimble.genes import StringGene, iter_genes
from wimble.genes.date_texts import to_time
from wimble.model.database import ColumnRules, Database, TableRules
from wimble.model.resource_names import words_in
from wimble.model.setup import value_of
from wimble.model.setup_kinds.database_action import DatabaseAction, inserted_values
from wimble.model.testcase import Call, TestCase
from wimble.oracles.messages.message_shapes import MIN_INPUT_CHARS
from wimble.types import ABSENT, Json

DATE: Final = "date in any format"
_FORMATS: Final = ("date", "date-time", DATE)
"""What `_format_of` returns for dates."""
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
_ABOUT_DATE: Final = re.compile(
    r"invalid (?:time value|time\b|date)|\bnot a valid (?:date|time)\b|\bcannot represent .*\bNaN$", re.IGNORECASE
)
"""In errors of engines and of libraries for dates, and of GraphQL for numbers that are calculated from them."""
_DOCUMENT: Final = frozenset({"query", "variables"})
"""Members of a content that is a document of GraphQL with its variables."""
_DATE_WORDS: Final = frozenset(
    [
        *("after", "at", "before", "begin", "birthday", "by", "date", "dates", "datetime", "day", "days", "deadline"),
        *("due", "end", "expires", "expiry", "from", "month", "on", "since", "start", "time", "timestamp", "to"),
        *("until", "week", "when", "year"),
    ]
)
"""Last words of names of inputs that may be dates."""


class WrittenDates:
    """Learns them from what commands change."""

    def __init__(self) -> None:
        self._formats: dict[tuple[str, str], str] = {}
        """By table and column, in lower case: the format of all texts that calls have written; DATE if these are dates
        of several formats, or of another one; "" if some are none."""
        self.version = 0
        """The number of changes of these formats."""

    def note(self, change: DataChange) -> None:
        for column, value in change.assigned.items():
            if isinstance(value, str):
                key = change.table.lower(), column.lower()
                found = _format_of(value)
                known = self._formats.get(key, found)
                new = found if found == known else DATE if found and known else ""
                self.version += new != self._formats.get(key, "")
                self._formats[key] = new

    def rules(self, database: Database) -> tuple[TableRules, ...]:
        """Returns the formats as rules for columns of texts."""
        rules: list[TableRules] = []
        for table in database.tables:
            columns = {
                column.name: ColumnRules(format=form)
                for column in table.columns
                if column.type == "text" and (form := self._of(table.name.name, column.name)) not in ("", DATE)
            }
            if columns:
                rules.append(TableRules(table=table.name.name, schema=table.name.schema, columns=columns))
        return tuple(rules)

    def _of(self, table: str, column: str) -> str:
        return self._formats.get((table.lower(), column.lower()), "")

    def _breaking(self, test_case: TestCase) -> Iterator[str]:
        """Yields texts in rows that the test case inserts which have not the format of the dates that the API writes
        there.
        """
        for _, action in test_case.setup_of(DatabaseAction):
            for column, gene in zip(action.columns, action.genes, strict=True):
                form = self._of(action.table.name, column.name)
                value = value_of(test_case, gene) if form else None
                allowed = _FORMATS if form == DATE else (form,)
                if isinstance(value, str) and _format_of(value) not in allowed:
                    yield value

    def explain(self, test_case: TestCase, index: int, message: str) -> bool:
        """Whether an error of a call says only that a date is none, and means such a text in a row of the test case,
        rather than one that the call has sent where a date may be meant.

        index: the call's.
        """
        if not test_case.setup or _ABOUT_DATE.search(message) is None:
            return False
        breaking = list(self._breaking(test_case))
        if not breaking:
            return False
        rows = inserted_values(test_case)
        sent = _sent_dates(test_case.calls[index])
        no_dates = [text for text in sent if text not in rows and to_time(text) is None]
        return not no_dates or (_quotes_any(message, breaking) and not _quotes_any(message, no_dates))


def _sent_dates(call: Call) -> Iterator[str]:
    """Yields the texts that a call sends where a date may be meant: by the name, or by what is known of the input.

    What the call is about and its credentials are left out, and so are the fields that it selects.
    """
    for declared, gene in zip(call.operation.inputs, call.genes, strict=True):
        value = gene.phenotype()
        if declared.role in ("subject", "credential") or value is ABSENT:
            continue
        if isinstance(value, dict) and value.keys() == _DOCUMENT:
            value = value["variables"]
        yield from _named_dates(declared.name, value)
        for _, inner in iter_genes(gene):
            if isinstance(inner, StringGene) and "date" in f"{inner.specialisation} {inner.format}":
                yield inner.value


def _named_dates(name: str, value: Json) -> Iterator[str]:
    if isinstance(value, str):
        words = words_in(name)
        if words and words[-1] in _DATE_WORDS:
            yield value
    elif isinstance(value, dict):
        for key, member in value.items():
            yield from _named_dates(key, member)
    elif isinstance(value, list):
        for element in value:
            yield from _named_dates(name, element)


def _quotes_any(message: str, texts: Sequence[str]) -> bool:
    return any(len(text) >= MIN_INPUT_CHARS and text in message for text in texts)


def _format_of(text: str) -> str:
    """Returns the format of JSON Schema that the text has, DATE if it is a date of another one, or ""."""
    if to_time(text) is None:
        return ""
    if _DAY.fullmatch(text):
        return "date"
    return "date-time" if _MOMENT.fullmatch(text) else DATE
