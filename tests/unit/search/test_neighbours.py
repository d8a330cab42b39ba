from random import Random

import msgspec
import pytest
from api import API
from msgspec.structs import replace

from wimble.genes import (
    AnyGene,
    ArrayGene,
    IntegerGene,
    LinkedGene,
    NullableGene,
    NumberGene,
    ObjectGene,
    OptionalGene,
    ReferenceGene,
    StringGene,
)
from wimble.genes.taint_markers import is_like_marker
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import Column, TableName
from wimble.model.evaluation import Evaluation
from wimble.model.hints import SplitHint
from wimble.model.setup import MAX_SETUP
from wimble.model.setup_kinds.database_action import inserted_rows
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import Call, SetupAction, TestCase
from wimble.search.archive.archive import Improvement
from wimble.search.generators.generator import Outcome, Proposal
from wimble.search.generators.variations.neighbours import (
    MAX_PER_TEST_CASE,
    MAX_SPLIT,
    MORE_ROWS,
    TURNING_DAYS,
    Neighbours,
    with_more_rows,
    with_nulls,
    with_turning_days,
    without_a_resource,
    without_a_row,
    without_any_optional,
    without_one_optional,
)
from wimble.search.generators.variations.unusual_values import (
    HUGE,
    with_empty_lists,
    with_empty_parts,
    with_greatest_numbers,
    with_huge_numbers,
    with_least_numbers,
    with_unknown_names,
)
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings
from wimble.types import ABSENT, OperationId


def call_with(*genes) -> Call:
    inputs = tuple(HttpInput(name=f"p{n}", location="query", template=gene) for n, gene in enumerate(genes))
    return Call(http_operation(id=OperationId("GET /a"), method="GET", path="/a", inputs=inputs), genes)


def test_each_present_optional_is_left_out_once_those_of_the_last_call_first():
    optional, absent = OptionalGene(IntegerGene(1)), OptionalGene(IntegerGene(2), is_present=False)
    body = ObjectGene((("x", OptionalGene(IntegerGene(3))), ("y", IntegerGene(4))))
    case = TestCase((call_with(optional), call_with(optional, absent, body)))
    *of_last, of_first = without_one_optional(case)
    seen = [[gene.phenotype() for gene in neighbour.calls[1].genes] for neighbour in of_last]
    assert seen == [[ABSENT, ABSENT, {"x": 3, "y": 4}], [1, ABSENT, {"y": 4}]]
    assert all(neighbour.calls[0] is case.calls[0] for neighbour in of_last)
    assert of_first.calls[0].genes[0].phenotype() is ABSENT
    assert of_first.calls[1] is case.calls[1]


def test_each_call_with_several_optionals_once_carries_none_of_them():
    optional, pair = OptionalGene(IntegerGene(1)), ObjectGene((("x", OptionalGene(IntegerGene(3))),))
    case = TestCase((call_with(optional, pair), call_with(optional), call_with(OptionalGene(pair), optional)))
    seen = [
        [[gene.phenotype() for gene in call.genes] for call in neighbour.calls]
        for neighbour in without_any_optional(case)
    ]
    assert seen == [
        [[1, {"x": 3}], [1], [ABSENT, ABSENT]],
        [[ABSENT, {}], [1], [{"x": 3}, 1]],
    ]


def test_a_login_that_later_calls_need_stays_as_it_is():
    free = call_with(*[OptionalGene(IntegerGene(1))] * 2, StringGene("2030-05-05"))
    login = Call(msgspec.structs.replace(free.operation, entrance="login"), free.genes)
    neighbours_of = (without_one_optional, without_any_optional, with_turning_days)
    for kind in neighbours_of:
        assert {neighbour.calls[0] is login for neighbour in kind(TestCase((login, free)))} == {True}
        assert {neighbour.calls[0] is login for neighbour in kind(TestCase((login,)))} == {False}


def test_a_user_leaves_out_an_optional_input_once_for_each_operation():
    free = call_with(StringGene("a"))
    login = Call(
        replace(call_with(OptionalGene(StringGene("b"))).operation, id=OperationId("POST /users"), entrance="sign-up"),
        (OptionalGene(StringGene("b")),),
    )
    generator = Neighbours(Sampler(API, Settings(), Random(1)), Random(1), 10)

    def proposed(*calls, status=200):
        seen = outcome_of(*calls, status=status)
        generator.observe(Outcome(seen.proposal, seen.evaluation, Improvement(newly_covered=[1])))
        found = []
        while generator.is_ready():
            found.append(generator.propose(0.0).test_case)
        return [one for one in found if one.calls[0].genes[0].phenotype() is ABSENT]

    assert len(proposed(login, free)) == 1
    assert proposed(login, free) == []
    other = Call(replace(free.operation, id=OperationId("GET /b")), free.genes)
    assert proposed(login, other, status=404) == []
    assert [len(one.calls) for one in proposed(login, other)] == [2]


def test_an_input_without_which_no_user_is_let_in_is_left_out_once():
    login = Call(
        replace(call_with(OptionalGene(StringGene("b"))).operation, id=OperationId("POST /users"), entrance="sign-up"),
        (OptionalGene(StringGene("b")),),
    )
    generator = Neighbours(Sampler(API, Settings(), Random(1)), Random(1), 10)
    paths = ("GET /a", "GET /b", "GET /c")
    for path in paths:
        free = call_with(StringGene("a"))
        seen = outcome_of(login, Call(replace(free.operation, id=OperationId(path)), free.genes))
        generator.observe(Outcome(seen.proposal, seen.evaluation, Improvement(newly_covered=[1])))
    tried = []
    while generator.is_ready() and (proposal := generator.propose(0.0)) is not None:
        refused = outcome_of(*proposal.test_case.calls, status=400)
        generator.observe(Outcome(proposal, refused.evaluation, Improvement()))
        if proposal.test_case.calls[0].genes[0].phenotype() is ABSENT:
            tried.append(proposal.test_case.calls[-1].operation.id)
    assert tried == ["GET /a"]


def test_a_resource_that_the_last_call_uses_is_removed_before_it():
    sampler = Sampler(API, Settings(), Random(1))
    create, put, remove = (
        next(one for one in API if one.id == name) for name in ("POST /books", "PUT /books/{id}", "DELETE /books/{id}")
    )
    made = Call(create, tuple(given.template for given in create.inputs))
    book = ReferenceGene(0, "/id", IntegerGene(1))
    used = Call(put, (book, put.inputs[1].template))
    (neighbour,) = without_a_resource(TestCase((made, used)), sampler)
    assert [call.operation.id for call in neighbour.calls] == [create.id, remove.id, put.id]
    assert neighbour.calls[2].genes[0] == book
    removed = neighbour.calls[1].genes[0]
    assert (removed.call, removed.pointer) == (0, "/id")
    assert list(without_a_resource(TestCase((made, Call(remove, (book,)))), sampler)) == []
    assert list(without_a_resource(TestCase((made,)), sampler)) == []


def test_neighbours_are_bounded():
    case = TestCase((call_with(*[OptionalGene(IntegerGene(n)) for n in range(30)]),))
    assert len(list(without_one_optional(case))) == MAX_PER_TEST_CASE


def test_without_optional_inputs_there_are_none():
    assert list(without_one_optional(TestCase((call_with(IntegerGene(1)),)))) == []


def values(test_case: TestCase) -> list[list[object]]:
    return [[gene.phenotype() for gene in owner.genes] for owner in (*test_case.setup, test_case.calls[-1])]


def test_columns_are_null_together_and_each_alone_and_inputs_each_alone():
    born, nick = NullableGene(StringGene("1999")), OptionalGene(NullableGene(StringGene("kari")))
    row = SetupAction((IntegerGene(7), born, nick, NullableGene(StringGene("x"), is_null=True)))
    case = TestCase((call_with(NullableGene(IntegerGene(1))), call_with(NullableGene(IntegerGene(2)))), (row,))
    assert [values(neighbour) for neighbour in with_nulls(case)] == [
        [[7, None, None, None], [2]],
        [[7, None, "kari", None], [2]],
        [[7, "1999", None, None], [2]],
        [[7, "1999", "kari", None], [None]],
    ]


def test_nulls_are_bounded():
    row = SetupAction(tuple(NullableGene(IntegerGene(n)) for n in range(30)))
    call = call_with(*[NullableGene(IntegerGene(n)) for n in range(30)])
    assert len(list(with_nulls(TestCase((call,), (row,))))) == 1 + 2 * MAX_PER_TEST_CASE


def test_one_column_is_not_nulled_twice():
    case = TestCase((call_with(),), (SetupAction((NullableGene(IntegerGene(1)),)),))
    assert [values(neighbour) for neighbour in with_nulls(case)] == [[[None], []]]


def test_a_reference_to_another_row_is_nulled_alone_if_it_may_be_null():
    tenant, number = NullableGene(IntegerGene(4)), NullableGene(IntegerGene(5))
    plot = SetupAction((IntegerGene(1), LinkedGene(-1, 0, (), tenant), number, LinkedGene(0, 0, (), number)))
    site = SetupAction((LinkedGene(-1, 0, (), IntegerGene(4)),))
    case = TestCase((call_with(IntegerGene(9)),), (SetupAction((IntegerGene(4),)), plot, site))
    nulled = [[gene.phenotype() for gene in neighbour.setup[1].genes] for neighbour in with_nulls(case)]
    assert nulled == [[1, 4, None, 5], [1, None, 5, 5]], "what an input asks for stays"


def test_null_within_what_becomes_null_is_no_matter():
    inner = ObjectGene((("x", NullableGene(IntegerGene(1))),))
    case = TestCase((call_with(),), (SetupAction((NullableGene(inner), NullableGene(IntegerGene(2)))),))
    assert [values(neighbour)[0] for neighbour in with_nulls(case)] == [
        [None, None],
        [None, 2],
        [{"x": None}, 2],
        [{"x": 1}, None],
    ]


def book(key: int, title: str) -> InsertRow:
    columns = (Column(name="id", type_name="int", type="integer"), Column(name="title", type_name="text", type="text"))
    genes = (IntegerGene(key, 1, 10_000), StringGene(title))
    return InsertRow(
        genes=genes, database="d", dialect="postgres", table=TableName("books"), columns=columns, keys=("id",)
    )


def test_further_rows_are_like_the_last_but_for_their_keys():
    case = TestCase((call_with(),), (book(1, "parent"), book(2, "child")))
    (more,) = with_more_rows(case, Random(1))
    rows = [rows.rows[0] for rows in inserted_rows(more)]
    assert more.calls is case.calls and rows[:2] == [(1, "parent"), (2, "child")]
    assert [title for _, title in rows[2:]] == ["child"] * MORE_ROWS
    assert len({key for key, _ in rows}) == 2 + MORE_ROWS


def test_a_key_that_an_input_asks_for_is_another_one_in_further_rows_and_a_reference_to_a_row_stays():
    asked = replace(book(1, "asked"), genes=(LinkedGene(0, 0, (), IntegerGene(7, 1, 10**6)), StringGene("asked")))
    case = TestCase((call_with(IntegerGene(7)),), (asked,))
    (more,) = with_more_rows(case, Random(1))
    assert len({rows.rows[0][0] for rows in inserted_rows(more)}) == 1 + MORE_ROWS
    child = replace(book(1, "child"), genes=(LinkedGene(-1, 0, (), IntegerGene(7)), StringGene("child")))
    (more,) = with_more_rows(replace(case, setup=(book(7, "parent"), child)), Random(1))
    assert {rows.rows[0][0] for rows in inserted_rows(more)} == {7}


def test_no_row_brings_no_further_ones_nor_do_too_many():
    many = TestCase((call_with(),), tuple(book(key, "x") for key in range(MAX_SETUP)))
    assert list(with_more_rows(TestCase((call_with(),)), Random(1))) == list(with_more_rows(many, Random(1))) == []


def test_dates_fall_on_days_at_which_a_week_a_month_and_a_year_end():
    row = SetupAction((StringGene("2020-03-04T05:06:07.000Z"), IntegerGene(7)))
    case = TestCase((call_with(StringGene("2020-05-06", format="date")), call_with(StringGene("7th"))), (row,))
    seen = [values(neighbour)[0][0] for neighbour in with_turning_days(case)]
    assert seen == ["2020-03-04T05:06:07.000Z"] * 6 + [f"{day}T05:06:07.000Z" for day in TURNING_DAYS]
    of_call = [neighbour.calls[0].genes[0].phenotype() for neighbour in with_turning_days(case)]
    assert of_call[3:] == [*TURNING_DAYS, "2020-05-06", "2020-05-06", "2020-05-06"]


def test_dates_of_calls_fall_on_the_next_weekend_and_end_of_a_month_since_what_is_accepted_may_be_near():
    def near(day: str) -> list[object]:
        case = TestCase((call_with(StringGene(day, format="date")),))
        return [neighbour.calls[0].genes[0].phenotype() for neighbour in with_turning_days(case)][:3]

    assert near("2020-05-06") == ["2020-05-09", "2020-05-10", "2020-05-31"]
    assert near("2024-02-24") == ["2024-03-02", "2024-02-25", "2024-02-29"]


def test_at_the_end_of_all_days_there_is_no_next_weekend():
    case = TestCase((call_with(StringGene("9999-12-30", format="date")),))
    seen = [neighbour.calls[0].genes[0].phenotype() for neighbour in with_turning_days(case)]
    assert seen[0] == "9999-12-31" and set(seen[1:]) <= {*TURNING_DAYS, "9999-12-30"}


def test_rows_to_which_no_other_refers_are_left_out_one_by_one():
    child = replace(book(1, "child"), genes=(LinkedGene(-1, 0, (), IntegerGene(7)), StringGene("child")))
    case = TestCase((call_with(),), (book(7, "parent"), child, book(9, "other")))
    left = [[rows.rows[0][1] for rows in inserted_rows(one)] for one in without_a_row(case)]
    assert left == [["parent", "child"], ["parent", "other"]]
    assert list(without_a_row(replace(case, setup=(book(7, "only"),)))) == []


def test_a_pattern_of_a_date_is_kept():
    march = StringGene("2020-03-04", pattern=r"^2020-03-0\d$")
    seen = [one.calls[0].genes[0].phenotype() for one in with_turning_days(TestCase((call_with(march),)))]
    assert seen == ["2020-03-07", "2020-03-08"]


def test_a_month_becomes_the_last_of_a_year_too():
    case = TestCase((call_with(StringGene("2031-05")),))
    seen = [neighbour.calls[0].genes[0].phenotype() for neighbour in with_turning_days(case)]
    assert seen == ["2028-12", "2023-01", "2024-02"]


def bodies(kind, test_case: TestCase, *arguments) -> list[list[object]]:
    neighbours_of = kind(test_case, lambda call: False, *arguments)
    return [[call.genes[0].phenotype() for call in neighbour.calls] for neighbour in neighbours_of]


def test_lists_that_may_be_empty_are_once_those_of_the_last_call_first():
    filled = ArrayGene(IntegerGene(), (IntegerGene(1),))
    plan = ObjectGene((("meals", filled), ("guests", replace(filled, min_items=1))))
    case = TestCase((call_with(plan), call_with(filled), call_with(replace(filled, items=()))))
    full, empty = {"meals": [1], "guests": [1]}, {"meals": [], "guests": [1]}
    assert bodies(with_empty_lists, case) == [[full, [], []], [empty, [1], []]]


def test_numbers_become_0_or_the_least_that_they_may_be():
    genes = (
        IntegerGene(7),
        NumberGene(2.5, minimum=1.5),
        IntegerGene(-3, maximum=-1),
        IntegerGene(0),
        IntegerGene(1, 1),
    )
    assert [bodies(with_least_numbers, TestCase((call_with(gene),))) for gene in genes] == [
        [[0]], [[1.5]], [], [], [],
    ]  # fmt: skip


def test_numbers_become_the_greatest_that_they_may_be_if_there_is_one():
    genes = (
        IntegerGene(9, 1, 12),
        NumberGene(2.5, maximum=90.0),
        IntegerGene(12, 1, 12),
        IntegerGene(7),
        IntegerGene(0, 0, HUGE),
    )
    assert [bodies(with_greatest_numbers, TestCase((call_with(gene),))) for gene in genes] == [
        [[12]], [[90.0]], [], [], [],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("*/15", "*/0"),
        ("12", "0"),
        ("k3x9q", None),
        ("2024-05-06", None),
        ("1.2", None),
        ("a0", None),
        ("*/4 k3x9q", "*/0 k3x9q"),
        ("abc", None),
    ],
)
def test_a_number_in_a_text_becomes_zero(text, changed):
    seen = bodies(with_least_numbers, TestCase((call_with(StringGene(text)),)))
    assert seen == ([] if changed is None else [[changed]])


def test_the_number_that_names_a_resource_stays():
    get = next(one for one in API if one.id == "GET /books/{id}")
    case = TestCase((Call(get, (IntegerGene(7), *(given.template for given in get.inputs[1:]))),))
    assert all(neighbour.calls[0].genes[0] == IntegerGene(7) for neighbour in with_least_numbers(case, lambda _: False))


def test_free_texts_of_earlier_calls_become_names_that_nobody_knows():
    body = ObjectGene(
        (
            ("hall", StringGene("Kino 1")),
            ("at", StringGene("2024-05-06T20:00")),
            ("code", StringGene("A1", pattern="^A")),
        )
    )
    case = TestCase((call_with(body), call_with(StringGene("Mona"))))
    ((made, used),) = bodies(with_unknown_names, case, Random(1))
    assert used == "Mona" and {**made, "hall": "?"} == {"hall": "?", "at": "2024-05-06T20:00", "code": "A1"}
    assert is_like_marker(made["hall"])
    assert list(with_unknown_names(case, lambda call: call == 0, Random(1))) == []


@pytest.mark.parametrize(
    ("gene", "text", "changed"),
    [
        (StringGene("Ann Lee"), "Ann Lee", "Ann Lee  A"),
        (ObjectGene((("name", AnyGene("k3x9q")), ("n", IntegerGene(1)))), "k3x9q", {"name": "k3x9q  k", "n": 1}),
        (StringGene("Ann", max_length=4), "Ann", None),
        (StringGene("Ann"), "Lee", None),
    ],
)
def test_a_text_that_is_split_gets_an_empty_part(gene, text, changed):
    case = TestCase((call_with(StringGene("Ann")), call_with(gene)))
    found = [one.calls[1].genes[0].phenotype() for one in with_empty_parts(case, 1, text, " ")]
    assert found == ([] if changed is None else [changed])


def test_a_text_that_an_earlier_call_has_stored_gets_an_empty_part_there():
    case = TestCase((call_with(StringGene("Ann Lee")), call_with(StringGene("12"))))
    (changed,) = with_empty_parts(case, 1, "Ann Lee", " ")
    assert [one.genes[0].phenotype() for one in changed.calls] == ["Ann Lee  A", "12"]
    assert list(with_empty_parts(TestCase((*case.calls[1:], case.calls[0])), 0, "Ann Lee", " ")) == []


def test_each_place_that_splits_is_tried_with_a_few_texts():
    neighbours = Neighbours(Sampler(API, Settings(), Random(1)), Random(1), 10)
    hint = SplitHint(target=1, call=0, text="Ann Lee", separator=" ")
    for _ in range(5):
        outcome = outcome_of(call_with(StringGene("Ann Lee")))
        outcome.evaluation = msgspec.structs.replace(outcome.evaluation, hints=(hint,))
        neighbours.observe(outcome)
    tried = []
    while (proposal := neighbours.propose(0.5)) is not None:
        tried.append(proposal.test_case.calls[0].genes[-1].phenotype())
    assert tried.count("Ann Lee  A") == MAX_SPLIT


def outcome_of(*calls: Call, status: int = 200, body: bytes = b"{}") -> Outcome:
    response = HttpResponse(status, (("content-type", "application/json"),), body)
    observations = tuple(http_observation(index, HttpRequest("POST", "/"), response) for index in range(len(calls)))
    evaluation = Evaluation(test_case=TestCase(calls), observations=observations, reached={})
    return Outcome(Proposal(evaluation.test_case), evaluation, Improvement())


def test_the_first_use_of_what_another_operation_made_has_neighbours_though_it_covers_nothing_new():
    generator = Neighbours(Sampler(API, Settings(), Random(1)), Random(1), 10)
    make = call_with(ArrayGene(IntegerGene(), (IntegerGene(1),)))
    use = call_with(ReferenceGene(0, "/id", StringGene("1")))
    generator.observe(outcome_of(make, use, status=404))
    generator.observe(outcome_of(make, call_with(StringGene("1"))))
    assert not generator.is_ready()
    generator.observe(outcome_of(make, use))
    assert generator.propose(0.0).test_case.calls[0].genes[0].phenotype() == []
    while generator.is_ready():
        generator.propose(0.0)
    generator.observe(outcome_of(make, use))
    assert not generator.is_ready(), "it is not the first one"


def test_the_first_use_of_a_filled_list_counts_after_that_of_an_empty_one():
    generator = Neighbours(Sampler(API, Settings(), Random(1)), Random(1), 10)
    use = call_with(ReferenceGene(0, "/id", StringGene("1")))
    for items in ((), (IntegerGene(1),)):
        generator.observe(outcome_of(call_with(ArrayGene(IntegerGene(), items)), use))
        waiting = []
        while generator.is_ready():
            waiting.append(generator.propose(0.0).test_case)
        assert bool(waiting) is bool(items)


def test_whole_numbers_of_the_last_call_become_larger_than_databases_hold():
    genes = (
        ReferenceGene(0, "/id", IntegerGene(1)),
        IntegerGene(5, maximum=100),
        NumberGene(1.5),
        IntegerGene(HUGE),
        ObjectGene((("n", IntegerGene(2)),)),
    )
    case = TestCase((call_with(IntegerGene(3)), call_with(*genes)))
    seen = [[gene.phenotype() for gene in neighbour.calls[1].genes[:1]] for neighbour in with_huge_numbers(case)]
    assert seen[0] == [HUGE]
    (_, nested) = with_huge_numbers(case)
    assert nested.calls[1].genes[4].phenotype() == {"n": HUGE}
    assert all(neighbour.calls[0] is case.calls[0] for neighbour in with_huge_numbers(case))
