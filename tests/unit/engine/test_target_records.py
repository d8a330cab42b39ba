"""What the search knew, gathered from archive and attempts."""

from __future__ import annotations

from random import Random

from engine_parts import ScriptedSut, new_coordinator
from wimble.agent.sources import LoadedFile
from wimble.encoding import decode_test_case
from wimble.engine.verify.verify_phase import VerifiedSuite
from wimble.engine.write.finished_run import FinishedRun
from wimble.engine.write.target_records import explain_data_of
from wimble.genes import IntegerGene, ObjectGene, OptionalGene, ReferenceGene, StringGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.explain_data import ExplainData
from wimble.model.hints import ComparisonHint
from wimble.model.result import ReportedTest
from wimble.model.structure import FileStructure, FunctionBody, Region
from wimble.model.suite import VerifiedTest
from wimble.model.targets import Target, TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.types import OperationId, TargetId

CREATE = http_operation(id=OperationId("POST /orders"), method="POST", path="/orders")
GET = http_operation(
    id=OperationId("PUT /orders/{id}"),
    method="PUT",
    path="/orders/{id}",
    inputs=(
        HttpInput(name="id", location="path", template=IntegerGene(), required=True),
        HttpInput(name="body", location="body", template=ObjectGene(), media_type="application/json"),
    ),
)
BODY = ObjectGene((("coupon", OptionalGene(StringGene(value="rbjdt"), True)), ("note", StringGene(value="x"))))


class Setup:
    """A search that has ended, with two tests of its suite."""

    def __init__(self) -> None:
        self.table = TargetTable()
        self.coordinator = new_coordinator(table=self.table, boot_reached={TargetId(0): 1.0})
        self.coordinator.budget.stop_clock()
        self.archive = self.coordinator.strategy.archive
        self.attempts = self.coordinator.strategy.attempts

    def explain_data(self, sut: ScriptedSut, tests: tuple[ReportedTest, ...] = ()) -> ExplainData:
        covers = (frozenset([TargetId(0)]), frozenset([TargetId(0), TargetId(1)]))
        suite = VerifiedSuite(tests=tuple(verified(number, one) for number, one in enumerate(covers)))
        run = FinishedRun(coordinator=self.coordinator, sut=sut, suite=suite, stopped_by="interrupt")
        return explain_data_of(run, tests)


def verified(number: int, covers: frozenset[TargetId]) -> VerifiedTest:
    return VerifiedTest(name=f"test {number}", kind="success", test_case=TestCase(()), calls=(), covers=covers)


def test_rows_knowledge_and_structure() -> None:
    setup = Setup()
    table, archive, attempts = setup.table, setup.archive, setup.attempts
    ids = tuple(
        table.register(target)
        for target in (
            Target("line", "/a.js", 1, 0),
            Target("branch", "/a.js", 1, 4, "=== false"),
            Target("branch", "/a.js", 1, 4, "=== true"),
            Target("statement", "/a.js", 2, 0),
        )
    )
    status = table.register(Target("status", "", 0, 0, "POST /orders success"))
    calls = (Call(CREATE, ()), Call(GET, (ReferenceGene(0, "/id", IntegerGene()), BODY)))
    evaluation = Evaluation(
        test_case=TestCase(calls),
        observations=(),
        reached={ids[0]: Reached(1.0, 1), ids[1]: Reached(1.0, 1), ids[2]: Reached(0.4, 1), status: Reached(0.1, 0)},
        hints=(ComparisonHint(target=ids[2], call=1, operator="identical", left="SUMMER", right="rbjdt", wanted=True),),
    )
    archive.add(evaluation, 0.0)
    attempts.note(evaluation, ids[2], edit="because")
    region, function = Region(2, 2, 0, 3, 0), FunctionBody("f", 1, 0, 3, 0)
    elsewhere = Region(5, 2, 0, 3, 0)  # as it is numbered in the text that the source was bundled into
    structure = FileStructure({(ids[2], elsewhere): None, (TargetId(99), region): None}, {function: None})
    sut = ScriptedSut(files=(LoadedFile("/a.js", ids, ""),), structures={"/a.js": structure})
    tests = (ReportedTest("tests/a.mjs", "first", 1), ReportedTest("tests/a.mjs", "second", 1))

    explain_data = setup.explain_data(sut, tests)

    source, own = explain_data.files
    assert [(row.kind, row.h, row.boot_h, row.test) for row in source.targets] == [
        ("line", 1.0, 1.0, 0),
        ("branch", 1.0, 0.0, 1),
        ("branch", 0.4, 0.0, None),
        ("statement", 0.0, 0.0, None),
    ]
    assert (source.regions, source.functions) == ((region,), (function,))
    assert list(source.known) == [2]
    known = source.known[2]
    assert known.operation == "PUT /orders/{id}"
    assert known.best[0].right_inputs == ("body coupon (the same)",)
    assert known.best[0].left_inputs == ()
    assert "/orders/from-call-1.id" in known.curl[1]
    assert decode_test_case(explain_data.test_cases[known.test_case], (CREATE, GET)) == evaluation.test_case
    assert known.tried.edits == (("because", 1),)
    assert known.latest[0].left == "SUMMER"
    assert own.path == ""
    assert own.known[0].operation == "POST /orders"
    assert len(explain_data.test_cases[own.known[0].test_case]["calls"]) == 1
    assert explain_data.stopped_by == "interrupt"


def test_nothing_known_is_explain_data_too() -> None:
    explain_data = Setup().explain_data(ScriptedSut())
    assert [file.path for file in explain_data.files] == [""]


def test_gathering_leaves_the_search_alone() -> None:
    """The same archive gives the same data again, and edits that were waiting still wait."""
    setup = Setup()
    archive = setup.archive
    target = setup.table.register(Target("branch", "/a.js", 1, 4, "=== true"))
    hint = ComparisonHint(target=target, call=0, operator="identical", left="SUMMER", right="rbjdt", wanted=True)
    call = Call(GET, (IntegerGene(), BODY))
    archive.add(
        Evaluation(test_case=TestCase((call,)), observations=(), reached={target: Reached(0.4, 0)}, hints=(hint,)), 0.0
    )
    sut = ScriptedSut(files=(LoadedFile("/a.js", (target,), ""),))
    first, second = (setup.explain_data(sut) for _ in range(2))
    assert first == second
    best = archive.best(target)
    assert best is not None
    assert best[0].next_edit(target, Random(1), JAVASCRIPT) is not None
