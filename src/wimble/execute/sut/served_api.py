"""The API that a SUT serves, outside of evaluations: where it listens, what it has registered, and requests to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from wimble.execute.http.redirected_requests import RequestForm
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.routes import Route
from wimble.model.suite import ReadyAnswer, TokenKey


class ServedApi(Protocol):
    """An API. What is reached by requests outside of evaluations is not attributed to the next evaluation."""

    # ---- where it listens

    @property
    def base_url(self) -> str: ...

    @property
    def port(self) -> int: ...

    @property
    def ports(self) -> tuple[int, ...]:
        """Ports of the SUT's HTTP servers that listen by now, in order of appearance, but the one in use first."""
        ...

    def use_port(self, port: int) -> None:
        """Switches to another one of `ports`, where the API is, also for later starts."""

    @property
    def is_port_fixed(self) -> bool:
        """False if two starts gave different ports."""
        ...

    @property
    def port_environment(self) -> Mapping[str, str]:
        """Environment variables with which the SUT was started to have another port than usual.

        It is empty if the SUT has its own.
        """
        ...

    @property
    def ready_paths(self) -> tuple[str, ...]:
        """Paths that are served only once the API is ready."""
        ...

    @property
    def ready_answers(self) -> tuple[ReadyAnswer, ...]:
        """Answers that are other ones before the API is ready."""
        ...

    def await_service(self) -> None:
        """Waits while everything is answered with 503, now and after each start."""

    # ---- what it knows

    @property
    def routes(self) -> Sequence[Route]:
        """Routes that its frameworks have registered since the SUT's last start; empty without an agent."""
        ...

    def update_routes(self) -> None:
        """Asks for the routes that were registered since the last evaluation."""

    @property
    def token_keys(self) -> Mapping[str, TokenKey]:
        """The keys with which the SUT was seen to sign tokens or to check them, without their secrets."""
        ...

    # ---- requests

    @property
    def form(self) -> RequestForm:
        """The headers that every request has, beside its own."""
        ...

    def log_in(self, *, strict: bool = False) -> None:
        """Logs in the users who have to.

        Raises: TargetError, if `strict` and a login fails.
        """

    def fetch(self, path: str, accept: str = "*/*", port: int | None = None, user: str = "") -> HttpResponse | None:
        """Sends `GET path`; returns None if no answer came.

        port: another one of `ports`. user: the user whose credentials are sent.
        """
        ...

    def ask(self, request: HttpRequest, port: int | None = None) -> HttpResponse | None:
        """Sends one request, as `fetch`."""
        ...


class NoApi:
    """The API of a SUT that serves none."""

    base_url = ""
    port = 0
    ports: tuple[int, ...] = ()
    is_port_fixed = True
    ready_paths: tuple[str, ...] = ()
    ready_answers: tuple[ReadyAnswer, ...] = ()
    routes: Sequence[Route] = ()

    def __init__(self) -> None:
        self.form = RequestForm()
        self.token_keys: Mapping[str, TokenKey] = {}
        self.port_environment: Mapping[str, str] = {}

    def use_port(self, port: int) -> None:
        """Does nothing, since there is no port."""

    def await_service(self) -> None:
        """Does nothing, since nothing is awaited."""

    def update_routes(self) -> None:
        """Does nothing, since there are no routes."""

    def log_in(self, *, strict: bool = False) -> None:
        """Does nothing, since there are no users."""

    def fetch(self, path: str, accept: str = "*/*", port: int | None = None, user: str = "") -> HttpResponse | None:
        """Returns None, since nothing is served."""
        return None

    def ask(self, request: HttpRequest, port: int | None = None) -> HttpResponse | None:
        """Returns None, since nothing is served."""
        return None
