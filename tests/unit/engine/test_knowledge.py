"""What the search knew, gathered from archive and journal."""

from __future__ import annotations

from collections import deque
from random import Random
from types import SimpleNamespace

from wimble.agent.sources import LoadedFile
from wimble.engine.knowledge import session_of
from wimble.genes import IntegerGene, ObjectGene, OptionalGene, ReferenceGene, StringGene
from wimble.model.evaluation import CompareHint, Evaluation, Reached
from wimble.model.operation import Input, Operation
from wimble.model.result import ReportedTest
from wimble.model.structure import FileStructure, FunctionBody, Region
from wimble.model.targets import Target, TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.search.archive import Archive
from wimble.search.journal import Journal
from wimble.settings import Settings
from wimble.types import OperationId, TargetId

CREATE = Operation(id=OperationId("POST /orders"), method="POST", path="/orders")
GET = Operation(
    id=OperationId("PUT /orders/{id}"),
    method="PUT",
    path="/orders/{id}",
    inputs=(
        Input(name="id", location="path", template=IntegerGene(), required=True),
        Input(name="body", location="body", template=ObjectGene(), media_type="application/json"),
    ),
)
BODY = ObjectGene((("coupon", OptionalGene(StringGene(value="rbjdt"), True)), ("note", StringGene(value="x"))))


def context_with(archive: Archive, journal: Journal, table: TargetTable) -> SimpleNamespace:
    return SimpleNamespace(
        settings=Settings(command=("node", "server.js")),
        strategy=SimpleNamespace(archive=archive, journal=journal, wants_hints=True),
        table=table,
        sut=SimpleNamespace(base_url="http://127.0.0.1:3000"),
        boot_reached={TargetId(0): 1.0},
        tests=[
            SimpleNamespace(covers=frozenset([TargetId(0)])),
            SimpleNamespace(covers=frozenset([TargetId(0), TargetId(1)])),
        ],
        stopped_by="interrupt",
        search_s=1.0,
        budget=SimpleNamespace(calls=7),
        evaluations=5,
        pending_events=deque(),
    )


def test_rows_knowledge_and_structure() -> None:
    table = TargetTable()
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
    archive, journal = Archive(table), Journal()
    calls = (Call(CREATE, ()), Call(GET, (ReferenceGene(0, "/id", IntegerGene()), BODY)))
    evaluation = Evaluation(
        test_case=TestCase(calls),
        observations=(),
        reached={ids[0]: Reached(1.0, 1), ids[1]: Reached(1.0, 1), ids[2]: Reached(0.4, 1), status: Reached(0.1, 0)},
        hints=(CompareHint(target=ids[2], call=1, operator="===", left="SUMMER", right="rbjdt", wanted=True),),
    )
    archive.add(evaluation, 0.0)
    journal.note(evaluation, ids[2], edit="because")
    region, function = Region(2, 2, 0, 3, 0), FunctionBody("f", 1, 0, 3, 0)
    elsewhere = Region(5, 2, 0, 3, 0)  # as it is numbered in the text that the source was bundled into
    structure = FileStructure({(ids[2], elsewhere): None, (TargetId(99), region): None}, {function: None})
    sut = SimpleNamespace(files=(LoadedFile("/a.js", ids, ""),), structures={"/a.js": structure})
    tests = (ReportedTest("tests/a.mjs", "first", 1), ReportedTest("tests/a.mjs", "second", 1))

    session = session_of(context_with(archive, journal, table), sut, tests)  # type: ignore[arg-type]

    source, own = session.files
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
    assert known.tried.edits == (("because", 1),)
    assert known.latest[0].left == "SUMMER"
    assert own.path == ""
    assert own.known[0].operation == "POST /orders"
    assert session.stopped_by == "interrupt"


def test_nothing_known_is_a_session_too() -> None:
    table = TargetTable()
    session = session_of(context_with(Archive(table), Journal(), table), SimpleNamespace(files=(), structures={}), ())  # type: ignore[arg-type]
    assert [file.path for file in session.files] == [""]


def test_gathering_leaves_the_search_alone() -> None:
    """The same archive gives the same session again, and edits that were waiting still wait."""
    table = TargetTable()
    target = table.register(Target("branch", "/a.js", 1, 4, "=== true"))
    archive, journal = Archive(table), Journal()
    hint = CompareHint(target=target, call=0, operator="===", left="SUMMER", right="rbjdt", wanted=True)
    call = Call(GET, (IntegerGene(), BODY))
    archive.add(
        Evaluation(test_case=TestCase((call,)), observations=(), reached={target: Reached(0.4, 0)}, hints=(hint,)), 0.0
    )
    sut = SimpleNamespace(files=(LoadedFile("/a.js", (target,), ""),), structures={})
    first, second = (session_of(context_with(archive, journal, table), sut, ()) for _ in range(2))  # type: ignore[arg-type]
    assert first == second
    best = archive.best(target)
    assert best is not None
    assert best[0].next_edit(target, Random(1)) is not None
