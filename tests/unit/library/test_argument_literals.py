"""Values and calls of libraries as JavaScript."""

import json
import shutil
import subprocess

import msgspec
import pytest

from wimble.genes import StringGene
from wimble.library.argument_literals import (
    FUNCTION_TEXTS,
    call_text,
    import_of,
    literal,
    variable_name,
    written_name,
)
from wimble.library.function_binding import FunctionBinding, Parameter
from wimble.library.invocation import FunctionExchange, Invocation, Step
from wimble.runtimes.node.node_agent import agent_dir


def bound(**fields):
    return FunctionBinding(index=0, package="some-lib", **fields)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("it's\x7f", '"it\'s\\u007f"'),
        ('it\'s "x"\n', "'it\\'s \"x\"\\n'"),
        ({"$undefined": True}, "undefined"),
        ({"$number": "-0"}, "-0"),
        ({"$date": None}, "new Date(NaN)"),
        ({"$map": [["a", {"$bigint": "1"}]]}, "new Map([['a', 1n]])"),
        ({"__proto__": 1, "a-b": [True, None]}, "{ ['__proto__']: 1, 'a-b': [true, null] }"),
        ({"$price": 1}, "{ $price: 1 }"),
    ],
)
def test_values_are_written_as_a_program_would(value, text):
    assert literal(value) == text


def test_calls_name_what_the_package_exports():
    call = Invocation(operation="Netmask#contains", arguments=("10.0.0.1",), receiver=("10.0.0.0/8",))
    method = bound(kind="method", path=("Netmask",), method="contains")
    assert call_text(method, call) == "new Netmask('10.0.0.0/8').contains('10.0.0.1')"
    assert call_text(method, call, "netmask") == "new netmask.Netmask('10.0.0.0/8').contains('10.0.0.1')"
    of_result = bound(kind="method", path=("parse",), method="find", is_of_result=True)
    assert call_text(of_result, call, "lib") == "lib.parse('10.0.0.0/8').find('10.0.0.1')"
    called = bound(kind="method", path=("compile",), is_of_result=True)
    assert call_text(called, call, "lib") == "lib.compile('10.0.0.0/8')('10.0.0.1')"
    itself = Invocation(operation="some-lib", arguments=())
    assert call_text(bound(kind="function", path=()), itself) == "someLib()"


@pytest.mark.parametrize(
    ("chained", "text"),
    [
        ((False, True, True), "new Url('x').path('a').query('b').text('c')"),
        ((False, False, False), "const object = new Url('x'); object.path('a'); object.query('b'); object.text('c')"),
        ((False, True, False), "const object = new Url('x').path('a'); object.query('b'); object.text('c')"),
        ((False, False, True), "const object = new Url('x'); object.path('a'); object.query('b').text('c')"),
        ((False, True), "new Url('x').path('a').query('b')"),  # the third call was not made
    ],
)
def test_calls_on_an_object_are_written_as_they_were_made(chained, text):
    steps = (Step(method="path", arguments=("a",)), Step(method="query", arguments=("b",)))
    call = Invocation(operation="Url#text", arguments=("c",), receiver=("x",), steps=steps, chained=chained)
    assert call_text(bound(kind="method", path=("Url",), method="text"), call) == text


@pytest.mark.parametrize(
    ("chained", "awaited", "text"),
    [
        ((False, True), (False, True, True), "(await new Url('x').path('a')).text('c')"),
        ((False, False), (False, True, False), "const object = new Url('x'); await object.path('a'); object.text('c')"),
        ((False, True), (True, False, False), "const object = await new Url('x'); object.path('a').text('c')"),
        ((False, False), (True, True, False),
         "const object = await new Url('x'); await object.path('a'); object.text('c')"),
        ((False,), (False, True), "new Url('x').path('a')"),  # it was rejected
    ],
)  # fmt: skip
def test_promises_are_waited_for_between_calls(chained, awaited, text):
    call = Invocation(
        operation="Url#text", arguments=("c",), receiver=("x",), steps=(Step(method="path", arguments=("a",)),),
        chained=chained, awaited=awaited,
    )  # fmt: skip
    assert call_text(bound(kind="method", path=("Url",), method="text"), call) == text
    exchange = FunctionExchange(invocation=call, is_awaited=True)
    assert exchange.ends_in_promise is (awaited[-1] and len(awaited) > len(chained))


def test_a_setter_is_written_as_an_assignment():
    steps = (Step(method="size=", arguments=(3,)), Step(method="push", arguments=("a",)))
    call = Invocation(
        operation="List#x-y=", arguments=("b",), receiver=(), steps=steps, chained=(False, False, False)
    )  # fmt: skip
    text = "const object = new List(); object.size = 3; object.push('a'); object['x-y'] = 'b'"
    assert call_text(bound(kind="method", path=("List",), method="x-y="), call) == text
    chained = msgspec.structs.replace(call, chained=(False, True, True))
    assert call_text(bound(kind="method", path=("List",), method="x-y="), chained) == (
        "(new List().size = 3).push('a')['x-y'] = 'b'"
    )
    used = {"$used": [{"$made": ["new List"]}, [["size=", 3]]]}
    call = Invocation(operation="show", arguments=(used,))
    assert call_text(bound(kind="function", path=("show",)), call, "p") == (
        "const list = new p.List(); list.size = 3; p.show(list)"
    )


def test_a_promise_that_needs_the_next_call_is_waited_for_as_long_as_it_was():
    call = Invocation(
        operation="Bus#emit", arguments=("a",), receiver=(), steps=(Step(method="once", arguments=("a",)),),
        chained=(False, False), awaited=(False, True, False), left=(False, True),
    )  # fmt: skip
    waited = "await Promise.race([object.once('a'), new Promise((resolve) => setTimeout(resolve, 20))])"
    text = call_text(bound(kind="method", path=("Bus",), method="emit"), call)
    assert text == f"const object = new Bus(); {waited}; object.emit('a')"


@pytest.mark.parametrize(
    ("access", "chained", "text"),
    [
        ("read", (False, False), "const object = new Url('x'); object.path('a'); object.host"),
        ("read", (False, True), "new Url('x').path('a').host"),
        ("items", (False, False), "const object = new Url('x'); object.path('a'); object"),
        ("read", (False,), "new Url('x').path('a')"),  # there was nothing to read
    ],
)
def test_getters_are_read_and_what_yields_items_is_no_call(access, chained, text):
    call = Invocation(
        operation="Url#host", arguments=(), receiver=("x",), steps=(Step(method="path", arguments=("a",)),),
        chained=chained,
    )  # fmt: skip
    assert call_text(bound(kind="method", path=("Url",), method="host", access=access), call) == text


def test_a_default_export_is_imported_without_braces_unless_names_are_needed_too():
    default = bound(kind="function", path=("default", "parse"), is_module=True)
    named = bound(kind="function", path=("stringify",), is_module=True)
    call = Invocation(operation="default.parse", arguments=("a",))
    statement, _, called = import_of([default, default], "some-lib")
    assert statement == "import someLib from 'some-lib';"
    assert call_text(called[0], call, "someLib") == call_text(default, call) == "someLib.parse('a')"
    statement, _, called = import_of([default, named], "some-lib")
    assert statement == "import * as someLib from 'some-lib';"
    assert call_text(called[0], call, "someLib") == "someLib.default.parse('a')"


def test_a_class_that_is_all_of_a_package_is_called_by_its_own_name():
    method = bound(kind="method", path=(), method="plus", whole_name="Decimal")
    static = bound(kind="function", path=("max",), whole_name="Decimal")
    call = Invocation(operation="some-lib#plus", arguments=(1,), receiver=("2",))
    assert import_of([static], "some-lib")[:2] == ("import Decimal from 'some-lib';", "Decimal")
    assert call_text(method, call) == call_text(method, call, "Decimal") == "new Decimal('2').plus(1)"
    assert call_text(static, call) == call_text(static, call, "Decimal") == "Decimal.max(1)"
    assert written_name("some-lib#plus", method) == "Decimal#plus"
    assert written_name("max", static) == "Decimal.max"
    assert written_name("new some-lib", bound(kind="constructor", path=(), whole_name="Decimal")) == "new Decimal"


def test_a_class_that_is_the_default_is_called_by_its_own_name_where_a_program_imports_it_alone():
    method = bound(kind="method", path=("default",), method="plus", default_name="Decimal", is_module=True)
    other = bound(kind="function", path=("parse",), default_name="Decimal", is_module=True)
    call = Invocation(operation="default#plus", arguments=(1,), receiver=("2",))
    statement, root, (called,) = import_of([method], "some-lib")
    assert statement == "import Decimal from 'some-lib';"
    assert call_text(called, call, root) == call_text(method, call) == "new Decimal('2').plus(1)"
    statement, root, (called, _) = import_of([method, other], "some-lib")
    assert statement == "import * as someLib from 'some-lib';"
    assert call_text(called, call, root) == "new someLib.default('2').plus(1)"
    required = msgspec.structs.replace(method, is_module=False)
    assert call_text(required, call, import_of([required], "some-lib")[1]) == "new someLib.default('2').plus(1)"
    assert written_name("default#plus", method) == written_name("default#plus", required) == "Decimal#plus"
    assert written_name("parse", other) == "parse"


def test_names_of_variables_are_no_words_of_the_language():
    assert [variable_name(name) for name in ("is-glob", "@scope/url-parse", "delete", "7zip")] == [
        "isGlob",
        "urlParse",
        "deleteLibrary",
        "library",
    ]


def test_a_long_repetition_is_written_as_what_is_repeated():
    assert literal("x" + "ab" * 100 + "y") == "'x' + 'ab'.repeat(100) + 'y'"
    assert literal("ab" * 20) == f"'{'ab' * 20}'"
    assert literal({"a" * 200: 1}) == "{ " + "a" * 200 + ": 1 }"


def test_a_parameter_holds_its_gene():
    assert Parameter(name="text", template=StringGene("a")).template.phenotype() == "a"


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_texts_survive_the_way_through_the_engine():
    text = "\u2028 \\ ' \" \x7f \0 \U0001f600"
    done = subprocess.run(
        ["node", "-p", f"JSON.stringify({literal(text)})"], capture_output=True, text=True, timeout=30, check=True
    )
    assert json.loads(done.stdout) == text


def test_functions_that_calls_pass_are_written_in_tests_as_a_library_sees_them():
    names = list(FUNCTION_TEXTS)
    program = f"""
        const {{ hideFunctionTexts }} = require('./src/base/function-text.cjs');
        const {{ decoded }} = require('./src/library/call-values.cjs');
        hideFunctionTexts('no mark', String);
        const made = {json.dumps(names)}.map((name) => decoded({{ $function: name }}));
        console.log(JSON.stringify(made.map((one) => [String(one), one.name])));
        console.log(decoded({{ map: {{ $function: 'callback' }} }}).map.name);
    """
    done = subprocess.run(
        ["node", "-e", program], cwd=agent_dir(), capture_output=True, text=True, check=True, timeout=30
    )
    told, name = done.stdout.splitlines()
    assert json.loads(told) == [[FUNCTION_TEXTS[one], ""] for one in names]
    assert name == "map"
