"""Inputs that are evaluated are proven by a variable that only they name."""

import msgspec
import pytest

from wimble.genes import StringGene
from wimble.http.declarations import HttpInput
from wimble.model.testcase import Call, TestCase
from wimble.oracles.security.code_injection import NAME

VM = "evalmachine.<anonymous>:1\n{}\n    at evalmachine.<anonymous>:1:3\n    at run (/p/app.js:3:5)"


@pytest.fixture
def found(make, judge, tmp_path):
    program = tmp_path / "app.js"
    program.write_text(
        "const vm = require('vm');\nfunction run(code) {\n  return vm.runInNewContext(code);\n}\nprice(kzprw);\n"
    )

    def run(sent, message, *, line=3, stack=VM, status=500):
        given = HttpInput(name="map", location="query", template=StringGene())
        operation = make.operation("POST", inputs=(given,))
        cause = make.Cause(file=str(program), line=line, message=message, stack=stack.format(message))
        evaluation = make.evaluation((operation, make.answer(status, {"error": "x"}), cause))
        evaluation = msgspec.structs.replace(evaluation, test_case=TestCase((Call(operation, (StringGene(sent),)),)))
        return judge(evaluation)

    return run


UNDECLARED = "ReferenceError: jfsjn is not defined"


@pytest.mark.parametrize("sent", ["jfsjn", "2 * jfsjn + 1"])
@pytest.mark.parametrize("stack", [VM, "{}\n    at eval (eval at run (/p/app.js:3:5), <anonymous>:1:1)"])
def test_a_name_that_only_the_input_has_proves_that_it_is_evaluated(found, sent, stack):
    (finding,) = found(sent, UNDECLARED, stack=stack)
    assert (finding.oracle, finding.title) == (NAME, "POST /things runs the input map as code")
    assert finding.cause.line == 3


def test_also_where_the_program_answers_that_the_input_is_wrong(found):
    assert [one.oracle for one in found("jfsjn", UNDECLARED, status=400)] == [NAME]


@pytest.mark.parametrize(
    ("sent", "message", "more"),
    [
        ("other", UNDECLARED, {}),
        ("jfsjnx", UNDECLARED, {}),
        ("jfsjn", "ReferenceError: Cannot access 'jfsjn' before initialization", {}),
        ("jfsjn", UNDECLARED, {"stack": "{}\n    at run (/p/app.js:3:5)"}),
        ("kzprw", "ReferenceError: kzprw is not defined", {"line": 5}),
    ],
)
def test_what_the_program_may_have_named_itself_proves_nothing(found, sent, message, more):
    assert NAME not in [one.oracle for one in found(sent, message, **more)]
