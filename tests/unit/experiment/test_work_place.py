"""A run's copy of the SUT, its network, and the document's base path for peers."""

import subprocess
import sys

import msgspec
import pytest
from experiment_samples import sample_experiment

from wimble.agent.processes.own_network import own_network
from wimble.experiment.run_record import Store
from wimble.experiment.schemathesis import base_path
from wimble.experiment.work_place import copy_sut, make_place


def test_a_copy_is_whole_and_its_own(tmp_path):
    source, target = tmp_path / "sut", tmp_path / "copy"
    (source / "node_modules" / "dep").mkdir(parents=True)
    (source / "node_modules" / "dep" / "index.js").write_text("1")
    (source / ".git").mkdir()
    (source / "data.json").write_text("[]")
    (source / "link").symlink_to("data.json")
    (source / "node_modules" / "own").symlink_to("..")
    copy_sut(source, target)
    (target / "data.json").write_text("[1]")
    assert (source / "data.json").read_text() == "[]"
    assert str((target / "link").readlink()) == "data.json"
    assert str((target / "node_modules" / "own").readlink()) == ".."
    assert (target / "node_modules" / "dep" / "index.js").samefile(source / "node_modules" / "dep" / "index.js")
    assert not (target / ".git").exists()


def test_results_below_the_sut_are_no_part_of_it(tmp_path):
    plan = sample_experiment().runs()[0]
    store = Store(tmp_path / "sut" / "results")
    working = store.begin(plan)
    copy_sut(tmp_path / "sut", working / "sut")
    assert list((working / "sut").iterdir()) == []


def test_the_sut_is_told_its_port_and_environment(tmp_path):
    plan = sample_experiment().runs()[0]
    sut = msgspec.structs.replace(plan.sut, folder=str(tmp_path / "sut"), env=(("MODE", "x"),), port_variable="P")
    (tmp_path / "sut").mkdir()
    place = make_place(msgspec.structs.replace(plan, sut=sut), tmp_path)
    assert place.env["MODE"] == "x"
    assert place.env["P"] == str(place.port)


def test_a_network_of_its_own_has_a_loopback_and_nothing_else():
    prefix, why_not = own_network()
    if not prefix:
        assert why_not
        pytest.skip(f"not permitted here: {why_not}")
    code = (
        "import socket; from wimble.agent.processes.own_network import raise_loopback; raise_loopback();"
        "print([name for _, name in socket.if_nameindex()]); socket.create_server(('127.0.0.1', 0))"
    )
    done = subprocess.run([*prefix, sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['lo']"


def test_two_runs_on_one_port_do_not_meet():
    prefix, why_not = own_network()
    if not prefix:
        pytest.skip(f"not permitted here: {why_not}")
    code = (
        "import socket, sys; from wimble.agent.processes.own_network import raise_loopback; raise_loopback();"
        "server = socket.create_server(('127.0.0.1', 3456)); print('listens', flush=True); sys.stdin.readline();"
        "client = socket.create_connection(('127.0.0.1', 3456)); server.accept()[0].sendall(sys.argv[1].encode());"
        "print(client.recv(9).decode(), flush=True)"
    )
    runs = [
        subprocess.Popen(
            [*prefix, sys.executable, "-c", code, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for name in ("first", "second")
    ]
    assert [run.stdout.readline() for run in runs] == ["listens\n"] * 2, "both at a time"
    assert [run.communicate("go\n", timeout=20)[0] for run in runs] == ["first\n", "second\n"]


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ({"servers": [{"url": "/api/1.2/"}]}, "/api/1.2"),
        ({"servers": [{"url": "http://host:1/v1"}]}, "/v1"),
        ({"servers": [{"url": "/"}]}, ""),
        ({"swagger": "2.0", "basePath": "/v2"}, "/v2"),
        ({"servers": []}, ""),
        ([], ""),
    ],
)
def test_where_the_paths_of_a_document_begin(document, path):
    assert base_path(document) == path
