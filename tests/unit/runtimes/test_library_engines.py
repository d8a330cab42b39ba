"""Packages that ask for another version of Node: npm warns when it installs them, and each run tells it."""

from __future__ import annotations

import subprocess

import pytest

from wimble.runtimes.node import library_installation
from wimble.runtimes.node.library_installation import engine_note, installed_package

WARNED = """npm warn EBADENGINE Unsupported engine {
npm warn EBADENGINE   package: 'store@2.0.0',
npm warn EBADENGINE   required: { npm: '>=10', node: '>=22' },
npm warn EBADENGINE   current: { node: 'v20.20.2', npm: '11.19.1' }
npm warn EBADENGINE }
"""


@pytest.mark.parametrize(
    ("told", "note"),
    [(WARNED, "store@2.0.0 asks for Node >=22, and this is v20.20.2"), ("npm warn deprecated abc@1.0.0: old", "")],
)
def test_the_wanted_version_is_kept_with_the_package(tmp_path, monkeypatch, told, note):
    def run(command, *, cwd, **_):
        folder = cwd / "node_modules" / "store"
        folder.mkdir(parents=True)
        (folder / "package.json").write_text('{"name": "store", "version": "2.0.0", "types": "a.d.ts"}')
        return subprocess.CompletedProcess(command, 0, stdout="", stderr=told)

    monkeypatch.setattr(library_installation.subprocess, "run", run)
    place = installed_package("store", "2.0.0", tmp_path)
    assert engine_note(place) == note
    monkeypatch.delattr(library_installation.subprocess, "run")
    assert engine_note(installed_package("store", "2.0.0", tmp_path)) == note, "it is installed already"
