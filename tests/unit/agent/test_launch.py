"""Starting and stopping process trees."""

import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import psutil
import pytest

from waiting import is_running, wait_until
from wimble.agent.processes import launch
from wimble.agent.processes.launch import ProcessTree, agent_environment, check_command
from wimble.agent.processes.sut_log import SutLog
from wimble.agent.processes.tree_members import TreeMarks
from wimble.errors import UsageError
from wimble.runtimes.node.node_runtime import NODE


def script(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    path.chmod(0o755)
    return path


@pytest.fixture
def start(tmp_path):
    trees = []

    def run(*command, **environment):
        full = {"PATH": os.environ["PATH"], "WIMBLE_SOCKET": str(tmp_path / "socket")} | environment
        tree = ProcessTree(command, tmp_path, full, SutLog(tmp_path / "out" / "sut.log"))
        trees.append(tree)
        return tree

    yield run
    for tree in trees:
        tree.stop()


# ---- checks before a start ------------------------------------------------------------------------------------------


def test_a_misspelt_program_gets_the_nearest(tmp_path):
    with pytest.raises(UsageError) as caught:
        check_command(("nodee", "server.js"), tmp_path, [NODE])
    assert caught.value.slug == "command-not-found"
    assert "node" in caught.value.details[0]


def test_a_misspelt_script_gets_the_nearest_file(tmp_path):
    script(tmp_path, "start.sh", "#!/bin/sh\n")
    with pytest.raises(UsageError) as caught:
        check_command(("./strat.sh",), tmp_path, [NODE])
    assert caught.value.details == ("nearest: start.sh",)


def test_a_script_that_is_not_executable_is_told(tmp_path):
    script(tmp_path, "start.sh", "#!/bin/sh\n").chmod(0o644)
    with pytest.raises(UsageError) as caught:
        check_command(("./start.sh",), tmp_path, [NODE])
    assert "not executable" in caught.value.details[0]


def test_an_old_node_is_refused_with_its_version(tmp_path, monkeypatch):
    script(tmp_path, "node", "#!/bin/sh\necho v18.19.1\n")
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    for command in (("node", "x.js"), ("sh", "start.sh")):
        with pytest.raises(UsageError, match=r"Node v18\.19\.1 is too old") as caught:
            check_command(command, tmp_path, [NODE])
        assert caught.value.where == str(tmp_path / "node")


def test_the_command_s_own_node_counts(tmp_path, monkeypatch):
    (tmp_path / "old").mkdir()
    script(tmp_path / "old", "node", "#!/bin/sh\necho v18.19.1\n")
    script(tmp_path, "node", "#!/bin/sh\necho v22.1.0\n")
    monkeypatch.setenv("PATH", f"{tmp_path / 'old'}:/usr/bin:/bin")
    check_command(("./node", "x.js"), tmp_path, [NODE])


def test_a_missing_folder_and_no_command_are_usage_errors(tmp_path):
    for command, folder, slug in [((), tmp_path, "no-command"), (("node",), tmp_path / "none", "no-such-folder")]:
        with pytest.raises(UsageError) as caught:
            check_command(command, folder, [NODE])
        assert caught.value.slug == slug


def test_the_environment_keeps_what_the_user_has(tmp_path):
    loading = msgspec.structs.replace(NODE.loading, folder=lambda: tmp_path / "a b")
    runtime = msgspec.structs.replace(NODE, loading=loading)
    base = {"NODE_OPTIONS": "--no-warnings", "A": "1"}
    environment = agent_environment("/s", [runtime], tmp_path, include=("lib", "x"), base=base)
    assert environment["NODE_OPTIONS"] == f'--no-warnings --require "{tmp_path}/a b/register.cjs"'
    assert environment["A"] == "1"
    assert environment["WIMBLE_SOCKET"] == "/s"
    assert environment["WIMBLE_ROOT"] == str(tmp_path)
    assert environment["WIMBLE_INCLUDE"] == '["lib", "x"]'


def test_the_cache_is_the_user_s(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert launch.cache_dir() == tmp_path / "wimble"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert launch.cache_dir() == Path.home() / ".cache" / "wimble"


# ---- trees ----------------------------------------------------------------------------------------------------------


def test_output_goes_to_the_log_and_input_is_empty(start):
    tree = start("sh", "-c", "echo out; echo err >&2; cat; exit 3")
    assert tree.wait_exit(5) == 3
    assert tree.last_lines(5) == ("out", "err")
    again = start("sh", "-c", "echo second")
    again.wait_exit(5)
    assert again.last_lines(5) == ("second",)
    assert again.log.path.read_text() == "out\nerr\nsecond\n"


def test_the_whole_tree_ends(start, tmp_path):
    tree = start("sh", "-c", "sleep 100 & sh -c 'sleep 100 & echo $! > inner; wait' & wait")
    wait_until(lambda: (tmp_path / "inner").exists() and (tmp_path / "inner").read_text().strip())
    inner = int((tmp_path / "inner").read_text())
    assert is_running(inner)
    tree.stop()
    tree.stop()
    assert not is_running(inner)
    assert not is_running(tree.pid)


def test_a_process_that_left_the_group_ends_too(start, tmp_path):
    leave = (
        f"{sys.executable} -c \"import os,time; os.setsid(); open('pid','w').write(str(os.getpid())); time.sleep(100)\""
    )
    tree = start("sh", "-c", f"{leave} & exit 0")
    assert tree.wait_exit(5) == 0
    wait_until(lambda: (tmp_path / "pid").exists() and (tmp_path / "pid").read_text())
    pid = int((tmp_path / "pid").read_text())
    tree.stop()
    assert not is_running(pid)


def test_who_ignores_the_polite_signal_is_killed(start, monkeypatch):
    monkeypatch.setattr(launch, "STOP_WAIT_S", 0.2)
    tree = start("sh", "-c", "trap '' TERM; echo ready; while :; do sleep 0.05; done")
    wait_until(lambda: tree.last_lines(1) == ("ready",))
    tree.stop()
    assert not is_running(tree.pid)


def test_what_cannot_be_executed_is_a_usage_error(start, tmp_path):
    script(tmp_path, "no-shebang", "\x7fnot a program")
    with pytest.raises(UsageError, match="cannot start"):
        start("./no-shebang")


LEADER_ENDS_FIRST = """\
import ctypes, sys, threading
threading.Thread(target=sys.stdin.read).start()
ctypes.CDLL(None).pthread_exit(None)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a process ends with its first thread")
def test_a_process_has_not_ended_while_a_thread_of_it_runs():
    with subprocess.Popen([sys.executable, "-c", LEADER_ENDS_FIRST], stdin=subprocess.PIPE) as process:
        try:
            ended = psutil.Process(process.pid)
            wait_until(lambda: ended.status() == psutil.STATUS_ZOMBIE, 20)
            marks = TreeMarks(pid=process.pid, socket_path="", started_s=time.time())
            assert [one.pid for one in marks.members()] == [process.pid]
        finally:
            process.kill()
