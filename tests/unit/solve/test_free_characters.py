"""Characters that no condition is about become like the one that the asked condition is about."""

from __future__ import annotations

from wimble.solve.path_conditions import Expression, Path, PathEntry
from wimble.solve.values.free_characters import filled, with_traced_characters

NODES = (
    Expression("in:/s", (), "xyz"),
    Expression("k", (), 0),
    Expression("k", (), 1),
    Expression("charAt", (0, 1), "x"),
    Expression("charAt", (0, 2), "y"),
    Expression("k", (), "A"),
    Expression("===", (3, 5), False),
    Expression("===", (4, 5), False),
)


def test_what_comes_after_the_asked_character_is_the_same() -> None:
    path = Path(NODES, (PathEntry("a", False, 6), PathEntry("a", False, 7)))
    assert filled(path, {"/s": "BA    "}) == {"/s": "BAAAAA"}


def test_characters_of_other_conditions_stay() -> None:
    path = Path(NODES, (PathEntry("a", False, 7), PathEntry("a", False, 6)))
    assert filled(path, {"/s": "AC  "}) == {"/s": "ACAA"}


def test_without_free_characters_nothing_changes() -> None:
    path = Path(NODES, (PathEntry("a", False, 6), PathEntry("a", False, 7)))
    assert filled(path, {"/s": "BA"}) is None
    assert filled(path, {"/s": ""}) is None


def test_a_text_of_which_no_character_is_named_stays() -> None:
    nodes = (NODES[0], Expression("length", (0,), 3), NODES[1], Expression("<", (2, 1), True))
    assert filled(Path(nodes, (PathEntry("a", True, 3),)), {"/s": "abc"}) is None


def test_characters_of_other_conditions_become_the_traced_ones_where_these_allow_it() -> None:
    path = Path(NODES, (PathEntry("a", False, 6), PathEntry("a", False, 7)))
    assert with_traced_characters(path, {"/s": " A "}, lambda values: True) == {"/s": "xA "}
    assert with_traced_characters(path, {"/s": " A "}, lambda values: str(values["/s"])[0] == " ") == {"/s": " A "}


def test_texts_of_another_length_stay() -> None:
    path = Path(NODES, (PathEntry("a", False, 6), PathEntry("a", False, 7)))
    assert with_traced_characters(path, {"/s": " A  "}, lambda values: True) == {"/s": " A  "}
