"""Operations that a program without a router shows only when it knows the thing that a path names."""

from wimble.model.hints import ComparisonHint, KeyHint
from wimble.spec.routes.compared_methods import compared_operations
from wimble.types import TargetId


def equal(left, right, *, wanted=True):
    return ComparisonHint(target=TargetId(3), call=0, operator="identical", left=left, right=right, wanted=wanted)


def after(hint, method="GET", template="/todos/{id}/{part}", sent="/todos/1/x7"):
    return [(one.method, one.template, one.target) for one in compared_operations([hint], method, template, sent)]


def test_another_method_of_the_path():
    assert after(equal("GET", "PUT")) == [("PUT", "/todos/{id}/{part}", 3)]
    assert after(equal("delete", "get"), "GET") == [("DELETE", "/todos/{id}/{part}", 3)]
    assert after(KeyHint(target=TargetId(3), call=0, key="GET", other="PATCH")) == [("PATCH", "/todos/{id}/{part}", 3)]


def test_a_method_with_the_rest_of_the_path():
    assert after(equal("GET x7", "POST tags")) == [("POST", "/todos/{id}/tags", 3)]
    assert after(equal("GET tags", "DELETE tags"), template="/todos/{id}/tags", sent="/todos/1/tags") == [
        ("DELETE", "/todos/{id}/tags", 3)
    ]


def test_what_names_no_operation():
    assert after(equal("GET", "PUT", wanted=False)) == []
    assert after(equal("PUT", "DELETE")) == [], "it is not the method that was sent"
    assert after(equal("GET", "OPTIONS")) == [], "preflight requests have no tests"
    assert after(equal("GET todos", "POST tags")) == [], "a text of the program is in that place"
    assert after(equal("x7", "tags")) == [], "it may be a value"
