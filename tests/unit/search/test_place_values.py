"""Path parameters that have worked, in new calls at the same place."""

from random import Random

from fake_sut import operation

from wimble.genes import IntegerGene, ReferenceGene, StringGene
from wimble.model.testcase import Call
from wimble.search.resources.resources import Resources
from wimble.search.sampling.place_values import MAX_VALUES, PlaceValues

YEAR = operation("GET", "/calendar/{year}", year=IntegerGene())
MONTH = operation("GET", "/calendar/{year}/{month}", year=StringGene(), month=StringGene())
OTHER = operation("GET", "/archive/{year}", year=StringGene())


def places() -> PlaceValues:
    return PlaceValues(Resources((YEAR, MONTH, OTHER)), Random(1))


def values_after(known: PlaceValues, call: Call) -> list[object]:
    return [known.applied(call, ()).genes[0].phenotype() for _ in range(200)]


def test_a_value_that_has_worked_is_used_at_its_place_alone():
    known = places()
    known.observe(Call(YEAR, (IntegerGene(2024),)))
    assert 40 < values_after(known, Call(MONTH, (StringGene("x"), StringGene("y")))).count("2024") < 120
    assert values_after(known, Call(OTHER, (StringGene("x"),))) == ["x"] * 200


def test_what_an_earlier_call_has_created_is_neither_learnt_nor_replaced():
    known = places()
    bound = Call(YEAR, (ReferenceGene(call=0, pointer="/id", fallback=IntegerGene(3)),))
    known.observe(bound)
    assert set(values_after(known, Call(YEAR, (IntegerGene(4),)))) == {4}
    known.observe(Call(YEAR, (IntegerGene(2024),)))
    assert known.applied(bound, ()).genes == bound.genes


def test_the_latest_values_are_kept():
    known = places()
    for year in range(2000, 2000 + 3 * MAX_VALUES):
        known.observe(Call(YEAR, (IntegerGene(year),)))
    assert set(values_after(known, Call(YEAR, (IntegerGene(1),)))) <= {1, *range(2000 + 2 * MAX_VALUES, 2100)}


def test_a_refusal_for_another_reason_shows_that_the_thing_exists_where_others_were_missing():
    known = places()
    there, elsewhere = Call(YEAR, (IntegerGene(2024),)), Call(YEAR, (IntegerGene(7),))
    known.observe_refused(there, "input")
    assert set(values_after(known, elsewhere)) == {7}
    known.observe_refused(elsewhere, "missing")
    known.observe_refused(there, "input")
    assert 40 < values_after(known, elsewhere).count(2024) < 120
    known.observe(Call(YEAR, (IntegerGene(1999),)))
    assert set(values_after(known, elsewhere)) == {7, 1999}
