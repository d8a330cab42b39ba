"""Files that a SUT writes are put back, and nothing that stands in its folder is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from wimble.state import working_files
from wimble.state.working_files import WorkingFiles


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / "db.json").write_text("[1]")
    (folder / "server.js").write_text("listen()")
    return folder


def taken(folder: Path) -> WorkingFiles:
    files = WorkingFiles(folder, folder / "wimble-out")
    files.take()
    return files


def test_changed_new_and_removed_files_are_put_back_and_what_was_written_is_kept(folder: Path) -> None:
    (folder / "notes.txt").write_text("mine")
    modified_ns = (folder / "data" / "db.json").stat().st_mtime_ns
    files = taken(folder)
    (folder / "data" / "db.json").write_text("[1, 2]")
    (folder / "upload.bin").write_bytes(b"\x00")
    (folder / "notes.txt").unlink()
    files.put_back()
    assert (folder / "data" / "db.json").read_text() == "[1]"
    assert (folder / "data" / "db.json").stat().st_mtime_ns == modified_ns
    assert (folder / "notes.txt").read_text() == "mine"
    assert not (folder / "upload.bin").exists()
    written = folder / "wimble-out" / "written"
    assert (written / "data" / "db.json").read_text() == "[1, 2]"
    assert (written / "upload.bin").read_bytes() == b"\x00"
    files.close()
    assert not (folder / "wimble-out" / "files").exists()


def test_new_folders_are_removed_and_removed_ones_come_back(folder: Path) -> None:
    (folder / "data" / "empty" / "below").mkdir(parents=True)
    files = taken(folder)
    for _ in range(2):
        (folder / "data" / "new" / "below").mkdir(parents=True)
        (folder / "data" / "new" / "below" / "object").write_text("1")
        (folder / "data" / "empty" / "below").rmdir()
        (folder / "data" / "empty").rmdir()
        (folder / "data" / "db.json").unlink()
        (folder / "data" / "db.json").mkdir()
        files.put_back()
        assert (folder / "data" / "db.json").read_text() == "[1]"
        assert not (folder / "data" / "new").exists()
        assert (folder / "data" / "empty" / "below").is_dir()
    assert {"data/new/", "data/new/below/", "data/new/below/object", "data/empty/below/"} < set(files.written)
    (note,) = files.take_notes()
    assert "data/db.json, data/new/below/object" in note, "folders go without saying"


def test_a_new_folder_with_programs_is_somebodys_work(folder: Path) -> None:
    files = taken(folder)
    (folder / "routes").mkdir()
    (folder / "routes" / "users.js").write_text("get()")
    files.put_back()
    files.put_back()
    assert (folder / "routes" / "users.js").exists()
    assert files.written == ()


def test_programs_and_packages_are_left_alone(folder: Path) -> None:
    files = taken(folder)
    (folder / "server.js").write_text("edited()")
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "state.json").write_text("{}")
    files.put_back()
    assert (folder / "server.js").read_text() == "edited()"
    assert (folder / "node_modules" / "state.json").exists()
    assert files.take_notes() == []


@pytest.mark.parametrize("marker", ["PG_VERSION", ".wimble-output", ".wimble-experiment"])
def test_folders_of_database_servers_and_of_other_runs_are_left_alone(folder: Path, marker: str) -> None:
    cluster = folder / "others"
    cluster.mkdir()
    (cluster / marker).write_text("16")
    files = taken(folder)
    (cluster / "wal").write_text("newer")
    files.put_back()
    assert (cluster / "wal").read_text() == "newer"


def test_names_that_come_again_are_told_and_names_that_do_not_are_not(folder: Path) -> None:
    files = taken(folder)
    for name in ("one.tmp", "two.tmp"):
        (folder / name).write_text("x")
        (folder / "seen.db").write_text("x")
        files.put_back()
    (folder / "data" / "db.json").write_text("[1, 2, 3]")
    assert files.written == ("data/db.json", "seen.db")
    (note,) = files.take_notes()
    assert "data/db.json, seen.db" in note


def test_new_files_are_told_at_once_and_each_file_once(folder: Path) -> None:
    files = taken(folder)
    (folder / "seen.db").write_text("x")
    (note,) = files.take_notes()
    assert "(seen.db)" in note
    files.put_back()
    (folder / "seen.db").write_text("x")
    (folder / "seen.db-wal").write_text("x")
    (note,) = files.take_notes()
    assert "(seen.db-wal)" in note
    assert files.take_notes() == []


def test_what_is_too_large_to_be_kept_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working_files, "MAX_FILE_BYTES", 2)
    files = taken(folder)
    (folder / "data" / "db.json").write_text("[1, 2]")
    files.put_back()
    assert (folder / "data" / "db.json").read_text() == "[1, 2]"
    assert "data/db.json was changed by the SUT, and is too large to be put back" in files.take_notes()


def test_a_folder_with_too_many_files_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(working_files, "MAX_FILES", 1)
    (folder / "more.txt").write_text("x")
    files = taken(folder)
    (folder / "data" / "db.json").write_text("[1, 2]")
    files.put_back()
    (note,) = files.take_notes()
    assert "more than 1 files" in note


def test_files_that_a_killed_run_has_changed_are_put_back_and_nothing_is_lost(folder: Path) -> None:
    taken(folder)
    (folder / "data" / "db.json").write_text("[1, 2]")
    (note,) = [text for text in taken(folder).take_notes() if "killed" in text]
    assert "data/db.json" in note
    assert (folder / "data" / "db.json").read_text() == "[1]"
    kept = folder / "wimble-out" / "files-after-killed-run" / "data" / "db.json"
    assert kept.read_text() == "[1, 2]"
    assert not [text for text in taken(folder).take_notes() if "killed" in text], "said once"


def test_a_file_that_a_killed_run_has_removed_comes_back(folder: Path) -> None:
    taken(folder)
    (folder / "data" / "db.json").unlink()
    taken(folder)
    assert (folder / "data" / "db.json").read_text() == "[1]"


@pytest.mark.parametrize("writes", [False, True])
def test_what_our_neighbours_write_is_theirs(folder: Path, writes: bool) -> None:
    """As `wimble run ... > run.txt` and `wimble run ... | tee run.txt` do."""
    with (folder / "run.txt").open("w") as log:
        log.write("starting\n")
        log.flush()
        files = taken(folder)
        if writes:
            log.write("searching\n")
            log.flush()
        (folder / "data" / "db.json").write_text("[1, 2]")
        files.put_back()
        log.write("done\n")
    assert (folder / "run.txt").read_text() == "starting\n" + "searching\n" * writes + "done\n"
    assert (folder / "data" / "db.json").read_text() == "[1]"
    files.close()
