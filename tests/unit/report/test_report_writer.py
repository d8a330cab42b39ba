from __future__ import annotations

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import msgspec
import pytest
from junitparser import TestSuite
from result_samples import empty_result, sample_result, with_first_finding
from syrupy.assertion import SnapshotAssertion

import wimble.emit.write_suite
from wimble.engine.events import RunFinished
from wimble.report.junit import junit_text
from wimble.report.writer import REPORTS, ReportWriter, write_reports


@pytest.mark.parametrize("sample", [sample_result, empty_result])
def test_all_reports_are_written(tmp_path: Path, sample: object) -> None:
    output_dir = tmp_path / "wimble-out"
    assert callable(sample)
    assert write_reports(sample(tmp_path), output_dir) == []
    result = sample(tmp_path)
    written = [name for name, render in REPORTS if render(result, output_dir)]
    assert all((output_dir / name).stat().st_size for name in written)
    assert [name for name, _ in REPORTS if name not in written] == ([] if result.document else ["openapi.json"])
    assert not list(output_dir.rglob(".wimble-*"))


def test_a_description_leaves_the_other_reports_alone(tmp_path: Path) -> None:
    (tmp_path / "summary.json").write_text("of an earlier run")
    assert write_reports(sample_result(tmp_path), tmp_path, only_document=True) == []
    assert json.loads((tmp_path / "openapi.json").read_text())["info"]["title"] == "Shop"
    assert (tmp_path / "summary.json").read_text() == "of an earlier run"
    assert not (tmp_path / "findings.json").exists()


def test_one_report_that_cannot_be_written_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "report").write_text("a file where the folder should be")
    (warning,) = write_reports(sample_result(tmp_path), tmp_path)
    assert warning.startswith(f"{tmp_path}/report/index.html could not be written: ")
    assert (tmp_path / "summary.json").exists()


def test_full_disk_keeps_the_old_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    writer = ReportWriter(tmp_path)
    writer.handle(RunFinished(result=sample_result(tmp_path)))
    before = (tmp_path / "summary.json").read_bytes()

    def refuse(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(wimble.emit.write_suite.os, "fdopen", refuse)
    writer.handle(RunFinished(result=empty_result(tmp_path)))
    assert len(writer.warnings) == len(REPORTS) - 1  # the other run has no inferred document
    assert "No space left on device" in capsys.readouterr().err
    assert (tmp_path / "summary.json").read_bytes() == before
    assert not list(tmp_path.rglob(".wimble-*"))


def test_junit_has_a_case_per_operation(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert junit_text(sample_result(tmp_path)) == snapshot


def test_junit_counts_failures(tmp_path: Path) -> None:
    root = ElementTree.fromstring(junit_text(sample_result(tmp_path)))
    (suite,) = root.findall("testsuite")
    assert (suite.get("tests"), suite.get("failures"), suite.get("skipped")) == ("4", "2", "1")


def test_junit_counts_a_suite_as_often_for_many_operations_as_for_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[int] = []
    count = TestSuite.update_statistics

    def counting(suite: TestSuite) -> None:
        counted.append(len(list(suite)))
        count(suite)

    monkeypatch.setattr(TestSuite, "update_statistics", counting)
    outcomes = {f"GET /routes/{number}": {} for number in range(40)}
    text = junit_text(msgspec.structs.replace(empty_result(tmp_path), operation_outcomes=outcomes))
    assert [suite.get("tests") for suite in ElementTree.fromstring(text).iter("testsuite")] == ["40"]
    assert counted == [40]


def test_junit_holds_what_xml_cannot(tmp_path: Path) -> None:
    result = with_first_finding(sample_result(tmp_path), title="\x00 \x1b[2J \ud800 ]]> <script>")
    root = ElementTree.fromstring(junit_text(result))
    messages = [failure.get("message") or "" for failure in root.iter("failure")]
    assert any("]]> <script>" in message for message in messages)
