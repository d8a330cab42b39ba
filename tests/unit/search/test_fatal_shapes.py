"""Which calls of an operation that often ends the SUT are likely to end it."""

from fake_sut import operation

from wimble.genes import AnyGene, IntegerGene, OptionalGene
from wimble.model.setup_kinds.answer import new_answer
from wimble.model.testcase import Call
from wimble.search.fatal_shapes import MAX_SURPRISES, FatalShapes, shape_of

POST = operation("POST", "/imposters", data=AnyGene(0))
USUAL = {"port": 1, "protocol": "tcp", "stubs": []}


def call(value):
    return Call(POST, (AnyGene(value),))


def shapes(*fatal, survived=()):
    made = FatalShapes()
    for value in fatal:
        made.note(call(value), has_ended=True)
    for value in survived:
        made.note(call(value), has_ended=False)
    return made


def test_a_member_of_a_type_that_only_calls_with_an_end_have_sent_is_suspect():
    made = shapes(USUAL | {"stubs": True}, survived=[USUAL])
    assert made.suspects(call(USUAL | {"stubs": False}))
    assert not made.suspects(call(USUAL | {"stubs": [1]}))
    assert not made.suspects(call(USUAL))


def test_an_answer_of_a_type_that_only_calls_with_an_end_have_got_is_suspect():
    def answered(body):
        return (new_answer("https://payments.example:443", "POST", "/charges", body=body),)

    made = FatalShapes()
    made.note(call(USUAL), has_ended=True, setup=answered("null"))
    made.note(call(USUAL), has_ended=False, setup=answered({"id": "a"}))
    assert made.suspects(call(USUAL), answered("other"))
    assert not made.suspects(call(USUAL), answered({"id": "b"}))
    assert not made.suspects(call(USUAL))


def test_answers_that_are_no_objects_are_alike():
    def answered(body):
        return (new_answer("https://payments.example:443", "POST", "/charges", body=body),)

    made = FatalShapes()
    made.note(call(USUAL), has_ended=False, setup=answered({"id": "a"}))
    for body in ("text", 7):
        made.note(call(USUAL), has_ended=True, setup=answered(body))
    assert made.suspects(call(USUAL), answered(None))
    for body in (None, True, "", 1.5):
        made.note(call(USUAL), has_ended=True, setup=answered(body))
    assert not made.suspects(call(USUAL), answered({"id": "b"}))


def test_members_that_only_one_of_two_calls_with_an_end_has_sent_are_not_to_blame():
    made = shapes(USUAL | {"stubs": True, "x1": {}}, USUAL | {"stubs": True, "x2": 1}, survived=[USUAL])
    assert made.suspects(call(USUAL | {"stubs": True}))


def test_where_values_decide_all_calls_are_suspect():
    made = shapes(USUAL, survived=[USUAL])
    assert made.suspects(call(USUAL))
    assert made.suspects(call({"other": 1}))


def test_where_a_call_without_a_content_ends_the_sut_one_with_it_may_be_made():
    POST_OF = operation("POST", "/imposters", data=OptionalGene(IntegerGene(1), False))
    made = FatalShapes()
    made.note(Call(POST_OF, (OptionalGene(IntegerGene(1), False),)), has_ended=True)
    assert made.suspects(Call(POST_OF, (OptionalGene(IntegerGene(1), False),)))
    assert not made.suspects(Call(POST_OF, (OptionalGene(IntegerGene(1), True),)))


def test_an_operation_that_ends_the_sut_with_whatever_it_is_sent_is_suspect():
    values = (True, 1, "a", [], {}, None)
    assert not shapes(*values[:2]).suspects(call(["b"]))
    assert shapes(*values[: MAX_SURPRISES + 1]).suspects(call(["b"]))


def test_empty_values_are_of_another_shape():
    assert shape_of(call([])) != shape_of(call([1]))
    assert shape_of(call("")) != shape_of(call("a"))
    assert shape_of(call(True)) != shape_of(call(1))
