"""Objects in which a member has the value of another one."""

from random import Random

from wimble.genes import ObjectGene, OptionalGene, TwinsGene
from wimble.search.sampling.broken_rules import breaking, rules_of
from wimble.spec.schemas.learned_genes import learned_gene

SCHEMA = {
    "type": "object",
    "properties": {
        "password": {"type": "string", "minLength": 8},
        "repeat": {"const": {"$data": "1/password"}},
    },
    "required": ["password", "repeat"],
}


def signed_up(schema=SCHEMA):
    gene = learned_gene(schema)
    assert isinstance(gene, TwinsGene)
    return gene


def test_nearly_all_samples_repeat_the_other_member():
    rng = Random(1)
    samples = [signed_up().sampled(rng).phenotype() for _ in range(100)]
    assert 90 < sum(one["repeat"] == one["password"] for one in samples) < 100


def test_what_changes_the_other_member_changes_its_twin_and_not_the_other_way():
    gene = signed_up()
    gene = gene.with_child(0, gene.children()[0].with_value("Passw0rd!abc"))
    assert gene.phenotype() == {"password": "Passw0rd!abc", "repeat": "Passw0rd!abc"}
    broken = gene.with_child(1, gene.children()[1].with_value("something else"))
    assert broken.phenotype() == {"password": "Passw0rd!abc", "repeat": "something else"}


def test_an_optional_twin_is_there_with_the_other_member():
    gene = signed_up({**SCHEMA, "required": ["repeat"]})
    assert isinstance(gene.children()[0], OptionalGene)
    without = gene.with_child(0, OptionalGene(gene.children()[0].gene, is_present=False))
    assert "password" not in without.phenotype()
    gene = signed_up({**SCHEMA, "required": []})
    without = gene.with_child(0, OptionalGene(gene.children()[0].gene, is_present=False))
    assert without.phenotype() == {}


def test_other_references_of_ajv_are_no_constants():
    gene = learned_gene({"type": "object", "properties": {"a": {"type": "string", "const": {"$data": "/b/c"}}}})
    assert isinstance(gene, ObjectGene)
    assert isinstance(gene.sampled(Random(3)).phenotype().get("a", ""), str)


def test_that_it_repeats_the_other_member_is_a_rule_that_is_broken_once():
    gene = signed_up().sampled(Random(1))
    rules = [rule.kind for rule in rules_of((gene,)) if not rule.path]
    assert rules == ["names", "needs password", "needs repeat", "repeats repeat"]
    broken = breaking(gene, "repeats repeat", Random(1)).phenotype()
    assert broken["password"] == gene.phenotype()["password"] != broken["repeat"]
