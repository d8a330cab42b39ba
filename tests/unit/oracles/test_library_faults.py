"""Which errors of a library are faults, and which calls are sensible."""

import msgspec
import pytest

from wimble.genes import StringGene
from wimble.library.argument_fit import is_fitting
from wimble.library.argument_shape import ANYTHING, Overload, Shape
from wimble.library.function_binding import FunctionBinding, MethodParameters, Parameter, function_operation
from wimble.library.invocation import FunctionExchange, Invocation, Step, Thrown, function_observation
from wimble.model.evaluation import Crash, Evaluation
from wimble.model.observation import Cause
from wimble.model.testcase import Call, TestCase
from wimble.oracles.failures.answered_promises import AnsweredPromises
from wimble.oracles.failures.crashes import judge_died
from wimble.oracles.libraries.library_faults import (
    HANGS_ORACLE,
    MUCH_BYTES,
    judge_memory,
)
from wimble.oracles.libraries.library_table import LIBRARY_ORACLES
from wimble.oracles.libraries.rejections import is_of_callers_text, is_refused_by_builtin, is_unexpected
from wimble.oracles.libraries.sensible_calls import has_to_return, is_sensible
from wimble.oracles.oracle import CallView, Contracts, EvaluationOracle, Oracle


@pytest.mark.parametrize(
    ("thrown", "is_fault"),
    [
        (Thrown(name="TypeError", message="Cannot read properties of undefined (reading 'x')"), True),
        (Thrown(name="TypeError", message="expected a string", is_on_purpose=True), False),
        (Thrown(name="ParseError", message="bad", is_on_purpose=True), False),
        (Thrown(name="string", message="no", is_error=False, is_on_purpose=True), False),
        (Thrown(name="AssertionError", message="never"), True),
        (Thrown(name="AssertionError", message="text expected", is_on_purpose=True), False),
        (Thrown(name="ReferenceError", message="document is not defined"), False),
        (Thrown(name="TypeError", message="Promise.withResolvers is not a function"), False),
        (Thrown(name="TypeError", message="promise.withResolvers is not a function"), True),
        (Thrown(name="SyntaxError", message="Unexpected token a in JSON at position 0"), False),
        (Thrown(name="SyntaxError", message="Invalid regular expression: /(/: Unterminated group"), True),
        (Thrown(name="Error", message="no", code="ERR_ACCESS_DENIED"), False),
        (Thrown(name="TypeError", message="fetch failed"), False),
        (Thrown(name="TypeError", message="Invalid URL", code="ERR_INVALID_URL"), False),
        (Thrown(name="RangeError", message="Incorrect locale information provided"), False),
        (Thrown(name="RangeError", message="Invalid time zone specified: opt8e"), False),
        (Thrown(name="RangeError", message="Invalid count value: -1"), True),
    ],
)
def test_errors_of_the_engine_are_faults_and_rejections_are_not(thrown, is_fault):
    assert is_unexpected(thrown) is is_fault


OPTIONS = Shape(
    kinds=("object",),
    members={"deep": Shape(kinds=("boolean",)), "mode": Shape(kinds=("string",), values=("a", "b"), is_closed=True)},
    required=frozenset({"deep"}),
)
NUMBER, TEXT = Shape(kinds=("number",)), Shape(kinds=("string",))
BINDING = FunctionBinding(index=0, package="lib", kind="function", path=("f",))


@pytest.mark.parametrize(
    ("arguments", "shape", "sensible"),
    [
        (("a",), ANYTHING, True),
        ((1,), ANYTHING, False),
        ((), ANYTHING, False),
        ((), Shape(is_optional=True), True),
        ((1,), NUMBER, True),
        (({"$number": "NaN"},), NUMBER, False),
        ((), Shape(kinds=("string",), is_optional=True), True),
        ((), TEXT, False),
        (("a", None), TEXT, False),
        (({"deep": True, "mode": "a"},), OPTIONS, True),
        (({"deep": True, "mode": "c"},), OPTIONS, False),
        (({"deep": "yes"},), OPTIONS, False),
        (({"mode": "a"},), OPTIONS, False),
        (({"deep": True, "other": 1},), OPTIONS, True),
        (({"deep": True, "other": []},), OPTIONS, False),
        (({"deep": True, "__isRef": True},), OPTIONS, False),
        ((["a", 1],), Shape(kinds=("array",), items=TEXT), False),
        ((["a", 1],), Shape(kinds=("array",), places=(TEXT, NUMBER)), True),
        (({"$function": "pair"},), Shape(kinds=("function",)), False),
        (([],), Shape(kinds=("array",), needed=frozenset({"1"})), False),
        ((["a", "b"],), Shape(kinds=("array",), needed=frozenset({"1"})), True),
    ],
)
def test_a_call_is_sensible_if_its_arguments_have_types_that_are_taken(arguments, shape, sensible):
    parameter = Parameter(name="text", template=StringGene(), shape=shape)
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=(parameter,))
    exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=arguments))
    assert is_sensible(binding, exchange) is sensible


@pytest.mark.parametrize("is_no_text", [False, True])
def test_a_text_is_not_sensible_where_all_other_uses_of_the_parameter_are_something_else(is_no_text):
    parameter = Parameter(name="target", template=StringGene(), is_no_text=is_no_text)
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=(parameter,))
    exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=("a",)))
    assert is_sensible(binding, exchange) is has_to_return(binding, exchange) is not is_no_text


@pytest.mark.parametrize(
    ("arguments", "sensible"),
    [
        ((1, ["a"]), True),
        ((["a"],), True),
        ((1,), False),
        ((["a"], ["a"]), False),
        (("a",), True),
        (("a", "b", "c"), True),
        (("a", 1), False),
    ],
)
def test_the_arguments_of_a_call_are_those_of_one_signature(arguments, sensible):
    texts = Shape(kinds=("array",), items=TEXT)
    shapes = (Shape(kinds=("number", "array", "string")), Shape(kinds=("array", "string", "number"), is_optional=True))
    binding = FunctionBinding(
        index=0,
        package="lib",
        kind="function",
        path=("put",),
        parameters=tuple(Parameter(name="a", template=StringGene(), shape=one, is_declared=True) for one in shapes),
        overloads=(Overload((NUMBER, texts)), Overload((texts,)), Overload((TEXT, TEXT), is_rest=True)),
    )
    exchange = FunctionExchange(invocation=Invocation(operation="put", arguments=arguments))
    assert is_sensible(binding, exchange) is sensible
    parts = {"kind": "method", "method": "of", "parameters": (), "receiver": binding.parameters, "overloads": ()}
    method = msgspec.structs.replace(binding, **parts, receiver_overloads=binding.overloads)
    exchange = FunctionExchange(invocation=Invocation(operation="put#of", arguments=(), receiver=arguments))
    assert is_sensible(method, exchange) is sensible, "so it is for what makes an object"


ONLY_TRUE = Shape(kinds=("boolean",), values=(True,))
LISTS = Shape(kinds=("object",), others=Shape(kinds=("array",)), needed=frozenset({"a"}))


@pytest.mark.parametrize(
    ("shape", "value", "sensible"),
    [
        (ONLY_TRUE, True, True),
        (ONLY_TRUE, False, False),
        (LISTS, {"a": []}, True),
        (LISTS, {"a": [], "b": "text"}, False),
        (LISTS, {"b": []}, False),
        (Shape(kinds=("object",)), {"a": {"$undefined": True}}, False),
    ],
)
def test_members_and_booleans_are_as_they_were_declared(shape, value, sensible):
    assert is_fitting(shape, value) is sensible


@pytest.mark.parametrize(
    ("message", "shape", "sensible"),
    [
        ("versions.forEach is not a function", ANYTHING, False),
        ("versions.forEach is not a function", TEXT, True),
        # A run has shown that it has a length and elements, as texts and lists have.
        ("versions.forEach is not a function", Shape(kinds=("array", "string")), False),
        ("object is not iterable", ANYTHING, False),
        ("CreateListFromArrayLike called on non-object", ANYTHING, False),
        ("this.helper is not a function", ANYTHING, True),
        ("Cannot read properties of undefined (reading 'x')", ANYTHING, True),
    ],
)
def test_a_text_where_a_list_was_wanted_is_not_sensible(message, shape, sensible):
    parameter = Parameter(name="versions", template=StringGene(), shape=shape)
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=(parameter,))
    thrown = Thrown(name="TypeError", message=message)
    exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=("a",)), thrown=thrown)
    assert is_sensible(binding, exchange) is sensible


def test_an_argument_that_is_left_out_is_not_sensible_whatever_the_error_says():
    parameter = Parameter(name="path", template=StringGene(), shape=TEXT)
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=(parameter,))
    thrown = Thrown(name="TypeError", message="str is not iterable")
    assert not is_sensible(binding, FunctionExchange(invocation=Invocation(operation="f", arguments=()), thrown=thrown))


@pytest.mark.parametrize(("arguments", "sensible"), [((), False), (("a",), True)])
def test_a_function_that_hands_all_its_arguments_on_is_not_called_without_any(arguments, sensible):
    rest = Parameter(name="args", template=StringGene(), shape=ANYTHING, is_rest=True)
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=(rest,))
    thrown = Thrown(name="TypeError", message="Cannot read properties of undefined (reading 'length')")
    invocation = Invocation(operation="f", arguments=arguments)
    assert is_sensible(binding, FunctionExchange(invocation=invocation, thrown=thrown)) is sensible


@pytest.mark.parametrize(
    ("message", "arguments", "sensible"),
    [
        ("Cannot read properties of undefined (reading '-2')", (584185, -2), False),
        ("Cannot set properties of undefined (setting '7')", (9, 7), False),
        ("Cannot read properties of undefined (reading '0')", (9, 7), True),
        ("Cannot read properties of undefined (reading 'x')", (9, 7), True),
        ("Cannot read properties of undefined (reading '7')", (7,), True),
    ],
)
def test_indices_of_no_element_are_not_sensible(message, arguments, sensible):
    parameters = tuple(Parameter(name=name, template=StringGene(), shape=NUMBER) for name in ("row", "column"))
    kept = parameters[: len(arguments)]
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=kept)
    thrown = Thrown(name="TypeError", message=message)
    exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=arguments), thrown=thrown)
    assert is_sensible(binding, exchange) is sensible


def test_arguments_of_calls_before_have_to_be_sensible_too():
    push = MethodParameters(name="push", parameters=(Parameter(name="n", template=StringGene(), shape=NUMBER),))
    binding = FunctionBinding(index=0, package="lib", kind="method", path=("S",), method="pop", steps=(push,))
    for value, sensible in ((1, True), ("a", False)):
        steps = (Step(method="push", arguments=(value,)),)
        call = Invocation(operation="S#pop", arguments=(), receiver=(), steps=steps)
        assert is_sensible(binding, FunctionExchange(invocation=call)) is sensible


@pytest.mark.parametrize(
    ("message", "argument", "is_callers"),
    [
        ("Invalid regular expression: /+/: Nothing to repeat", "+", True),
        ("Invalid regular expression: /+{2,}/: Nothing to repeat", "+", False),
        ("Invalid flags supplied to RegExp constructor 'gg'", "gg", True),
        ("Unexpected token", "a", False),
    ],
)
def test_a_mistake_in_a_regular_expression_that_is_an_argument_is_the_callers(message, argument, is_callers):
    exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=("x", {"separator": argument})))
    assert is_of_callers_text(Thrown(name="SyntaxError", message=message), BINDING, exchange) is is_callers


@pytest.mark.parametrize(
    ("arguments", "is_fault"),
    [
        (("a",), True),
        ((1e7,), False),
        ((700_000,), False),
        ((1_000,), True),
        # A table with as many rows and columns has 72 million cells.
        ((8_509,), False),
        (({"$number": "Infinity"},), False),
        (("2024-02-29",), True),
        (({"$undefined": True}, "a"), False),
        (({"length": "x"},), False),
        (({"$function": "first"},), False),
        (("a", [{"random": {"$function": "first"}}]), False),
    ],
)
def test_a_call_without_an_end_is_a_fault_unless_it_may_come_of_large_numbers_or_functions(arguments, is_fault):
    operation = function_operation(FunctionBinding(index=0, package="lib", kind="function", path=("f",)), "f")
    exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=arguments), failure="blocked")
    evaluation = Evaluation(test_case=TestCase(()), observations=(), reached={})
    view = CallView(operation, function_observation(0, exchange), evaluation, Contracts(), AnsweredPromises())
    assert HANGS_ORACLE.judge_call is not None
    assert bool(HANGS_ORACLE.judge_call(view)) is is_fault


@pytest.mark.parametrize(
    ("received", "arguments", "is_refused"),
    [
        ("undefined", (), True),
        ("undefined", ({"$undefined": True},), True),
        ("undefined", ("a", "b"), False),
        ("null", ("a", None), True),
        ("null", ("a", "b"), False),
        ("type number (5)", (5,), True),
        ("an instance of Object", ({"a": 1},), True),
        ("an instance of Object", ("a",), False),
        ("an instance of Array", ([1],), True),
        ("type number (5)", ("a", "b"), False),
    ],
)
def test_node_refuses_what_the_call_gives_but_not_what_the_library_has_made(received, arguments, is_refused):
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",))
    exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=arguments))
    message = f'The "path" argument must be of type string. Received {received}'
    thrown = Thrown(name="TypeError", code="ERR_INVALID_ARG_TYPE", message=message)
    assert is_refused_by_builtin(thrown, binding, exchange) is is_refused
    assert not is_refused_by_builtin(Thrown(name="TypeError", message=message), binding, exchange)


@pytest.mark.parametrize(
    ("message", "argument", "is_fault"),
    [
        ("TypeError: chars.join is not a function", "a", False),
        ("TypeError: Cannot read properties of undefined (reading 'x')", "a", True),
        ("TypeError: Cannot read properties of undefined (reading 'x')", None, False),
        ("TypeError: Cannot read properties of undefined (reading 'x')", {"$function": "nothing"}, False),
        ("Error: gave up", None, True),
    ],
)
def test_a_library_that_ends_the_process_by_an_error_is_judged_as_if_the_call_threw_it(message, argument, is_fault):
    operation = function_operation(FunctionBinding(index=0, package="lib", kind="function", path=("f",)), "f")
    exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=(argument,)), failure="process-lost")
    crash = Crash(kind="died", call_index=0, exit_code=1, cause=Cause(message=message))
    test_case = TestCase((Call(operation=operation, genes=()),))
    evaluation = Evaluation(
        test_case=test_case, observations=(function_observation(0, exchange),), reached={}, crashes=(crash,)
    )
    assert bool(judge(LIBRARY_ORACLES[0])(evaluation)) is is_fault


def judge(oracle: Oracle) -> EvaluationOracle:
    assert oracle.judge_evaluation is not None
    return oracle.judge_evaluation


@pytest.mark.parametrize(
    ("arguments", "grown", "is_fault"),
    [
        (("a",), MUCH_BYTES, True),
        (("a",), MUCH_BYTES - 1, False),
        ((2e6,), MUCH_BYTES, False),
        (({"deep": ["a" * 10_001]},), MUCH_BYTES, False),
    ],
)
def test_much_memory_for_short_arguments_is_a_fault(arguments, grown, is_fault):
    operation = function_operation(FunctionBinding(index=0, package="lib", kind="function", path=("f",)), "f")
    exchange = FunctionExchange(
        invocation=Invocation(operation="f", arguments=arguments), returned=1, grown_bytes=grown
    )
    evaluation = Evaluation(test_case=TestCase(()), observations=(), reached={})
    view = CallView(operation, function_observation(0, exchange), evaluation, Contracts(), AnsweredPromises())
    assert bool(judge_memory(view)) is is_fault


def test_a_text_for_a_part_of_a_regular_expression_is_the_callers_if_its_name_says_so():
    thrown = Thrown(name="SyntaxError", message="Invalid regular expression: /[b-a]+/g: Range out of order")
    for name, is_callers in (("chars", True), ("title", False)):
        parameter = Parameter(name=name, template=StringGene(), shape=TEXT)
        binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=(parameter,))
        exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=("b-a",)))
        assert is_of_callers_text(thrown, binding, exchange) is is_callers


def test_calls_of_what_declarations_hide_are_not_judged():
    invocation = Invocation(operation="f", arguments=("a",))
    parameters = (Parameter(name="text", template=StringGene(), shape=TEXT),)
    for is_internal in (False, True):
        binding = FunctionBinding(
            index=0, package="lib", kind="function", path=("f",), parameters=parameters, is_internal=is_internal
        )
        assert is_sensible(binding, FunctionExchange(invocation=invocation)) is not is_internal


def test_a_missing_method_of_texts_counts_only_where_no_run_has_left_open_whether_it_is_a_text():
    thrown = Thrown(name="TypeError", message="this.str.charAt is not a function")
    either = Shape(kinds=("array", "string"))
    for shape, is_declared, sensible in ((either, False, False), (either, True, True), (TEXT, False, True)):
        parameter = Parameter(name="src", template=StringGene(), shape=shape, is_declared=is_declared)
        binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=(parameter,))
        exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=("a",)), thrown=thrown)
        assert is_sensible(binding, exchange) is sensible


def test_objects_of_the_librarys_classes_have_to_be_made_well():
    count = Parameter(name="count", template=StringGene(), shape=NUMBER)
    day = Parameter(name="day", template=StringGene(), shape=Shape(kinds=("instance",), makers=("Day.of",)))
    binding = FunctionBinding(
        index=0, package="lib", kind="function", path=("f",), parameters=(day,), makers={"Day.of": (count,)}
    )
    for value, sensible in (
        ({"$made": ["Day.of", 1]}, True),
        ({"$made": ["Day.of", "a"]}, False),
        ({"$made": ["Other.of", 1]}, False),
        ({}, False),
    ):
        exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=(value,)))
        assert is_sensible(binding, exchange) is sensible


def test_a_value_that_node_refuses_is_a_rejection_if_the_call_gives_it():
    thrown = Thrown(
        name="TypeError",
        message="The property 'options.highWaterMark' is invalid. Received false",
        code="ERR_INVALID_ARG_VALUE",
    )
    for value, is_refused in ((False, True), (1, False)):
        invocation = Invocation(operation="f", arguments=({"highWaterMark": value},))
        assert is_refused_by_builtin(thrown, BINDING, FunctionExchange(invocation=invocation)) is is_refused


@pytest.mark.parametrize(
    ("code", "message", "arguments", "is_refused"),
    [
        ("ERR_UNKNOWN_ENCODING", "Unknown encoding: a", ("", "a"), True),
        ("ERR_UNKNOWN_ENCODING", "Unknown encoding: b", ("", "a"), False),
        (
            "ERR_OUT_OF_RANGE",
            'The value of "size" is out of range. It must be <= 9. Received 128_000',
            (1_000_000,),
            True,
        ),
        ("ERR_OUT_OF_RANGE", 'The value of "size" is out of range. It must be <= 9. Received 128_000', (3,), False),
        ("ERR_OUT_OF_RANGE", 'The value of "mode" is out of range. It must be an integer. Received NaN', ("a",), True),
        ("ERR_OUT_OF_RANGE", 'The value of "mode" is out of range. It must be an integer. Received NaN', (3,), False),
        (
            "ERR_INVALID_ARG_VALUE",
            "The argument 'path' must be a string, Uint8Array, or URL without null bytes. Received 'a\\x00'",
            ("a\0",),
            True,
        ),
        (
            "ERR_INVALID_ARG_VALUE",
            "The argument 'path' must be a string, Uint8Array, or URL without null bytes. Received 'a\\x00'",
            ("a",),
            False,
        ),
        ("ERR_OUT_OF_RANGE", "mode is out of range: >= 0 && <= 7", ("a", 10), True),
        ("ERR_OUT_OF_RANGE", "mode is out of range: >= 0 && <= 7", ("a", 7), False),
        ("", "Invalid array length", (2**32,), True),
        ("", "Invalid array length", (-1,), False),
        ("", "Invalid string length", ("a", 1e9), True),
    ],
)
def test_names_and_sizes_that_the_call_asks_for_are_refused(code, message, arguments, is_refused):
    exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=arguments))
    assert is_refused_by_builtin(Thrown(name="Error", message=message, code=code), BINDING, exchange) is is_refused


@pytest.mark.parametrize(
    ("name", "cause", "argument", "is_fault"),
    [
        ("abort", "process.exit(1)", "a", False),
        ("parse", "process.exit(1)", "a", True),
        ("parse", "Error: schema should be object", 7, False),
        ("parse", "Error: schema should be object", "a", True),
    ],
)
def test_a_process_may_end_where_it_is_asked_to_or_an_argument_is_none(name, cause, argument, is_fault):
    declared = Parameter(name="text", template=StringGene(), shape=TEXT, is_declared=True)
    binding = FunctionBinding(index=0, package="lib", kind="function", path=(name,), parameters=(declared,))
    exchange = FunctionExchange(invocation=Invocation(operation=name, arguments=(argument,)), failure="process-lost")
    evaluation = Evaluation(
        test_case=TestCase((Call(operation=function_operation(binding, name), genes=()),)),
        observations=(function_observation(0, exchange),),
        reached={},
        crashes=(Crash(kind="died", call_index=0, exit_code=1, cause=Cause(file="a.js", line=1, message=cause)),),
    )
    judge = next(one for one in LIBRARY_ORACLES if one.name == "process-died").judge_evaluation
    assert judge is not None and bool(judge(evaluation)) is is_fault


def test_a_variable_that_is_called_and_a_value_that_is_too_deep_to_be_known_are_the_callers():
    parameter = Parameter(name="fn", template=StringGene(), shape=TEXT, is_declared=True)
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=(parameter,))
    thrown = Thrown(name="TypeError", message="spec[prop] is not a function")
    exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=("a",)), thrown=thrown)
    assert not is_sensible(binding, exchange)
    assert not is_fitting(Shape(kinds=("object",), is_cut=True), {})


def test_undefined_in_front_of_other_arguments_has_to_be_declared():
    plain = Parameter(
        name="path", template=StringGene(), shape=Shape(kinds=("array",), is_optional=True), is_declared=True
    )
    may_be = Parameter(name="path", template=StringGene(), shape=Shape(kinds=("array", "undefined")), is_declared=True)
    text = Parameter(name="text", template=StringGene(), shape=TEXT, is_declared=True)
    seen = Parameter(name="path", template=StringGene(), shape=TEXT)
    by_default = Parameter(name="path", template=StringGene(), shape=Shape(kinds=("string",), is_optional=True))
    for first, sensible in ((plain, False), (may_be, True), (seen, False), (by_default, True)):
        binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=(first, text))
        invocation = Invocation(operation="f", arguments=({"$undefined": True}, "a"))
        assert is_sensible(binding, FunctionExchange(invocation=invocation)) is sensible


@pytest.mark.parametrize("message", ["Invalid time value", "Date value is not finite in DateTimeFormat format()"])
def test_a_date_that_no_calendar_has_is_refused_by_the_engine_if_a_number_asks_for_it(message):
    thrown = Thrown(name="RangeError", message=message)
    for value, is_refused in ((40_000_000, True), (12, False), ("monday", False)):
        invocation = Invocation(operation="f", arguments=({"$date": 1_700_000_000_000}, value))
        assert is_refused_by_builtin(thrown, BINDING, FunctionExchange(invocation=invocation)) is is_refused


def test_a_number_of_digits_that_the_call_gives_is_refused_by_the_engine():
    thrown = Thrown(name="RangeError", message="toFixed() digits argument must be between 0 and 100")
    for value, is_refused in ((101, True), (-1, True), (2, False), ("a", False)):
        invocation = Invocation(operation="f", arguments=(0, {"decimals": value}))
        assert is_refused_by_builtin(thrown, BINDING, FunctionExchange(invocation=invocation)) is is_refused


@pytest.mark.parametrize(
    ("shape", "message", "sensible"),
    [
        (Shape(kinds=("object",)), "given.render is not a function", False),
        (Shape(kinds=("object",)), "Cannot read properties of undefined (reading 'x')", False),
        (Shape(kinds=("object",)), "Maximum call stack size exceeded", True),
        (Shape(kinds=("object",), others=TEXT), "Cannot read properties of undefined (reading 'x')", True),
        (Shape(kinds=("object",), members={"a": TEXT}), "given.render is not a function", True),
        (
            Shape(kinds=("object",), choices=(Shape(kinds=("object",), others=TEXT), Shape(kinds=("object",)))),
            "given.render is not a function",
            False,
        ),
    ],
)
def test_what_an_object_lacks_of_which_nothing_is_known_is_the_callers_choice(shape, message, sensible):
    parameter = Parameter(name="options", template=StringGene(), shape=shape)
    listed = msgspec.structs.replace(parameter, shape=Shape(kinds=("array",), items=shape))
    for declared, argument in ((parameter, {"a": "b"}), (listed, [{"a": "b"}])):
        exchange = FunctionExchange(
            invocation=Invocation(operation="f", arguments=(argument,)),
            thrown=Thrown(name="TypeError", message=message),
        )
        assert is_sensible(msgspec.structs.replace(BINDING, parameters=(declared,)), exchange) is sensible


def test_messages_with_texts_of_the_call_are_one_fault_of_the_process_at_one_place():
    operation = function_operation(FunctionBinding(index=0, package="lib", kind="function", path=("f",)), "f")
    keys = set()
    for argument in ("th16k", "ivava"):
        exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=(argument,)), failure="process-lost")
        cause = Cause(file="index.js", line=3, message=f"TypeError: no {argument} here")
        evaluation = Evaluation(
            test_case=TestCase((Call(operation=operation, genes=()),)),
            observations=(function_observation(0, exchange),),
            reached={},
            crashes=(Crash(kind="died", call_index=0, exit_code=1, cause=cause),),
        )
        keys |= {finding.key for finding in judge_died(evaluation)}
    assert len(keys) == 1


def test_texts_that_a_function_does_not_escape_in_its_expressions_are_one_fault():
    parameter = Parameter(name="word", template=StringGene(), shape=TEXT)
    binding = FunctionBinding(index=0, package="lib", kind="function", path=("f",), parameters=(parameter,))
    operation = function_operation(binding, "f")
    evaluation = Evaluation(test_case=TestCase(()), observations=(), reached={})
    judge = next(one for one in LIBRARY_ORACLES if one.name == "exception").judge_call
    assert judge is not None
    keys = set()
    for line, name, message in (
        (3, "SyntaxError", "Invalid regular expression: /(x/: Unterminated group"),
        (9, "SyntaxError", "Invalid regular expression: /[x/: Unterminated character class"),
        (9, "TypeError", "Cannot read properties of undefined (reading 'x')"),
    ):
        thrown = Thrown(name=name, message=message)
        exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=("a",)), thrown=thrown)
        observation = function_observation(0, exchange, cause=Cause(file="a.js", line=line))
        keys |= {
            one.key for one in judge(CallView(operation, observation, evaluation, Contracts(), AnsweredPromises()))
        }
    assert len(keys) == 2


def test_a_method_that_an_argument_lacks_is_a_fault_only_if_its_type_is_declared():
    members = {"date": Shape(kinds=("boolean",))}
    seen = Parameter(name="given", template=StringGene(), shape=Shape(kinds=("object",), members=members))
    thrown = Thrown(name="TypeError", message="given.date is not a function")
    for parameter, message, sensible in (
        (seen, thrown.message, False),
        (msgspec.structs.replace(seen, is_declared=True), thrown.message, True),
        (seen, "other.date is not a function", True),
    ):
        exchange = FunctionExchange(
            invocation=Invocation(operation="f", arguments=({"date": True},)),
            thrown=msgspec.structs.replace(thrown, message=message),
        )
        assert is_sensible(msgspec.structs.replace(BINDING, parameters=(parameter,)), exchange) is sensible


@pytest.mark.parametrize(("kind", "sensible"), [("function", False), ("method", True)])
def test_a_class_that_is_called_as_a_function_cannot_set_members_of_the_exports(kind, sensible):
    thrown = Thrown(name="TypeError", message="Cannot add property options, object is not extensible")
    exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=()), thrown=thrown)
    assert is_sensible(msgspec.structs.replace(BINDING, kind=kind), exchange) is sensible


@pytest.mark.parametrize(
    ("message", "arguments", "is_refused"),
    [
        ("The number 3.5 cannot be converted to a BigInt because it is not an integer", ([0, 3.5],), True),
        ("The number 3.5 cannot be converted to a BigInt because it is not an integer", ([7, 2],), False),
        ("The number NaN cannot be converted to a BigInt because it is not an integer", ({"$number": "NaN"},), True),
        ("The number 127.5 cannot be converted to a BigInt because it is not an integer", ("::1", 0.5), True),
        ("Cannot convert a b to a BigInt", (["a b", ""],), True),
        ("Cannot convert undefined to a BigInt", ("a",), False),
        ("Invalid array length", ({"padding": 0.5},), True),
        ("Invalid array length", ({"padding": 3},), False),
    ],
)
def test_a_number_that_is_not_whole_is_refused_by_the_engine_if_the_call_gives_it(message, arguments, is_refused):
    thrown = Thrown(name="RangeError", message=message)
    exchange = FunctionExchange(Invocation(operation="f", arguments=arguments), thrown=thrown)
    assert is_refused_by_builtin(thrown, BINDING, exchange) is is_refused
