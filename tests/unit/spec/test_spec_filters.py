import pytest

from wimble.errors import SchemaError, UsageError
from wimble.http.binding import http_operation
from wimble.model.operation import Specification
from wimble.spec.operation_filters import only, parsed_filter

OPERATIONS = tuple(
    http_operation(id=f"{method} {path}", method=method, path=path, operation_id=name, tags=tags)
    for method, path, name, tags in (
        ("GET", "/orders", "listOrders", ("shop",)),
        ("POST", "/orders", "addOrder", ("shop", "write")),
        ("DELETE", "/orders/{id}", "dropOrder", ("shop", "write")),
        ("GET", "/health", "", ()),
        ("GET", "/list[x]", "", ()),
    )
)
SPECIFICATION = Specification(title="t", operations=OPERATIONS, source="s")


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        ([], [0, 1, 2, 3, 4]),
        (["path:/orders*"], [0, 1, 2]),
        (["path:/orders"], [0, 1]),
        (["method:get", "method:POST"], [0, 1, 3, 4]),
        (["tag:shop", "method:GET"], [0]),
        (["!tag:write"], [0, 3, 4]),
        (["tag:shop", "!method:DELETE"], [0, 1]),
        (["operation:listOrders", "operation:GET /health"], [0, 3]),
        (["path:/list[x]"], [4]),
    ],
)
def test_kinds_narrow_and_values_of_one_kind_widen(texts, kept):
    found = only(SPECIFICATION, tuple(parsed_filter(text) for text in texts)).operations
    assert [OPERATIONS.index(operation) for operation in found] == kept


def test_a_filter_that_fits_nothing_says_what_there_is():
    with pytest.raises(SchemaError) as caught:
        only(SPECIFICATION, (parsed_filter("tag:shops"),))
    assert "GET /orders" in "\n".join(caught.value.lines())


@pytest.mark.parametrize("text", ["", "shop", "colour:red", "path:"])
def test_what_is_no_filter_is_refused(text):
    with pytest.raises(UsageError):
        parsed_filter(text)
