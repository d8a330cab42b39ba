"""Calls that break the API description on purpose."""

from __future__ import annotations

from random import Random

from fake_sut import operation

from wimble.genes import IntegerGene, ObjectGene, OptionalGene, ReferenceGene, StringGene
from wimble.model.testcase import Call, TestCase
from wimble.search.sampling.violations import MAX_MORE, MAX_UNTRIED, NoSchemas, UntriedViolations, violated
from wimble.spec.schemas.learned_genes import learned_gene
from wimble.types import ABSENT


def test_required_inputs_are_left_out_and_numbers_become_texts() -> None:
    template = operation("GET", "/x/{id}", id=IntegerGene(3), q=StringGene("a"), n=OptionalGene(IntegerGene(1)))
    call = Call(template, tuple(given.template for given in template.inputs))
    seen = [tuple(gene.phenotype() for gene in violated(call, Random(seed)).genes) for seed in range(60)]
    assert (3, ABSENT, 1) in seen
    assert any(isinstance(id_, str) for id_, _, _ in seen)
    assert any(isinstance(n, str) for _, _, n in seen)
    assert all(id_ is not ABSENT and n is not ABSENT for id_, _, n in seen)


def test_json_bodies_get_values_of_other_types() -> None:
    body = ObjectGene((("name", StringGene("a")), ("size", IntegerGene(1))))
    template = operation("POST", "/x", body=body)
    seen = [violated(Call(template, (body,)), Random(seed)).genes[0].phenotype() for seed in range(80)]
    present = [one for one in seen if one is not ABSENT]
    assert len(present) < len(seen)
    assert all((type(one["name"]) is str) != (type(one["size"]) is int) for one in present)


def test_a_call_without_such_inputs_is_left_as_it_is() -> None:
    template = operation("GET", "/x/{id}", id=StringGene("a"))
    call = Call(template, (StringGene("a"),))
    assert all(violated(call, Random(seed)) is call for seed in range(20))


def test_each_rule_is_broken_once_before_types_are_violated_by_other_values() -> None:
    template = operation("GET", "/x/{id}", id=IntegerGene(3), q=StringGene("a"), n=OptionalGene(IntegerGene(1)))
    call = Call(template, tuple(given.template for given in template.inputs))
    untried = UntriedViolations(Random(1))
    broken = [untried.violated(call) for _ in range(11)]
    changed = [index for one in broken[:9] for index, gene in enumerate(one.genes) if gene is not call.genes[index]]
    assert set(changed[:3]) == {0, 1, 2}
    assert sorted(changed[3:]) == [0, 0, 0, 2, 2, 2]
    assert broken[9] is broken[10] is call


def test_a_member_of_a_body_gets_each_other_type() -> None:
    body = ObjectGene((("day", StringGene("2024-03-05")), ("n", IntegerGene(2))))
    call = Call(operation("POST", "/x", body=body), (body,))
    untried = UntriedViolations(Random(1))
    sent = [untried.violated(call).genes[0].phenotype() for _ in range(12)]
    days = [one["day"] for one in sent if one is not ABSENT and one["day"] != "2024-03-05"]
    assert sorted(map(repr, days)) == sorted(map(repr, (1, True, None, [], {})))


def test_rules_of_a_large_operation_are_broken_up_to_a_bound() -> None:
    template = operation("GET", "/x", **{f"n{number}": IntegerGene(number) for number in range(40)})
    call = Call(template, tuple(given.template for given in template.inputs))
    untried = UntriedViolations(Random(1))
    broken = [untried.violated(call) for _ in range(60)]
    inputs = {index for one in broken for index, gene in enumerate(one.genes) if gene is not call.genes[index]}
    assert len(inputs) <= MAX_UNTRIED < sum(one is not call for one in broken) <= MAX_UNTRIED + MAX_MORE


def test_what_is_bound_to_an_answer_has_the_type_that_is_declared_for_it() -> None:
    template = operation("DELETE", "/x/{id}", id=IntegerGene(3))
    call = Call(template, (ReferenceGene(0, "/id", IntegerGene(3)),))
    assert isinstance(violated(call, Random(1)).genes[0].phenotype(), str)


class Schemas(NoSchemas):
    """Each operation has a schema, or as many; the last one wants texts that are shorter than another one's."""

    def __init__(self, n_checks=1):
        self.n = n_checks

    def has_schemas(self, operation):
        return True

    def n_checks(self, operation):
        return self.n

    def second_check_refuses(self, call, changed):
        return len(changed.genes[0].phenotype().get("name", "")) == 121


def test_rules_of_a_second_check_come_first_and_soon():
    members = {f"m{number}": {"type": "integer", "minimum": 0, "maximum": 5} for number in range(9)}
    members["name"] = {"type": "string", "maxLength": 120}
    template = learned_gene({"type": "object", "properties": members, "required": list(members)})
    call = Call(
        operation("POST", "/a", body=template), (template.with_value(dict.fromkeys(members, 1) | {"name": "x"}),)
    )
    first = UntriedViolations(Random(3), Schemas(2)).violated(call)
    assert len(first.genes[0].phenotype()["name"]) == 121
    violations = UntriedViolations(Random(3), Schemas(2))
    sent = [violations.sometimes(TestCase((call,))).calls[-1] for _ in range(12)]
    assert sum(len(one.genes[0].phenotype().get("name", "")) == 121 for one in sent) == 1, "once, of few test cases"


def test_a_rule_with_another_limit_is_another_rule():
    def call(longest):
        template = learned_gene(
            {"type": "object", "properties": {"name": {"type": "string", "maxLength": longest}}, "required": ["name"]}
        )
        return Call(one, (template.with_value({"name": "x"}),))

    one = operation("POST", "/a", body=ObjectGene(()))
    violations = UntriedViolations(Random(3), Schemas())
    lengths = set()
    for longest in (200, 120):
        for _ in range(4):
            sent = violations.violated(call(longest)).genes[0].phenotype()
            lengths |= (
                {len(name) for name in sent.values() if isinstance(name, str)} if isinstance(sent, dict) else set()
            )
    assert {201, 121} <= lengths


def test_each_rule_of_a_validation_schema_is_broken_once():
    template = learned_gene(
        {
            "type": "object",
            "properties": {
                "code": {"type": "string", "minLength": 3, "maxLength": 5},
                "mail": {"type": "string", "format": "email"},
                "n": {"type": "integer", "minimum": 3, "maximum": 9},
                "x": {"type": "number", "exclusiveMinimum": 1},
                "kind": {"enum": ["a", "b"]},
                "list": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2},
            },
            "required": ["code", "mail", "n", "x", "kind", "list"],
        }
    )
    one = operation("POST", "/a", body=template)
    conforming = {"code": "abcd", "mail": "a@b.org", "n": 5, "x": 2.5, "kind": "a", "list": ["z"]}
    call = Call(one, (template.with_value(conforming),))
    violations = UntriedViolations(Random(3), Schemas())
    seen = set()
    for _ in range(16):
        value = violations.violated(call).genes[0].phenotype()
        assert value != conforming
        seen |= {(name, str(value.get(name))[:2]) for name in conforming if value.get(name) != conforming[name]}
        seen |= {("unknown", name) for name in value if name not in conforming}
    assert {(name, "No") for name in conforming} <= seen
    assert {("n", "2"), ("n", "10"), ("x", "1"), ("code", "ab"), ("list", "[]"), ("unknown", "unexpected")} <= seen
