import pytest
from fake_sut import operation

from wimble.genes import (
    ArrayGene,
    EnumGene,
    IntegerGene,
    LinkedGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    ReferenceGene,
    SeededGene,
    StringGene,
)
from wimble.model.database import Column, TableName
from wimble.model.setup import without_refused
from wimble.model.setup_kinds.database_action import inserted_rows
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import Call, TestCase
from wimble.search.minimise.minimiser import minimise_test
from wimble.search.resources.references import has_valid_references

POST = operation("POST", "/books")
GET = operation("GET", "/books/{id}", id=IntegerGene())
NOISE = operation("GET", "/noise")


class Judge:
    """Counts what it is asked, and remembers what it kept."""

    def __init__(self, condition):
        self._condition = condition
        self.asked = []
        self.kept = []

    def __call__(self, test_case):
        assert has_valid_references(test_case)
        self.asked.append(test_case)
        verdict = self._condition(test_case)
        if verdict:
            self.kept.append(test_case)
        return verdict


def with_value(gene):
    op = operation("GET", "/v", v=gene)
    return TestCase((Call(op, (gene,)),))


def minimal_value(gene, condition, max_tries=60):
    judge = Judge(lambda test_case: condition(test_case.calls[0].genes[0].phenotype()))
    return minimise_test(with_value(gene), judge, max_tries).calls[0].genes[0].phenotype()


def test_only_the_calls_that_matter_are_left():
    noise = Call(NOISE, ())
    get = Call(GET, (ReferenceGene(3, "/id", IntegerGene(0)),))
    test_case = TestCase((noise, noise, noise, Call(POST, ()), noise, noise, get, noise, noise, noise))

    def is_kept(candidate):
        operations = [call.operation for call in candidate.calls]
        return POST in operations and any(
            isinstance(gene, ReferenceGene) and operations[gene.call] is POST
            for c in candidate.calls
            for gene in c.genes
        )

    judge = Judge(is_kept)
    result = minimise_test(test_case, judge, 60)
    assert [call.operation for call in result.calls] == [POST, GET]
    assert result.calls[1].genes[0].call == 0
    assert len(judge.asked) <= 30


def test_calls_that_need_each_other_survive():
    test_case = TestCase(tuple(Call(operation("GET", f"/{i}"), ()) for i in range(8)))
    needed = {test_case.calls[1], test_case.calls[6]}
    result = minimise_test(test_case, Judge(lambda c: needed <= set(c.calls)), 60)
    assert set(result.calls) == needed


def test_nothing_kept_gives_the_original():
    test_case = with_value(StringGene("abcdef"))
    assert minimise_test(test_case, Judge(lambda _: False), 60) is test_case


@pytest.mark.parametrize("max_tries", [0, 1, 5])
def test_tries_are_limited_and_the_result_was_kept(max_tries):
    test_case = TestCase(tuple(Call(NOISE, ()) for _ in range(9)))
    judge = Judge(lambda candidate: len(candidate.calls) >= 2)
    result = minimise_test(test_case, judge, max_tries)
    assert len(judge.asked) <= max_tries
    assert result is test_case or result in judge.kept


def test_no_test_case_is_asked_about_twice():
    body = ObjectGene((("a", StringGene("hello")), ("n", IntegerGene(77)), ("o", OptionalGene(IntegerGene(3)))))
    judge = Judge(lambda _: False)
    minimise_test(with_value(body), judge, 100)
    assert all(judge.asked[i] != judge.asked[j] for i in range(len(judge.asked)) for j in range(i))


def test_optional_inputs_go_but_for_the_needed_one():
    body = ObjectGene(tuple((name, OptionalGene(StringGene("xyz"))) for name in "abcde"))
    assert minimal_value(body, lambda value: "c" in value) == {"c": "a"} or minimal_value(body, lambda v: "c" in v) == {
        "c": ""
    }


def test_array_loses_its_items():
    gene = ArrayGene(IntegerGene(), tuple(IntegerGene(i + 50) for i in range(6)))
    assert minimal_value(gene, lambda _: True) == []
    assert minimal_value(gene, lambda value: len(value) >= 1) == [0]


@pytest.mark.parametrize(
    ("gene", "condition", "expected"),
    [
        (IntegerGene(73_421), lambda value: True, 0),
        (IntegerGene(73_421), lambda value: value == 73_421, 73_421),
        (IntegerGene(73_421), lambda value: value > 0, 1),
        (IntegerGene(73_421), lambda value: value >= 100, 100),
        (IntegerGene(-73_421), lambda value: value < 0, -1),
        (IntegerGene(73_421, minimum=5), lambda value: True, 5),
        (NumberGene(3.14159), lambda value: value > 2, 10),
        (StringGene("Xq9#long and odd"), lambda value: True, ""),
        (StringGene("Xq9#long and odd"), lambda value: len(value) > 0, "a"),
        (StringGene("Xq9#long and odd"), lambda value: value.startswith("Xq9#"), "Xq9#"),
        (StringGene("Xq9#long", min_length=3), lambda value: True, "aaa"),
        (StringGene("kx3tz@ab.example.org", format="email"), lambda value: True, "a@example.com"),
        (StringGene("kx3tz@ab.example.org", format="email"), lambda value: value.startswith("kx"), "kx"),
        (EnumGene(("asc", "desc"), 1), lambda value: True, "asc"),
        (EnumGene(("asc", "desc"), 1), lambda value: value == "desc", "desc"),
        (SeededGene(StringGene("kjh2!"), ("Dune",)), lambda value: True, "Dune"),
    ],
)
def test_values_become_simple(gene, condition, expected):
    assert minimal_value(gene, condition) == expected


def test_same_question_same_answer():
    body = ObjectGene((("a", StringGene("hello world")), ("n", IntegerGene(77)), ("o", OptionalGene(IntegerGene(3)))))
    condition = lambda test_case: "o" in test_case.calls[0].genes[0].phenotype()  # noqa: E731
    first, second = Judge(condition), Judge(condition)
    test_case = with_value(body)
    assert minimise_test(test_case, first, 60) == minimise_test(test_case, second, 60)
    assert first.asked == second.asked


def row(table, *, database="main", **genes):
    columns = tuple(Column(name=name, type_name="text", type="text") for name in genes)
    return InsertRow(
        genes=tuple(genes.values()), database=database, dialect="postgres", table=TableName(table), columns=columns
    )


def rows_after(condition, *rows):
    """The rows that are left: (table, {column: value})."""
    judge = Judge(lambda test_case: condition(inserted_rows(test_case)))
    smaller = minimise_test(TestCase((Call(NOISE, ()),), rows), judge, 200)
    return [(one.table.name, dict(zip(one.columns, one.rows[0], strict=True))) for one in inserted_rows(smaller)]


def test_rows_that_do_not_matter_are_dropped_and_keys_stay_right():
    child = row("orders", user_id=LinkedGene(-2, 0, (), IntegerGene(0)))
    left = rows_after(
        lambda rows: any(one.table.name == "orders" for one in rows) and any(one.table.name == "users" for one in rows),
        row("shops", id=IntegerGene(4711)),
        row("users", id=IntegerGene(123456)),
        child,
    )

    assert [table for table, _ in left] == ["users", "orders"]
    assert left[0][1]["id"] == left[1][1]["user_id"]


def test_a_row_is_not_put_in_when_its_simpler_key_is_that_of_one_which_is_there():
    there = {1}

    def is_order_of_a_user(rows):
        users = there | {one.rows[0][0] for one in rows if one.table.name == "users"}
        return any(one.table.name == "orders" and one.rows[0][0] in users for one in rows)

    left = rows_after(
        is_order_of_a_user,
        row("users", id=IntegerGene(77, minimum=1)),
        row("orders", user_id=LinkedGene(-1, 0, (), IntegerGene(0, minimum=1))),
    )

    assert left == [("orders", {"user_id": 1})]


def test_columns_are_left_to_their_defaults_and_texts_keep_their_format():
    left = rows_after(
        lambda rows: len(rows) == 1,
        row("users", note=OptionalGene(StringGene("anything")), born=StringGene("1987-06-05", format="date")),
    )

    assert left == [("users", {"born": "1987-06-05"})]


def test_many_values_become_plain_in_few_tries():
    needed = 7
    names = {f"p{number}": StringGene("x8k2f", min_length=1) for number in range(16)}
    op = operation("GET", "/v", **names)
    judge = Judge(lambda test_case: test_case.calls[0].genes[needed].phenotype() == "x8k2f")
    smallest = minimise_test(TestCase((Call(op, tuple(names.values())),)), judge, 12)
    values = [gene.phenotype() for gene in smallest.calls[0].genes]
    assert values == ["a"] * needed + ["x8k2f"] + ["a"] * (len(names) - needed - 1)


def test_examples_of_the_document_stay_when_many_values_are_made_plain():
    gene = SeededGene(StringGene("Low Tide"), ("Low Tide",))
    assert minimal_value(gene, lambda value: True) == "Low Tide"


def test_calls_of_operations_that_do_not_matter_go_together():
    calls = [Call(operation("GET", path), ()) for path in ("/noise", "/other") * 8] + [
        Call(operation("GET", "/subject"), ())
    ]
    asked = []

    def is_kept(candidate):
        asked.append(candidate)
        return candidate.calls[-1] == calls[-1]

    assert minimise_test(TestCase(tuple(calls)), is_kept, 60).calls == (calls[-1],)
    assert [len(one.calls) for one in asked[:2]] == [9, 1]


def test_rows_that_are_refused_are_dropped_at_once():
    """A simpler key is that of a row which is there already; there are no tries left to drop its own row then."""

    def applied(candidate):
        users = [number for number, one in enumerate(candidate.setup) if one.table.name == "users"]
        taken = [number for number in users if candidate.setup[number].genes[0].phenotype() == 1]
        return without_refused(candidate, taken)

    rows = (
        row("shops", name=StringGene("corner")),
        row("users", id=IntegerGene(123456, minimum=1), city=OptionalGene(StringGene("Leiden"), True)),
        row("orders", user_id=LinkedGene(-2, 0, (), IntegerGene(0))),
        row("tags", name=StringGene("new")),
    )
    judge = Judge(lambda candidate: any(one.table.name == "orders" for one in inserted_rows(candidate)))
    all_plain = 12
    smaller = minimise_test(TestCase((Call(NOISE, ()),), rows), judge, all_plain, as_applied=applied)

    assert [one.table.name for one in inserted_rows(smaller)] == ["orders"]


@pytest.mark.parametrize("most_tries", range(1, 40))
def test_what_moves_when_a_row_was_refused_is_found_again(most_tries):
    rows = tuple(
        row(name, id=IntegerGene(123456, minimum=1), city=OptionalGene(StringGene("Leiden"), True)) for name in "abcd"
    )

    def applied(candidate):
        return without_refused(candidate, [0] if len(candidate.setup) > 1 and candidate.setup[0] != rows[0] else [])

    judge = Judge(lambda candidate: len(candidate.setup) > 0)
    smaller = minimise_test(TestCase((Call(NOISE, ()),), rows), judge, most_tries, as_applied=applied)
    assert smaller.setup
