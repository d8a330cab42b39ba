import sys
from pathlib import Path

import pytest

from wimble.engine.session.output_folder import clear_previous, prepare_output_dir
from wimble.errors import OutputError


def test_an_empty_or_missing_folder_is_taken(tmp_path):
    path = prepare_output_dir(tmp_path / "a" / "b")
    assert path.is_dir()
    assert prepare_output_dir(tmp_path / "a" / "b") == path, "our own folder is taken again"


def test_somebody_elses_folder_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(OutputError) as caught:
        prepare_output_dir(tmp_path)
    assert caught.value.slug == "output-not-ours"
    assert "thesis.txt" in caught.value.what
    assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]


def test_a_file_is_no_folder(tmp_path):
    file = tmp_path / "out"
    file.write_text("")
    with pytest.raises(OutputError) as caught:
        prepare_output_dir(file)
    assert caught.value.slug == "output-not-a-folder"


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc, which refuses new folders even to root")
def test_a_place_that_cannot_be_written_is_refused():
    with pytest.raises(OutputError) as caught:
        prepare_output_dir(Path("/proc/wimble-out"))
    assert caught.value.slug == "output-not-writable"


def test_results_of_an_earlier_run_are_cleared_and_other_files_are_not(tmp_path):
    out = prepare_output_dir(tmp_path / "out")
    (out / "tests").mkdir()
    (out / "tests" / "faults.test.mjs").write_text("old")
    (out / "summary.json").write_text("{}")
    (out / "notes.md").write_text("mine")
    clear_previous(out)
    assert sorted(entry.name for entry in out.iterdir()) == [".wimble-output", "notes.md"]
