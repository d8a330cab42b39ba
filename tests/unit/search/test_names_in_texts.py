"""Names of cookies and parameters that a program looks for in the text that holds all of them."""

from random import Random

import pytest

from wimble.genes import StringGene
from wimble.http.binding import http_operation
from wimble.http.undeclared_room import with_undeclared_inputs
from wimble.model.hints import ComparisonHint, PatternHint, SubstringHint
from wimble.model.learned_input import LearnedInput
from wimble.model.testcase import Call
from wimble.search.learned.members import with_input
from wimble.search.learned.names_in_texts import named_in_text
from wimble.types import OperationId, TargetId

(GET,) = with_undeclared_inputs([http_operation(id=OperationId("GET /a"), method="GET", path="/a", inputs=())])
COMMON = {"target": TargetId(1), "call": 0, "wanted": True}


def sent(**named):
    call = Call(GET, tuple(given.template.sampled(Random(1)) for given in GET.inputs))
    for location, name in named.items():
        call = with_input(call, LearnedInput(location=location, path=(name,)), StringGene("v8xqz"))
    return call


def place(call, hint):
    one = named_in_text(call, hint)
    return None if one is None else (one.location, *one.path)


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("theme=", "theme"),
        (r"(?:^|; )theme=([^;]*)", "theme"),
        (r"\bX_id=(\d+)", "X_id"),
        (r"[?&]t=1", "t"),
        ("=", None),
    ],
)
def test_a_pattern_names_what_stands_before_the_equals_sign(source, name):
    hint = PatternHint(text="a=1; k7qqz=v8xqz", source=source, **COMMON)
    assert place(sent(cookie="k7qqz"), hint) == (name and ("cookie", name))


def test_a_text_with_a_pair_of_the_call_shows_where_the_name_belongs():
    hint = SubstringHint(place="anywhere", text="/a?k7qqz=v8xqz", part="debug=", **COMMON)
    assert place(sent(query="k7qqz"), hint) == ("query", "debug")
    assert place(sent(cookie="other"), hint) is None


def test_a_name_that_is_compared_with_one_of_the_call():
    hint = ComparisonHint(operator="identical", left="k7qqz", right="sid", **COMMON)
    assert place(sent(cookie="k7qqz"), hint) == ("cookie", "sid")
    assert place(sent(cookie="other"), hint) is None
    assert (
        place(sent(cookie="k7qqz"), ComparisonHint(operator="identical", left="k7qqz", right="a b", **COMMON)) is None
    )
