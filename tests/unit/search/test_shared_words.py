"""Words that arguments of a library's function share."""

from random import Random

from wimble.genes import AnyGene, ArrayGene, StringGene
from wimble.library.function_binding import FunctionBinding, MethodParameters, Parameter, function_operation
from wimble.library.invocation import invocation_of
from wimble.model.testcase import Call, TestCase
from wimble.search.generators.variations.shared_words import with_alike_arguments, with_shared_word

TEXT, ANY = StringGene(), AnyGene(0)


def called(parameters, values, *, steps=()):
    binding = FunctionBinding(
        index=0,
        package="lib",
        kind="method" if steps else "function",
        path=("parse",),
        parameters=parameters,
        steps=steps,
    )
    operation = function_operation(binding, "parse")
    genes = [one.template.with_value(value) for one, value in zip(operation.inputs, values, strict=True)]
    return TestCase((Call(operation, tuple(genes)),))


def changed(test_case):
    found = []
    for seed in range(200):
        result = with_shared_word(test_case, Random(seed))
        if result is not None:
            found.append(invocation_of(result.calls[0]))
    return found


def test_options_and_texts_get_words_of_each_other():
    parameters = (Parameter(name="args", template=ArrayGene(TEXT)), Parameter(name="options", template=ANY))
    values = [one.arguments for one in changed(called(parameters, [["--name", "x"], {"array": [], "other": {}}]))]
    assert (["--name", "x"], {"array": ["name"], "other": {}}) in values
    assert (["--array", "x"], {"array": [], "other": {}}) in values
    assert any(options.get("other", {}).get("name") for _, options in values)
    assert any("name" in options and "array" not in options for _, options in values)


def test_a_call_before_shares_words_and_keeps_the_name_of_its_method():
    parameters = (Parameter(name="key", template=ANY),)
    steps = (MethodParameters(name="set", parameters=(Parameter(name="key", template=ANY),)),)
    calls = changed(called(parameters, [7, [["set", "a"]]], steps=steps))
    assert {one.steps[0].method for one in calls} == {"set"}
    assert {("a", "a"), (7, 7)} <= {(one.arguments[0], one.steps[0].arguments[0]) for one in calls}


def test_one_argument_alone_shares_nothing():
    assert changed(called((Parameter(name="text", template=TEXT),), ["a b"])) == []


def test_what_calls_put_into_an_object_is_named_by_others():
    parameters = (Parameter(name="graph", template=ANY), Parameter(name="start", template=ANY))
    graph = {"$used": [{"$made": ["new Graph"]}, [["setEdge", "x", "y"]]]}
    values = [one.arguments for one in changed(called(parameters, [graph, "z"]))]
    assert (graph, "x") in values
    assert ({"$used": [{"$made": ["new Graph"]}, [["setEdge", "z", "y"]]]}, "z") in values
    assert ({"$used": [{"$made": ["new Graph"]}, [["setEdge", "y", "y"]]]}, "z") in values


def test_two_arguments_become_equal():
    parameters = (Parameter(name="first", template=ANY), Parameter(name="second", template=ANY))
    test_case = called(parameters, [{"a": [1]}, {}])
    results = [with_alike_arguments(test_case, Random(seed)) for seed in range(20)]
    assert {repr(invocation_of(one.calls[0]).arguments) for one in results if one} == {"({'a': [1]}, {'a': [1]})"}
    assert with_alike_arguments(called(parameters, [{}, {}]), Random(1)) is None
