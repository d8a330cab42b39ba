"""The tables of database languages: each dialect has a row in each, and no parser is imported before it is needed."""

import subprocess
import sys
from typing import get_args

import pytest

from wimble.databases.languages import LANGUAGES, language_of
from wimble.feedback.queries.query_edits import EDITS
from wimble.model.database import Dialect
from wimble.state.database_kinds import DATABASE_KINDS


@pytest.mark.parametrize("table", [LANGUAGES, EDITS, DATABASE_KINDS])
def test_each_dialect_has_a_row_in_each_table(table):
    assert set(table) == set(get_args(Dialect))


def test_the_language_of_a_dialect_is_one_object():
    assert language_of("postgres") is language_of("postgres")
    assert language_of("postgres") is not language_of("mysql")


@pytest.mark.parametrize(
    "statement",
    [
        "import wimble.engine.queries.query_targets, wimble.feedback.hint_readers, wimble.engine.run",
        "from wimble.databases.languages import language_of; language_of('mongo')",
    ],
)
def test_the_parser_of_sql_is_not_imported_without_sql(statement):
    program = f"import sys; {statement}; sys.exit('sqlglot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
