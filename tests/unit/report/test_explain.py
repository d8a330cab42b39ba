"""What `wimble explain` says of targets, and which targets a name or place means."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from result_samples import project, sample_explain_data
from syrupy.assertion import SnapshotAssertion

from wimble.cli.explain_command import explain_command
from wimble.errors import UsageError
from wimble.model.explain_data import ExplainedFile, TargetRow
from wimble.model.structure import FunctionBody, Region
from wimble.report.explain.blocks import Blocks
from wimble.report.explain.explanation_text import overview_lines
from wimble.report.explain.facts import Explainer
from wimble.report.explain.find_targets import find_targets
from wimble.report.explain_json import EXPLAIN_FILE, explain_data_text


@pytest.fixture
def explain_data(tmp_path: Path):
    project(tmp_path)
    return sample_explain_data(tmp_path)


def explained(explain_data, name):
    found = find_targets(explain_data, name, "/")
    explainer = Explainer(explain_data, lambda _: ())
    return explainer.target(found.file, found.targets[0])


@pytest.mark.parametrize(
    "wanted",
    [
        "",
        "src/orders.js",
        "src/orders.js:8",
        "orders.js:11",
        "branch src/orders.js:12:66 === true",
        "src/orders.js:15",
        "src/orders.js:20",
        "src/orders.js:21:16",
        "status POST /orders success",
        "statement src/orders.js:7:4",
    ],
)
def test_explain_tells_what_is_known_of_a_place(
    tmp_path: Path, explain_data, wanted: str, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
):
    (tmp_path / EXPLAIN_FILE).write_text(explain_data_text(explain_data))
    explain_command.main(["--out", str(tmp_path), *wanted.split()], standalone_mode=False)
    assert capsys.readouterr().out == snapshot


def test_explain_tells_the_same_as_json(
    tmp_path: Path, explain_data, capsys: pytest.CaptureFixture[str], snapshot: SnapshotAssertion
) -> None:
    (tmp_path / EXPLAIN_FILE).write_text(explain_data_text(explain_data))
    for wanted in ([], ["src/orders.js:8"]):
        explain_command.main(["--out", str(tmp_path), "--json", *wanted], standalone_mode=False)
    assert capsys.readouterr().out == snapshot


@pytest.mark.parametrize(
    ("wanted", "slug", "nearest"),
    [
        ("src/order.js", "unknown-file", "nearest: src/orders.js"),
        ("orders.js:10", "unknown-line", "nearest lines: 8, 11, 12"),
        ("branch src/orders.js:8:19 < tru", "unknown-target", "nearest: branch src/orders.js:8:19 < true"),
    ],
)
def test_unknown_names_get_the_nearest_ones(explain_data, wanted: str, slug: str, nearest: str) -> None:
    with pytest.raises(UsageError) as caught:
        find_targets(explain_data, wanted, "/")
    assert caught.value.slug == slug
    assert nearest in caught.value.details


def test_a_file_is_found_by_path_end_and_from_the_current_folder(tmp_path: Path, explain_data) -> None:
    file = explain_data.files[0]
    for wanted, folder in [
        ("src/orders.js", "/"),
        (file.path, "/"),
        ("orders.js", "/"),
        ("orders.js", str(tmp_path / "src")),
    ]:
        assert find_targets(explain_data, wanted, folder).file is file


def statement(line, h=0.0, boot_h=0.0):
    return TargetRow("statement", line, 0, "", h, boot_h)


def outcome(line, h=0.0, boot_h=0.0):
    return TargetRow("branch", line, 5, "if true", h, boot_h)


def test_a_statement_counts_for_the_outermost_closed_outcome() -> None:
    targets = (outcome(1, 0.3), statement(2), outcome(3), statement(4), outcome(5, 1.0), statement(6))
    regions = (Region(0, 2, 0, 5, 0), Region(2, 4, 0, 5, 0), Region(4, 6, 0, 7, 0))
    blocks = Blocks(ExplainedFile(path="/a.js", targets=targets, regions=regions))
    assert blocks.blocked == {0: 2}
    assert blocks.behind == {0: 2, 2: 1, 4: 1}
    blocker = blocks.blocker(2)
    assert blocker is not None
    assert (blocker.kind, blocker.line, blocker.is_reached) == ("branch", 1, True)


def test_what_ran_at_boot_blocks_nothing() -> None:
    targets = (outcome(1, 0.0, 1.0), statement(2, 0.0, 1.0), statement(3, 1.0), outcome(4, 0.0, 0.4), statement(5))
    regions = (Region(0, 2, 0, 4, 0), Region(3, 5, 0, 6, 0))
    blocks = Blocks(ExplainedFile(path="/a.js", targets=targets, regions=regions))
    assert blocks.blocked == {3: 1}


def test_a_function_nobody_entered_blocks_what_is_in_it() -> None:
    targets = (statement(1, 1.0), statement(3), outcome(4), statement(5))
    file = ExplainedFile(
        path="/a.js", targets=targets, regions=(Region(2, 5, 0, 6, 0),), functions=(FunctionBody("f", 2, 0, 7, 0),)
    )
    blocks = Blocks(file)
    assert blocks.blocked == {}
    assert [(f.name, f.n_statements) for f in blocks.never_entered()] == [("f", 2)]
    blocker = blocks.blocker(3)
    assert blocker is not None
    assert (blocker.kind, blocker.text) == ("function", "f")


def test_a_statement_that_never_completes_blocks_what_follows() -> None:
    blocks = Blocks(ExplainedFile(path="/a.js", targets=(statement(1, 0.5), outcome(2), statement(3))))
    blocker = blocks.blocker(1)
    assert blocker is not None
    assert (blocker.kind, blocker.line) == ("statement", 1)


def test_covered_targets_name_their_test(explain_data) -> None:
    assert explained(explain_data, "src/orders.js:7").test.name == "POST /books answers 201"
    assert "no generated test does" in explained(explain_data, "branch src/orders.js:11:6 if false").advice


def test_what_comes_after_a_statement_that_never_completes_is_counted_for_it() -> None:
    targets = (
        statement(1, 0.5),
        statement(2),
        statement(3, 0.5),
        statement(4),
        statement(5),
        statement(6, 1.0),
        statement(7),
    )
    assert Blocks(ExplainedFile(path="/a.js", targets=targets)).stuck == {0: 1, 2: 2}


def test_where_calls_have_ended_the_process_is_told(tmp_path: Path, explain_data) -> None:
    path = next(file.path for file in explain_data.files if file.path)
    ended = msgspec.structs.replace(explain_data, ends=(f"{path}:31", "/elsewhere/b.js:2"))
    note = Explainer(ended, lambda _: ()).whole().note
    assert note == "calls have ended the process at src/orders.js:31: what they ran last counts as never reached"


def test_the_branches_of_the_whole_sut_are_listed_if_none_blocks_anything(explain_data) -> None:
    branches = [outcome(line, 0.5) for line in range(2, 14)]
    file = ExplainedFile(path="/srv/a.js", targets=(statement(1, 1.0), *branches))
    data = msgspec.structs.replace(explain_data, working_dir="/srv", files=(file,), ends=())
    told = [line.plain for line in overview_lines(Explainer(data, lambda _: ()).whole())]
    assert told[0] == "the whole SUT: 12 uncovered branch outcomes, 0 statements never ran"
    assert told[2:4] == ["branches that block no statements:", "  a.js:2:5 if true  best h 0.50"]
    assert told[13:] == [
        "  and 2 more; with a file, all of its own are listed",
        "",
        "more about one: wimble explain a.js:2",
    ]


def test_a_call_that_was_never_that_of_a_replaced_method_is_not_told(explain_data) -> None:
    routes = (TargetRow("method", 3, 4, "get true"), TargetRow("method", 3, 4, "get false"), statement(3, 0.0, 1.0))
    file = ExplainedFile(path="/a.js", targets=routes)
    explainer = Explainer(explain_data, lambda _: ())
    assert explainer.worth_telling(file, [0, 1, 2]) == [2]
    assert explainer.worth_telling(file, [0, 1]) == [0, 1]
