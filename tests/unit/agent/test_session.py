"""What the core makes of agents' messages. The agents here are sockets that say what a test scripts."""

import json
import socket
import struct
import threading
from pathlib import Path

import pytest

from wimble.agent.isolation import Isolation
from wimble.agent.protocol.evaluation_request import EvaluationRequest
from wimble.agent.protocol.messages import decode_agent_message
from wimble.agent.reported_crashes import DEATH_WAIT_S
from wimble.agent.session import AgentSession
from wimble.agent.sources import LoadedFile
from wimble.agent.transport import Transport
from wimble.errors import ProtocolError
from wimble.model.evaluation import Origin, Reached, Schedule
from wimble.model.targets import Target, TargetTable

NO_FILE = LoadedFile("", (), "")
ROWS = [["file", 0, 0, ""], ["line", 1, 0, ""], ["branch", 1, 4, "=== true"]]


class ScriptedAgent:
    """Answers `end` with what `answers` says (per seq: extra fields of `result`), and pings, in a thread."""

    def __init__(self, path, answers=None, **hello):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path)
        self.received = []
        self.answers = answers or {}
        self.is_deaf = False
        self.say(type="hello", **({"protocol": 2, "agent": "node", "runtime": "v20.1.0", "pid": 1} | hello))
        threading.Thread(target=self.listen, daemon=True).start()

    def say(self, **message):
        data = json.dumps(message).encode()
        self.socket.sendall(struct.pack("<I", len(data)) + data)

    def listen(self):
        stream = self.socket.makefile("rb")
        while head := stream.read(4):
            message = json.loads(stream.read(struct.unpack("<I", head)[0]))
            self.received.append(message)
            if self.is_deaf:
                continue
            if message["type"] == "end":
                self.say(
                    type="result", **({"seq": message["seq"], "targets": []} | self.answers.get(message["seq"], {}))
                )
            elif message["type"] == "ping":
                self.say(type="pong", n=message["n"])

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()

    def begins(self):
        return [message for message in self.received if message["type"] == "begin"]


@pytest.fixture
def transport():
    made = Transport()
    yield made
    made.close()


@pytest.fixture
def table():
    return TargetTable()


@pytest.fixture
def session(transport, table):
    return AgentSession(transport, table)


@pytest.fixture
def join(transport, session):
    agents = []

    def start(answers=None, *, serves=True, files=(("/a.js", ROWS),), **hello):
        n_before = len(session.agents.pids)
        agent = ScriptedAgent(transport.path, answers, **hello)
        base = 0
        for path, rows in files:
            agent.say(type="file", base=base, path=path, hash=path, targets=rows, error=None)
            base += len(rows)
        if serves:
            agent.say(type="listening", port=3000 + len(agents), address="::", protocol="http", pid=1)
        agents.append(agent)
        assert session.poll_until(lambda: len(session.agents.pids) > n_before, 2)
        session.poll(0.05)
        return agent

    yield start
    for agent in agents:
        agent.socket.close()


def run(session, **options):
    session.begin(EvaluationRequest(port=1, **options))
    return session.end(2)


def test_an_agent_is_welcomed_and_known(session, join):
    agent = join()
    assert agent.received[0] == {"type": "welcome", "protocol": 2}
    assert session.agents.label() == "node v20.1.0"
    assert [server.port for server in session.reports.servers] == [3000]


@pytest.mark.parametrize(("protocol", "side"), [(1, "update the agent"), (3, "update the core")])
def test_another_protocol_version_says_which_side_to_update(session, transport, protocol, side):
    agent = ScriptedAgent(transport.path, protocol=protocol, agent_version="9.9")
    with pytest.raises(ProtocolError) as caught:
        session.poll_until(lambda: bool(session.agents.pids), 2)
    assert side in caught.value.hint
    assert "9.9" in caught.value.what
    agent.socket.close()


def test_a_message_that_cannot_be_read_is_our_error(session, transport):
    agent = ScriptedAgent(transport.path)
    agent.say(type="nonsense")
    with pytest.raises(ProtocolError, match="cannot read"):
        session.poll_until(lambda: False, 2)
    agent.socket.close()


@pytest.mark.parametrize(
    ("escaped", "read"),
    [
        (r"a\ud83d", "a\ufffd"),
        (r"\udc00\ud83d\ude00", "\ufffd\U0001f600"),
        (r"\ud83d\u0041", "\ufffdA"),
        (r"\\ud83d\ud83d\\", "\\ud83d\ufffd\\"),
    ],
)
def test_half_a_surrogate_pair_is_read_as_what_stands_for_it(escaped, read):
    text = '{"type":"schedule","kind":"cron","file":"' + escaped + '","line":1,"period_ms":null,"expression":""}'
    assert decode_agent_message(text.encode()).file == read


def test_targets_get_ids_of_the_core(session, join, table):
    table.register(Target("status", "", 0, 0, "GET / 200"))
    join({1: {"targets": [2, 1, 0.25, 0, 0, 1]}})
    session.close_boot(2)
    assert run(session).reached == {3: Reached(0.25, 1), 1: Reached(1.0, 0)}
    assert table[3] == Target("branch", "/a.js", 1, 4, "=== true")


def test_boot_is_evaluation_zero(session, join):
    agent = join({0: {"targets": [1, 0, 1]}})
    assert session.close_boot(2).reached == {1: Reached(1.0, 0)}
    assert agent.received[-1] == {"type": "end", "seq": 0, "isolate": False}


def test_results_of_several_processes_are_merged(session, join):
    join({1: {"targets": [0, 2, 0.5, 1, 0, 0.2], "calls": 1}})
    join({1: {"targets": [0, 1, 0.5, 1, 3, 0.9], "calls": 2}})
    session.close_boot(2)
    result = run(session)
    assert result.reached == {0: Reached(0.5, 1), 1: Reached(0.9, 3)}
    assert result.n_calls == 3


def test_other_ids_in_another_process_mean_the_same_targets(session, join, table):
    other = [["line", 9, 0, ""]]
    join({1: {"targets": [1, 0, 0.5]}})
    join({1: {"targets": [2, 0, 1]}}, files=[("/b.js", other), ("/a.js", ROWS)])
    session.close_boot(2)
    assert run(session).reached == {1: Reached(1.0, 0)}
    assert len(table) == 4


def test_covered_targets_are_told_once_to_each_process_in_its_own_ids(session, join):
    first = join()
    session.close_boot(2)
    run(session, covered=[1])
    run(session, covered=[1, 2])
    second = join(files=[("/b.js", [["line", 9, 0, ""]]), ("/a.js", ROWS)])
    run(session)
    run(session, covered=[3])
    assert [begin["covered"] for begin in first.begins() if begin["covered"]] == [[1], [2]]
    assert [begin["covered"] for begin in second.begins() if begin["covered"]] == [[2, 3], [0]]


def test_an_evaluation_like_the_last_one_is_announced_with_its_end(session, join):
    agent = join()
    session.close_boot(2)
    run(session)
    run(session)
    run(session, covered=[1])
    types = [message["type"] for message in agent.received]
    assert types == ["welcome", "end", "begin", "end", "begin", "end", "begin", "begin", "ping", "end", "begin"]
    assert [begin["seq"] for begin in agent.begins()] == [1, 2, 3, 3, 4]


def test_an_agent_that_reads_the_mark_before_each_call_is_not_waited_for(session, transport, join):
    agent = join(reads_mark=True)
    agent.answers[1] = {"calls": 1}
    session.close_boot(2)
    run(session)
    run(session, covered=[1])
    types = [message["type"] for message in agent.received]
    assert types == ["welcome", "end", "begin", "end", "begin", "begin", "end", "begin"]
    assert [begin["mark"] for begin in agent.begins()] == [0, 0, 1, 0]
    assert Path(transport.path + ".mark").read_bytes() == b"\1\0\0\0"
    run(session, covered=[1, 2])
    assert "ping" in [message["type"] for message in agent.received], "it has seen no call in the last evaluation"


def test_other_work_is_done_once_the_agents_were_asked_for_their_results(session, join):
    done = []
    session.fill_waits(lambda: done.append(session.seq))
    join()
    session.close_boot(2)
    run(session)
    run(session)
    assert done == [0, 1, 2], "once in each evaluation"


def test_targets_covered_before_their_file_is_loaded_again_are_told_then(session, join):
    join()
    session.close_boot(2)
    run(session, covered=[2])
    lazy = join(files=[])
    run(session)
    lazy.say(type="file", base=0, path="/a.js", hash="/a.js", targets=ROWS, error=None)
    session.poll(0.1)
    run(session)
    assert [begin["covered"] for begin in lazy.begins() if begin["covered"]] == [[2]]


def test_ids_survive_a_restart(session, join, table):
    join().close()
    session.poll(0.1)
    session.forget_processes()
    agent = join({1: {"targets": [2, 0, 1]}})
    session.close_boot(2)
    assert run(session).reached == {2: Reached(1.0, 0)}
    assert len(table) == 3
    assert agent.begins()[0]["seq"] == 1


def test_launchers_are_left_alone(session, join):
    launcher = join(is_passive=True, serves=False, files=[])
    join({1: {"targets": [1, 0, 1]}})
    session.close_boot(2)
    assert run(session).is_complete
    assert [message["type"] for message in launcher.received] == ["welcome"]


def test_a_process_that_joins_later_has_its_boot_closed_at_once(session, join):
    join()
    session.close_boot(2)
    late = join({0: {"targets": [1, 0, 1]}, 1: {"targets": [2, 0, 0.5]}})
    assert run(session).reached == {2: Reached(0.5, 0)}
    assert session.boot_reached == {1: 1.0}
    assert [message["type"] for message in late.received] == ["welcome", "end", "begin", "end", "begin"]


def test_a_process_that_joins_while_results_are_awaited_is_not_waited_for(session, join, transport):
    join()
    session.close_boot(2)
    session.begin(EvaluationRequest(port=1))
    late = ScriptedAgent(transport.path)
    late.is_deaf = True
    late.say(type="listening", port=1, address="::", protocol="http", pid=1)
    assert session.end(2).is_complete
    late.close()


def test_a_server_in_a_cluster_is_listed_once_as_what_it_speaks(session, join):
    primary = join(serves=False)
    primary.say(type="listening", port=3000, address="::", protocol="tcp", pid=1)
    session.poll(0.1)
    worker = join(serves=False)
    worker.say(type="listening", port=3000, address="::", protocol="http", pid=2)
    session.poll(0.1)
    assert [(server.port, server.protocol) for server in session.reports.servers] == [(3000, "http")]


def test_ports_that_a_server_may_not_have_got_are_known_until_the_next_start(session, join, table):
    table.constants.put("/p/app.js", [(1, 7), (2, 3000), (3, 4.5), (4, "8080"), (5, 70_000)])
    agent = join()
    assert session.reports.unbound_ports == []
    agent.say(type="unbound", pid=1)
    session.poll(0.1)
    assert session.reports.unbound_ports == [3000]
    session.forget_processes()
    assert session.reports.unbound_ports == []


def test_a_process_that_joins_within_an_evaluation_takes_part(session, join):
    join()
    session.close_boot(2)
    session.begin(EvaluationRequest(port=1, covered=[1]))
    late = join({1: {"targets": [2, 0, 0.5]}}, serves=False)
    assert session.end(2).reached == {2: Reached(0.5, 0)}
    assert late.begins()[0]["covered"] == []


def test_the_end_of_a_serving_process_is_noticed(session, join):
    agent = join()
    session.close_boot(2)
    session.begin(EvaluationRequest(port=1))
    agent.close()
    result = session.end(2)
    assert session.has_lost_server
    assert not result.is_complete
    assert session.pulse(1) == "gone"


def test_the_last_result_of_a_process_that_is_gone_counts(session, join):
    join()
    side = join(serves=False)
    session.close_boot(2)
    session.begin(EvaluationRequest(port=1))
    side.say(type="result", seq=1, targets=[2, 0, 0.5])
    side.close()
    assert session.end(2).reached == {2: Reached(0.5, 0)}


def test_a_side_process_that_is_silent_does_not_hold_up_the_search(session, join):
    join()
    side = join(serves=False)
    side.is_deaf = True
    session.close_boot(2)
    assert run(session).is_complete
    assert session.pulse(1) == "alive"


def test_a_blocked_server_is_told_from_a_living_one(session, join):
    agent = join()
    assert session.pulse(1) == "alive"
    agent.is_deaf = True
    assert session.pulse(0.1) == "blocked"
    session.begin(EvaluationRequest(port=1))
    assert not session.end(0.1).is_complete


def test_hints_causes_and_crashes_arrive_typed(session, join):
    hint = {
        "kind": "comparison",
        "target": 2,
        "call": 1,
        "operator": "identical",
        "left": "x",
        "right": {"$number": "NaN"},
        "wanted": True,
    }
    cause = {"call": 1, "file": "/a.js", "line": 3, "message": "Error: x", "stack": "s", "statement": "/a.js:3"}
    agent = join({1: {"hints": [hint, {"kind": "from-the-future", "target": 0}], "causes": [cause]}})
    session.close_boot(2)
    session.begin(EvaluationRequest(port=1))
    agent.say(type="crash", kind="unhandled-rejection", call=None, cause=cause | {"call": None})
    result = session.end(2)
    assert [(h.target, h.operator, h.right, h.name) for h in result.hints] == [(2, "identical", {"$number": "NaN"}, "")]
    assert (result.causes[1].file, result.causes[1].line, result.causes[1].message) == ("/a.js", 3, "Error: x")
    (crash,) = session.take_crashes()
    assert (crash.kind, crash.call_index, crash.cause.statement) == ("unhandled-rejection", None, "/a.js:3")
    assert session.take_crashes() == []


def test_a_file_that_runs_uninstrumented_is_remembered_with_its_reason(session, join):
    agent = join()
    agent.say(type="file", base=3, path="/bad.js", hash="h", targets=[], error="Unexpected token (1:3)")
    session.poll(0.1)
    assert session.files["/bad.js"].error == "Unexpected token (1:3)"


def test_other_connections_are_told_within_an_evaluation(session, join):
    agent = join()
    session.close_boot(2)
    session.begin(EvaluationRequest())
    session.connection(4711, 2)
    session.end(2)
    assert {"type": "connection", "port": 4711, "next_call": 2} in agent.received


def test_targets_of_a_bundle_stand_in_its_sources(session, join, table):
    agent = join()
    rows = [["file", 0, 0, ""], ["line", 1, 0, ""], ["file", 0, 0, ""], ["line", 7, 0, ""], ["line", 9, 0, ""]]
    parts = [[0, "/src/a.ts"], [2, "/src/b.ts"], [4, "/src/a.ts"]]
    agent.say(type="file", base=3, path="/dist/bundle.js", hash="h", targets=rows, parts=parts, error=None)
    agent.say(
        type="file", base=8, path="/dist/other.js", hash="o", targets=rows[2:4], parts=[[0, "/src/a.ts"]], error=None
    )
    session.poll_until(lambda: len(session.files.get("/src/a.ts", NO_FILE).targets) == 4, 5.0)
    assert set(session.files) == {"/a.js", "/src/a.ts", "/src/b.ts"}
    names = {path: [table[target].name() for target in file.targets] for path, file in session.files.items()}
    assert names["/src/a.ts"] == ["file /src/a.ts", "line /src/a.ts:1", "line /src/a.ts:9", "line /src/a.ts:7"]
    assert names["/src/b.ts"] == ["file /src/b.ts", "line /src/b.ts:7"]


def test_the_rules_are_told_with_each_begin_and_at_the_end_of_the_start(session, join):
    session.live_under(Isolation(7), None)
    agent = join()
    session.close_boot(2)
    run(session)
    run(session)
    session.live_under(None, None)
    run(session)
    ends = [message for message in agent.received if message["type"] == "end"]
    assert ends[0] == {"type": "end", "seq": 0, "isolate": True}
    begins = {begin["seq"]: begin for begin in agent.begins()}
    assert [begins[seq]["isolate"] for seq in (1, 2, 3)] == [True, True, False]
    assert begins[3]["random_seed"] is None
    assert [begins[seq]["random_seed"] for seq in (1, 2)] == [Isolation(7).seed_of(1), Isolation(7).seed_of(2)]


def test_no_seed_comes_again_after_a_restart(session, join):
    session.live_under(Isolation(7), None)
    seeds = []
    for _ in range(2):
        agent = join()
        session.close_boot(2)
        run(session)
        seeds.append(agent.begins()[0]["random_seed"])
        session.forget_processes()
    assert seeds[0] != seeds[1]


def test_schedules_are_kept_once_over_restarts(session, join):
    for _ in range(2):
        agent = join()
        agent.say(type="schedule", kind="cron", file="/a.js", line=3, period_ms=None, expression="0 3 * * *")
        session.poll(0.2)
        session.forget_processes()
    assert list(session.reports.schedules) == [
        Schedule(kind="cron", file="/a.js", line=3, period_ms=None, expression="0 3 * * *")
    ]


def test_a_late_crash_names_its_origin(session, join):
    agent = join()
    session.close_boot(2)
    session.begin(EvaluationRequest(port=1))
    agent.say(type="crash", kind="unhandled-rejection", call=None, late={"seq": 4, "call": 1})
    session.end(2)
    session.poll(0.1)
    assert [crash.late for crash in session.take_crashes()] == [Origin(4, 1)]


def test_the_end_of_a_process_that_has_announced_it_is_waited_for(session, join):
    agent = join()
    session.begin(EvaluationRequest(port=1))
    agent.say(type="crash", kind="uncaught-exception", call=0, cause=None, fatal=True)
    session.end(2)
    threading.Timer(DEATH_WAIT_S + 0.3, agent.close).start()  # a busy machine
    session.settle_crashes()
    assert session.has_lost_server
    assert [crash.kind for crash in session.take_crashes()] == ["uncaught-exception"]


def test_a_process_with_a_handler_is_not_waited_for_longer(session, join):
    agent = join()
    session.begin(EvaluationRequest(port=1))
    agent.say(type="crash", kind="unhandled-rejection", call=0, cause=None)
    session.end(2)
    session.settle_crashes()
    assert not session.has_lost_server
