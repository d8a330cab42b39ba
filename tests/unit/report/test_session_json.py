"""session.json is read as it was written, and refused with a reason where it cannot be."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from result_samples import sample_session

from wimble.errors import UsageError
from wimble.model.session import Knowledge, Operands
from wimble.report.session_json import SESSION_FILE, read_session, session_text


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    for session in (sample_session(tmp_path), sample_session(tmp_path, is_empty=True)):
        (tmp_path / SESSION_FILE).write_text(session_text(session))
        assert read_session(tmp_path) == session


def test_half_a_surrogate_pair_does_not_spoil_it(tmp_path: Path) -> None:
    session = sample_session(tmp_path)
    odd = Knowledge(best=(Operands(operator="===", left="a\ud800b", right={"$undefined": True}),))
    file = msgspec.structs.replace(session.files[0], known={3: odd})
    (tmp_path / SESSION_FILE).write_text(session_text(msgspec.structs.replace(session, files=(file,))))
    assert read_session(tmp_path).files[0].known[3].best[0].left == "a?b"


@pytest.mark.parametrize(
    ("text", "slug", "words"),
    [
        (None, "no-session", "holds no session"),
        ("{", "bad-session", "truncated"),
        ('{"format": "wimble-session", "version": 2}', "bad-session", "version 2, this wimble reads version 1"),
        ('{"format": "other"}', "bad-session", "version 0"),
    ],
)
def test_what_cannot_be_read_is_told(tmp_path: Path, text: str | None, slug: str, words: str) -> None:
    if text is not None:
        (tmp_path / SESSION_FILE).write_text(text)
    with pytest.raises(UsageError) as caught:
        read_session(tmp_path)
    assert caught.value.slug == slug
    assert words in caught.value.what
