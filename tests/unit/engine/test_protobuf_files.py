"""Definitions of Protocol Buffers are found in a project: its own before those of its packages."""

from wimble.engine.boot.protobuf_files import MAX_BYTES, iter_definitions


def test_own_definitions_come_before_those_of_packages(tmp_path):
    for name, text in (
        ("node_modules/a/a.proto", "of a package"),
        ("src/protos/z.proto", "own, deep"),
        ("own.proto", "own"),
        (".git/hidden.proto", "hidden"),
        ("notes.txt", "no definition"),
        ("large.proto", "x" * (MAX_BYTES + 1)),
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "src" / "loop").symlink_to(tmp_path)
    assert list(iter_definitions(tmp_path)) == ["own", "own, deep", "of a package"]


def test_a_folder_that_cannot_be_read_has_none(tmp_path):
    assert list(iter_definitions(tmp_path / "gone")) == []
