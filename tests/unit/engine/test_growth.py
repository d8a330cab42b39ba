"""When time grows faster than a text, and the forms of texts that are tried."""

from types import SimpleNamespace

import pytest

from wimble.engine.growth import growth_phase
from wimble.engine.growth.growth_phase import (
    MAX_CHARS,
    Growth,
    Point,
    _by_new_code,
    _cause,
    _grown,
    _measured,
    _Meter,
    _shown_well,
    doubled,
    has_grown,
    is_super_linear,
    measured_again,
)
from wimble.engine.growth.pumped_texts import PumpedText, iter_pumped
from wimble.genes import StringGene
from wimble.library.argument_shape import Shape
from wimble.library.function_binding import FunctionBinding, MethodParameters, Parameter, function_operation
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause
from wimble.model.testcase import Call, TestCase
from wimble.oracles.oracle import NO_CAUSE
from wimble.types import TargetId


def _square(n: int) -> Point:
    return Point(n, n * n / 2e9)


@pytest.mark.parametrize(
    ("points", "is_fault"),
    [
        ([_square(n) for n in (4096, 8192, 16384, 32768)], True),
        ([Point(n, n / 30_000) for n in (4096, 8192, 16384, 32768)], False),  # slow, and linear
        ([_square(n) for n in (1024, 2048, 4096, 8192)], False),  # never slow
        ([Point(16, 0.0001), Point(32, 2.0, is_over=False)], True),
        ([Point(24, 0.01), Point(26, 0.04), Point(28, 0.16), Point(30, 0.64)], True),
        ([Point(16, 2.0, is_over=False)], False),  # it may hang whatever the text is
        ([Point(16_000, 0.3), Point(32_000, 2.0, is_over=False)], False),  # a slow machine
        ([], False),
    ],
)
def test_growth_is_a_fault_if_several_steps_show_it_and_the_end_is_slow(points, is_fault):
    assert is_super_linear(points) is is_fault


def test_the_longest_text_is_measured_though_doubling_passes_it():
    # As `/\s+$/` in V8: a third of a second for 32,768 spaces.
    points = doubled(lambda text: Point(len(text), len(text) ** 2 / 3.1e9), PumpedText("", " ", ""))
    assert [point.n_chars for point in points][-2:] == [32_768, MAX_CHARS]
    assert is_super_linear(points)
    assert len(doubled(lambda text: Point(len(text), 0.0), PumpedText("", "ab", ""))) < 20


@pytest.mark.parametrize(
    ("took_s", "is_suspicious"),
    [
        (lambda n: n**2 / 3.1e9, True),
        (lambda n: n / 100_000, False),
        (lambda n: n / 100_000 + n**2 / 8e9, False),  # at MAX_CHARS the square is still less than the linear part
        (lambda n: n / 400_000 + n**2 / 3.1e9, True),
    ],
)
def test_linear_time_is_known_by_half_the_text(took_s, is_suspicious):
    pumped, lengths = PumpedText("", " ", ""), []
    whole = Point(8_000, took_s(8_000))
    assert has_grown(lambda one: lengths.append(len(one)) or Point(len(one), took_s(len(one))), pumped, whole) is (
        is_suspicious
    )
    assert lengths == [4_000]
    assert not has_grown(lambda _: None, pumped, whole)


def test_a_call_that_took_long_once_only_shows_no_growth():
    text = PumpedText("a", "b", "")
    points = [Point(17, 0.0001), Point(33, 2.0, is_over=False)]
    assert is_super_linear(points)
    measured = []
    again = measured_again(lambda one: measured.append(len(one)) or Point(len(one), 0.0001), text, points)
    assert measured == [17, 33]
    assert not is_super_linear(again)
    assert is_super_linear(measured_again(lambda one: points[len(one) > 17], text, points))
    assert not is_super_linear(measured_again(lambda _: None, text, points))


def test_pieces_of_the_text_itself_come_first_and_each_form_once():
    forms = list(iter_pumped("ab"))
    assert forms[0].text(3) == "aaa\0"
    assert next(iter_pumped("ab", ["xy"])).text(2) == "xyxy\0"
    assert len(set(forms)) == len(forms)
    assert any(form.text(2) == "ab" + "ab" * 2 + "\0" for form in forms)
    assert any(form.text(2) == "  " for form in forms)


@pytest.mark.parametrize(
    ("piece", "covered", "is_one"),
    [
        (" ", {1, 2}, True),  # an alias
        (" ", {1, 2, 3}, True),  # a function that calls the other
        (" ", {1}, True),
        (" ", {1, 3}, False),
        ("a", {1, 2}, False),
        (" ", set(), False),
    ],
)
def test_growth_of_functions_that_run_the_same_code_is_one_fault(piece, covered, is_one):
    finding = Finding(
        oracle="super-linear-time", key=("super-linear-time", "f"), operation="f", status=None, title="", observed="",
        expected="", cause=NO_CAUSE, call_index=0,
    )  # fmt: skip
    first = Growth(finding, " ", frozenset(map(TargetId, (1, 2))))
    assert Growth(finding, piece, frozenset(map(TargetId, covered))).is_of_cause(first) is is_one


@pytest.mark.parametrize(("line", "is_one"), [(341, True), (399, False), (0, False)])
def test_growth_at_one_statement_is_one_fault_whatever_else_runs(line, is_one):
    finding = Finding(
        oracle="super-linear-time", key=("k",), operation="f", title="t", observed="", expected="", cause=NO_CAUSE,
        call_index=0,
    )  # fmt: skip
    first = Growth(finding, "0", frozenset(map(TargetId, (1, 2))), Cause(file="a.js", line=341))
    cause = Cause(file="a.js", line=line) if line else NO_CAUSE
    other = Growth(finding, "_", frozenset(map(TargetId, (2, 3))), cause)
    assert other.is_of_cause(first) is is_one


def test_the_statement_is_looked_for_with_a_text_that_takes_little_time():
    points = [Point(4, 0.01), Point(8, 0.2), Point(16, 0.9), Point(32, 2.0, is_over=False)]
    assert _shown_well(points, 0.3) == points[1]
    assert _shown_well([Point(2, 0.7)], 0.3) == Point(2, 0.7)


def test_the_statement_is_looked_for_with_a_shorter_text_if_the_call_does_not_return_while_it_is_timed():
    place = Cause(file="a.js", line=3)
    asked = []

    def cause(text: str) -> Cause:
        asked.append(len(text))
        return place if len(text) < 100 else NO_CAUSE

    points = [Point(64, 0.01), Point(128, 0.04), Point(256, 0.16), Point(512, 0.64)]
    assert _cause(SimpleNamespace(cause=cause), PumpedText("", "(", ""), points) == place
    assert asked == [256, 64]


def test_functions_that_run_the_most_code_are_measured_first_and_parts_of_others_last():
    code = {"alias": {1, 2, 3}, "part": {1, 2}, "whole": {1, 2, 3}, "other": {4}}
    table = dict.fromkeys(range(1, 5), SimpleNamespace(kind="statement")) | {9: SimpleNamespace(kind="line")}
    worker = SimpleNamespace(
        evaluate=lambda name, *, full: SimpleNamespace(covered=lambda: frozenset(code[name] | {9}))
    )
    assert _by_new_code(worker, table, ["part", "other", "alias", "whole"]) == ["alias", "other", "whole", "part"]


def test_nothing_more_is_measured_when_the_time_of_the_phase_is_over():
    measured = []

    class Meter:
        @property
        def is_over(self) -> bool:
            return len(measured) == 3

        def point(self, text: str) -> Point:
            measured.append(text)
            return Point(len(text), 0.0)

    assert _grown(Meter(), "some text", []) is None
    assert len(measured) == 3


def test_a_call_after_which_the_process_ends_is_not_measured_again(monkeypatch):
    returned = SimpleNamespace(failure=None, cpu_s=0.1)
    monkeypatch.setattr(growth_phase, "exchange_of_function", lambda _: returned)
    lost = SimpleNamespace(observations=[None], is_sut_lost=True)
    meter = _Meter(SimpleNamespace(evaluate=lambda _: lost), None, None, "text", SimpleNamespace(is_reached=False))
    monkeypatch.setattr(meter, "_holding", lambda _: "a call")
    assert _grown(meter, "text", []) is None
    assert (meter.n_calls, meter.n_blocked) == (1, 1)


def test_texts_of_steps_are_lengthened_after_those_of_the_methods_that_the_steps_call():
    text = Parameter(name="text", template=StringGene("x"), shape=Shape(kinds=("string",)))
    parse = MethodParameters(name="parse", parameters=(text,))
    shared = {"index": 0, "package": "a", "kind": "method", "path": ("A",)}
    find = function_operation(FunctionBinding(**shared, method="find", receiver=(text,), steps=(parse,)), "A#find")
    after_parse = find.inputs[1].template.with_value([["parse", "in a step"]])
    found = TestCase((Call(find, (StringGene("of the object"), after_parse)),))
    parsed = function_operation(FunctionBinding(**shared, method="parse", parameters=(text,)), "A#parse")
    own = TestCase((Call(parsed, (StringGene("own"),)),))
    assert [text for _, _, text in _measured([found, own])] == ["of the object", "own", "in a step"]
