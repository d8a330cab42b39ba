import msgspec

from wimble.engine.candidates import test_names
from wimble.engine.candidates.test_names import MAX_NAME_LENGTH, make_unique, name_test
from wimble.genes import AnyGene, IntegerGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.library.function_binding import FunctionBinding, MethodParameters, Parameter, function_operation
from wimble.library.invocation import FunctionExchange, Invocation, Step, Thrown, function_observation
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause, Mistake, Observation
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId


def case(*calls: tuple[str, str], limit: int = 1) -> TestCase:
    made = []
    for method, path in calls:
        limit_input = HttpInput(name="limit", location="query", template=IntegerGene())
        operation = http_operation(id=OperationId(f"{method} {path}"), method=method, path=path, inputs=(limit_input,))
        made.append(Call(operation, (IntegerGene(limit),)))
    return TestCase(tuple(made))


def answers(*statuses: int) -> list[Observation]:
    return [
        http_observation(call_index=i, request=HttpRequest("GET", "/"), response=HttpResponse(status, (), b""))
        for i, status in enumerate(statuses)
    ]


def fault(message: str, call_index: int = 0) -> Finding:
    return Finding(
        oracle="server-error", key=("k",), operation="", status=500, title="", observed="", expected="",
        cause=Cause(message=message), call_index=call_index,
    )  # fmt: skip


def test_a_plain_test_is_named_after_its_last_call():
    test_case = case(("POST", "/books"), ("GET", "/books/{id}"))
    assert name_test(test_case, answers(201, 200), []) == "GET /books/{id} answers 200, after POST /books"


def test_a_faults_test_names_the_error():
    name = name_test(case(("GET", "/x")), answers(500), [fault("TypeError: a is undefined\n more")])
    assert name == "GET /x answers 500: TypeError: a is undefined"


def test_names_are_cut_and_single_lines():
    name = name_test(case(("POST", "/y"), ("GET", "/x" * 90)), answers(201, 500), [fault("x" * 500, call_index=1)])
    assert len(name) <= MAX_NAME_LENGTH
    assert name.endswith("...")


def test_equal_names_are_told_apart_by_inputs_and_then_by_number():
    cases = [case(("GET", "/x"), limit=5), case(("GET", "/x"), limit=6), case(("GET", "/x"), limit=6)]
    names = make_unique(["GET /x answers 200"] * 3, cases)
    assert names == [
        "GET /x answers 200 with limit=5",
        "GET /x answers 200 with limit=6",
        "GET /x answers 200 with limit=6 (2)",
    ]


def test_an_object_that_a_library_makes_is_named_by_the_calls_on_it():
    given = Parameter(name="g", template=AnyGene(None))
    binding = FunctionBinding(index=0, package="graphs", kind="function", path=("walk",), parameters=(given,))
    operation = function_operation(binding, "walk")
    graph = [{"$made": ["new Graph"]}, [["setEdge", "a", "b"], ["setEdge", "b", "c"], ["setNode", "d"]]]
    cases = [TestCase((Call(operation, (AnyGene(value),)),)) for value in ({"$used": graph}, {"$used": [graph[0], []]})]
    assert make_unique(["walk returns array"] * 2, cases) == [
        "walk returns array with g=Graph after setEdge, setNode",
        "walk returns array with g=Graph",
    ]


def test_names_are_cut_between_words() -> None:
    assert (
        test_names._cut("answers 500, after POST /orders, POST /customers", 40)
        == "answers 500, after POST /orders, POST..."
    )
    assert (
        test_names._cut("answers 500, after POST /orders, POST /customers", 36) == "answers 500, after POST /orders..."
    )
    assert test_names._cut("x" * 100, 50) == "x" * 47 + "..."


def test_a_mistake_that_explains_the_fault_is_left_out():
    mistake = Mistake("/app/a.js", 3, "a Promise was used as a value: `await` is missing", ())
    finding = msgspec.structs.replace(
        fault(""), observed=f"$: {{}} is wrong; {mistake.text} at /app/a.js:3", cause=Cause(mistakes=(mistake,))
    )
    assert name_test(case(("GET", "/books")), answers(200), [finding]) == "GET /books answers 200: $: {} is wrong"


def test_a_test_of_a_library_is_named_after_the_call_that_was_made_last_and_those_before():
    steps = (MethodParameters(name="argument"), MethodParameters(name="alias"))
    binding = FunctionBinding(
        index=0, package="lib", kind="method", path=("Command",), method="parse", receiver=(), steps=steps
    )
    operation = function_operation(binding, "Command#parse")
    test_case = TestCase((Call(operation, tuple(one.template for one in operation.inputs)),))
    invocation = Invocation(
        operation="Command#parse", arguments=(), receiver=(), steps=(Step(method="argument"), Step(method="alias"))
    )
    for chained, name in (
        (None, "Command#parse throws TypeError, after argument, alias"),
        ((False, False, True), "Command#parse throws TypeError, after argument, alias"),
        ((False, False), "Command#alias throws TypeError, after argument"),
    ):
        made = msgspec.structs.replace(invocation, chained=chained)
        exchange = FunctionExchange(invocation=made, thrown=Thrown(name="TypeError"))
        assert name_test(test_case, [function_observation(0, exchange)], []) == name


def test_the_class_of_an_error_is_named_once():
    operation = function_operation(FunctionBinding(index=0, package="lib", kind="function", path=("f",)), "f")
    thrown = Thrown(name="TypeError", message="x is undefined")
    exchange = FunctionExchange(invocation=Invocation(operation="f", arguments=()), thrown=thrown)
    finding = Finding(
        oracle="exception",
        key=("exception", "f"),
        operation="f",
        title="",
        observed="",
        expected="",
        cause=Cause(message="TypeError: x is undefined"),
        call_index=0,
    )
    named = name_test(TestCase((Call(operation, ()),)), [function_observation(0, exchange)], [finding])
    assert named == "f throws TypeError: x is undefined"


def test_a_name_holds_the_first_part_of_a_long_message():
    first = "NaN was put into the answer, where JSON has `null` at routes/tools.js:52"
    name = name_test(case(("POST", "/tools")), answers(200), [fault(f"{first}; the answer has `null` at $.deposit")])
    assert name == f"POST /tools answers 200: {first}"
