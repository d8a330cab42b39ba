import pytest

from wimble.databases.conditions.truth import BASE, FALSE, TRUE, UNKNOWN, Truth, all_of, any_of, closeness, graded
from wimble.databases.query_outcome import is_found, outcome_of
from wimble.databases.sql.sql_statements import statement
from wimble.model.database import DatabaseCommand


def command(text: str, **fields) -> DatabaseCommand:
    return DatabaseCommand(database="d", call=0, site="", text=text, **fields)


def test_h_is_1_exactly_for_the_outcome_that_was_there():
    missed = outcome_of(False, Truth(False, 0.25, 0.0))
    found = outcome_of(True, Truth(True, 0.0, 0.5))

    assert (missed.h_missed, found.h_found) == (1.0, 1.0)
    assert BASE < missed.h_found < 1.0
    assert BASE < found.h_missed < 1.0


def test_a_distance_at_odds_with_the_driver_is_no_distance():
    assert outcome_of(False, Truth(True, 0.0, 0.5)).h_found == BASE
    assert outcome_of(True, None).h_missed == BASE


def test_no_distance_however_small_makes_a_missed_outcome_covered():
    assert closeness(1e-300) < 1.0
    assert closeness(1.0) == BASE


def test_nearer_operands_have_a_higher_h():
    query = statement("select * from t where n = $1", "postgres")
    near = query.truth({"t": [{"n": 5}]}, (6,))
    far = query.truth({"t": [{"n": 5}]}, (600,))
    empty = query.truth({"t": []}, (6,))

    assert closeness(near.to_true) > closeness(far.to_true) > closeness(empty.to_true)


def test_more_conditions_met_are_nearer():
    query = statement("select * from t where a = 1 and b = 'x' and c = 2", "postgres")
    one = query.truth({"t": [{"a": 1, "b": "zzz", "c": 70}]}, ())
    two = query.truth({"t": [{"a": 1, "b": "x", "c": 70}]}, ())

    assert two.to_true < one.to_true


@pytest.mark.parametrize(
    ("text", "fields", "expected"),
    [
        ("select * from t", {"returned": 2}, True),
        ("select * from t", {"returned": 0}, False),
        ("delete from t", {"affected": 0}, False),
        ("update t set a = 1 returning a", {"returned": 0, "affected": 1}, False),
        ("select count(*) from t", {"returned": 1}, False),
        ("select * from t", {"error": "no such table"}, None),
    ],
)
def test_the_driver_says_what_was_found_except_for_counts(text, fields, expected):
    compiled = statement(text, "postgres")

    assert is_found(command(text, **fields), compiled, compiled.truth({"t": []}, ())) is expected


def test_unknown_is_as_far_from_true_as_from_false():
    assert all_of([TRUE, UNKNOWN]).value is None
    assert any_of([FALSE, UNKNOWN]).value is None
    assert any_of([TRUE, UNKNOWN]).value is True
    assert all_of([FALSE, UNKNOWN]).value is False
    assert graded(False, 0.0).to_true > 0.0


def test_commands_that_look_for_nothing_are_no_statements():
    assert statement("insert into t values (1)", "postgres") is None
    assert statement("begin", "postgres") is None
    assert statement("select from where", "postgres") is None
