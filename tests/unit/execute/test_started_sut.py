"""Starting, evaluating and stopping real Node servers, with the real agent unless a test says otherwise."""

import http.server
import json
import re
import shutil
import socket
import threading
import time
from pathlib import Path

import msgspec
import psutil
import pytest

from self_signed import make_certificate
from waiting import is_connected, is_running, wait_until
from wimble.agent.processes import launch
from wimble.agent.processes.launch import STOP_WAIT_S
from wimble.errors import ProtocolError, TargetError, UsageError
from wimble.execute.sut import black_box_sut
from wimble.execute.sut.black_box_sut import BlackBoxSut
from wimble.execute.sut.started_sut import StartedSut
from wimble.genes.fixed import ConstantGene
from wimble.genes.reference import ReferenceGene
from wimble.http.binding import http_operation
from wimble.http.declarations import HttpInput
from wimble.http.exchange import failure_of, request_of, response_of
from wimble.model.targets import TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.node_runtime import NODE
from wimble.settings import Settings

pytestmark = pytest.mark.e2e

SERVER = """\
const http = require('http');
let n = 0;
const routes = {
  '/': (q, r) => r.end('ok'),
  '/count': (q, r) => r.end(JSON.stringify({ id: ++n })),
  '/exit': (q, r) => {
    process.exit(4);
  },
  '/throw-later': (q, r) => setTimeout(() => {
    null.x;
  }, 1),
  '/reject': (q, r) => { r.end('ok'); Promise.reject(new RangeError('nobody cares')); },
  '/never': () => {},
  '/loop': (q, r) => {
    let i = 0;
    while (true) {
      i += 1;
      i -= 1;
    }
  },
  '/block-after': (q, r) => { r.end('ok'); setImmediate(() => { for (;;); }); },
  '/exit-after': (q, r) => { r.end('ok', () => setImmediate(() => process.exit(0))); },
  '/destroy': (q, r) => r.destroy(),
  '/garbage': (q, r) => { r.socket.end('SSH-2.0\\r\\n\\r\\n'); },
  '/kill': (q, r) => process.kill(process.pid, 'SIGKILL'),
};
const server = http.createServer((q, r) => {
  const route = routes[q.url];
  if (route) return route(q, r);
  r.statusCode = q.url.startsWith('/items/') ? 200 : 404;
  r.end(JSON.stringify({ url: q.url }));
});
server.listen(Number(process.env.PORT ?? 0), '127.0.0.1');
"""


def line_of(text, source=SERVER):
    return next(number for number, line in enumerate(source.splitlines(), 1) if text in line)


def call(path, *inputs, method="GET"):
    """inputs: (name, location, gene)."""
    specs = tuple(HttpInput(name=name, location=location, template=gene) for name, location, gene in inputs)
    operation = http_operation(id=f"{method} {path}", method=method, path=path, inputs=specs)
    return Call(operation, tuple(gene for _, _, gene in inputs))


def case(*paths):
    return TestCase(tuple(path if isinstance(path, Call) else call(path) for path in paths))


@pytest.fixture
def runtimes():
    """Those whose agents are loaded; a test may put others in."""
    return [NODE]


@pytest.fixture
def make(tmp_path, runtimes):
    suts = []

    def build(source=SERVER, command=("node", "server.js"), **settings):
        if source is not None:
            (tmp_path / "server.js").write_text(source)
        options = {"start_timeout_s": 10.0, "call_timeout_s": 1.0} | settings
        made = StartedSut(
            Settings(command=command, working_dir=tmp_path, output_dir=tmp_path / "out", **options),
            TargetTable(),
            tmp_path / "out" / "sut.log",
            runtimes=runtimes,
        )
        suts.append(made)
        return made

    yield build
    for made in suts:
        made.stop()


@pytest.fixture
def started(make):
    def start(*args, **more):
        made = make(*args, **more)
        made.start()
        return made

    return start


@pytest.fixture
def fake_agent(tmp_path, runtimes):
    folder = tmp_path / "agent"
    folder.mkdir()
    shutil.copy(Path(__file__).parent / "fake_agent.cjs", folder / "register.cjs")
    loading = msgspec.structs.replace(NODE.loading, folder=lambda: folder)
    runtimes[:] = [msgspec.structs.replace(NODE, loading=loading)]


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def failure_to_start(sut):
    with pytest.raises(TargetError) as caught:
        sut.start()
    assert sut._processes.tree is None or not is_running(sut._processes.tree.pid)
    return caught.value


# ---- starting -------------------------------------------------------------------------------------------------------


def test_a_started_sut_serves_and_its_boot_is_known(started):
    sut = started()
    assert sut.api.base_url == f"http://127.0.0.1:{sut.api.port}"
    assert sut.agent_label.startswith("node v")
    assert sut.is_alive
    assert [Path(file.path).name for file in sut.files] == ["server.js"]
    assert 1.0 in sut.boot_reached.values()
    assert sut.api.fetch("/").body == b"ok"
    assert sut.api.fetch("/nothing").status == 404


@pytest.mark.parametrize("kind", ["sh", "npm", "npx", "node-child"])
def test_any_command_that_ends_up_in_node(started, tmp_path, kind):
    (tmp_path / "package.json").write_text('{"name": "x", "version": "1.0.0", "scripts": {"start": "node server.js"}}')
    (tmp_path / "start.sh").write_text("#!/bin/sh\necho starting\nnode server.js &\nwait\n")
    (tmp_path / "start.sh").chmod(0o755)
    (tmp_path / "parent.js").write_text("require('child_process').spawn('node', ['server.js'], { stdio: 'inherit' });")
    command = {
        "sh": ("./start.sh",),
        "npm": ("npm", "start"),
        "npx": ("npx", "-c", "node server.js"),
        "node-child": ("node", "parent.js"),
    }[kind]
    sut = started(command=command)
    evaluation = sut.evaluate(case("/count"))
    assert response_of(evaluation.observations[0]).json() == {"id": 1}
    assert evaluation.reached
    pids = list(sut._session.agents.pids)
    sut.stop()
    assert not any(is_running(pid) for pid in pids)


def test_a_cluster_is_one_sut(started):
    source = (
        "const cluster = require('cluster');\n"
        "if (cluster.isPrimary) { cluster.fork(); cluster.fork(); } else {\n"
        "  require('http').createServer((q, r) => r.end(String(process.pid))).listen(0);\n"
        "}\n"
    )
    sut = started(source)
    wait_until(lambda: sut.api.ports and len(sut._session.agents.pids) == 3)
    for _ in range(3):
        evaluation = sut.evaluate(case("/", "/"), full=True)
        assert [response_of(o).status for o in evaluation.observations] == [200, 200]
        assert evaluation.reached
    assert len(sut._session.agents.pids) == 3


def test_a_server_on_ipv6_only(started):
    sut = started(SERVER.replace("'127.0.0.1'", "'::1'"))
    assert sut.api.base_url.startswith("http://[::1]:")
    assert response_of(sut.evaluate(case("/")).observations[0]).status == 200


def test_several_servers_are_offered_and_one_is_chosen(started):
    other = "require('http').createServer((q, r) => r.end('other')).listen(0);\n"
    sut = started(other + SERVER)
    _, second = wait_until(lambda: sut.api.ports if len(sut.api.ports) == 2 else None)
    assert sut.api.fetch("/").body == b"other"
    assert sut.api.fetch("/", port=second).body == b"ok"
    sut.api.use_port(second)
    assert sut.api.port == second
    evaluation = sut.evaluate(case("/count"))
    assert response_of(evaluation.observations[0]).json() == {"id": 1}
    assert evaluation.reached
    sut.restart()
    assert sut.api.fetch("/").body == b"ok"
    assert not sut.api.is_port_fixed


def test_servers_on_fixed_ports_may_come_in_another_order_next_time(started, tmp_path):
    ours, other = free_port(), free_port()
    first = tmp_path.with_name(f"{tmp_path.name}-was-started")  # in its own folder it would not outlive a start
    source = f"""
const fs = require('fs');
const isFirst = !fs.existsSync({str(first)!r});
fs.writeFileSync({str(first)!r}, '');
const listen = (port, text, ms) => setTimeout(() => require('http').createServer((q, r) => r.end(text)).listen(port, '127.0.0.1'), ms);
listen({other}, 'other', isFirst ? 0 : 300);
listen({ours}, 'ok', isFirst ? 300 : 0);
"""
    sut = started(source)
    assert sut.api.port == other
    wait_until(lambda: ours in sut.api.ports)
    sut.api.use_port(ours)
    sut.restart()
    assert sut.api.port == ours


def test_files_are_put_back_before_each_start_and_at_the_end(started, tmp_path):
    (tmp_path / "data.json").write_text("[]")
    sut = started(
        SERVER + "require('fs').appendFileSync('data.json', 'x'); require('fs').appendFileSync('new.db', 'y');"
    )
    sut.restart()
    assert (tmp_path / "data.json").read_text() == "[]x"
    assert (tmp_path / "new.db").read_text() == "y"
    sut.restart()
    assert sut.written_files == ("data.json", "new.db")
    (note,) = sut.take_late_notes()
    assert "data.json, new.db" in note
    sut.stop()
    assert (tmp_path / "data.json").read_text() == "[]"
    assert not (tmp_path / "new.db").exists()


def test_an_error_thrown_by_a_timer_is_one_death_when_it_is_waited_for(started):
    sut = started(SERVER.replace(
        "http.createServer(", "http.createServer().on('request', (q) => { if (q.url === '/later') setTimeout(() => "
        "{ throw new Error('too late'); }, 20); }).on('request', "
    ))  # fmt: skip
    assert not sut.evaluate(case("/")).crashes
    evaluation = sut.evaluate(case("/later"), full=True, linger_s=2.0)
    assert [crash.kind for crash in evaluation.crashes] == ["died"]
    assert "too late" in evaluation.crashes[0].cause.message
    assert evaluation.is_sut_lost


def test_a_sut_that_ignores_sigterm_is_waited_for_once(started):
    sut = started("process.on('SIGTERM', () => undefined);\n" + SERVER)
    sut.restart()
    start_s = time.monotonic()
    sut.restart()
    assert time.monotonic() - start_s < STOP_WAIT_S
    assert response_of(sut.evaluate(case("/")).observations[0]).status == 200


def test_the_wanted_port_is_waited_for(started):
    port = free_port()
    source = f"require('http').createServer().listen(0);\nprocess.env.PORT = {port};\n" + SERVER
    assert started(source, port=port).api.port == port


def test_a_fixed_port_stays_fixed_over_restarts(started):
    sut = started(f"process.env.PORT = {free_port()};\n{SERVER}")
    sut.restart()
    assert sut.api.is_port_fixed
    ephemeral = started()
    ephemeral.restart()
    assert not ephemeral.api.is_port_fixed


def test_a_server_with_a_certificate_of_its_own_is_called_by_https(started, tmp_path):
    make_certificate(tmp_path)
    options = "{ key: require('fs').readFileSync('key.pem'), cert: require('fs').readFileSync('cert.pem') }, "
    sut = started(
        SERVER.replace("require('http')", "require('https')").replace("createServer(", f"createServer({options}")
    )
    assert sut.api.base_url.startswith("https://")
    assert response_of(sut.evaluate(case("/count", "/count")).observations[1]).json() == {"id": 2}


def test_a_slow_start_is_waited_for(started):
    sut = started(
        SERVER.replace("server.listen", "setTimeout(() => server.listen").replace(
            "'127.0.0.1');", "'127.0.0.1'), 400);"
        )
    )
    assert sut.is_alive


# ---- starts that fail -----------------------------------------------------------------------------------------------


def test_an_exit_at_once_shows_the_last_output(make):
    error = failure_to_start(make("console.log('no DATABASE_URL'); process.exit(2);"))
    assert error.slug == "sut-exited"
    assert error.what == "the command ended with exit code 2 before it served anything"
    assert "  no DATABASE_URL" in error.details


def test_an_error_that_ends_the_start_is_told_though_its_properties_fill_the_output(make):
    source = """
    const error = Object.assign(new Error('no such role'), { name: 'error' });
    for (let at = 0; at < 30; at += 1) error[`property${at}`] = undefined;
    setImmediate(() => Promise.reject(error));
    require('http').createServer(() => {});
    """
    error = failure_to_start(make(source))
    assert error.slug == "sut-exited"
    thrown, heading, *printed = error.details
    assert re.fullmatch(r"it has thrown error: no such role \(.*server\.js:2\)", thrown)
    assert heading == "its last output:"
    assert not any("no such role" in line for line in printed)


def test_a_taken_port_is_named(make):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        error = failure_to_start(make(f"process.env.PORT = {port};\n{SERVER}"))
    assert error.slug == "port-taken"
    assert f"port {port} is taken" in error.what


@pytest.mark.parametrize("after", ["", "setInterval(() => {}, 1000);"])
def test_a_taken_port_is_named_though_the_program_says_that_it_listens(make, after):
    """Since Express 5, the callback of `listen` is called with the error."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        source = f"""
            const listening = () => console.log('listening');
            require('http').createServer().on('error', listening).listen({port}, listening); {after}
        """
        error = failure_to_start(make(source, start_timeout_s=4.0))
    assert error.slug == "port-taken"
    assert f"port {port} is taken" in error.what


def test_no_server_within_the_wait(make):
    error = failure_to_start(make("console.log('thinking'); setInterval(() => {}, 1000);", start_timeout_s=4.0))
    assert error.slug == "no-server"
    assert "  thinking" in error.details


def test_a_unix_socket_alone_is_named(make, tmp_path):
    path = tmp_path / "api.sock"
    source = f"require('http').createServer().listen({json.dumps(str(path))});"
    error = failure_to_start(make(source, start_timeout_s=1.5))
    assert error.slug == "unix-socket"
    assert error.details == (f"found: {path}",)
    assert f"UNIX-CONNECT:{path}" in error.hint


def test_an_api_that_a_daemon_runs_is_refused_and_stopped(make, tmp_path, tmp_path_factory):
    notes = tmp_path_factory.mktemp("notes")  # files that the SUT writes in its own folder are removed again
    server = tmp_path / "detached.js"
    server.write_text(f"require('fs').writeFileSync({json.dumps(str(notes / 'pid'))}, String(process.pid));\n{SERVER}")
    source = f"""
        const options = {{ detached: true, stdio: 'ignore' }};
        const child = require('child_process').spawn(process.execPath, [{json.dumps(str(server))}], options);
        child.unref();
    """
    error = failure_to_start(make(source))
    assert error.slug == "sut-in-background", error.lines()
    pid = int((notes / "pid").read_text())
    assert f"process {pid}" in error.details[0]
    wait_until(lambda: not is_running(pid))


def test_what_is_not_node_is_explained(make, monkeypatch):
    command = ("python3", "-m", "http.server", "--bind", "127.0.0.1", str(free_port()))
    monkeypatch.setattr("wimble.execute.sut.startup.NO_AGENT_AFTER_S", 0.3)
    error = failure_to_start(make(command=command))
    assert error.slug == "not-node"
    assert "--url" in error.hint
    assert "it listens on" in error.details[0]
    quiet = failure_to_start(make(command=("sleep", "100"), start_timeout_s=0.5))
    assert quiet.slug == "not-node"


def test_a_server_that_does_not_answer(make):
    source = "require('net').createServer(() => {}).listen(0);\nrequire('http').createServer(() => {}).listen(0);"
    error = failure_to_start(make(source, start_timeout_s=2.0))
    assert error.slug == "sut-unreachable"
    assert "(tcp)" in error.details[0]


def test_another_port_than_the_wanted_one(make):
    error = failure_to_start(make(port=1, start_timeout_s=2.0))
    assert error.slug == "wrong-port"
    assert "(http)" in error.details[0]


def test_a_command_that_is_not_there_starts_nothing(make):
    sut = make(command=("nod3", "server.js"))
    with pytest.raises(UsageError):
        sut.start()
    sut.stop()


def test_another_protocol_version_stops_the_start(make, fake_agent, monkeypatch):
    monkeypatch.setenv("FAKE_PROTOCOL", "7")
    sut = make()
    with pytest.raises(ProtocolError, match="speaks protocol 7"):
        sut.start()
    assert not is_running(sut._processes.tree.pid)


# ---- evaluating -----------------------------------------------------------------------------------------------------


def test_calls_see_earlier_answers(started):
    sut = started()
    reference = ReferenceGene(0, "/id", ConstantGene("fallback"))
    evaluation = sut.evaluate(case("/count", call("/items/{id}", ("id", "path", reference))))
    assert request_of(evaluation.observations[1]).target == "/items/1"
    assert response_of(evaluation.observations[1]).json() == {"url": "/items/1"}
    assert {reached.call for reached in evaluation.reached.values()} == {0, 1}
    assert sut.n_calls == 2


def test_covered_targets_are_not_reported_again_unless_asked(started):
    sut = started()
    first = sut.evaluate(case("/count"))
    covered = [target for target, reached in first.reached.items() if reached.h == 1.0]
    assert covered
    again = sut.evaluate(case("/count"), covered=covered)
    assert not set(covered) & set(again.reached)
    full = sut.evaluate(case("/count"), full=True)
    assert set(covered) <= set(full.reached)
    sut.restart()
    assert not set(covered) & set(sut.evaluate(case("/count")).reached)


def test_what_fetching_reached_is_not_credited_to_a_test_case(started):
    sut = started()
    line = line_of("id: ++n")
    sut.api.fetch("/count")
    reached = sut.evaluate(case("/")).reached
    assert reached
    names = {sut._processes._table[target].name() for target in reached}
    assert not [name for name in names if name.startswith("statement") and f":{line}:" in name]


def test_an_exit_in_a_request_is_a_death_with_its_place(started):
    sut = started()
    evaluation = sut.evaluate(case("/", "/exit", "/count"))
    assert [failure_of(o) for o in evaluation.observations] == [None, "connection-lost", "not-sent"]
    (crash,) = evaluation.crashes
    assert (crash.kind, crash.call_index, crash.exit_code) == ("died", 1, 4)
    assert (Path(crash.cause.file).name, crash.cause.line) == ("server.js", line_of("process.exit(4)"))
    assert evaluation.is_sut_lost
    assert not sut.is_alive
    sut.restart()
    assert response_of(sut.evaluate(case("/count")).observations[0]).json() == {"id": 1}


def test_an_uncaught_exception_is_one_death_with_its_error(started):
    evaluation = started().evaluate(case("/throw-later"))
    (crash,) = evaluation.crashes
    assert (crash.kind, crash.call_index) == ("died", 0)
    assert crash.cause.line == line_of("null.x")
    assert crash.cause.message.startswith("TypeError: Cannot read properties of null")
    assert evaluation.observations[0].cause == crash.cause


def test_a_killed_process_tells_its_signal(started):
    (crash,) = started().evaluate(case("/kill")).crashes
    assert (crash.exit_code, crash.signal) == (None, "SIGKILL")


def test_a_death_after_the_answer_is_noticed(started):
    evaluation = started().evaluate(case("/exit-after"))
    assert response_of(evaluation.observations[0]).status == 200
    assert [crash.kind for crash in evaluation.crashes] == ["died"]


def test_a_sut_that_is_gone_before_the_first_call(started):
    sut = started()
    psutil.Process(sut._processes.tree.pid).kill()
    wait_until(lambda: not is_running(sut._processes.tree.pid))
    evaluation = sut.evaluate(case("/count", "/count"))
    assert [failure_of(o) for o in evaluation.observations] == ["connection-lost", "not-sent"]
    assert evaluation.is_sut_lost


def test_a_rejection_that_nobody_handles_is_a_crash_of_a_living_sut(started):
    sut = started("process.on('unhandledRejection', () => {});\n" + SERVER)
    evaluation = sut.evaluate(case("/reject", "/count"))
    assert [crash.kind for crash in evaluation.crashes] == ["unhandled-rejection"]
    assert "nobody cares" in evaluation.crashes[0].cause.message
    assert not evaluation.is_sut_lost


def test_a_sut_that_ends_between_two_evaluations_tells_why_where_its_rows_cannot_be_put_back(
    started, monkeypatch, tmp_path
):
    sign = tmp_path / "it is time"
    late = f"if (require('fs').existsSync({str(sign)!r})) Promise.reject(new RangeError('nobody waits'));"
    soon = f"const look = () => {{ {late} else setTimeout(look, 20); }};\n"
    sut = started(soon + SERVER.replace("'/never'", "'/soon': (q, r) => { r.end('ok'); look(); },\n  '/never'"))
    assert not sut.evaluate(case("/soon")).is_sut_lost
    sign.touch()
    wait_until(lambda: sut._session.poll(0) or sut._session.has_lost_server)
    monkeypatch.setattr(sut._state, "put_back_before_test", lambda conditions, kept: False)
    evaluation = sut.evaluate(case("/count"))
    assert evaluation.is_sut_lost
    assert [call.operation.id for late in evaluation.late for call in late.test_case.calls] == ["GET /soon"]


def test_a_call_that_is_never_answered(started):
    sut = started(call_timeout_s=0.4)
    evaluation = sut.evaluate(case("/never", "/count"))
    assert [failure_of(o) for o in evaluation.observations] == ["timeout", None]
    assert response_of(evaluation.observations[1]).json() == {"id": 1}
    assert not evaluation.is_sut_lost


def test_an_endless_loop_blocks_and_its_place_is_found(started, monkeypatch):
    monkeypatch.setattr("wimble.execute.causes.post_mortem.LAST_CALL_TIMEOUT_S", 0.6)
    sut = started(call_timeout_s=0.4)
    evaluation = sut.evaluate(case("/count", "/loop", "/count"))
    assert [failure_of(o) for o in evaluation.observations] == [None, "blocked", "not-sent"]
    cause = evaluation.observations[1].cause
    assert Path(cause.file).name == "server.js"
    assert line_of("while (true)") <= cause.line <= line_of("i -= 1")
    assert evaluation.is_sut_lost
    sut.restart()
    again = sut.evaluate(case("/loop"))
    assert again.observations[0].cause.line == cause.line


def test_a_loop_that_blocks_after_the_answer(started):
    evaluation = started(call_timeout_s=0.4).evaluate(case("/block-after"))
    assert [(failure_of(o), response_of(o)) for o in evaluation.observations] == [("blocked", None)]


def test_a_connection_that_is_closed_after_an_answer_takes_no_other_call_with_it(started):
    source = SERVER.replace(
        "'/': (q, r) => r.end('ok'),",
        "'/': (q, r) => r.end('ok'), '/closes-later': (q, r) => { r.end('ok'); q.socket.isLate = true; },",
    ).replace("const route = ", "if (q.socket.isLate) return q.socket.destroy();\n  const route = ")
    sut = started(source)
    evaluation = sut.evaluate(case("/closes-later", "/", "/closes-later", "/destroy"))
    assert [failure_of(o) for o in evaluation.observations] == [None, None, None, "connection-lost"]


def test_a_destroyed_connection_is_not_a_death(started):
    sut = started()
    sut.evaluate(case("/"))
    evaluation = sut.evaluate(case("/destroy", "/garbage", "/count"), full=True)
    assert [failure_of(o) for o in evaluation.observations] == ["connection-lost", "malformed-response", None]
    assert response_of(evaluation.observations[2]).json() == {"id": 1}
    assert evaluation.crashes == ()
    assert sut.is_alive


def test_calls_over_connections_that_the_sut_closes_are_not_repeated(started):
    source = SERVER.replace("server.listen", "server.keepAliveTimeout = 1; server.listen")
    sut = started(source)
    seen = []
    for _ in range(6):
        evaluation = sut.evaluate(case("/count", "/count"))
        assert all(failure_of(o) is None for o in evaluation.observations)
        seen += [response_of(o).json()["id"] for o in evaluation.observations]
        wait_until(lambda: not is_connected(sut.api.port))
    assert seen == list(range(1, 13))


def test_a_call_that_the_sut_saw_is_never_sent_twice_where_it_may_become_a_test(started):
    source = SERVER.replace(
        "'/': (q, r) => r.end('ok'),", "'/': (q, r) => r.end('ok'), '/lost': (q, r) => { n++; r.destroy(); },"
    )
    sut = started(source)
    evaluation = sut.evaluate(case("/", "/lost", "/count"), full=True)
    assert [failure_of(o) for o in evaluation.observations] == [None, "connection-lost", None]
    assert response_of(evaluation.observations[2]).json() == {"id": 2}


def test_the_agent_sees_each_call_whatever_the_connections(started, fake_agent):
    source = (
        "const server = require('http').createServer((q, r) => { fakeReach(3, 1 / (1 + Number(q.url.slice(1)))); "
        "r.setHeader('connection', 'close'); r.end('ok'); });\nserver.listen(0);"
    )
    sut = started(source)
    for _ in range(3):
        evaluation = sut.evaluate(case("/3", "/2", "/0", "/5"))
        assert {t: (r.h, r.call) for t, r in evaluation.reached.items()} == {3: (1.0, 2)}


def test_ids_stay_the_same_over_restarts(started):
    sut = started()
    before = sut.evaluate(case("/count"), full=True).reached
    n_targets = len(sut._processes._table)
    sut.restart()
    assert sut.evaluate(case("/count"), full=True).reached == before
    assert len(sut._processes._table) == n_targets


def test_stopping_twice_and_before_a_start_is_harmless(make):
    sut = make()
    sut.stop()
    sut.start()
    folder = Path(sut._session.socket_path).parent
    sut.stop()
    sut.stop()
    assert not sut.is_alive
    assert not folder.exists()


def test_a_port_that_changes_with_each_start_is_not_waited_for(started, monkeypatch):
    monkeypatch.setattr("wimble.execute.sut.sut_server.OTHER_PORT_AFTER_S", 0.0)
    sut = started("require('http').createServer((q, r) => r.end('ok')).listen(0);", start_timeout_s=50.0)
    began_s = time.monotonic()
    sut.find_late([], lambda: False)
    assert time.monotonic() - began_s < 25


def test_a_sut_that_calls_services_while_it_starts_is_never_started_without_the_agent(started, monkeypatch):
    asking = "require('http').get('http://rates.example/').on('error', () => {}).on('response', (r) => r.resume());\n"
    sut = started(asking + SERVER)
    assert sut.evaluate(case("/count"), full=True).observations
    begun: list[str] = []
    monkeypatch.setattr(sut._processes, "begin_without_agent", lambda: begun.append("without the agent"))
    sut.find_late([], lambda: False)
    assert begun == []


def test_a_stubborn_sut_is_killed(started, monkeypatch):
    monkeypatch.setattr(launch, "STOP_WAIT_S", 0.2)
    sut = started("process.on('SIGTERM', () => {});\n" + SERVER)
    pid = sut._processes.tree.pid
    sut.stop()
    assert not is_running(pid)


# ---- without an agent -----------------------------------------------------------------------------------------------


@pytest.fixture
def running_server():
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            if self.path == "/lost":
                self.close_connection = True
                return
            self.send_response(301 if self.path == "/old" else 200)
            if self.path == "/old":
                self.send_header("Location", "/new")
            self.send_header("Content-Length", str(len(self.path)))
            self.end_headers()
            self.wfile.write(self.path.encode())

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_a_running_sut_is_called_from_outside(running_server):
    sut = BlackBoxSut(Settings(url=f"http://127.0.0.1:{running_server.server_port}/"), runtime=NODE)
    sut.start()
    assert sut.api.fetch("/old").body == b"/new"
    evaluation = sut.evaluate(case("/a", "/lost", "/b"))
    assert [failure_of(o) for o in evaluation.observations] == [None, "connection-lost", None]
    assert evaluation.reached == {}
    assert not evaluation.is_sut_lost
    assert sut.n_calls == 3
    sut.stop()


def test_a_running_sut_that_is_gone_has_died(running_server):
    sut = BlackBoxSut(Settings(url=f"http://127.0.0.1:{running_server.server_port}"), runtime=NODE)
    sut.start()
    running_server.shutdown()
    running_server.server_close()
    sut.stop()
    evaluation = sut.evaluate(case("/a", "/b"))
    assert [failure_of(o) for o in evaluation.observations] == ["connection-lost", "not-sent"]
    assert [crash.kind for crash in evaluation.crashes] == ["died"]


@pytest.mark.parametrize("url", ["127.0.0.1:3000", "ftp://x/", "http://", "http://x:abc"])
def test_what_is_not_a_url_of_an_api(url):
    with pytest.raises(UsageError, match="not a URL"):
        BlackBoxSut(Settings(url=url), runtime=NODE)


def test_an_address_where_nobody_answers(monkeypatch):
    monkeypatch.setattr(black_box_sut, "UNREACHABLE_AFTER_S", 0.2)
    sut = BlackBoxSut(Settings(url=f"http://127.0.0.1:{free_port()}"), runtime=NODE)
    with pytest.raises(TargetError, match="does not answer"):
        sut.start()


def test_a_started_sut_may_be_reached_by_url(started):
    port = free_port()
    sut = started(f"process.env.PORT = {port};\n{SERVER}", url=f"http://127.0.0.1:{port}")
    assert sut.evaluate(case("/count")).reached


def test_included_packages_are_instrumented_too(started, tmp_path):
    package = tmp_path / "node_modules" / "helper"
    package.mkdir(parents=True)
    (tmp_path / "package.json").write_text('{"name": "x", "version": "1.0.0"}')
    (package / "package.json").write_text('{"name": "helper", "version": "1.0.0"}')
    (package / "index.js").write_text("module.exports = (x) => x > 1;\n")
    source = f"require('helper')(3);\n{SERVER}"
    assert [Path(file.path).name for file in started(source).files] == ["server.js"]
    assert "index.js" in [Path(file.path).name for file in started(source, include=("helper",)).files]
