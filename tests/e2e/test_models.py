"""What the models of real ORMs demand of columns is seen, and kept by the rows that tests bring."""

from __future__ import annotations

import os
import random

import pytest

from database_servers import FIXTURE
from wimble.agent.processes.launch import ProcessTree, agent_environment
from wimble.agent.processes.sut_log import SutLog
from wimble.agent.session import AgentSession
from wimble.agent.transport import Transport
from wimble.model.database import ColumnRules, TableRules
from wimble.model.targets import TargetTable
from wimble.runtimes.node.node_runtime import NODE

pytestmark = pytest.mark.e2e


@pytest.fixture
def database_url(postgres):
    name = f"models_{random.getrandbits(32):x}"
    postgres.run("postgres", f"CREATE DATABASE {name}")
    return postgres.url(name)


def test_rules_of_models_are_told(packages, database_url, tmp_path):
    transport = Transport()
    session = AgentSession(transport, TargetTable())
    environment = {**os.environ, "DATABASE_URL": database_url}
    inside = agent_environment(transport.path, [NODE], FIXTURE, base=environment)
    tree = ProcessTree(("node", "models.js"), FIXTURE, inside, SutLog(tmp_path / "output"))
    try:
        assert session.poll_until(lambda: bool(session.reports.servers), 60), (tmp_path / "output").read_text()
        session.close_boot(10)
        models = {one.table: one for one in session.databases.models}
    finally:
        tree.stop(session.agents.pids)
        transport.close()
    assert models["members"] == TableRules(
        table="members",
        columns={
            "email": ColumnRules(not_null=True, format="email", min_length=5, max_length=40),
            "level": ColumnRules(values=("basic", "gold")),
            "code": ColumnRules(pattern=r"^[A-Z]{2}-\d{4}$"),
            "visit_count": ColumnRules(low=0, high=1000),
        },
    )
    assert models["guests"] == TableRules(
        table="guests",
        columns={
            "mail": ColumnRules(not_null=True, format="email"),
            "kind": ColumnRules(values=("day", "night")),
            "room": ColumnRules(pattern=r"^R\d+$", min_length=2, max_length=5),
            "n_nights": ColumnRules(low=1, high=30),
            "notes": ColumnRules(is_json=True),
        },
    )
    assert models["patients"] == TableRules(
        table="patients",
        columns={
            "known_allergies": ColumnRules(is_json=True),
            "ward": ColumnRules(not_null=True, values=("north", "south")),
            "is_fasting": ColumnRules(values=(0, 1)),
            "room": ColumnRules(max_length=5),
        },
    )
