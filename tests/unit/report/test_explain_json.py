"""explain.json is read as it was written, and refused with a reason where it cannot be."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from result_samples import sample_explain_data

from wimble.errors import UsageError
from wimble.model.explain_data import Knowledge, Operands
from wimble.report.explain_json import EXPLAIN_FILE, explain_data_text, read_explain_data


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    for explain_data in (sample_explain_data(tmp_path), sample_explain_data(tmp_path, is_empty=True)):
        (tmp_path / EXPLAIN_FILE).write_text(explain_data_text(explain_data))
        assert read_explain_data(tmp_path) == explain_data


def test_half_a_surrogate_pair_does_not_spoil_it(tmp_path: Path) -> None:
    explain_data = sample_explain_data(tmp_path)
    odd = Knowledge(best=(Operands(operator="identical", left="a\ud800b", right={"$undefined": True}),))
    file = msgspec.structs.replace(explain_data.files[0], known={3: odd})
    (tmp_path / EXPLAIN_FILE).write_text(explain_data_text(msgspec.structs.replace(explain_data, files=(file,))))
    assert read_explain_data(tmp_path).files[0].known[3].best[0].left == "a?b"


@pytest.mark.parametrize(
    ("text", "slug", "words"),
    [
        (None, "no-explain-data", "holds no explain.json"),
        ("{", "bad-explain-data", "truncated"),
        (
            '{"format": "wimble-explain-data", "version": 2}',
            "bad-explain-data",
            "version 2, this wimble reads version 1",
        ),
        ('{"format": "other"}', "bad-explain-data", "version 0"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path: Path, text: str | None, slug: str, words: str) -> None:
    if text is not None:
        (tmp_path / EXPLAIN_FILE).write_text(text)
    with pytest.raises(UsageError) as caught:
        read_explain_data(tmp_path)
    assert caught.value.slug == slug
    assert words in caught.value.what
