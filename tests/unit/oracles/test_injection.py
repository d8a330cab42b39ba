"""Inputs that end the literal they were put in, as seen at the driver."""

import msgspec
import pytest

from wimble.genes import AnyGene, ObjectGene, StringGene
from wimble.http.declarations import HttpInput
from wimble.model.database import DatabaseCommand
from wimble.model.testcase import Call, TestCase
from wimble.oracles.security.injection import SQL as NAME

REFUSED = "syntax error"


def run(
    make, sent, text, status=200, *, params=(), site="/srv/app/users.js:12", name="body", dialect="mysql", error=REFUSED
):
    given = HttpInput(name=name, location="body", template=ObjectGene((("name", StringGene("a")),)))
    operation = make.operation(inputs=(given,))
    evaluation = make.evaluation((operation, make.answer(status, {"error": "x"})))
    body = ObjectGene((("name", StringGene(sent) if isinstance(sent, str) else AnyGene(sent)),))
    command = DatabaseCommand(database="d", dialect=dialect, call=0, site=site, text=text, params=params, error=error)
    return msgspec.structs.replace(evaluation, test_case=TestCase((Call(operation, (body,)),)), interactions=(command,))


@pytest.mark.parametrize(
    ("sent", "text"),
    [
        ("o'hara", "SELECT * FROM users WHERE name = 'o'hara'"),
        ("o'hara", "SELECT * FROM users WHERE name LIKE '%o'hara%' ORDER BY id"),
        ('say "hi"', 'SELECT * FROM users WHERE name = "say "hi""'),
        ("x' OR '1'='1", "SELECT * FROM users WHERE name = 'x' OR '1'='1'"),
        ("a'b", "SELECT * FROM t WHERE id = a'b"),
    ],
)
def test_an_input_that_ends_its_literal_is_a_fault(make, judge, sent, text):
    (finding,) = judge(run(make, sent, text))
    assert finding.oracle == NAME
    assert finding.title == "GET /things executes the input body.name as SQL"
    assert (finding.cause.file, finding.cause.line) == ("/srv/app/users.js", 12)
    assert sent.split()[0] in finding.observed


def test_an_error_without_a_place_of_its_own_is_not_put_where_the_program_was_last(make, judge):
    evaluation = run(make, "o'hara", "SELECT * FROM users WHERE name = 'o'hara'", 500)
    thrown = make.Cause(file="/srv/app/filter.js", line=3, message=f"Error: {REFUSED}", stack="at driver.js:9:1")
    observation = msgspec.structs.replace(evaluation.observations[0], cause=thrown)
    (finding,) = judge(msgspec.structs.replace(evaluation, observations=(observation,)))
    assert (finding.oracle, finding.cause.file, finding.cause.line) == (NAME, "/srv/app/users.js", 12)


@pytest.mark.parametrize(
    ("sent", "text", "params"),
    [
        ("o'hara", "SELECT * FROM users WHERE name = $1", ("o'hara",)),
        ("o'hara", "SELECT * FROM users WHERE name = 'o''hara'", ()),
        ("o'hara", r"SELECT * FROM users WHERE name = 'o\'hara'", ()),
        ("o'hara", 'SELECT * FROM users WHERE name = "o\'hara"', ()),
        ('say "hi"', "SELECT * FROM users WHERE name = 'say \"hi\"'", ()),
        ("ab'", "SELECT * FROM users WHERE name = 'ab'''", ()),
        ("'ab", "SELECT * FROM users WHERE name = '''ab'", ()),
        ("o'hara", "SELECT 1 -- for o'hara", ()),
        ("hara", "SELECT * FROM hara", ()),
        ("'", "SELECT 'a'", ()),
    ],
)
def test_parameters_escaped_texts_and_harmless_ones_are_none(make, judge, sent, text, params):
    assert judge(run(make, sent, text, params=params)) == []


@pytest.mark.parametrize("sent", ["status = 'open'", "SELECT * FROM t WHERE status = 'open'"])
def test_a_text_that_the_program_sends_itself_is_none(make, judge, sent):
    """The search tries the texts of the program's code as inputs."""
    assert judge(run(make, sent, "SELECT * FROM t WHERE status = 'open'", dialect="sqlite", error="")) == []


def test_the_error_that_it_leads_to_is_the_same_fault(make, judge):
    (finding,) = judge(run(make, "o'hara", "SELECT * FROM users WHERE name = 'o'hara'", status=500))
    assert (finding.oracle, finding.status) == (NAME, 500)


def test_two_inputs_at_one_place_are_one_fault(make, judge):
    first, second = (run(make, sent, f"SELECT '{sent}'") for sent in ("o'hara", "it's"))
    assert judge(first)[0].key == judge(second)[0].key


def test_commands_of_one_helper_are_faults_of_their_own(make, judge):
    texts = ("SELECT 'o'hara'", "SELECT 1 FROM t WHERE a = 'o'hara'", "SELECT 1 FROM u WHERE a = 'o'hara'")
    keys = {judge(run(make, "o'hara", text))[0].key for text in texts}
    keys |= {judge(run(make, "o'hara", texts[0], name="sort"))[0].key}
    assert len(keys) == 4


def test_other_values_and_filters_before_the_input_do_not_make_it_another_fault(make, judge):
    conditions = ("", "b = 5 AND ", "c = 'x' AND b = 7 AND ")
    keys = {judge(run(make, "o'hara", f"SELECT 1 FROM t WHERE {one}a = 'o'hara'"))[0].key for one in conditions}
    assert len(keys) == 1


@pytest.mark.parametrize(
    ("sent", "text", "dialect"),
    [
        ("7 OR (zqabcde)=zqfghij", "SELECT * FROM t LIMIT 7 OR (zqabcde)=zqfghij", "sqlite"),
        ("name;zqabcde--zqfghij", "SELECT * FROM t ORDER BY name;zqabcde--zqfghij", "postgres"),
        ("zqabcde\\'zqfghij", r"SELECT 'zqabcde\''zqfghij'", "mysql"),
        ("zqabcde*/zqfghij", "SELECT 1 /* by zqabcde*/zqfghij */", "mysql"),
        ("zqabcde`zqfghij", "SELECT * FROM t ORDER BY `zqabcde`zqfghij`", "mysql"),
        ({"zqabcde": "zqfghij"}, "SELECT * FROM t WHERE name = `zqabcde` = 'zqfghij'", "mysql"),
    ],
)
def test_probes_that_become_syntax_are_faults(make, judge, sent, text, dialect):
    (finding,) = judge(run(make, sent, text, dialect=dialect))
    assert finding.oracle == NAME
    assert f"; the command: {text}" in finding.observed


@pytest.mark.parametrize(
    ("sent", "text", "dialect"),
    [
        ("7 OR (zqabcde)=zqfghij", "SELECT * FROM t WHERE a = '7 OR (zqabcde)=zqfghij'", "sqlite"),
        ("7 OR (zqabcde)=zqfghij", "SELECT * FROM t LIMIT 7", "sqlite"),
        ("zqabcde'zqfghij", "SELECT * FROM t WHERE a = 'zqabcde' OR a = 'zqfghij'", "sqlite"),
        ("zqabcde\\'zqfghij", r"SELECT 'zqabcde\''zqfghij'", "postgres"),
        ("zqabcde\\'zqfghij", r"SELECT 'zqabcde\\\'zqfghij'", "mysql"),
        ("zqabcde`zqfghij", "SELECT * FROM t ORDER BY `zqabcde``zqfghij`", "mysql"),
        ("lower(name)", "SELECT * FROM t ORDER BY lower(name)", "sqlite"),
        ({"zqabcde": "zqfghij"}, 'SELECT * FROM t WHERE name = \'{"zqabcde":"zqfghij"}\'', "sqlite"),
    ],
)
def test_escaped_probes_and_texts_that_the_program_allows_are_none(make, judge, sent, text, dialect):
    assert judge(run(make, sent, text, dialect=dialect, error="")) == []


def test_a_syntax_error_at_the_input_is_an_injection_and_another_error_is_not(make, judge):
    refused = run(make, "/o", "SELECT * FROM t ORDER BY /o", 500, dialect="sqlite", error='near "/": syntax error')
    (finding,) = judge(refused)
    assert finding.oracle == NAME
    assert finding.observed.endswith('; the database answered: near "/": syntax error')
    unknown = run(make, "price", "SELECT * FROM t ORDER BY price", 500, dialect="sqlite", error="no such column: price")
    assert [one.oracle for one in judge(unknown)] == ["server-error"]
    parameter = run(make, "a/o", "SELEC 1", 500, dialect="sqlite", error='near "SELEC": syntax error', params=("a/o",))
    assert [one.oracle for one in judge(parameter)] == ["server-error"]


def test_a_parameter_that_has_the_name_of_the_table_is_none_where_its_type_is_refused(make, judge):
    error = 'invalid input syntax for type integer: "cats"'
    text = "INSERT INTO cats (name, owner) VALUES ($1, $2)"
    evaluation = run(make, "cats", text, 500, dialect="postgres", error=error, params=("a", "cats"))
    assert [one for one in judge(evaluation) if one.oracle == "sql-injection"] == []


def test_a_server_error_names_the_injection_that_it_is_part_of(make, judge):
    def on(sent, error):
        return judge(run(make, sent, f"SELECT * FROM t ORDER BY {sent}", 500, dialect="sqlite", error=error))[0]

    injection = on("zqabcde,(zqfghij)", "")
    unknown = on("price", "no such column: price")
    assert unknown.oracle == "server-error"
    assert unknown.part_of == (injection.key,)
    literal = run(make, "price", "SELECT * FROM t WHERE a = 'price'", 500, dialect="sqlite", error="no such table: t")
    assert judge(literal)[0].part_of == ()


def test_the_same_command_is_one_fault_wherever_it_is_sent(make, judge):
    text = "SELECT id, name FROM users ORDER BY {}, id"
    # A pool sends it when it has a connection, perhaps while other code runs.
    sites = ("/srv/app/db.js:7", "/srv/app/notify.js:10")
    keys = {judge(run(make, "a'b", text.format("a'b"), dialect="sqlite", site=site))[0].key for site in sites}
    assert len(keys) == 1
    other = judge(run(make, "a'b", text.replace("id, name", "id").format("a'b"), dialect="sqlite"))[0]
    assert other.key not in keys


def test_a_sign_that_the_database_quotes_is_part_of_the_injection(make, judge):
    text = "SELECT id FROM users ORDER BY {}, id"
    injection = judge(run(make, "a'b", text.format("a'b"), dialect="postgres"))[0]
    evaluation = run(make, "[", text.format("["), 500, dialect="postgres", error='syntax error at or near "["')
    (failure,) = judge(evaluation)
    assert failure.oracle == "server-error"
    assert injection.key in failure.part_of


@pytest.mark.parametrize("direction", ["l7hly", "rooms", "3052 OR (zqqxwfj)=zqjicu6"])
def test_values_of_other_inputs_in_a_command_do_not_make_it_another_fault(make, judge, direction):
    def key_of(sort, direction, is_sent=True):
        text = f"SELECT * FROM rooms WHERE seats >= $1 ORDER BY {sort} {direction}"
        error = f'syntax error at or near "{direction.split()[0]}"'
        evaluation = run(make, {"sort": sort, "direction": direction}, text, 500, dialect="postgres", error=error)
        members = [("sort", StringGene(sort))] if is_sent else []
        declared = ObjectGene((*members, ("direction", StringGene(direction))))
        operation = evaluation.test_case.calls[0].operation
        evaluation = msgspec.structs.replace(evaluation, test_case=TestCase((Call(operation, (declared,)),)))
        (finding,) = judge(evaluation)
        assert "direction" in finding.title
        return finding.key

    assert key_of("gni4l", direction) == key_of("22", "qdqa3") == key_of("seats", "wmjdl")
    assert key_of("gni4l", direction) == key_of("name ASC, id", "wmjdl", is_sent=False)


def test_a_query_parameter_that_no_document_names_is_called_by_its_name(make, judge):
    (finding,) = judge(run(make, "o'hara", "SELECT * FROM users WHERE name = 'o'hara'", name=""))
    assert finding.title == "GET /things executes the input name as SQL"


@pytest.mark.parametrize(
    ("sent", "text", "error"),
    [
        ({"a": "b"}, "SELECT * FROM users WHERE name = `a` = 'b'", "Unknown column 'a' in 'WHERE'"),
        (["", {"a": 1}], "SELECT * FROM users WHERE name = '', '[object Object]'", "You have an error in your SQL syntax"),
        ([], "SELECT * FROM users WHERE name = ", "You have an error in your SQL syntax"),
    ],
)  # fmt: skip
def test_an_object_that_the_database_cannot_read_is_part_of_the_injection(make, judge, sent, text, error):
    proven = run(make, {"zqabcde": "zqfghij"}, "SELECT * FROM users WHERE name = `zqabcde` = 'zqfghij'", error="")
    (injection,) = judge(proven)
    (refused,) = judge(run(make, sent, text, 500, error=error))
    assert refused.oracle == "server-error"
    assert refused.part_of == (injection.key,)
    parameter = run(make, sent, "SELECT * FROM users WHERE name = ?", 500, error="Unknown column 'b'", params=("x",))
    assert judge(parameter)[0].part_of == ()


def test_an_object_in_place_of_an_undeclared_value_is_syntax_where_its_key_becomes_a_name(make, judge):
    """No document says that the member is a scalar, but it was one where the probe was put."""
    given = HttpInput(name="body", location="body", template=AnyGene(None))

    def sending(sent, text, status=500, error=REFUSED):
        evaluation = run(make, {}, text, status, error=error)
        operation = msgspec.structs.replace(evaluation.test_case.calls[0].operation, inputs=(given,))
        call = Call(operation, (AnyGene({"user": {"email": sent}}),))
        return msgspec.structs.replace(evaluation, test_case=TestCase((call,)))

    text = "SELECT * FROM users WHERE email = {}"
    (injection,) = judge(sending({"zqabcde": "zqfghij"}, text.format("`zqabcde` = 'zqfghij'")))
    assert (injection.oracle, injection.title) == (NAME, "GET /things executes the input body.user.email as SQL")
    quoted = sending(
        {"zqabcde": "zqfghij'zqklmno"}, text.format(r"`zqabcde` = 'zqfghij\'zqklmno'"), error="Unknown column"
    )
    assert [one.oracle for one in judge(quoted)] == [NAME], "its value is escaped, its key is not"
    written = text.format('\'{"zqabcde":"zqfghij"}\'')
    assert judge(sending({"zqabcde": "zqfghij"}, written, 200, "")) == [], "the driver has written it as a text"
    own = sending({"name": "status"}, text.format("`name` = 'status'"), 200, "")
    assert judge(own) == [], "an object of the API, which may be meant to be a condition"
