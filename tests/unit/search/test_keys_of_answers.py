"""Maps in answers of services get the texts of a call as keys: a program looks up what it was asked for."""

from random import Random

from wimble.genes import IntegerGene, MapGene, ObjectGene, OptionalGene
from wimble.search.generators.services.answer_schemas import keyed_by

RATES = MapGene(IntegerGene(minimum=1, maximum=9))


def test_maps_at_any_depth_get_the_keys():
    gene = ObjectGene((("rates", RATES), ("previous", OptionalGene(RATES, True)), ("base", IntegerGene())))
    made = keyed_by(gene, ["hojf0", "q7xk2", "hojf0"], Random(1)).phenotype()
    assert list(made["rates"]) == list(made["previous"]) == ["hojf0", "q7xk2"]
    assert all(1 <= value <= 9 for value in made["rates"].values())


def test_keys_that_a_map_has_or_may_not_have_are_left():
    known = RATES.with_entries((("hojf0", IntegerGene(5)),))
    assert keyed_by(known, ["hojf0"], Random(1)) is known
    patterned = MapGene(IntegerGene(), key_pattern="^x-")
    assert keyed_by(patterned, ["hojf0"], Random(1)) is patterned
    assert keyed_by(RATES, [], Random(1)) is RATES
