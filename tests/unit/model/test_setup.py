from random import Random

import msgspec
import pytest

from wimble.genes import AnyGene, IntegerGene, LinkedGene, NullableGene, OptionalGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.database import Column, TableName
from wimble.model.setup import setup_comments, shifted, with_copy, with_moved_calls, without_setup
from wimble.model.setup_kinds.database_action import default_of, inserted_rows
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import Call, GeneAddress, TestCase
from wimble.types import ABSENT, OperationId

ID = Column(name="id", type_name="integer", type="integer")
EMAIL = Column(name="email", type_name="text", type="text")
META = Column(name="meta", type_name="json", type="json")


def call(*genes) -> Call:
    inputs = tuple(HttpInput(name=f"i{n}", location="query", template=gene) for n, gene in enumerate(genes))
    return Call(http_operation(id=OperationId("GET /x"), method="GET", path="/x", inputs=inputs), genes)


def row(table: str, **cells) -> InsertRow:
    columns = {"id": ID, "email": EMAIL, "meta": META, "user_id": msgspec.structs.replace(ID, name="user_id")}
    return InsertRow(
        genes=tuple(cells.values()),
        database="main",
        dialect="postgres",
        table=TableName(table),
        columns=tuple(columns[name] for name in cells),
    )


def values(test_case: TestCase) -> list[tuple]:
    return [rows.rows[0] for rows in inserted_rows(test_case)]


def test_a_row_has_the_value_of_the_input_that_it_is_linked_with():
    linked = LinkedGene(0, 1, (), StringGene("old"))
    test_case = TestCase((call(IntegerGene(1), StringGene("kari")),), (row("users", id=IntegerGene(7), email=linked),))

    assert values(test_case) == [(7, "kari")]
    changed = test_case.with_gene(GeneAddress(0, 1), StringGene("ola"))
    assert values(changed) == [(7, "ola")]


@pytest.mark.parametrize(("given", "expected"), [("17", 17), ("abc", 3), (IntegerGene(17).phenotype(), 17)])
def test_an_input_of_another_type_is_read_as_one_of_the_column_or_not_at_all(given, expected):
    gene = StringGene(given) if isinstance(given, str) else IntegerGene(given)
    test_case = TestCase((call(gene),), (row("users", id=LinkedGene(0, 0, (), IntegerGene(3))),))

    assert values(test_case) == [(expected,)]


def test_an_input_that_is_left_out_leaves_the_row_its_own_value():
    absent = OptionalGene(StringGene("x"), False)
    test_case = TestCase((call(absent),), (row("users", email=LinkedGene(0, 0, (), NullableGene(StringGene("own")))),))

    assert values(test_case) == [("own",)]


def test_children_follow_the_keys_of_their_parents():
    child = row("orders", user_id=LinkedGene(-1, 0, (), IntegerGene(0)))
    test_case = TestCase((call(),), (row("users", id=IntegerGene(7)), child))

    assert values(test_case) == [(7,), (7,)]
    assert values(test_case.with_gene(GeneAddress(-1, 0), IntegerGene(8))) == [(8,), (8,)]


def test_genes_of_setup_actions_are_genes_of_the_test_case():
    test_case = TestCase((call(IntegerGene(1)),), (row("users", id=IntegerGene(7), email=StringGene("a")),))

    addresses = [address for address, _ in test_case.iter_genes()]

    assert addresses == [GeneAddress(-1, 0), GeneAddress(-1, 1), GeneAddress(0, 0)]
    assert all(test_case.gene_at(address) == gene for address, gene in test_case.iter_genes())


def test_a_row_that_is_gone_leaves_its_key_behind():
    rows = (
        row("users", id=IntegerGene(7)),
        row("shops", id=IntegerGene(9)),
        row("orders", user_id=LinkedGene(-1, 0, (), IntegerGene(0))),
    )
    test_case = TestCase((call(),), rows)

    assert values(without_setup(test_case, 0)) == [(9,), (7,)]
    assert values(without_setup(test_case, 1)) == [(7,), (7,)]


def test_links_move_with_their_calls():
    setup = (row("users", email=LinkedGene(1, 0, (), StringGene("own"))),)
    calls = (call(StringGene("first")), call(StringGene("second")))

    assert values(TestCase(calls[1:], with_moved_calls(setup, {1: 0}))) == [("second",)]
    assert values(TestCase(calls[:1], with_moved_calls(setup, {0: 0}))) == [("own",)]
    assert values(TestCase((*calls, *calls), shifted(setup, 2, 0))) == [("second",)]


def test_setup_of_a_test_case_put_behind_another_points_to_its_own_rows():
    users = row("users", id=IntegerGene(7))
    orders = row("orders", user_id=LinkedGene(-1, 0, (), IntegerGene(0)))
    others = (row("users", id=IntegerGene(1)),)

    assert values(TestCase((call(),), (*others, *shifted((users, orders), 0, 1)))) == [(1,), (7,), (7,)]


def test_json_is_sent_as_text():
    test_case = TestCase((call(),), (row("users", meta=AnyGene({"a": [1]})),))

    assert values(test_case) == [('{"a": [1]}',)]


def test_columns_that_are_left_out_are_not_sent():
    absent = OptionalGene(StringGene("x"), False)
    test_case = TestCase((call(),), (row("users", id=IntegerGene(7), email=absent),))

    (rows,) = inserted_rows(test_case)

    assert (rows.columns, rows.rows) == (("id",), ((7,),))


def test_a_copy_of_a_row_has_keys_of_its_own_and_the_same_parents():
    child = row("orders", id=IntegerGene(5), user_id=LinkedGene(-1, 0, (), IntegerGene(0)))
    child = msgspec.structs.replace(child, keys=("id",))
    test_case = TestCase((call(),), (row("users", id=IntegerGene(7)), child))

    _, first, second = values(with_copy(test_case, 1, Random(1)))

    assert first[0] != second[0]
    assert first[1] == second[1] == 7


def test_rows_are_told_in_sql_that_can_be_read():
    cells = {"id": IntegerGene(7), "email": StringGene("o'hara\n#"), "meta": NullableGene(AnyGene({}), True)}
    test_case = TestCase((call(),), (row("users", **cells),))

    assert setup_comments(test_case) == ("# needs: INSERT INTO users (id, email, meta) VALUES (7, 'o''hara #', NULL)",)


@pytest.mark.parametrize(
    ("default", "expected"),
    [
        ("'adult'::text", "adult"),
        ("'it''s'::character varying(20)", "it's"),
        ("('x')", "x"),
        ("0", 0),
        ("'5'::integer", "5"),
        ("1.5", 1.5),
        ("true", True),
        ("NULL::character varying", None),
        (None, None),
        ("now()", ABSENT),
        ("nextval('a_id_seq'::regclass)", ABSENT),
    ],
)
def test_defaults_that_are_constants_are_known(default, expected):
    column = Column(name="kind", type_name="text", type="text", default=default)

    assert default_of(column) == expected


def test_a_column_without_a_default_that_must_be_there_has_none():
    assert default_of(Column(name="kind", type_name="text", type="text", is_nullable=False)) is ABSENT


def test_integers_of_rows_are_exact_as_doubles():
    zone = row("zones", id=IntegerGene(2**53 + 32_767), user_id=IntegerGene(-(2**60)))
    assert zone.inserted(TestCase((), (zone,))).rows == ((2**53 - 1, 1 - 2**53),)


def test_keys_that_the_database_numbers_leave_room_for_the_next_ones():
    numbered = msgspec.structs.replace(ID, is_identity=True, bits=32)
    member = msgspec.structs.replace(row("members", id=IntegerGene(2**31 - 1)), columns=(numbered,))
    assert member.inserted(TestCase((), (member,))).rows == ((2**31 - 1 - 1_000,),)
