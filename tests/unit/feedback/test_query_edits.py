"""A call, the command it ran, the rows that were there: what becomes of the test case."""

from random import Random

from wimble.feedback import apply_edit, edits_from_hints
from wimble.genes import ArrayGene, IntegerGene, ObjectGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.database import Column, Database, DatabaseCommand, ForeignKey, Table, TableName
from wimble.model.hints import ComparisonHint, QueryHint
from wimble.model.setup_kinds.database_action import inserted_rows
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.types import OperationId, TargetId

USERS = Table(
    name=TableName("users"),
    columns=(
        Column(name="id", type_name="integer", type="integer", is_nullable=False, is_identity=True),
        Column(name="email", type_name="text", type="text", is_nullable=False),
        Column(name="role", type_name="text", type="text", default="'user'"),
    ),
    primary_key=("id",),
)
ORDERS = Table(
    name=TableName("orders"),
    columns=(
        Column(name="id", type_name="integer", type="integer", is_nullable=False, is_identity=True),
        Column(name="user_id", type_name="integer", type="integer", is_nullable=False),
        Column(name="state", type_name="text", type="text", is_nullable=False),
    ),
    primary_key=("id",),
    foreign_keys=(ForeignKey(("user_id",), TableName("users"), ("id",)),),
)
DATABASE = Database(id="main", dialect="postgres", tables=(USERS, ORDERS))


def case_of(*genes) -> TestCase:
    inputs = tuple(HttpInput(name=f"i{n}", location="query", template=gene) for n, gene in enumerate(genes))
    return TestCase((Call(http_operation(id=OperationId("GET /x"), method="GET", path="/x", inputs=inputs), genes),))


def edited(test_case: TestCase, text: str, *params, wanted: bool = True, **tables) -> list[TestCase]:
    hint = QueryHint(
        target=TargetId(1),
        call=0,
        wanted=wanted,
        command=DatabaseCommand(database="main", call=0, site="", text=text, params=params),
        database=DATABASE,
        tables={"users": (), "orders": (), **tables},
    )
    return [apply_edit(test_case, edit) for edit in edits_from_hints(test_case, [hint], Random(1), JAVASCRIPT)]


def test_an_input_takes_the_value_of_a_row_that_is_there():
    kari = {"id": 5, "email": "kari@x.no", "role": "user"}
    first, *_ = edited(case_of(StringGene("k3abc")), "select * from users where email = $1", "k3abc", users=(kari,))

    assert first.calls[0].genes == (StringGene("kari@x.no"),)


def test_inputs_of_one_command_take_the_values_of_one_row():
    rows = ({"id": 5, "email": "kari@x.no", "role": "user"}, {"id": 6, "email": "ola@x.no", "role": "admin"})
    first, *_ = edited(
        case_of(StringGene("k3abc"), IntegerGene(4711)),
        "select * from users where email = $1 and id = $2 and role = 'admin'",
        "k3abc",
        4711,
        users=rows,
    )

    assert first.calls[0].genes == (StringGene("ola@x.no"), IntegerGene(6))


def test_a_row_is_inserted_that_has_the_value_of_the_input():
    cases = edited(case_of(StringGene("k3abc")), "select * from users where email = $1 and role = 'admin'", "k3abc")
    (rows,) = inserted_rows(cases[0])

    assert rows.table == TableName("users")
    assert dict(zip(rows.columns, rows.rows[0], strict=True)).items() >= {("email", "k3abc"), ("role", "admin")}
    (rows,) = inserted_rows(cases[0].with_gene(GeneAddress(0, 0), StringGene("other")))
    assert "other" in rows.rows[0]


def test_parents_are_inserted_before_their_children_and_linked():
    cases = edited(
        case_of(IntegerGene(4711)),
        "select * from orders o join users u on u.id = o.user_id where o.id = $1 and u.role = 'admin'",
        4711,
    )
    user, order = inserted_rows(cases[0])

    assert (user.table.name, order.table.name) == ("users", "orders")
    cells = dict(zip(order.columns, order.rows[0], strict=True))
    assert cells["id"] == 4711
    assert cells["user_id"] == dict(zip(user.columns, user.rows[0], strict=True))["id"]


def test_a_value_deep_in_a_body_is_linked_too():
    item = ObjectGene((("sku", StringGene("k3abc")),))
    body = ObjectGene((("items", ArrayGene(item, (item,))),))
    cases = edited(case_of(body), "select * from users where email = $1", "k3abc")

    assert "k3abc" in inserted_rows(cases[0])[0].rows[0]


def test_rows_that_were_found_are_avoided():
    cases = edited(case_of(StringGene("k3abc")), "select * from users where email = $1", "k3abc", wanted=False)

    assert cases
    assert all(case.calls[0].genes != (StringGene("k3abc"),) for case in cases)


def test_rows_of_the_setup_go_where_none_are_wanted():
    with_row = edited(case_of(StringGene("k3abc")), "select * from users where role = 'admin'")[0]
    assert with_row.setup

    cases = edited(with_row, "select * from users where role = 'admin'", wanted=False)

    assert TestCase(with_row.calls) in cases


def test_further_rows_come_behind_those_that_are_there():
    first = edited(case_of(StringGene("k3abc")), "select * from users where email = $1", "k3abc")[0]
    cases = edited(first, "select * from orders where state = 'open'")

    assert [rows.table.name for rows in inserted_rows(cases[0])] == ["users", "users", "orders"]


def test_commands_that_are_not_understood_give_no_edits():
    assert edited(case_of(StringGene("a")), "select frobnicate(", "a") == []
    assert edited(case_of(StringGene("a")), "select * from nowhere where x = $1", "a") == []


def test_a_comparison_with_a_column_of_a_row_that_was_put_in_changes_the_row():
    with_row = edited(case_of(StringGene("k3abc")), "select * from orders where state = 'open'")[0]
    user = inserted_rows(with_row)[0]
    email = dict(zip(user.columns, user.rows[0], strict=True))["email"]
    hint = ComparisonHint(target=TargetId(1), call=0, operator="identical", left=email, right="boss@x.no", wanted=True)

    cases = [apply_edit(with_row, edit) for edit in edits_from_hints(with_row, [hint], Random(1), JAVASCRIPT)]

    assert any("boss@x.no" in inserted_rows(case)[0].rows[0] for case in cases)


def test_where_a_row_has_the_key_an_input_becomes_the_key_of_a_row_of_its_own():
    kari = {"id": 5, "email": "kari@x.no", "role": "user"}
    cases = edited(case_of(IntegerGene(5)), "select * from users where id = $1 and role = 'admin'", 5, users=(kari,))
    inserted = [case for case in cases if case.setup]

    for case in inserted:
        (rows,) = inserted_rows(case)
        row = dict(zip(rows.columns, rows.rows[0], strict=True))
        assert row["id"] == case.calls[0].genes[0].phenotype() != 5
        assert row["role"] == "admin"
    assert inserted


def test_no_row_is_inserted_for_an_operand_that_no_input_is():
    kari = {"id": 5, "email": "kari@x.no", "role": "user"}
    cases = edited(case_of(StringGene("x")), "select * from users where id = $1 and role = 'admin'", 5, users=(kari,))

    assert not any(case.setup for case in cases)
