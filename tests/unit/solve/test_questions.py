"""A question holds what matters for its answer, and conditions are shown as the program would write them."""

from __future__ import annotations

import pytest

from wimble.solve.condition_names import ConditionNames
from wimble.solve.path_conditions import Expression, Path, PathEntry
from wimble.solve.questions import Question, question_of, rounds_to_length, with_more_rounds
from wimble.solve.source_terms import MAX_CHARS, condition_text

NODES = (
    Expression("in:/query/a", (), "x"),
    Expression("in:/query/b", (), "y"),
    Expression("in:/body/c", (), 3),
    Expression("k", (), "k"),
    Expression("k", (), 4),
    Expression("===", (0, 3), False),
    Expression("===", (0, 1), False),
    Expression("<", (2, 4), True),
    Expression("startsWith", (1, 3, 4), False),
    Expression("!", (5,), True),
    Expression("k", (), "^a+$"),
    Expression("k", (), "i"),
    Expression("test", (0, 10, 11), False),
    Expression("length", (0,), 1),
    Expression("<=", (13, 4), True),
)


def entries(*numbers: int) -> Path:
    return Path(NODES, tuple(PathEntry(f"a.js:{node}:1:if", bool(NODES[node].value), node) for node in numbers))


def test_conditions_on_other_inputs_are_left_out_and_repeated_ones_are_asked_once() -> None:
    question = question_of(entries(7, 8, 7, 8, 6), 4)
    assert question is not None
    assert [question.path.nodes[one.node].op for one in question.path.entries] == ["startsWith", "==="]
    assert question.path.inputs() == {"/query/a": "x", "/query/b": "y"}


def test_inputs_are_related_through_others() -> None:
    question = question_of(entries(8, 6, 12), 2)
    assert question is not None
    assert [question.path.nodes[one.node].op for one in question.path.entries] == ["startsWith", "===", "test"]


def test_the_same_question_of_another_path_has_the_same_key() -> None:
    one, other = question_of(entries(7, 12), 1), question_of(entries(12), 0)
    assert one is not None
    assert other is not None
    assert one.key() == other.key()
    third = question_of(entries(14, 12), 1)
    assert third is not None
    assert third.key() != one.key()


def test_the_negation_of_the_asked_condition_is_no_condition_of_its_own() -> None:
    question = question_of(entries(5, 9), 1)
    assert question is not None
    assert len(question.path.entries) == 1


def test_further_rounds_of_a_loop_are_asked_for_at_once() -> None:
    nodes = (Expression("in:/query/a", (), "ab"), Expression("length", (0,), 2), Expression("k", (), 2))
    path = Path((*nodes, Expression("<", (2, 1), False)), (PathEntry("a.js:1:1:for", False, 3),))
    question = question_of(path, 0)
    assert question is not None
    further = with_more_rounds(question, 5)
    assert further is not None
    assert condition_text(further.path, 0) == "7 < query.a.length"
    assert with_more_rounds(Question(Path(path.nodes, (PathEntry("", True, 3),))), 5) is None


def test_a_condition_without_inputs_is_no_question() -> None:
    nodes = (Expression("k", (), 1), Expression("===", (0, 0), True))
    assert question_of(Path(nodes, (PathEntry("a", True, 1),)), 0) is None


@pytest.mark.parametrize(
    ("node", "text"),
    [
        (5, 'query.a === "k"'),
        (9, 'query.a !== "k"'),
        (7, "body.c < 4"),
        (8, 'query.b.startsWith("k", 4)'),
        (12, "/^a+$/i.test(query.a)"),
        (14, "query.a.length <= 4"),
    ],
)
def test_conditions_read_like_the_program(node: int, text: str) -> None:
    assert condition_text(entries(node), 0) == text


def test_long_conditions_are_cut_off() -> None:
    nodes = [Expression("in:/x", (), 1)]
    nodes += [Expression("+", (number, number), 1) for number in range(60)]  # its text would have 2^60 parts
    path = Path((*nodes, Expression("<", (60, 0), False)), (PathEntry("a", False, 61),))
    text = condition_text(path, 0)
    assert len(text) <= MAX_CHARS
    assert text.endswith("...")


def test_of_choices_that_do_not_fit_the_values_that_were_chosen_are_shown() -> None:
    nodes = [Expression("in:/body/x", (), 5), Expression("k", (), 1), Expression("<", (0, 1), False)]
    for _ in range(12):  # each chooses between 1 and the choice before
        nodes.append(Expression("ite", (2, 1, len(nodes) - 1 if len(nodes) > 3 else 0), 5))
    nodes.append(Expression("<", (1, len(nodes) - 1), True))
    path = Path(tuple(nodes), (PathEntry("a", True, len(nodes) - 1),))
    assert condition_text(path, 0) == "1 < body.x"


def test_a_choice_that_is_cut_off_in_whole_is_shown_as_one() -> None:
    nodes = [Expression("in:/body/x", (), 5), Expression("!", (0,), False), Expression("!", (1,), True)]
    nodes.append(Expression("ite", (2, 1, 2), False))
    nodes += [Expression("abs", (number,), 0) for number in range(3, 12)]
    path = Path(tuple(nodes), (PathEntry("a", False, 12),))
    assert "?" not in condition_text(path, 0)


def test_conditions_of_built_ins_are_told_apart_by_what_they_ask() -> None:
    names = ConditionNames()
    nodes = (*NODES[:2], Expression("k", (), "p"), Expression("k", (), 1), Expression("k", (), True))
    asked = [Expression("===", (0, other), False) for other in (1, 2, 3, 4)]
    conditions = (PathEntry("a:1:2:if", False, 5), *(PathEntry("key", False, number) for number in (5, 6, 7, 8, 5)))
    first = names.of(Path((*nodes, *asked), conditions))
    assert len(set(first)) == 5
    assert first[1] == first[5]
    # Another run has other numbers and values.
    other = (Expression("k", (), "q"), Expression("in:/query/b", (), "1"), Expression("in:/query/a", (), "2"))
    path = Path((*other, Expression("===", (2, 1), True)), (PathEntry("key", True, 3), PathEntry("a:1:2:if", True, 3)))
    assert names.of(path) == [first[1], first[0]]


@pytest.mark.parametrize(
    ("op", "more", "text"),
    [
        ("parseFloat", (), "parseFloat(query.a)"),
        ("fromBase64", (), "atob(query.a)"),
        ("toBig", (), "BigInt(query.a)"),
        ("jsonMember", ("/limit/0",), "JSON.parse(query.a).limit.0"),
        ("urlPart", ("hostname",), "new URL(query.a).hostname"),
        ("parameter", ("p",), 'new URLSearchParams(query.a).get("p")'),
    ],
)
def test_what_is_parsed_reads_like_the_program(op: str, more: tuple[str, ...], text: str) -> None:
    constants = tuple(Expression("k", (), one) for one in more)
    node = Expression(op, tuple(range(len(more) + 1)), True)
    path = Path((Expression("in:/query/a", (), "x"), *constants, node), (PathEntry("a", True, len(more) + 1),))
    assert condition_text(path, 0) == text


@pytest.mark.parametrize(
    ("built", "wanted", "n_rounds", "expected"),
    [
        ("s", "soda", 1, 2),
        ("ss", "soda", 2, 1),
        ("ss", "soda", 3, 2),
        ("abc", "soda", 2, 0),
        ("abab", "soda", 2, 0),
        ("", "soda", 1, 0),
    ],
)
def test_rounds_that_make_a_text_as_long_as_the_wanted_one(
    built: str, wanted: str, n_rounds: int, expected: int
) -> None:
    nodes = (
        Expression("in:/s", (), "x"),
        Expression("k", (), n_rounds),
        Expression("parts", (0, 1), n_rounds),
        Expression("<", (1, 2), False),
        Expression("concat", (0, 0), built),
        Expression("k", (), wanted),
        Expression("===", (4, 5), False),
        Expression("!", (6,), True),
    )
    path = Path(nodes, (PathEntry("f:1:1:list", False, 3), PathEntry("f:2:1:if", True, 7)))
    assert rounds_to_length(path, own=1, end=0) == expected
