"""Inputs by which operations look rows up, and calls before them that make such rows."""

from random import Random

import msgspec
import pytest
from fake_sut import operation
from msgspec.structs import replace

from wimble.genes import IntegerGene, LinkedGene, ObjectGene, ReferenceGene, StringGene
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import Column, DatabaseCommand, TableName
from wimble.model.evaluation import Evaluation
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.input_names import iter_named_genes
from wimble.search.resources.looked_up_keys import LookedUpKeys
from wimble.search.sampling.sampler import Sampler
from wimble.settings import Settings

MOVE = operation("POST", "/movements", ObjectGene((("warehouse", StringGene("zqx1a")), ("quantity", IntegerGene(3)))))
BUILD = operation("POST", "/sites/build", ObjectGene((("label", StringGene("zqn07")),)))
CODE = Column(name="code", type_name="TEXT", type="text")


def evaluation(*calls, setup=(), interactions=()):
    """calls: (operation, status, answer)."""
    test_case = TestCase(tuple(Call(one, tuple(g.template for g in one.inputs)) for one, _, _ in calls), setup)
    seen = tuple(
        http_observation(
            index,
            HttpRequest("POST", "/"),
            HttpResponse(status, (("content-type", "application/json"),), msgspec.json.encode(answer)),
        )
        for index, (_, status, answer) in enumerate(calls)
    )
    return Evaluation(test_case=test_case, observations=seen, reached={}, interactions=interactions)


def linked(path=(0,), value="zqx1a", prefix=""):
    """A row whose code is that of the warehouse in the first call."""
    gene = LinkedGene(0, 0, path, StringGene(value), prefix)
    return InsertRow(genes=(gene,), database="d", dialect="sqlite", table=TableName("Warehouse"), columns=(CODE,))


def inserted(value="zqn07", call=0):
    return DatabaseCommand(
        database="d", dialect="sqlite", call=call, site="a.js:1", affected=1,
        text='INSERT INTO "Warehouse" ("code", "size") VALUES (?, ?)', params=(value, 4),
    )  # fmt: skip


LOOKED_UP = evaluation((MOVE, 403, {}), setup=(linked(),))
MADE = evaluation((BUILD, 201, {"id": 1, "site": {"number": "zqn07"}}), interactions=(inserted(),))
MADE_UNSEEN = evaluation((BUILD, 201, {"id": 1}), interactions=(inserted(),))


def learnt(*evaluations):
    keys = LookedUpKeys()
    for one in evaluations:
        keys.observe(one)
    return keys


def makers(keys):
    return [[(one.operation, one.pointer, one.sent) for one in several] for several in keys.wanted(MOVE)]


def test_what_writes_the_column_that_an_input_is_linked_to_makes_what_it_names():
    assert makers(learnt(LOOKED_UP, MADE)) == [[(BUILD, "/site/number", "")]]
    assert makers(learnt(MADE, LOOKED_UP)) == [[(BUILD, "/site/number", "")]]
    assert makers(learnt(LOOKED_UP, MADE_UNSEEN)) == [[(BUILD, "", "label")]]


def test_an_answer_that_shows_the_value_comes_before_what_was_sent():
    assert makers(learnt(LOOKED_UP, MADE_UNSEEN, MADE)) == [[(BUILD, "/site/number", "")]]


@pytest.mark.parametrize(
    "other",
    [
        evaluation((MOVE, 403, {}), setup=(linked(path=(1,), value="3"),)),  # another input
        evaluation((MOVE, 403, {}), setup=(linked(prefix="w:"),)),
        evaluation((MOVE, 403, {})),
    ],
)
def test_other_rows_say_nothing(other):
    assert learnt(other, MADE).made(MOVE, "warehouse", StringGene("a"), (Call(BUILD, ()),)) is None


def test_an_input_with_which_the_operation_succeeds_anyway_needs_no_maker():
    assert makers(learnt(LOOKED_UP, MADE, evaluation((MOVE, 201, {})))) == []
    assert makers(learnt(LOOKED_UP, MADE, evaluation((MOVE, 201, {})), LOOKED_UP)) == [], "it is not learnt again"


def test_success_behind_a_row_or_a_maker_does_not_show_that():
    with_row = evaluation((MOVE, 201, {}), setup=(linked(),))
    behind = evaluation((BUILD, 201, {}), (MOVE, 201, {}))
    assert makers(learnt(LOOKED_UP, MADE, with_row, behind)) != []


def test_new_test_cases_begin_with_the_maker_and_refer_to_it():
    sampler = Sampler([MOVE, BUILD], Settings(), Random(1))
    before = [sampler.sample_for(MOVE) for _ in range(100)]
    for one in (LOOKED_UP, MADE):
        sampler.observe(one)
    after = [sampler.sample_for(MOVE) for _ in range(100)]

    def n_bound(test_cases):
        return sum(
            any(
                isinstance(one.gene, ReferenceGene) and one.gene.pointer == "/site/number"
                for index, call in enumerate(test_case.calls)
                for one in iter_named_genes(call, index)
                if call.operation is MOVE and one.name == "warehouse"
            )
            for test_case in test_cases
        )

    assert n_bound(before) == 0
    assert n_bound(after) > 30


def test_what_was_only_sent_is_sent_again():
    keys = learnt(LOOKED_UP, MADE_UNSEEN)
    call = Call(BUILD, (ObjectGene((("label", StringGene("zqn99")),)),))
    gene = keys.made(MOVE, "warehouse", StringGene("a"), (call,))
    assert gene is not None and gene.phenotype() == "zqn99"
    assert keys.made(MOVE, "quantity", IntegerGene(1), (call,)) is None


SHIP = operation("POST", "/shipments", ObjectGene((("from", IntegerGene(1)), ("to", IntegerGene(2)))))
ID = Column(name="id", type_name="INTEGER", type="integer")


def row_of_site(path, value):
    gene = LinkedGene(0, 0, path, IntegerGene(value))
    return InsertRow(genes=(gene,), database="d", dialect="sqlite", table=TableName("Warehouse"), columns=(ID,))


ROWS_OF_SITES = evaluation((SHIP, 403, {}), setup=(row_of_site((0,), 1), row_of_site((1,), 2)))


def test_numbers_that_a_database_gives_are_named_each_by_an_input_of_its_own():
    keys = learnt(ROWS_OF_SITES, evaluation((BUILD, 201, {"id": 7, "site": {}}), interactions=(inserted(),)))
    wanted = [[one.operation for one in makers] for makers in keys.wanted(SHIP)]
    assert wanted == [[BUILD], [BUILD]], "two inputs name two sites"
    calls = (Call(BUILD, ()), Call(BUILD, ()))
    made = [keys.made(SHIP, name, IntegerGene(5), calls) for name in ("from", "to")]
    assert [(one.call, one.pointer) for one in made] == [(1, "/id"), (0, "/id")]
    assert keys.made(SHIP, "to", IntegerGene(5), calls[:1]).call == 0


def test_other_equal_numbers_say_nothing():
    size = Column(name="size", type_name="INTEGER", type="integer")
    linked_size = replace(row_of_site((0,), 4), columns=(size,))
    keys = learnt(evaluation((SHIP, 403, {}), setup=(linked_size,)), MADE)
    assert list(keys.wanted(SHIP)) == []


def test_test_cases_begin_with_a_maker_for_each_number():
    sampler = Sampler([SHIP, BUILD], Settings(), Random(1))
    for one in (ROWS_OF_SITES, evaluation((BUILD, 201, {"id": 7}), interactions=(inserted(),))):
        sampler.observe(one)
    with sampler.certain():
        made = [sampler.sample_for(SHIP) for _ in range(50)]
    assert (
        sum(
            len({one.gene.call for one in iter_named_genes(each.calls[-1], 9) if isinstance(one.gene, ReferenceGene)})
            == 2
            for each in made
        )
        > 25
    )
