"""Values that the program has kept from an earlier call, and reads by their name in a later one."""

import re
from random import Random

import msgspec

from hint_samples import UNDEFINED, hint
from wimble.feedback import apply_edit, edits_from_hints
from wimble.genes import AnyGene, Gene, ObjectGene, OptionalGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.operation import Entrance
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.types import Json, OperationId


def call_of(gene: Gene, *, method: str = "POST", entrance: Entrance = "") -> Call:
    location = "body" if method == "POST" else "query"
    declared = HttpInput(name="input", location=location, media_type="application/json", template=gene)
    operation = http_operation(id=OperationId(f"{method} /op"), method=method, path="/op", inputs=(declared,))
    return Call(msgspec.structs.replace(operation, entrance=entrance), (gene,))


def first_calls(first: Call, left: Json, name: str) -> list[Json]:
    """What the first of two calls sends by the edits for `NAME === 'editor'` in the second one."""
    case = TestCase((first, call_of(StringGene("zz"), method="GET")))
    edits = edits_from_hints(case, [hint(left, "===", "editor", name=name, call=1)], Random(1), JAVASCRIPT)
    sent = (apply_edit(case, edit).calls[0].genes[0].phenotype() for edit in edits)
    return [one for one in sent if one != first.genes[0].phenotype()]


USER = AnyGene({"name": "ida"})


def test_a_default_of_an_earlier_call_is_given_to_it():
    assert {"name": "ida", "role": "editor"} in first_calls(call_of(USER), "reader", "user.role")


def test_a_member_that_an_earlier_call_left_out_is_given_to_it():
    assert {"name": "ida", "role": "editor"} in first_calls(call_of(USER), UNDEFINED, "session.user.role")
    declared = ObjectGene((("name", StringGene("ida")), ("role", OptionalGene(StringGene("x"), False))))
    assert first_calls(call_of(declared), "reader", "user.role") == [{"name": "ida", "role": "editor"}]


def test_a_variable_is_no_member_of_what_an_earlier_call_made():
    assert first_calls(call_of(USER), "reader", "role") == []


def test_calls_that_store_nothing_stay():
    assert first_calls(call_of(USER, entrance="login"), "reader", "user.role") == []
    assert first_calls(call_of(StringGene("ida"), method="GET"), "reader", "user.role") == []


def test_another_value_has_the_shape_of_the_one_that_is_not_wanted():
    case = TestCase((call_of(AnyGene({"code": "HAM-17"})),))
    edits = edits_from_hints(case, [hint("HAM-17", "===", "HAM-17", wanted=False)], Random(1), JAVASCRIPT)
    sent = [apply_edit(case, edit).calls[0].genes[0].phenotype() for edit in edits]
    codes = [one["code"] for one in sent if isinstance(one, dict) and "code" in one]
    assert any(re.fullmatch(r"[A-Z]{3}-\d\d", str(code)) and code != "HAM-17" for code in codes)
