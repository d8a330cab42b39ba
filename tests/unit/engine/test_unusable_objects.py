"""Methods whose errors are not judged, since their objects need more than a constructor gives."""

import pytest

from wimble.engine.dropped_faults.unusable_objects import unusable_operations
from wimble.library.function_binding import FunctionBinding, function_operation


def _operation(name: str, kind: str, path: tuple[str, ...], *, is_class: bool = False):
    method = name.partition("#")[2]
    return function_operation(
        FunctionBinding(index=0, package="lib", kind=kind, path=path, method=method, is_class=is_class), name
    )


@pytest.mark.parametrize(
    ("returned", "unusable"),
    [
        ("", "abcde"),
        ("a", "abcde"),  # what the others lack, it may lack as well
        ("abc", "de"),  # most return: each is judged by itself
        ("abcde", ""),
    ],
)
def test_methods_of_a_class_of_which_most_never_returned_are_unusable(returned, unusable):
    operations = [_operation(f"Compiler#{name}", "method", ("Compiler",)) for name in "abcde"]
    found = unusable_operations(operations, lambda operation: operation.removeprefix("Compiler#") in returned)
    assert found == [f"Compiler#{name}" for name in unusable]


def test_other_classes_small_classes_and_functions_are_judged_by_themselves():
    failing = [_operation(f"Compiler#{name}", "method", ("Compiler",)) for name in "abcd"]
    small = [_operation(f"Point#{name}", "method", ("Point",)) for name in "abc"]
    functions = [
        _operation("parse", "function", ("parse",)),
        _operation("Lexer", "function", ("Lexer",), is_class=True),
    ]
    found = unusable_operations([*failing, *small, *functions], lambda operation: operation == "Point#a")
    assert found == [*(one.id for one in failing), "Point#b", "Point#c", "Lexer"]


@pytest.mark.parametrize(
    ("owner", "returned", "is_judged"),
    [
        (("helpers",), "e", False),  # what an engine passes, the others lack
        (("helpers",), "cde", True),
        (("default",), "e", True),  # the package itself
        (("default", "helpers"), "e", False),
        ((), "e", True),
    ],
)
def test_functions_of_an_object_are_judged_if_most_have_returned(owner, returned, is_judged):
    operations = [_operation(name, "function", (*owner, name)) for name in "abcde"]
    found = unusable_operations(operations, lambda operation: operation in returned)
    assert found == ([] if is_judged else list("abcde"))
