"""Emitted suites, run for real against a small server."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import psutil
import pytest
from suite_samples import SERVER, answer, counted_creations, in_any_order, nasty_tests, one_call, sample_tests, suite_of

from runners import RUNNER_PACKAGES, runner_command, runner_packages
from waiting import wait_until
from wimble.emit.test_formats import FORMATS
from wimble.emit.write_suite import write_suite
from wimble.http.http_messages import HttpRequest
from wimble.model.suite import VerifiedTest

pytestmark = [pytest.mark.e2e, pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Project:
    """A folder with the server in it and a suite beside it."""

    def __init__(self, folder: Path, format_name: str) -> None:
        self.folder = folder
        self.format_name = format_name
        self.port = free_port()
        self.tests = folder / "wimble-out" / "tests"
        self.use_port(str(self.port))

    def use_port(self, port: str) -> None:
        (self.folder / "server.js").write_text(SERVER.replace("PORT_OF_TEST", port))

    def write(self, tests: list[VerifiedTest], *, is_port_fixed: bool = True, data_files: tuple[str, ...] = ()) -> None:
        suite = suite_of(tests, self.folder, self.port, is_port_fixed=is_port_fixed, data_files=data_files)
        write_suite(suite, FORMATS[self.format_name], self.tests, "tests")

    def command(self) -> list[str]:
        return runner_command(self.format_name, self.tests)

    def start(self, **env: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command(),
            cwd=self.folder,
            env={**os.environ, "NO_COLOR": "1", **env},
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def run(self, **env: str) -> tuple[int, str]:
        process = self.start(**env)
        output, _ = process.communicate(timeout=120)
        return process.returncode, output

    def left_over(self) -> list[str]:
        """Command lines of processes that still work in the project."""
        return [
            " ".join(process.info["cmdline"] or [])
            for process in psutil.process_iter(["cwd", "cmdline"])
            if process.info["cwd"] and Path(process.info["cwd"]) == self.folder
        ]


@pytest.fixture(params=["node-test", "pytest"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Project:
    return Project(tmp_path, request.param)


@pytest.fixture(params=list(RUNNER_PACKAGES))
def packaged_project(request: pytest.FixtureRequest, tmp_path: Path) -> Project:
    """For a runner that comes from npm."""
    (tmp_path / "node_modules").symlink_to(runner_packages(request.param))
    return Project(tmp_path, request.param)


def test_suites_of_packaged_runners_pass_and_nothing_is_left(packaged_project: Project) -> None:
    project, tmp_path = packaged_project, packaged_project.folder
    tests = sample_tests(tmp_path) + nasty_tests()
    project.write(tests)
    code, output = project.run()
    assert code == 0, output
    assert re.search(rf"Tests:? +{len(tests)} passed", output), output
    assert project.left_over() == []


def assert_sut_gets_the_runners_environment(project: Project) -> None:
    project.write(sample_tests(project.folder)[7:8])
    server = project.folder / "server.js"
    server.write_text(
        server.read_text() + "require('node:fs').writeFileSync('seen.json', JSON.stringify(process.env));"
    )
    code, output = project.run()
    assert code == 0, output
    seen = json.loads((project.folder / "seen.json").read_text())
    given = {**os.environ, "NO_COLOR": "1", "PORT": str(project.port)}
    changing = {"_", "PWD", "OLDPWD", "SHLVL", "LC_CTYPE"} | {name for name in given if name.startswith("PYTEST_")}
    assert {name for name in seen.keys() | given.keys() if seen.get(name) != given.get(name)} <= changing


def test_the_sut_gets_the_environment_of_the_runner(project: Project) -> None:
    assert_sut_gets_the_runners_environment(project)


def test_the_sut_gets_the_environment_of_a_packaged_runner(packaged_project: Project) -> None:
    assert_sut_gets_the_runners_environment(packaged_project)


def test_every_test_passes_and_nothing_is_left(project: Project) -> None:
    project.write(sample_tests(project.folder))
    code, output = project.run()
    assert code == 0, output
    assert ("# pass 11" if project.format_name == "node-test" else "11 passed") in output
    assert project.left_over() == []


def test_tests_have_a_start_of_their_own_or_share_one(project: Project) -> None:
    project.write(counted_creations())
    code, output = project.run()
    assert code == 0, output
    assert ("# pass 8" if project.format_name == "node-test" else "8 passed") in output


def test_a_test_that_needs_a_new_start_gets_one_after_mere_reads(project: Project) -> None:
    first = [one_call(f"first visit {number}", HttpRequest("GET", "/"), answer(200, {"n": 1})) for number in range(2)]
    first[1].starts_anew = True
    project.write(first)
    counting = "let n = 0; require('http').createServer((_, res) => res.setHeader('content-type', 'application/json')"
    (project.folder / "server.js").write_text(
        f"{counting}.end(JSON.stringify({{ n: ++n }}))).listen(Number(process.env.PORT), '127.0.0.1');"
    )
    code, output = project.run()
    assert code == 0, output


def test_a_call_has_the_host_that_it_names_and_no_other(project: Project) -> None:
    named = HttpRequest("GET", "/", (("Host", "admin.example"),))
    seen = {"hosts": ["admin.example"]}
    project.write([one_call("as the administrator's site", named, answer(200, seen))])
    (project.folder / "server.js").write_text(
        "require('http').createServer((q, res) => res.setHeader('content-type', 'application/json')"
        ".end(JSON.stringify({ hosts: q.headersDistinct.host }))).listen(Number(process.env.PORT), '127.0.0.1');"
    )
    code, output = project.run()
    assert code == 0, output


def test_the_same_with_packaged_runners(packaged_project: Project) -> None:
    packaged_project.write(counted_creations())
    code, output = packaged_project.run()
    assert code == 0, output


def test_every_byte_arrives(project: Project) -> None:
    tests = nasty_tests()
    project.write(tests)
    code, output = project.run()
    assert code == 0, output
    assert (f"# pass {len(tests)}" if project.format_name == "node-test" else f"{len(tests)} passed") in output


def test_changing_port_is_found(project: Project) -> None:
    project.use_port("0")
    project.write(sample_tests(project.folder)[:2], is_port_fixed=False)
    code, output = project.run()
    assert code == 0, output


WRITES_FILES = """
const data = require('node:fs');
if (data.readFileSync('data.json', 'utf8') !== '[]' || data.existsSync('new') || !data.existsSync('kept')) throw new Error('not fresh');
data.rmdirSync('kept');
data.mkdirSync('new', { recursive: true });
data.writeFileSync('new/seen.db', 'x');
data.writeFileSync('data.json', '[1]');
"""


def write_suite_with_data(project: Project, tests: list[VerifiedTest]) -> None:
    server = project.folder / "server.js"
    server.write_text(WRITES_FILES + server.read_text())
    (project.folder / "data.json").write_text("[]")
    (project.folder / "kept").mkdir()
    project.write(tests, data_files=("data.json", "kept/", "new/", "new/seen.db"))


def test_files_that_the_sut_writes_are_put_back_between_tests_and_after_them(project: Project) -> None:
    write_suite_with_data(project, sample_tests(project.folder)[:2] + sample_tests(project.folder)[6:])
    code, output = project.run()
    assert code == 0, output
    assert (project.folder / "data.json").read_text() == "[]"
    assert not (project.folder / "new").exists()
    assert (project.folder / "kept").is_dir()


def test_files_are_put_back_where_the_tests_are_killed(project: Project) -> None:
    write_suite_with_data(project, [test for test in sample_tests(project.folder) if "never answered" in test.name] * 3)
    process = project.start()
    wait_until(lambda: (project.folder / "data.json").read_text() == "[1]", 30)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    made_by_sut = project.folder / "new"
    wait_until(lambda: (project.folder / "data.json").read_text() == "[]" and not made_by_sut.exists(), 30)
    assert (project.folder / "data.json").read_text() == "[]"
    assert not made_by_sut.exists()


def assert_passes_whatever_the_port_variable_says(project: Project) -> None:
    project.write(sample_tests(project.folder)[7:8])
    code, output = project.run(PORT=str(free_port()))
    assert code == 0, output


def test_another_port_in_the_environment_changes_nothing(project: Project) -> None:
    assert_passes_whatever_the_port_variable_says(project)


def test_another_port_changes_nothing_for_packaged_runners(packaged_project: Project) -> None:
    assert_passes_whatever_the_port_variable_says(packaged_project)


def test_changing_port_is_found_where_the_environment_has_one(project: Project) -> None:
    project.use_port("0")
    project.write(sample_tests(project.folder)[:2], is_port_fixed=False)
    code, output = project.run(PORT=str(free_port()))
    assert code == 0, output


def test_suite_fails_when_the_answer_changes(project: Project) -> None:
    server = project.folder / "server.js"
    project.write(sample_tests(project.folder)[:1])
    server.write_text(server.read_text().replace("send(500,", "send(422,"))
    code, output = project.run()
    assert code != 0
    assert "422" in output and "500" in output


NO_PROCESS = "4194305"
"""A number that Linux gives to no process."""


@pytest.mark.skipif(os.getuid() != 0, reason="only root can run tests as another user")
def test_another_user_runs_what_one_has_left_locked(tmp_path: Path) -> None:
    """Nobody but its owner can remove the lock of killed tests from the folder of temporary files."""
    project = Project(tmp_path, "node-test")
    shared = project.folder / "tmp"
    shared.mkdir()
    shared.chmod(0o1777)
    project.write(sample_tests(project.folder)[7:8])
    for path in (project.folder, *project.folder.parents):
        if path.stat().st_mode & 0o005 != 0o005:
            path.chmod(path.stat().st_mode | 0o055)
    start = hashlib.sha256(str(project.tests).encode()).hexdigest()[:32]
    (shared / f"wimble-lock-{start}").write_text(NO_PROCESS)
    process = subprocess.Popen(
        project.command(), cwd=project.folder, env={**os.environ, "TMPDIR": str(shared), "HOME": str(shared)},
        text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, user="nobody",
    )  # fmt: skip
    output, _ = process.communicate(timeout=60)
    assert process.returncode == 0, output


NOT_HELD = ({"name": "b", "uses": 1}, {"name": "b", "more": None}, {"by": {"id": 2}}, [1, 2], "y", 1, False, [])
"""What no element of SERVER's tags is, or has."""


def assert_none_is_held(project: Project) -> None:
    project.write([in_any_order(f"part {number}", [part]) for number, part in enumerate(NOT_HELD)])
    code, output = project.run()
    assert code != 0
    assert re.search(rf"# fail {len(NOT_HELD)}|\b{len(NOT_HELD)} failed", output), output


def test_lists_in_any_order_have_to_hold_what_is_asserted(project: Project) -> None:
    assert_none_is_held(project)


def test_the_same_of_lists_with_packaged_runners(packaged_project: Project) -> None:
    assert_none_is_held(packaged_project)


def test_taken_port_of_a_sut_that_takes_no_other_is_named(project: Project) -> None:
    project.write(sample_tests(project.folder)[:1])
    server = project.folder / "server.js"
    server.write_text(server.read_text().replace("process.env.PORT ?? ", ""))
    with socket.create_server(("127.0.0.1", project.port)):
        code, output = project.run()
    assert code != 0
    assert f"http://127.0.0.1:{project.port} is taken by something else" in output
    assert "EADDRINUSE" in output


def test_taken_port_is_left_for_no_other_where_the_sut_has_data_that_what_took_it_may_use(project: Project) -> None:
    project.write(sample_tests(project.folder)[:1], data_files=("data.json",))
    with socket.create_server(("127.0.0.1", project.port)):
        code, output = project.run()
    assert code != 0
    assert f"http://127.0.0.1:{project.port} is taken by something else" in output
    assert "EADDRINUSE" not in output


def test_a_sut_whose_port_is_taken_listens_on_another_one_if_it_takes_that_from_its_environment(
    project: Project,
) -> None:
    tests = sample_tests(project.folder)[:3]
    project.write(tests)
    with socket.create_server(("127.0.0.1", project.port)):
        code, output = project.run()
    assert code == 0, output
    assert project.left_over() == []


def test_sut_that_ends_shows_its_last_output(project: Project) -> None:
    project.write(sample_tests(project.folder)[:1])
    (project.folder / "server.js").write_text("console.error('no database at hand'); process.exit(1)")
    code, output = project.run()
    assert code != 0
    assert "The SUT ended before it listened" in output
    assert "no database at hand" in output


def test_running_server_is_used_when_given(project: Project) -> None:
    project.write(sample_tests(project.folder)[6:7])
    port = free_port()
    server = subprocess.Popen(
        ["node", "server.js"], cwd=project.folder, env={**os.environ, "PORT": str(port)}, stdout=subprocess.PIPE
    )
    try:
        assert server.stdout is not None
        server.stdout.readline()
        code, output = project.run(WIMBLE_BASE_URL=f"http://127.0.0.1:{port}")
        assert code == 0, output
        assert server.poll() is None
    finally:
        server.kill()
        server.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_run_leaves_nothing(project: Project, number: signal.Signals) -> None:
    project.write(sample_tests(project.folder)[3:4])  # waits for seconds
    process = project.start()
    wait_until(lambda: any("server.js" in line for line in project.left_over()))
    os.killpg(process.pid, number)
    process.communicate(timeout=20)
    wait_until(lambda: project.left_over() == [])


def test_shell_wrapper_and_stubborn_sut_are_stopped(project: Project) -> None:
    project.write(sample_tests(project.folder)[7:8])
    server = project.folder / "server.js"
    server.write_text(server.read_text() + "process.on('SIGTERM', () => {});")
    helper = next(path for path in project.tests.iterdir() if path.name in ("sut.cjs", "sut.py"))
    shell = "'sh', '-c', 'node server.js; true'"
    text = helper.read_text()
    assert "'node', 'server.js'" in text
    helper.write_text(text.replace("'node', 'server.js'", shell, 1))
    code, output = project.run()
    assert code == 0, output
    assert project.left_over() == []
