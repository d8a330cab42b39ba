"""Which arguments are tried to reach the prototype of all objects."""

import json

import pytest

from wimble.engine.pollution.poisoned_arguments import MARK, PROTOTYPE, iter_poisoned
from wimble.genes import StringGene
from wimble.library.argument_shape import ANYTHING, Shape
from wimble.library.function_binding import Parameter

OBJECT, TEXT = Shape(kinds=("object",)), Shape(kinds=("string",))
NUMBER, LIST = Shape(kinds=("number",)), Shape(kinds=("array",), items=TEXT)


def parameters(*shapes, has_rest=False):
    made = [Parameter(name=f"p{index}", template=StringGene(), shape=shape) for index, shape in enumerate(shapes)]
    if has_rest:
        made.append(Parameter(name="rest", template=StringGene(), shape=ANYTHING, is_rest=True))
    return tuple(made)


def poisoned(*shapes, known=(), has_rest=False):
    return list(iter_poisoned(parameters(*shapes, has_rest=has_rest), known))


@pytest.mark.parametrize(
    ("shapes", "wanted"),
    [
        ((OBJECT, TEXT, ANYTHING), ({}, f"{PROTOTYPE}.{MARK}", {})),
        ((OBJECT, TEXT, TEXT, NUMBER), ({}, PROTOTYPE, MARK, 1)),
        ((OBJECT, OBJECT), ({}, {PROTOTYPE: {MARK: 1}})),
        ((ANYTHING, ANYTHING), ({}, {"constructor": {"prototype": {MARK: 1}}})),
        ((TEXT,), (f"[{PROTOTYPE}]\n{MARK} = 1\n",)),
        ((TEXT, NUMBER), (f"{PROTOTYPE}[{MARK}]=1", 1)),
        ((LIST,), ([f"--{PROTOTYPE}.{MARK}=1"],)),
        ((LIST, LIST), ([f"{PROTOTYPE}.{MARK}"], [])),
        ((OBJECT, LIST), ({}, {PROTOTYPE: {MARK: 1}})),
        ((NUMBER,), None),
        ((), None),
    ],
)
def test_each_way_is_tried_where_a_parameter_takes_its_type(shapes, wanted):
    found = poisoned(*shapes)
    assert wanted in found if wanted is not None else found == []


def test_what_is_merged_may_be_one_of_any_number_of_arguments():
    found = poisoned(OBJECT, has_rest=True)
    assert ({}, {PROTOTYPE: {MARK: 1}}) in found and ({}, {}, {PROTOTYPE: {MARK: 1}}) in found


def test_words_of_known_texts_are_replaced_in_their_own_language():
    found = poisoned(TEXT, known=[("$.shop['name'] => title",)])
    assert (f"$.{PROTOTYPE}['name'] => title",) in found
    assert ("$.constructor['prototype'] => title",) in found


def test_known_arguments_stay_beside_the_one_that_is_changed():
    found = poisoned(TEXT, NUMBER, known=[("a", 7)])
    assert (f"{PROTOTYPE}.{MARK}", 7) in found and (f"{PROTOTYPE}.{MARK}", 1) in found


def test_parameters_take_turns_and_nothing_is_tried_twice():
    found = poisoned(OBJECT, TEXT, known=[({}, "polluted")])
    assert found[0][0] != {} and found[1][1] != MARK
    assert len({json.dumps(one) for one in found}) == len(found)
