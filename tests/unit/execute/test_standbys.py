"""Starts ahead of their use, with real Node servers on a fixed port."""

import json
import time
from pathlib import Path
from unittest.mock import Mock

import msgspec
import psutil
import pytest

from database_servers import free_port
from waiting import wait_until
from wimble.agent.processes import standby
from wimble.agent.processes.standby import Standby
from wimble.agent.processes.sut_log import SutLog
from wimble.agent.protocol.database_messages import DatabaseMessage
from wimble.execute.sut.readiness import Expected
from wimble.execute.sut.standbys import MAX_STANDBYS
from wimble.execute.sut.started_sut import StartedSut
from wimble.http.http_messages import HttpRequest
from wimble.model.run_conditions import AS_TESTS_RUN
from wimble.model.targets import TargetTable
from wimble.runtimes.node.node_runtime import NODE
from wimble.settings import Settings

LOG = "wimble-out/sut.log"

pytestmark = pytest.mark.e2e

SERVER = """\
const http = require('node:http');
const loaded = Date.now();
console.log('loaded');
BEFORE_LISTENING
let n = 0;
const server = http.createServer((request, response) => {
  n += 1;
  response.end(JSON.stringify({ loaded, n, pid: process.pid, now: Date.now(), day: new Date().getDate() }));
});
server.listen(Number(process.env.PORT));
if (server.address() === null) throw new Error('without a host, a server binds at once');
"""


def started(tmp_path, port: int, before_listening: str = "") -> StartedSut:
    (tmp_path / "server.js").write_text(SERVER.replace("BEFORE_LISTENING", before_listening))
    settings = Settings(
        command=("env", f"PORT={port}", "node", "server.js"),
        working_dir=tmp_path,
        output_dir=tmp_path / "wimble-out",
        start_timeout_s=20.0,
    )
    sut = StartedSut(settings, TargetTable(), tmp_path / LOG, runtimes=[NODE])
    sut.start()
    return sut


def wait_for_standbys(sut: StartedSut, folder: Path, n_standbys: int = MAX_STANDBYS) -> None:
    """Waits until as many processes have loaded as have been started: those in use, and the standbys."""
    wait_until(lambda: (folder / LOG).read_text().count("loaded\n") >= sut.n_starts + n_standbys, 20)


def state_of(sut: StartedSut) -> dict[str, float]:
    response = sut.api.fetch("/")
    assert response is not None
    return json.loads(response.body)


def test_a_start_was_begun_before_it_was_asked_for(tmp_path):
    sut = started(tmp_path, free_port())
    try:
        sut.keep_standbys()
        pids = {state_of(sut)["pid"]}
        for _ in range(4):
            wait_for_standbys(sut, tmp_path)
            asked_ms = time.time() * 1000
            sut.restart()
            state = state_of(sut)
            assert state["loaded"] < asked_ms
            assert state["n"] <= 3, "the document and the answers that show that it serves"
            pids.add(state["pid"])
        assert len(pids) == 5
    finally:
        sut.stop()
    assert processes_in(tmp_path) == []


def test_standbys_of_other_conditions_are_not_used(tmp_path):
    sut = started(tmp_path, free_port())
    try:
        sut.live_under(AS_TESTS_RUN)
        sut.keep_standbys()
        sut.restart()
        wait_for_standbys(sut, tmp_path)
        sut.move_clock(True)
        sut.restart()
        state = state_of(sut)
        assert state["now"] > (time.time() + 39 * 86_400) * 1000
        assert state["loaded"] > (time.time() + 39 * 86_400) * 1000
    finally:
        sut.stop()


def test_both_days_have_a_start_that_was_begun_before(tmp_path):
    sut = started(tmp_path, free_port())
    try:
        sut.live_under(AS_TESTS_RUN)
        sut.expect_days((True, False))
        sut.keep_standbys(2)
        days = []
        for is_other_day in (True, False, True):
            sut.expect_days((not is_other_day, is_other_day))
            wait_for_standbys(sut, tmp_path, 2)
            sut.move_clock(is_other_day)
            assert sut.has_standby
            asked_ms = time.time() * 1000
            sut.restart()
            state = state_of(sut)
            assert (state["loaded"] > asked_ms + 39 * 86_400_000) is is_other_day
            assert is_other_day or state["loaded"] < asked_ms
            days.append(state["day"])
        assert days[0] == days[2] != days[1]
    finally:
        sut.stop()
    assert processes_in(tmp_path) == []


def hear_of_a_database(sut: StartedSut, **fields: bool) -> None:
    fixed = {"id": "d", "driver": "pg", "dialect": "postgres", "host": "", "port": 0, "name": "d"}
    message = {"type": "database", **fixed, "is_local": True, **fields}
    sut._session.databases.hear_database(Mock(), msgspec.convert(message, DatabaseMessage))


@pytest.mark.parametrize(
    ("is_in_process", "is_reached_late", "has_standbys"),
    [(True, False, True), (False, False, False), (False, True, True)],
)
def test_a_database_is_not_disturbed_by_starts_ahead_that_cannot_reach_it(
    tmp_path, is_in_process, is_reached_late, has_standbys
):
    sut = started(tmp_path, free_port())
    try:
        hear_of_a_database(sut, is_in_process=is_in_process, is_reached_late=is_reached_late)
        sut.keep_standbys()
        sut.restart()
        assert sut.has_standby is has_standbys
    finally:
        sut.stop()


@pytest.mark.parametrize("on_boot", ["require('node:fs').writeFileSync('data.txt', String(loaded));"])
def test_none_where_a_start_could_disturb_the_one_in_use(tmp_path, on_boot):
    sut = started(tmp_path, free_port(), on_boot)
    try:
        sut.keep_standbys()
        for _ in range(3):
            sut.restart()
        asked_ms = time.time() * 1000
        sut.restart()
        assert state_of(sut)["loaded"] >= asked_ms - 1
        assert len(processes_in(tmp_path)) == 1
    finally:
        sut.stop()


@pytest.mark.parametrize("is_noticed", [True, False])
def test_a_start_that_ended_is_replaced(tmp_path, monkeypatch, is_noticed):
    """An end is noticed before the start is used, or only while it should begin to serve."""
    if not is_noticed:
        monkeypatch.setattr(Standby, "is_alive", True)
    sut = started(tmp_path, free_port())
    try:
        sut.keep_standbys()
        sut.restart()
        wait_for_standbys(sut, tmp_path)
        in_use = state_of(sut)["pid"]
        for process in processes_in(tmp_path):
            if process.pid != in_use:
                process.kill()
        sut.restart()
        assert state_of(sut)["pid"] != in_use
        assert sut.n_starts == 3
    finally:
        sut.stop()


def test_it_waits_until_it_may_listen_and_ends_where_it_never_may(tmp_path):
    (tmp_path / "server.js").write_text(
        SERVER.replace("BEFORE_LISTENING", "require('node:fs').writeFileSync('loaded', '');")
    )
    environment = NODE.loading.variables(NODE.loading.folder(), {}) | {
        "PORT": str(free_port()), "PATH": psutil.Process().environ()["PATH"], "WIMBLE_ROOT": str(tmp_path)
    }  # fmt: skip
    waiting = Standby(("node", "server.js"), tmp_path, environment, SutLog(tmp_path / "log"))
    wait_until((tmp_path / "loaded").exists, 20)
    assert waiting.is_alive
    assert waiting.tree.listens() == []
    waiting.discard()
    assert processes_in(tmp_path) == []
    assert standby.GATE_SUFFIX not in "".join(map(str, tmp_path.iterdir()))


def processes_in(folder) -> list[psutil.Process]:
    """Node processes that work in the folder."""
    return [
        process
        for process in psutil.process_iter(["cwd", "name", "status"])
        if process.info["cwd"] == str(folder) and process.info["status"] != psutil.STATUS_ZOMBIE
    ]


def test_a_look_takes_a_start_of_other_conditions_too(tmp_path):
    """What a SUT serves late does not depend on them, and a start that has loaded is there at once."""
    sut = started(tmp_path, free_port())
    try:
        sut.keep_standbys(1)
        wait_for_standbys(sut, tmp_path, 1)
        sut.live_under(AS_TESTS_RUN)
        sut.keep_standbys(1)
        assert sut.has_standby
        wait_for_standbys(sut, tmp_path, 2)
        n_loaded = (tmp_path / LOG).read_text().count("loaded\n")
        sut.find_late([Expected(HttpRequest("GET", "/"), 200)], lambda: False)
        assert (tmp_path / LOG).read_text().count("loaded\n") == n_loaded, "none was started for it"
        assert sut.has_standby
    finally:
        sut.stop()
    assert processes_in(tmp_path) == []
