"""The API of a SUT that wimble starts, outside of evaluations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from wimble.agent.protocol.evaluation_request import EvaluationRequest
from wimble.execute.http.address import Address
from wimble.execute.http.authentication import Authenticator
from wimble.execute.http.redirected_requests import RequestForm
from wimble.execute.sut.sut_processes import SutProcesses
from wimble.execute.sut.sut_server import SutServer
from wimble.execute.sut.sut_state import SutState
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.routes import Route
from wimble.model.suite import ReadyAnswer, TokenKey

RESULT_WAIT_S: Final = 10.0
"""How long the agents may take to report what was reached outside of evaluations."""


class StartedApi:
    """The API at the SUT's server. Its requests may wait for databases that `attach_held` attaches."""

    def __init__(
        self,
        server: SutServer,
        processes: SutProcesses,
        state: SutState,
        auth: Authenticator,
        attach_held: Callable[[], None],
    ) -> None:
        self._server = server
        self._processes = processes
        self._state = state
        self._auth = auth
        self._attach_held = attach_held
        self._has_requests = False
        """Whether something may have been reached outside of evaluations."""
        self._has_logged_in = False
        """Whether users have logged in since the last evaluation; their rows in databases then have to stay there."""

    # ---- where it listens -------------------------------------------------------------------------------------------

    @property
    def base_url(self) -> str:
        address = self._server.address
        return address.url if address is not None else ""

    @property
    def port(self) -> int:
        return self._server.port

    @property
    def ports(self) -> tuple[int, ...]:
        """Ports of the HTTP servers that listen by now, in order of appearance, but the one in use first."""
        return self._server.ports(self._processes.session)

    def use_port(self, port: int) -> None:
        """Switches to another one of `ports`, where the API is, also for later starts."""
        self._server.use_port(port, self._processes.session)

    @property
    def is_port_fixed(self) -> bool:
        """False if two starts gave different ports."""
        return self._server.is_port_fixed

    @property
    def port_environment(self) -> Mapping[str, str]:
        """Variables with another port, if that of the SUT was taken."""
        return self._processes.port_environment

    @property
    def ready_paths(self) -> tuple[str, ...]:
        """Paths that are served only once the API is ready."""
        return self._server.ready_paths

    @property
    def ready_answers(self) -> tuple[ReadyAnswer, ...]:
        """Answers that are other ones before the API is ready."""
        return self._server.ready_answers

    def await_service(self) -> None:
        """Waits while everything is answered with 503, now and after each start."""
        self.note_requests()
        self._server.await_service()

    # ---- what it knows ----------------------------------------------------------------------------------------------

    @property
    def routes(self) -> Sequence[Route]:
        """Routes that its frameworks have registered since the SUT's last start."""
        return self._processes.session.reports.routes if self._processes.is_open else ()

    def update_routes(self) -> None:
        """Asks for the routes that were registered since the last evaluation."""
        if self._server.address is not None:
            self._flush()

    @property
    def token_keys(self) -> Mapping[str, TokenKey]:
        """The keys with which the SUT was seen to sign tokens or to check them, without their secrets."""
        return self._auth.signer.keys

    # ---- requests ---------------------------------------------------------------------------------------------------

    @property
    def form(self) -> RequestForm:
        """The headers that every request has, beside its own."""
        return self._server.form

    def log_in(self, *, strict: bool = False) -> None:
        """Logs in the users who have to. Raises: TargetError, if `strict` and a login fails."""
        address = self._server.address
        if address is not None:
            self._state.put_back()
            self._has_requests = True
            # Without users, rows that are there now are those of a test that has ended the process: they must go.
            self._has_logged_in = self._has_logged_in or self._auth.has_users
            self._auth.log_in(address, strict=strict, on_wait=self._attach_held)

    def fetch(self, path: str, accept: str = "*/*", port: int | None = None, user: str = "") -> HttpResponse | None:
        """Sends `GET path`, as `ServedApi.fetch`."""
        self.note_requests()
        return self._server.fetch(path, accept, at=self._address_at(port), user=user)

    def ask(self, request: HttpRequest, port: int | None = None) -> HttpResponse | None:
        """Sends one request, as `ServedApi.ask`."""
        self.note_requests()
        return self._server.ask(request, at=self._address_at(port))

    def _address_at(self, port: int | None) -> Address | None:
        server = self._server
        return server.address_at(port, self._processes.session) if server.address is not None else None

    # ---- what they reach --------------------------------------------------------------------------------------------

    def note_requests(self) -> None:
        """Notes that something may have been reached outside of evaluations."""
        self._has_requests = True

    def discard_reached(self) -> None:
        """Discards what was reached outside of evaluations, so that it is not attributed to the next one."""
        if self._has_requests:
            self._flush()

    def _flush(self) -> None:
        self._has_requests = False
        session = self._processes.session
        session.begin(EvaluationRequest(hints=False))
        result = session.end(RESULT_WAIT_S)
        databases = self._state.databases
        databases.hear(result.commands, result.n_commands_dropped)
        if self._has_logged_in:
            self._has_logged_in = False
            databases.rebaseline()
