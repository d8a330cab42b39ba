"""Where the Node agent is."""

import pytest

from wimble.errors import UsageError
from wimble.runtimes.node import node_agent


def test_an_agent_without_its_packages_is_told(tmp_path, monkeypatch):
    folder = tmp_path / "src" / "wimble"
    (folder / "runtimes" / "node").mkdir(parents=True)
    (folder / "_agent_node").mkdir()
    monkeypatch.setattr(node_agent, "__file__", str(folder / "runtimes" / "node" / "node_agent.py"))
    with pytest.raises(UsageError) as caught:
        node_agent.agent_dir()
    assert caught.value.slug == "agent-missing"
    (folder / "_agent_node" / "register.cjs").touch()
    with pytest.raises(UsageError) as caught:
        node_agent.agent_dir()
    assert caught.value.slug == "agent-incomplete"
    for package in ("acorn", "magic-string"):
        (folder / "_agent_node" / "node_modules" / package).mkdir(parents=True)
    assert node_agent.agent_dir() == folder / "_agent_node"
