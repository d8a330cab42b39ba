"""Helpers that only throw are not to blame."""

import pytest

from wimble.execute.causes.fault_localisation import FaultLocator
from wimble.execute.runner import Run
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.observation import Cause
from wimble.model.structure import FileStructure, FunctionBody
from wimble.model.targets import Target, TargetTable
from wimble.runtimes.node.v8_stacks import V8_STACKS

SOURCE = """// errors
function fail(what) { throw new Error(what); }
function relay(what) { throw fail(what); }
const price = (book) => { return book.price.net; };
function check(value) {
  if (value > 7)
    throw new Error('no');
}
"""
FUNCTIONS = (
    FunctionBody("fail", 2, 20, 2, 46),
    FunctionBody("relay", 3, 21, 3, 42),
    FunctionBody("price", 4, 24, 4, 50),
    FunctionBody("check", 5, 22, 8, 1),
)
STATEMENTS = ((2, 22), (3, 23), (4, 26), (6, 2), (7, 4))


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "server.js"
    path.write_text(SOURCE)
    return str(path)


def blamed(file, *frames, line):
    table = TargetTable()
    for where in STATEMENTS:
        table.register(Target(kind="statement", file=file, line=where[0], column=where[1], detail=""))
    stack = "Error: no\n" + "\n".join(f"    at {frame}" for frame in frames)
    structures = {file: FileStructure(functions=dict.fromkeys(FUNCTIONS))}
    cause = FaultLocator(table).settled(
        Cause(file=file, line=line, message="Error: no", stack=stack), structures, V8_STACKS
    )
    return cause.line


def test_a_function_that_only_throws_passes_the_blame_on(file):
    assert blamed(file, f"fail ({file}:2:96)", f"{file}:31:5", line=2) == 31
    assert blamed(file, f"Object.fail [as refuse] ({file}:2:96)", f"async Router.get ({file}:31:5)", line=2) == 31


def test_helpers_of_helpers_do_too(file):
    assert blamed(file, f"fail ({file}:2:96)", f"relay ({file}:3:30)", f"{file}:31:5", line=2) == 31


def test_frames_of_packages_are_passed_over(file):
    assert blamed(file, f"fail ({file}:2:96)", "run (/app/node_modules/x/i.js:1:1)", f"{file}:31:5", line=2) == 31


def test_a_function_that_does_more_is_to_blame(file):
    assert blamed(file, f"check ({file}:7:9)", f"{file}:31:5", line=7) == 7


def test_so_is_one_in_which_something_breaks(file):
    assert blamed(file, f"price ({file}:4:96)", f"{file}:31:5", line=4) == 4


def test_so_is_one_that_nobody_of_the_project_called(file):
    assert blamed(file, f"fail ({file}:2:96)", "node:internal/process:1:1", line=2) == 2


def test_a_function_without_a_name_is_not_looked_for(file):
    assert blamed(file, f"{file}:2:96", f"{file}:31:5", line=2) == 2


@pytest.mark.parametrize(
    ("stack", "thrown_at"),
    [
        (
            "Error: no\n    at check (/app/node_modules/x/i.js:7:1)\n    at node:internal/timers:5:1",
            "/app/node_modules/x/i.js:7",
        ),
        ("Error: no\n    at node:internal/timers:5:1", ""),
        ("Error: no\n    at check (/app/node_modules/x/i.js:7:1)\n    at /app/server.js:31:5", ""),
        ("", ""),
    ],
)
def test_an_error_that_a_package_has_raised_tells_where(stack, thrown_at):
    cause = Cause(file="/app/server.js", line=31, message="Error: no", stack=stack)
    assert FaultLocator(TargetTable()).settled(cause, {}, V8_STACKS).thrown_at == thrown_at


def test_an_error_of_a_call_that_packages_alone_have_handled_tells_where():
    cause = Cause(message="Error: no", stack="Error: no\n    at check (/app/node_modules/x/i.js:7:1)")
    assert FaultLocator(TargetTable()).settled(cause, {}, V8_STACKS).thrown_at == "/app/node_modules/x/i.js:7"


@pytest.mark.parametrize(
    ("body", "place", "thrown_at"),
    [
        (b"Error: no\n    at add (/app/node_modules/x/i.js:7:1)\n    at next (/app/s.js:3:1)", ("/app/s.js", 3), ""),
        (b"Error: no\n    at add (/app/node_modules/x/i.js:7:1)", ("", 0), "/app/node_modules/x/i.js:7"),
        (b'{"stack": "Error: no\\n    at /app/s.js:4:1"}', ("/app/s.js", 4), ""),
        (b"<pre>Error: no<br> &nbsp; &nbsp;at add (/app/s.js:5:1)</pre>", ("/app/s.js", 5), ""),
        (b"meet me at noon (or at 12:30:00)", ("", 0), ""),
    ],
)
@pytest.mark.parametrize("status", [500, 400])
def test_a_stack_in_the_answer_tells_where_if_the_agent_does_not(body, place, thrown_at, status):
    response = HttpResponse(status, (), body)
    observation = http_observation(0, HttpRequest("GET", "/x"), response)
    run = Run(observations=(observation,), results=(), crashes=())
    (settled,) = FaultLocator(TargetTable()).settled_run(run, {"/app/s.js": FileStructure()}, V8_STACKS).observations
    cause = settled.cause or Cause()
    expected = (place, thrown_at) if status == 500 else (("", 0), "")
    assert ((cause.file, cause.line), cause.thrown_at) == expected
