"""What samples of an argument hold that is known only in part."""

from random import Random

from wimble.library.argument_fit import has_unknown_object
from wimble.library.argument_genes import gene_of, parameter_of
from wimble.library.argument_shape import ANYTHING, Shape


def depth_of(value):
    if isinstance(value, list | dict) and value:
        return 1 + max(map(depth_of, value.values() if isinstance(value, dict) else value))
    return int(isinstance(value, list | dict))


def samples_of(shape):
    gene, rng = gene_of(shape), Random(1)
    return [gene.sampled(rng).phenotype() for _ in range(300)]


def test_an_object_of_which_nothing_is_known_holds_lists_and_objects():
    for shape in (ANYTHING, Shape(kinds=("object",))):
        depths = [depth_of(one) for one in samples_of(shape)]
        assert sum(depth >= 2 for depth in depths) > 15
        assert max(depths) <= 5  # the deepest scalars are special values, which are written as objects


def test_an_object_whose_members_are_enumerated_has_others_than_those_that_are_read():
    shape = Shape(kinds=("object",), members={"toJSON": ANYTHING}, others=ANYTHING)
    names = {name for one in samples_of(shape) for name in one}
    assert "toJSON" in names and len(names) > 20
    assert has_unknown_object(Shape(kinds=("object",), others=ANYTHING), {"a": 1})


def test_what_is_called_a_comparison_mostly_is_a_function_that_compares():
    compares = {"$function": "compare"}
    shape = Shape(kinds=("function",))
    named = Shape(kinds=("object",), members={"comparator": shape, "map": shape}, required=frozenset(["comparator"]))
    for name, least in (("compareFn", 200), ("iteratee", 0)):
        template, rng = parameter_of(name, shape, is_guess=False, is_needed=True).template, Random(1)
        n_compare = sum(template.sampled(rng).phenotype() == compares for _ in range(300))
        assert least <= n_compare <= 290 and (least or n_compare < 100), name
    members = [one["comparator"] for one in samples_of(named)]
    assert sum(one == compares for one in members) > 200
    assert any(one != compares for one in members)
    template = parameter_of("comparator", Shape(kinds=("string",)), is_guess=False).template
    assert not any(template.sampled(Random(seed)).phenotype() == compares for seed in range(9))
