"""Waits until a started SUT serves, and explains why it does not."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from wimble.agent.processes.launch import ProcessTree
from wimble.agent.processes.sut_log import check_disk
from wimble.agent.protocol.servers import Server
from wimble.agent.session import AgentSession
from wimble.agent.transport import remaining_s
from wimble.errors import TargetError
from wimble.execute.http.address import Address, address_of
from wimble.execute.http.http_client import CallFailed, HttpClient
from wimble.execute.sut.taken_port import holder_of, taken_port
from wimble.http.http_messages import HttpRequest
from wimble.runtimes.runtime import Runtime

SHOWN_LINES: Final = 15
"""Number of lines of the SUT's own output that an error shows."""

PROBE_TIMEOUT_S: Final = 3.0
NO_AGENT_AFTER_S: Final = 3.0
"""If a process tree listens and no agent has sent a message for so long, it runs on another runtime."""

DAEMON_WAIT_S: Final = 3.0
"""How long the command may take to end after a daemon has started the API."""

HTTP_PROTOCOLS: Final = ("http", "https")


def http_servers(session: AgentSession) -> list[Server]:
    """Returns the HTTP(S) servers of the SUT in order of listening."""
    return [server for server in session.reports.servers if server.protocol in HTTP_PROTOCOLS]


def await_server(
    tree: ProcessTree,
    session: AgentSession,
    timeout_s: float,
    *,
    runtimes: Sequence[Runtime],
    port: int | None,
    ordinal: int,
    other_ports: Sequence[int] = (),
) -> Address:
    """Returns the address of the API once it answers `GET /` with any status.

    runtimes: those whose agents the tree may load. port: the port to wait for; None: the HTTP server that is number
    `ordinal` (from 0) in order of listening, and whose port is not one of `other_ports`, which belong to other servers.

    Raises: TargetError, ProtocolError, UsageError (the interpreter is too old).
    """
    start_s = time.monotonic()
    deadline_s = start_s + timeout_s
    next_look_s = start_s + NO_AGENT_AFTER_S
    is_seen_listening = False
    while True:
        session.poll(min(0.05, remaining_s(deadline_s)))
        _check_runtime(session, runtimes)
        server = _chosen(session, port, ordinal, other_ports)
        if server is not None:
            address = _answering(server, remaining_s(deadline_s))
            if address is not None:
                return address
        _check_alive(tree, session)
        now_s = time.monotonic()
        if now_s >= next_look_s and not session.agents.pids:
            next_look_s = now_s + 1.0
            if is_seen_listening:
                raise _no_agent(tree, runtimes)
            is_seen_listening = bool(tree.listens())
        if now_s >= deadline_s:
            raise _no_agent(tree, runtimes) if not session.agents.pids else _not_serving(tree, session, timeout_s, port)


def await_url(address: Address, tree: ProcessTree | None, session: AgentSession | None, timeout_s: float) -> None:
    """Waits until `address`, which the user named, answers.

    Raises: TargetError.
    """
    deadline_s = time.monotonic() + timeout_s
    while True:
        if session is not None:
            session.poll(0.05)
        if probe(address, max(0.05, min(PROBE_TIMEOUT_S, remaining_s(deadline_s)))):
            return
        if tree is not None and session is not None:
            _check_alive(tree, session)
        if time.monotonic() >= deadline_s:
            raise TargetError(
                "sut-unreachable",
                f"{address.url} does not answer",
                details=tree.last_lines(SHOWN_LINES) if tree is not None else (),
                hint="start the API first, or let wimble start it: wimble run -- COMMAND",
            )
        time.sleep(0.05)


def probe(address: Address, timeout_s: float) -> bool:
    """Whether a server there answers `GET /` with any status."""
    client = HttpClient(address.host, address.port, is_https=address.is_https, headers=address.headers)
    try:
        client.request(HttpRequest("GET", "/", (("Accept", "*/*"), ("Connection", "close"))), timeout_s)
    except CallFailed:
        return False
    finally:
        client.close()
    return True


def _chosen(session: AgentSession, port: int | None, ordinal: int, other_ports: Sequence[int]) -> Server | None:
    if port is not None:
        return next((server for server in session.reports.servers if server.port == port), None)
    servers = http_servers(session)
    if any(server.port in other_ports for server in servers):
        # Ports are fixed, but servers may start in another order than last time.
        return next((server for server in servers if server.port not in other_ports), None)
    return servers[ordinal] if ordinal < len(servers) else None


def _answering(server: Server, timeout_s: float) -> Address | None:
    address = address_of(server)
    if probe(address, max(0.05, min(PROBE_TIMEOUT_S, timeout_s))):
        return address
    if server.address in ("", "::", "localhost"):
        address = Address("::1", address.port, address.is_https)
        if probe(address, max(0.05, min(PROBE_TIMEOUT_S, timeout_s))):
            return address
    return None


def check_foreground(tree: ProcessTree, session: AgentSession) -> None:
    """Checks that the command does not leave the API to a daemon, which would start it again or keep it running.

    Raises: TargetError.
    """
    left = [server.pid for server in session.reports.servers if tree.has_left(server.pid)]
    if not left or tree.wait_exit(DAEMON_WAIT_S) is None:
        return
    session.poll(0.1)  # so that all processes are known that have to be stopped
    raise TargetError(
        "sut-in-background",
        "the command has ended and left the API to a process in the background",
        details=(f"the API is served by process {left[0]}, which a process manager or daemon has started",),
        hint="give a command that runs the API in the foreground: instead of `pm2 start app.js`, `pm2-runtime start "
        "app.js` or `node app.js`",
    )


# ---- what went wrong ------------------------------------------------------------------------------------------------


def _check_runtime(session: AgentSession, runtimes: Sequence[Runtime]) -> None:
    for hello in session.agents.hellos:
        for runtime in runtimes:
            if runtime.name == hello.agent:
                runtime.interpreter.check_version(hello.runtime, " ".join(hello.argv[:2]))


def _check_alive(tree: ProcessTree, session: AgentSession) -> None:
    """Raises: TargetError, if the command has ended and no process of the SUT is left."""
    status = tree.exit_status
    if status is None or session.agents.has_any:
        return
    session.poll(0.1)
    if session.agents.has_any or (status == 0 and tree.has_processes):
        return
    check_disk(tree.log.path.parent)
    lines = tree.last_lines(SHOWN_LINES)
    _check_port_taken(tree, session)
    how = f"was ended by signal {-status}" if status < 0 else f"ended with exit code {status}"
    printed = ("its last output:", *(f"  {line}" for line in lines)) if lines else ("it printed nothing",)
    raise TargetError(
        "sut-exited",
        f"the command {how} before it served anything",
        details=(*_thrown(session, lines), *printed),
        hint="run the command by itself first; it has to start your API and keep running",
    )


def _thrown(session: AgentSession, shown: Sequence[str]) -> tuple[str, ...]:
    """Returns a line with the error that has ended the command, if the shown output does not have its message.

    All properties of an error are printed after it: an error of a database takes more lines than are shown.
    """
    causes = [one.cause for one in session.take_crashes() if one.kind in ("uncaught-exception", "unhandled-rejection")]
    cause = next((one for one in causes if one.message), None)
    if cause is None or any(cause.message.partition("\n")[0] in line for line in shown):
        return ()
    place = f" ({cause.file}:{cause.line})" if cause.file else ""
    return (f"it has thrown {cause.message}{place}",)


def _check_port_taken(tree: ProcessTree, session: AgentSession) -> None:
    port = taken_port(tree.output(), session.reports.unbound_ports)
    if port is None:
        return
    holder = holder_of(port) if port else ""
    by = f" by {holder}" if holder else ""
    raise TargetError(
        "port-taken",
        f"the SUT cannot listen: {f'port {port}' if port else 'the port that it wants'} is taken{by}",
        details=("its last output:", *(f"  {line}" for line in tree.last_lines(SHOWN_LINES))),
        hint="stop that process (perhaps an earlier start of the same API), or give the API another port; "
        "if it takes its port from PORT (`process.env.PORT`), wimble chooses a free one, and two runs work at once",
    )


def _no_agent(tree: ProcessTree, runtimes: Sequence[Runtime]) -> TargetError:
    ports = ", ".join(str(port) for port in tree.listens())
    titles = " or ".join(runtime.title for runtime in runtimes)
    variables = " or ".join(runtime.loading.variable for runtime in runtimes)
    return TargetError(
        "not-node",
        f"the command runs, but nothing in it is a {titles} process that loads the agent",
        details=(f"it listens on {ports}",) if ports else (),
        hint=f"for an API in another language (or with {variables} taken away) start it yourself and use "
        "`wimble run --url http://127.0.0.1:PORT`",
    )


def _not_serving(tree: ProcessTree, session: AgentSession, timeout_s: float, port: int | None) -> TargetError:
    check_disk(tree.log.path.parent)
    if not session.reports.servers:
        _check_port_taken(tree, session)
        lines = tree.last_lines(SHOWN_LINES)
        sockets = tree.unix_sockets()
        if sockets:
            return TargetError(
                "unix-socket",
                "the API listens on a Unix socket only, which wimble cannot call",
                details=(f"found: {', '.join(sockets)}",),
                hint="let it listen on a TCP port (often PORT=3000), or forward one: `socat "
                f"TCP-LISTEN:3000,bind=127.0.0.1,fork,reuseaddr UNIX-CONNECT:{sockets[0]}`, and `wimble run --url "
                "http://127.0.0.1:3000`",
            )
        return TargetError(
            "no-server",
            f"no server listens after {timeout_s:g} s",
            details=("its last output:", *(f"  {line}" for line in lines)) if lines else ("it printed nothing",),
            hint="if the API only needs longer: --start-timeout 2m",
        )
    listening = ", ".join(f"{server.port} ({server.protocol})" for server in session.reports.servers)
    if port is not None and all(server.port != port for server in session.reports.servers):
        return TargetError("wrong-port", f"nothing listens on port {port}", details=(f"found: {listening}",))
    return TargetError(
        "sut-unreachable",
        f"a server listens, but `GET /` got no answer within {timeout_s:g} s",
        details=(f"found: {listening}", *tree.last_lines(SHOWN_LINES)),
        hint="if the API only needs longer: --start-timeout 2m; if it is another one of these: --port PORT",
    )
