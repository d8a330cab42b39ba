"""The sentence on what a user could do: one for each way in which a target can stay uncovered."""

from __future__ import annotations

import msgspec
import pytest
from result_samples import sample_explain_data

from wimble.model.explain_data import ExplainedFile, Knowledge, Operands, TargetRow, Tried
from wimble.model.solver_report import NO_CONDITION, SolverReport
from wimble.model.structure import FunctionBody
from wimble.report.explain.facts import Explainer


def advice(tmp_path, row, *, source="", known=None, more=(), **explain_data):
    """Of the first target of a file that ran."""
    ran = TargetRow("statement", 90, 0, "", 1.0)
    file = ExplainedFile(path="/a.js", targets=(row, *more, ran), known={0: known} if known else {})
    whole = msgspec.structs.replace(sample_explain_data(tmp_path, is_empty=True), files=(file,), **explain_data)
    return Explainer(whole, lambda _: [source]).target(file, 0).advice


def branch(detail="=== true", h=0.3, boot_h=0.0, kind="branch"):
    return TargetRow(kind, 1, 4, detail, h, boot_h)


UNKNOWN = Knowledge(best=(Operands(operator="identical", left="a", right="b"),))


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("if (process.env.MODE === 'b') {", "start the SUT with other settings"),
        ("if (settings.mode === 'b') {", "configuration"),
        ("if (session.role === 'b') {", "identity or rights"),
        ("if (req.headers.accept === 'b') {", "no call has sent in"),
        ("if (req.headers['x-feature'] === 'b') {", "no call has sent in"),
        ("if (req.query.token === 'b') {", "no call has sent in"),
        ("if (res.headersSent === b) {", "state of the connection"),
        ("if (err === b) {", "did not fail here"),
        ("if (Date.now() === b) {", "a matter of time"),
        ("if (rows.length === b) {", "state of the SUT"),
        ("if (a === b) {", "a constant, the environment"),
    ],
)
def test_where_no_input_arrives_the_line_gives_a_guess(tmp_path, source, words):
    assert words in advice(tmp_path, branch(), source=source, known=UNKNOWN)


def test_what_is_computed_from_inputs_is_no_guess(tmp_path):
    solver = SolverReport(outcome="too hard", condition="hash(body.pin) === 7")
    known = msgspec.structs.replace(UNKNOWN, tried=Tried(solver=solver))
    assert "computed from inputs" in advice(tmp_path, branch(), source="if (a === b) {", known=known)


def test_of_a_counter_it_is_said_that_the_way_depends_on_inputs(tmp_path):
    solver = SolverReport(outcome=NO_CONDITION, answers={"characters": 3})
    known = msgspec.structs.replace(UNKNOWN, tried=Tried(solver=solver))
    assert "which way the program took" in advice(tmp_path, branch(), source="if (depth === 4) {", known=known)
    of_environment = advice(tmp_path, branch(), source="if (process.env.MODE === 'strict') {", known=known)
    assert "comes from the environment" in of_environment


def test_what_the_branch_guards_is_no_part_of_the_guess(tmp_path):
    explain_data = sample_explain_data(tmp_path)
    explainer = Explainer(explain_data, lambda _: ["x"] * 7 + ["    if (book.price < 0) throw new Error('Date.now')"])
    file = explain_data.files[0]
    assert "fail" not in explainer.target(file, 3).advice


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (branch(h=0.0, boot_h=0.4), "while the SUT starts: start it with other settings"),
        (branch(h=0.0, boot_h=1.0), "no call can reach it"),
        (branch(h=0.0), "never lets it run"),
        (branch("&& true"), "follows from its operands"),
        (branch("entered true", kind="loop"), "always empty"),
        (branch("entered false", kind="loop"), "never empty"),
        (branch("loop passed"), "each of them has to pass"),
        (branch("", h=0.0, kind="catch"), "Nothing in its `try` failed"),
        (branch("", h=0.5, kind="statement"), "never completes"),
        (branch("", h=0.5, kind="function"), "never completes"),
        (branch("", h=0.0, kind="function"), "Nothing has called it"),
        (branch(h=1.0), "no generated test does"),
    ],
)
def test_what_needs_no_operands(tmp_path, row, words):
    assert words in advice(tmp_path, row)


@pytest.mark.parametrize(
    ("edits", "words", "is_time_named"),
    [(0, "has not been edited yet", True), (5, "5 times only", True), (400, "may contradict a condition", False)],
)
def test_more_time_is_advised_only_if_little_was_tried(tmp_path, edits, words, is_time_named):
    operands = Operands(operator="identical", left="a", right="b", left_inputs=("query a (the same)",))
    tried = Tried(edits=(("why", edits - 2),), other_edits=2) if edits else Tried()
    said = advice(tmp_path, branch(), known=Knowledge(best=(operands,), tried=tried))
    assert said.startswith("`query a` reaches it")
    assert words in said
    assert ("--max-time" in said) == is_time_named


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("column members.kind (the same)", "A value of an inserted row (members.kind) reaches it"),
        ("body coupon (parsed as a number)", "`body coupon (parsed as a number)` reaches it"),
    ],
)
def test_the_input_is_named_in_words(tmp_path, name, words):
    operands = Operands(operator="identical", left="a", right="b", left_inputs=(name,))
    assert words in advice(tmp_path, branch(), known=Knowledge(best=(operands,)))


def test_a_strategy_without_hints_is_named(tmp_path):
    assert "--strategy mio" in advice(tmp_path, branch(), has_hints=False)


def test_outcomes_are_counted_as_in_the_summary(tmp_path):
    rows = (
        branch(),
        branch(kind="case", h=0.0),
        TargetRow("catch", 3, 0, "", 0.0),  # counts by its lines
        TargetRow("method", 4, 0, "get true", 0.0),  # no call of it was one of a replaced method
        TargetRow("method", 5, 0, "get true", 0.0),
        TargetRow("method", 5, 0, "get false", 1.0),
        TargetRow("statement", 90, 0, "", 1.0),
    )
    files = (ExplainedFile(path="/a.js", targets=rows),)
    whole = msgspec.structs.replace(sample_explain_data(tmp_path, is_empty=True), files=files)
    overview = Explainer(whole, lambda _: [""]).whole()
    assert overview.n_branches == 3
    assert {(one.kind, one.line) for one in overview.branches} == {
        ("branch", 1),
        ("case", 1),
        ("catch", 3),
        ("method", 5),
    }


def test_what_has_ended_the_process_is_not_said_to_be_out_of_reach(tmp_path):
    ended = {"ends": ("/a.js:1", "/elsewhere/b.js:90")}
    assert "A call has ended the process at this line" in advice(tmp_path, branch(), known=UNKNOWN, **ended)
    assert "A call has ended" in advice(tmp_path, branch("", h=0.5, kind="statement"), **ended)
    assert "ended the process" not in advice(tmp_path, branch(), known=UNKNOWN, ends=("/a.js:2",))


@pytest.mark.parametrize(
    ("first", "row", "said"),
    [
        (
            "if (tool.isOut) return;",
            branch("! true"),
            "A missing `tool` fails before it is tested: line 2 reads a member",
        ),
        ("if (tool?.isOut) return;", branch("! true"), "`tool` was always there, or true: "),
        ("if (tool.isOut) return;", branch("! false"), "`tool` was never there, or true: "),
        ("tools.push(a.tool.b);", branch("! true"), "`tool` was always there, or true: "),
    ],
)
def test_a_value_that_is_read_before_it_is_tested_is_never_missing_at_the_test(tmp_path, first, row, said):
    lines = ["function find(id) {", first, "", "if (!tool) {", "}", "}"]
    target = msgspec.structs.replace(row, line=4)
    functions = (FunctionBody("find", 1, 0, 6, 1),)
    file = ExplainedFile(path="/a.js", targets=(target, TargetRow("statement", 90, 0, "", 1.0)), functions=functions)
    whole = msgspec.structs.replace(sample_explain_data(tmp_path, is_empty=True), files=(file,))
    assert Explainer(whole, lambda _: lines).target(file, 0).advice.startswith(said)


def test_a_promise_that_is_compared_is_told_at_its_line(tmp_path):
    told = "A promise stands at line 1 where its value is meant"
    assert told in advice(tmp_path, branch(), known=UNKNOWN, promises=("/a.js:1",))
    assert told not in advice(tmp_path, branch(), known=UNKNOWN, promises=("/a.js:3",))
