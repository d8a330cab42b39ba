"""Where an input stands in the text of a command, in each dialect."""

import pytest

from wimble.databases.injections.probes import HEAD, PARAMETER, TAIL
from wimble.databases.sql.sql_positions import positions_in_sql
from wimble.databases.sql.token_spans import is_within_one, spans_of
from wimble.model.database import DatabaseCommand


def positions(text, value="zqfirst", dialect="sqlite", params=()):
    command = DatabaseCommand(database="d", call=0, site="", text=text, params=params)
    return {one.name: one.templates for one in positions_in_sql(command, value, dialect)}


@pytest.mark.parametrize(
    ("text", "dialect", "name", "first"),
    [
        ("SELECT * FROM t WHERE a LIKE '%zqfirst%'", "sqlite", "text", f"{HEAD}'{TAIL}"),
        ('SELECT * FROM t WHERE a = "zqfirst"', "mysql", "text", f'{HEAD}"{TAIL}'),
        ("SELECT data->>'$.zqfirst' FROM t", "sqlite", "text", f"{HEAD}'{TAIL}"),
        ("SELECT $$zqfirst$$", "postgres", "text", f"{HEAD}$${TAIL}"),
        ('SELECT * FROM t ORDER BY "zqfirst"', "postgres", "name", f'{HEAD}"{TAIL}'),
        ("SELECT * FROM t ORDER BY `zqfirst`", "mysql", "name", f"{HEAD}`{TAIL}"),
        ("SELECT * FROM t ORDER BY zqfirst DESC", "mysql", "word", f"zqfirst OR ({HEAD})={TAIL}"),
        ("SELECT 1 /* zqfirst */", "postgres", "comment", f"{HEAD}*/{TAIL}"),
    ],
)
def test_the_position_decides_what_is_syntax(text, dialect, name, first):
    found = positions(text, dialect=dialect)
    assert list(found) == [name]
    assert found[name][0] == first


def test_numbers_are_whole_tokens():
    assert list(positions("SELECT * FROM t LIMIT 10", "10")) == ["number"]
    assert positions("SELECT * FROM t10 WHERE a = $10 LIMIT 100", "10", "postgres") == {}


def test_an_input_among_the_parameters_can_only_be_an_object():
    (templates,) = positions("SELECT * FROM t WHERE a = ?", params=("zqfirst",)).values()
    assert all(isinstance(one, dict) for one in templates)
    assert positions("SELECT * FROM t WHERE a = ?", params=("other",)) == {}


@pytest.mark.parametrize(
    ("text", "dialect", "is_within"),
    [
        ("SELECT 'zqa'zqb'", "sqlite", False),
        ("SELECT 'zqa''zqb'", "sqlite", True),
        (r"SELECT 'zqa\'zqb'", "mysql", True),
        (r"SELECT 'zqa\'zqb'", "sqlite", False),
        (r"SELECT 'zqa\''zqb'", "mysql", False),
        (r"SELECT 'zqa\''zqb'", "postgres", True),
        ("SELECT 1 -- zqa' zqb", "postgres", True),
        ("SELECT 1 /* zqa */ zqb */", "postgres", False),
        ("SELECT [zqa zqb]", "sqlite", True),
    ],
)
def test_tokens_are_those_of_the_dialect(text, dialect, is_within):
    assert is_within_one(text, dialect, text.index("zqa"), text.index("zqb") + 3) is is_within


@pytest.mark.parametrize("text", ["SELECT 1 FROM a ORDER BY b [", "SELECT 1 FROM a ORDER BY b $", "SELECT '", "", "["])
@pytest.mark.parametrize("dialect", ["postgres", "mysql", "sqlite"])
def test_spans_end_with_the_command(text, dialect):
    spans = spans_of(text, dialect)
    assert spans is None or "".join(text[span.start : span.end] for span in spans) == text


@pytest.mark.parametrize(
    ("text", "params", "first"),
    [
        ("SELECT * FROM films WHERE title ~* $1", ("abc",), f"{HEAD}({TAIL}"),
        ("SELECT * FROM films WHERE id = $1 AND title ~ $2", (1, "abc"), f"{HEAD}({TAIL}"),
        ("SELECT * FROM films WHERE title REGEXP ?", ("abc",), f"{HEAD}({TAIL}"),
        ("SELECT * FROM films WHERE d = ? AND title REGEXP ?", ("abc", "x"), None),
        ("SELECT * FROM films WHERE doc @@ to_tsquery('simple', $1)", ("abc",), f"{HEAD} {TAIL}"),
        ("SELECT * FROM films WHERE MATCH(title) AGAINST (? IN BOOLEAN MODE)", ("abc",), f"{HEAD} {TAIL}"),
        ("SELECT * FROM films WHERE title LIKE $1", ("abc",), f"{HEAD}\\"),
        ("SELECT * FROM films WHERE title LIKE '%' || $1", ("abc",), None),
        ("SELECT * FROM films WHERE title = $1", ("abc",), None),
    ],
)
def test_a_parameter_that_the_database_parses_is_tried_with_what_it_cannot_read(text, params, first):
    command = DatabaseCommand(database="d", call=0, site="", text=text, params=params)
    (position,) = positions_in_sql(command, "abc", "postgres")
    assert position.name == PARAMETER
    assert (position.templates[0] if isinstance(position.templates[0], str) else None) == first
