"""A name that is both one of a folder and one of an npm package."""

from pathlib import Path

import pytest

from wimble.errors import UsageError
from wimble.runtimes.node import library_hosting
from wimble.runtimes.node.library_choice import chosen_library
from wimble.runtimes.runtime import LibraryRequest


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for file in ("notes/todo.md", "built/package.json", "plain/index.mjs", "@a/docs/b.txt", "packages/one/data.json"):
        (tmp_path / file).parent.mkdir(parents=True)
        (tmp_path / file).write_text("{}")
    (tmp_path / "decimal.js").write_text("")
    (tmp_path / "LICENSE").write_text("")
    return tmp_path


@pytest.mark.parametrize(
    ("target", "path", "told"),
    [
        ("notes", None, "notes is taken as the npm package, for the folder ./notes has no package.json and no sources"),
        ("@a/docs", None, "write ./@a/docs for it"),
        ("LICENSE", None, "the file ./LICENSE is no source"),
        ("built", "built", "built is taken as the folder ./built; write built@latest for the npm package"),
        ("plain", "plain", "the folder ./plain"),
        ("decimal.js", "decimal.js", "the file ./decimal.js"),
        ("./notes", "./notes", ""),
        ("notes/", "notes", ""),
        ("packages/one", "packages/one", ""),
        ("..", "..", ""),
        ("built@latest", None, ""),
        ("minimist", None, ""),
        ("@a/other", None, ""),
    ],
)
def test_a_name_is_a_folder_only_if_that_may_be_a_library(here, target, path, told):
    found = chosen_library(target)
    assert found.path == (None if path is None else Path(path))
    assert told in found.note
    assert bool(told) == bool(found.note)


def test_an_error_says_what_the_name_was_taken_for(here, monkeypatch):
    def missing(*_, **__):
        raise UsageError("library-not-found", "no package notes@latest exists")

    monkeypatch.setattr(library_hosting, "installed_package", missing)
    request = LibraryRequest(
        target="notes", output_dir=here / "out", cache_dir=here / "cache", may_write=False, prefix=()
    )
    with pytest.raises(UsageError) as caught:
        library_hosting.host_library(request)
    assert "./notes" in "\n".join(caught.value.lines())
