from fake_sut import operation

from wimble.genes import IntegerGene, ObjectGene, OptionalGene, ReferenceGene
from wimble.model.testcase import Call, TestCase
from wimble.search.resources.references import (
    earlier_only,
    has_valid_references,
    inserted,
    iter_references,
    reordered,
    with_only,
    without_call,
)

POST = operation("POST", "/books")
GET = operation("GET", "/books/{id}", id=IntegerGene())


def post():
    return Call(POST, ())


def get(call):
    return Call(GET, (ReferenceGene(call, "/id", IntegerGene(5)),))


def referred(test_case):
    return [(address.call, reference.call) for address, reference in iter_references(test_case)]


def test_removed_call_is_replaced_by_one_of_the_same_operation():
    test_case = TestCase((post(), post(), get(1)))
    assert referred(without_call(test_case, 1)) == [(1, 0)]
    assert referred(without_call(test_case, 0)) == [(1, 0)]


def test_reference_falls_back_where_no_call_can_stand_in():
    result = without_call(TestCase((post(), get(0), get(0))), 0)
    assert referred(result) == []
    assert [call.genes for call in result.calls] == [(IntegerGene(5),), (IntegerGene(5),)]


def test_of_calls_that_are_kept_those_stay_whose_answers_they_use():
    chain = Call(operation("POST", "/orders", id=IntegerGene()), (ReferenceGene(2, "/id", IntegerGene(5)),))
    test_case = TestCase((post(), post(), get(1), chain, get(0)))
    result = with_only(test_case, [3])
    assert [call.operation for call in result.calls] == [POST, GET, chain.operation]
    assert referred(result) == [(1, 0), (2, 1)]
    assert with_only(test_case, range(5)) == test_case


def test_swapped_reference_never_points_forward():
    result = reordered(TestCase((post(), get(0))), [1, 0])
    assert [call.operation for call in result.calls] == [GET, POST]
    assert has_valid_references(result)


def test_inserting_moves_references_along():
    test_case = TestCase((post(), post(), get(1), get(0)))
    assert referred(inserted(test_case, 1, (post(),))) == [(3, 2), (4, 0)]
    assert referred(inserted(test_case, 0, (post(),))) == [(3, 2), (4, 1)]


def test_references_deep_in_a_body_are_fixed_too():
    body = ObjectGene((("book", OptionalGene(ReferenceGene(1, "/id", IntegerGene(3)))),))
    order = operation("POST", "/orders", body=body)
    result = without_call(TestCase((get(0), post(), Call(order, (body,)))), 1)
    assert referred(result) == []
    assert result.calls[1].genes[0].phenotype() == {"book": 3}


def test_untouched_calls_are_shared():
    test_case = TestCase((post(), get(0), get(0)))
    assert without_call(test_case, 2).calls[1] is test_case.calls[1]


def test_stale_reference_in_a_gene_that_comes_back_is_given_up():
    gene = OptionalGene(ReferenceGene(4, "/id", IntegerGene(3)))
    assert earlier_only(gene, 5) is gene
    assert earlier_only(gene, 4) == OptionalGene(IntegerGene(3))
