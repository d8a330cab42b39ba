from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest
from result_samples import empty_result, sample_result, with_first_finding
from syrupy.assertion import SnapshotAssertion

from wimble.http.exchange import exchange_of
from wimble.http.http_messages import HttpRequest
from wimble.report.findings_json import findings_text
from wimble.report.summary_json import summary_of, summary_text

SCHEMA = json.loads((files("wimble.report") / "summary.schema.json").read_text())
DOCUMENT = Path(__file__).parents[3] / "docs" / "reference" / "summary.md"


def test_summary_of_a_run(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    text = summary_text(sample_result(tmp_path))
    assert str(tmp_path) not in text
    assert text == snapshot


def test_findings_of_a_run(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert findings_text(sample_result(tmp_path)).replace(str(tmp_path), "PROJECT") == snapshot


@pytest.mark.parametrize("sample", [sample_result, empty_result])
def test_summary_matches_its_schema(tmp_path: Path, sample: Any) -> None:
    jsonschema_rs.validator_for(SCHEMA).validate(json.loads(summary_text(sample(tmp_path))))


@pytest.mark.parametrize("change", [{"version": 2}, {"stopped_by": "boredom"}, {"needed_budget": 1.5}, {"more": 1}])
def test_schema_refuses_what_is_not_a_summary(tmp_path: Path, change: dict[str, Any]) -> None:
    summary = {**json.loads(summary_text(sample_result(tmp_path))), **change}
    assert not jsonschema_rs.validator_for(SCHEMA).is_valid(summary)


def test_every_field_is_documented(tmp_path: Path) -> None:
    documented = set(re.findall(r"^\| `([\w.\[\]]+)` \|", DOCUMENT.read_text(), re.MULTILINE))
    table = {name for name in documented if not name.endswith((".json", ".xml", ".log"))}
    assert table == set(_field_names(summary_of(sample_result(tmp_path))))


def _field_names(value: dict[str, Any], prefix: str = "") -> list[str]:
    names = []
    for key, item in value.items():
        name = prefix + key
        if isinstance(item, dict):
            if key == "test":
                names.append(name)
            else:
                names += _field_names(item, name + ".")
            continue
        names.append(name)
        if isinstance(item, list | tuple) and item and isinstance(item[0], dict):
            names += _field_names(item[0], name + "[].")
    return names


def test_text_of_the_sut_cannot_break_the_json(tmp_path: Path) -> None:
    result = with_first_finding(sample_result(tmp_path), title='lone \ud800 "quote" \x00 \u2028')
    exchange_of(result.findings[0].observations[1]).request = HttpRequest("POST", "/x", (), b"\xff\x00")
    summary = json.loads(summary_text(result))
    assert summary["findings"][0]["title"] == 'lone ? "quote" \x00 \u2028'
    assert summary["findings"][0]["calls"][1]["body"] == "\ufffd\x00"


def test_file_outside_of_the_project_keeps_its_path(tmp_path: Path) -> None:
    result = sample_result(tmp_path)
    cause = msgspec.structs.replace(result.findings[0].finding.cause, file="/usr/lib/node_modules/x.js")
    result = with_first_finding(result, cause=cause)
    assert summary_of(result)["findings"][0]["cause"]["file"] == "/usr/lib/node_modules/x.js"
