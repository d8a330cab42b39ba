"""What the command line says before anything runs."""

import importlib.util
import shutil

import pytest

from wimble.agent.processes.own_network import own_network
from wimble.cli.main import wimble
from wimble.errors import UsageError


@pytest.fixture
def _fresh_answer():
    own_network.cache_clear()
    yield
    own_network.cache_clear()


def test_libraries_that_are_missing_are_named_with_what_installs_them(monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "scipy" else found(name))
    with pytest.raises(UsageError, match="needs scipy") as caught:
        wimble.main(["experiment", "any.toml"], standalone_mode=False)
    assert "pip install 'wimble[experiments]'" in caught.value.hint


@pytest.mark.usefixtures("_fresh_answer")
def test_without_unshare_there_is_no_network_of_ones_own_and_it_is_said_why(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert own_network() == ((), "this system has no `unshare`")


@pytest.mark.usefixtures("_fresh_answer")
def test_where_unshare_is_refused_its_words_are_the_reason(monkeypatch, tmp_path):
    refusing = tmp_path / "unshare"
    refusing.write_text("#!/bin/sh\necho 'unshare: unshare failed: Operation not permitted' >&2\nexit 1\n")
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert own_network() == ((), "unshare: unshare failed: Operation not permitted")
