"""Other keys of the tables that a program looks inputs up in."""

import pytest

from hint_samples import hint
from wimble.genes import AnyGene, ConstantGene, IntegerGene, ReferenceGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.evaluation import Evaluation
from wimble.model.hints import TableHint
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.variations.table_keys import MAX_OTHERS, MAX_PAIRS, TableKeys
from wimble.types import OperationId, TargetId


def case_of(*genes, path="/a"):
    inputs = tuple(HttpInput(name=f"p{n}", location="query", template=gene) for n, gene in enumerate(genes))
    return TestCase((Call(http_operation(id=OperationId(path), method="GET", path=path, inputs=inputs), genes),))


def learnt(*hints, path="/a"):
    keys = TableKeys()
    keys.observe(Evaluation(test_case=case_of(path=path), observations=(), reached={}, hints=hints))
    return keys


def tried(keys, *genes, path="/a"):
    return [
        [gene.phenotype() for gene in each.calls[0].genes] for each in keys.with_other_keys(case_of(*genes, path=path))
    ]


LOOKED_UP = [
    [hint("qx3f1", "===", key) for key in ("early", "scouts", "long")],
    [hint("qx3f1", "key", key) for key in ("early", "scouts", "long")],
    [hint(key, "===", "qx3f1") for key in ("early", "scouts", "long")],
    [TableHint(target=TargetId(0), call=0, key="early", holds="things", keys=("early", "scouts", "long"))],
]


@pytest.mark.parametrize("hints", LOOKED_UP)
def test_a_key_that_was_found_gives_way_to_the_others(hints):
    keys = learnt(*hints)
    assert tried(keys, StringGene("early"), IntegerGene(3)) == [["scouts", 3], ["long", 3]]
    assert tried(keys, StringGene("EARLY")) == [["scouts"], ["long"]]
    assert tried(keys, StringGene("other")) == []


def test_numbers_are_keys_too():
    keys = learnt(hint(48213, "===", 1), hint(48213, "===", 2))
    assert tried(keys, IntegerGene(2)) == [[1]]
    assert tried(keys, StringGene("2")) == [["1"]]


def test_one_value_alone_is_no_table_and_tables_belong_to_their_operation():
    assert tried(learnt(hint("qx3f1", "===", "early")), StringGene("early")) == []
    assert tried(learnt(hint("a", "===", "early"), hint("b", "===", "late")), StringGene("early")) == []
    assert (
        tried(learnt(hint("a", "===", "x", wanted=False), hint("a", "===", "y", wanted=False)), StringGene("x")) == []
    )
    assert tried(learnt(*LOOKED_UP[0]), StringGene("early"), path="/b") == []


def test_what_cannot_be_changed_or_belongs_to_an_earlier_call_stays_and_there_is_a_limit():
    keys = learnt(*LOOKED_UP[0])
    assert tried(keys, ConstantGene("early"), ReferenceGene(0, "/id", StringGene("early"))) == []
    many = learnt(*(hint("qx3f1", "key", f"k{number}") for number in range(20)))
    assert len(tried(many, StringGene("k3"))) == MAX_OTHERS


TWO_TABLES = (
    *(hint("qx3f1", "key", key) for key in ("summer", "winter", "spring")),
    *(hint("qx3f2", "===", key, target=TargetId(2)) for key in ("s", "m", "xl")),
)


def test_keys_of_two_inputs_are_combined_each_pair_once():
    keys = learnt(*TWO_TABLES)
    one_by_one = [["winter", "s"], ["spring", "s"], ["summer", "m"], ["summer", "xl"]]
    pairs = [["winter", "m"], ["winter", "xl"], ["spring", "m"], ["spring", "xl"]]
    assert tried(keys, StringGene("summer"), StringGene("s")) == one_by_one + pairs
    assert tried(keys, StringGene("summer"), StringGene("s")) == one_by_one
    others = tried(keys, StringGene("winter"), StringGene("m"))
    assert others[4:] == [["summer", "s"], ["summer", "xl"], ["spring", "s"]]


def test_members_of_one_value_are_not_combined():
    assert len(tried(learnt(*TWO_TABLES), AnyGene({"a": "summer", "b": "s"}))) == 4


def test_pairs_of_a_test_case_are_bounded():
    large = [
        hint(f"qx3f{n}", "key", f"{letter}{key}", target=TargetId(n))
        for n, letter in enumerate("ab")
        for key in range(6)
    ]
    seen = tried(learnt(*large), StringGene("a0"), StringGene("b0"))
    assert len(seen) == MAX_OTHERS + MAX_PAIRS
