"""Operands of commands that get other values with the rows that are made for them."""

from random import Random
from typing import Any

from wimble.databases.sql.rows_to_insert import _Completion


def test_a_list_that_gets_another_value_is_no_literal_of_the_command() -> None:
    """The search lost all edits that it had queued: a list is no key of a dictionary."""
    nothing: Any = None
    completion = _Completion(nothing, nothing, nothing, Random(1))
    completion._rename("labels", ["a"], ["b"])
    completion._rename("name", "a", "b")
    assert completion.renamed(["a"]) == ["b"] and completion.renamed("a") == "b"
    assert completion.new_literals == {("name", "a"): "b"}
