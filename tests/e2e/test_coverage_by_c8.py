"""Coverage of a plain SUT, by c8 of the registry."""

from __future__ import annotations

import os
import subprocess

import pytest

from wimble.experiment.c8_coverage import coverage_of, recording

pytestmark = pytest.mark.e2e


def test_records_that_were_cut_off_are_told_and_the_others_count(tmp_path):
    folder, raw = tmp_path / "app", tmp_path / "raw"
    folder.mkdir()
    (folder / "app.js").write_text("let n = 0;\nif (process.argv[2]) {\n  n = 1;\n}\n")
    for arguments in ([], ["x"]):
        subprocess.run(["node", "app.js", *arguments], cwd=folder, env=recording(raw, os.environ), check=True)
    first, second = sorted(raw.glob("*.json"), key=lambda file: file.stat().st_mtime_ns)
    whole = second.read_bytes()

    def measured():
        return coverage_of(raw, folder, ["app.js"], tmp_path / "reports")

    assert (measured().lines.percent, measured().n_cut_off) == (100.0, 0)
    second.write_bytes(whole[: len(whole) // 2])
    cut_off = measured()
    assert (cut_off.lines.covered, cut_off.lines.total, cut_off.n_cut_off) == (2, 4, 1)
    assert first.exists()
