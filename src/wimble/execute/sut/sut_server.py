"""Where the API of a started SUT listens, over all its starts, and the connection over which wimble calls it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Final

import msgspec

from wimble.agent.processes.launch import ProcessTree
from wimble.agent.session import AgentSession
from wimble.execute.http.address import Address, address_of_url
from wimble.execute.http.authentication import Authenticator
from wimble.execute.http.fetching import ask, await_answer, await_document, await_service, fetch_document
from wimble.execute.http.http_client import HttpClient
from wimble.execute.http.redirected_requests import RequestForm
from wimble.execute.runner import CallListener, Runner
from wimble.execute.sut.held_processes import held
from wimble.execute.sut.late_answers import Change, changed_answers, due_to_time, is_as_awaited, seen_at_once
from wimble.execute.sut.readiness import NO_ROUTE, Expected, await_listening, last_to_come
from wimble.execute.sut.startup import await_server, await_url, http_servers
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.suite import ReadyAnswer
from wimble.runtimes.runtime import Runtime
from wimble.settings import Settings

AGENT_WAIT_S: Final = 1.0
"""How long to wait for the agent's first message when the SUT answers already."""

OTHER_PORT_AFTER_S: Final = 3.0
"""If a SUT listens, but after so long not on the port of its last start, it has another port at each start."""


class SutServer:
    """The server of the API. `await_start` gives its address, and `connect` makes a runner for it, once per start."""

    def __init__(
        self,
        settings: Settings,
        runtimes: Sequence[Runtime],
        auth: Authenticator,
        *,
        listener: CallListener,
        on_wait: Callable[[], None],
        ready_path: str = "",
    ) -> None:
        """listener: see `Runner`. on_wait: see `HttpClient`. ready_path: see `StartedSut`."""
        self.form = RequestForm()
        self.ready_path = ready_path
        self._settings = settings
        self._runtimes = runtimes
        self._auth = auth
        self._listener = listener
        self._on_wait = on_wait
        self._address: Address | None = None
        self._runner: Runner | None = None
        self._n_calls_before = 0
        self._ordinal = 0
        self._other_ports: list[int] = []
        """Ports of servers that are not the API's."""
        self._ports_seen: list[int] = []
        self._late_path = ""
        self._changes: list[Change] = []
        self.ready_answers: tuple[ReadyAnswer, ...] = ()
        self._is_late = False
        self._keeps_connections = True
        self._wait_work: Callable[[], None] | None = None

    # ---- after a start ----------------------------------------------------------------------------------------------

    def await_start(self, tree: ProcessTree, session: AgentSession) -> Address:
        """Waits until the SUT serves. Raises: TargetError, ProtocolError, UsageError."""
        settings = self._settings
        if settings.url is not None:
            address = address_of_url(settings.url)
            await_url(address, tree, session, settings.start_timeout_s)
            session.poll_until(lambda: session.agents.has_any, AGENT_WAIT_S)
            return address
        return await_server(
            tree,
            session,
            settings.start_timeout_s,
            runtimes=self._runtimes,
            port=settings.port,
            ordinal=self._ordinal,
            other_ports=self._other_ports,
        )

    def connect(self, address: Address, session: AgentSession) -> None:
        """Calls this address from now on. Logins of the former one are discarded."""
        self._address = address
        self._ports_seen.append(address.port)
        if self._runner is not None:
            self._n_calls_before += self._runner.n_calls
            self._runner.client.close()
        self._auth.forget()
        client = HttpClient(
            address.host,
            address.port,
            is_https=address.is_https,
            headers=address.headers,
            on_connect=self._tell_connection,
            sign=self._auth.signed,
            on_wait=self._wait,
        )
        if not self._keeps_connections:
            client.keep_no_connections()
        self._runner = Runner(
            client,
            session,
            self._settings.call_timeout_s,
            time.monotonic,
            self._auth,
            listener=self._listener,
            hold=lambda: held(session.agents.pids),
        )
        self._runner.fill_waits(self._wait_work)

    def keep_no_connections(self) -> None:
        """See `HttpClient`; also after the next starts."""
        self._keeps_connections = False
        self.runner.client.keep_no_connections()

    def _wait(self) -> None:
        self._on_wait()
        if self._runner is not None:
            self._runner.watch_wait()

    def _tell_connection(self, local_port: int) -> None:
        if self._runner is not None:
            self._runner.tell_connection(local_port)

    def fill_waits(self, work: Callable[[], None]) -> None:
        """Calls `work` from now on each time that a request of a test case was sent."""
        self._wait_work = work
        if self._runner is not None:
            self._runner.fill_waits(work)

    def await_service(self) -> None:
        """Waits while everything is answered with 503, now and after each start."""
        self._is_late = True
        await_service(self.fetch)

    def await_documents(self) -> None:
        """Waits until all `ready_paths` are served, and all `ready_answers` are given."""
        if self._is_late:
            await_service(self.fetch)
        self._await_paths()
        for awaited in self.ready_answers:
            await_answer(self.ask, HttpRequest("GET", awaited.target), partial(is_as_awaited, awaited))

    def find_late(self, tree: ProcessTree, asked: Sequence[Expected], should_stop: Callable[[], bool]) -> bool:
        """Finds the path that is served last, and adds it to `ready_paths`. tree: a start that has just begun.

        Returns whether other answers have changed since, so that `confirm_late` has to look at another start.
        """
        with self._client_of_start(tree) as client:
            if client is not None:
                targets = dict.fromkeys([NO_ROUTE, *(one.request.target for one in asked)])
                early = seen_at_once(client, list(targets))
                self._await_paths()
                self._late_path = last_to_come(client, asked, should_stop)
                self._changes = [] if should_stop() else changed_answers(client, early)
        return bool(self._changes)

    def confirm_late(self, tree: ProcessTree) -> None:
        """Adds to `ready_answers` what changes without a call. tree: a start that has just begun."""
        with self._client_of_start(tree) as client:
            if client is not None:
                self._await_paths()
                self.ready_answers = due_to_time(client, self._changes)

    @contextmanager
    def _client_of_start(self, tree: ProcessTree) -> Iterator[HttpClient | None]:
        """Waits until a SUT without an agent listens; None if it does not."""
        address = self._address
        if address is None:
            yield None
            return
        client = HttpClient(address.host, address.port, is_https=address.is_https, headers=address.headers)
        has_ended = partial(_will_not_listen, tree, address.port, time.monotonic() + OTHER_PORT_AFTER_S)
        try:
            listens = await_listening(client, has_ended, self._settings.start_timeout_s)
            yield client if listens else None
        finally:
            client.close()

    def _await_paths(self) -> None:
        for path in self.ready_paths:
            await_document(self.fetch, path)

    def disconnect(self) -> None:
        """Closes the connection: an open one keeps a gracefully stopping server waiting."""
        if self._runner is not None:
            self._runner.client.close()

    # ---- where it listens -------------------------------------------------------------------------------------------

    @property
    def address(self) -> Address | None:
        """None before the first `connect`."""
        return self._address

    @property
    def runner(self) -> Runner:
        """Raises: RuntimeError, before the first `connect`."""
        if self._runner is None:
            raise RuntimeError("start() comes first")
        return self._runner

    @property
    def n_calls(self) -> int:
        """Number of HTTP calls of evaluations so far, over all starts."""
        return self._n_calls_before + (self._runner.n_calls if self._runner is not None else 0)

    @property
    def port(self) -> int:
        return self._address.port if self._address is not None else 0

    def ports(self, session: AgentSession) -> tuple[int, ...]:
        """Returns the ports of the HTTP servers that listen by now, in order of appearance, but the one in use first.

        Messages of the agents are read before.
        """
        session.poll(0)
        others = [server.port for server in http_servers(session) if server.port != self.port]
        return (self.port, *others)

    def use_port(self, port: int, session: AgentSession) -> None:
        """Switches to another one of `ports`, where the API is, also for later starts."""
        servers = http_servers(session)
        for ordinal, server in enumerate(servers):
            if server.port == port and self._address is not None:
                self._ordinal = ordinal
                self._other_ports = [other.port for other in servers if other.port != port]
                self._ports_seen.clear()
                is_https = server.protocol == "https"
                self.connect(msgspec.structs.replace(self._address, port=port, is_https=is_https), session)
                return

    @property
    def is_port_fixed(self) -> bool:
        """False if two starts gave different ports."""
        return len(set(self._ports_seen)) <= 1

    @property
    def ready_paths(self) -> tuple[str, ...]:
        """Paths that are served only once the API is ready."""
        return tuple(path for path in (self.ready_path, self._late_path) if path)

    # ---- requests outside of evaluations ----------------------------------------------------------------------------

    def fetch(
        self, path: str, accept: str = "*/*", *, at: Address | None = None, user: str = ""
    ) -> HttpResponse | None:
        """Sends `GET path`; returns None if no answer came. at: another address than that of the API."""
        address = at or self._address
        signed = partial(self._auth.signed_as, user) if user else None
        return None if address is None else fetch_document(address, path, accept, self._on_wait, signed)

    def ask(self, request: HttpRequest, *, at: Address | None = None) -> HttpResponse | None:
        """Sends one request, as `fetch`."""
        address = at or self._address
        return None if address is None else ask(address, request, self._on_wait)

    def address_at(self, port: int | None, session: AgentSession) -> Address | None:
        """Returns the address of the API, or that of another one of `ports`."""
        address = self._address
        if address is None or port is None or port == address.port:
            return address
        protocol = next((server.protocol for server in session.reports.servers if server.port == port), "http")
        return msgspec.structs.replace(address, port=port, is_https=protocol == "https")


def _will_not_listen(tree: ProcessTree, port: int, look_at_s: float) -> bool:
    """Whether the tree has ended or, from `look_at_s` (`time.monotonic()`) on, listens on other ports only."""
    if tree.exit_status is not None:
        return True
    ports = tree.listens() if time.monotonic() >= look_at_s else ()
    return bool(ports) and port not in ports
