"""The API of a SUT that runs already, outside of evaluations."""

from __future__ import annotations

from functools import partial

from wimble.execute.http.address import Address
from wimble.execute.http.authentication import Authenticator
from wimble.execute.http.fetching import ask, fetch_document
from wimble.execute.sut.served_api import NoApi
from wimble.http.http_messages import HttpRequest, HttpResponse


class RunningApi(NoApi):
    """The API at an address that the user named; without an agent, no more is known about it."""

    def __init__(self, address: Address, auth: Authenticator) -> None:
        super().__init__()
        self._auth = auth
        self._use(address)

    def _use(self, address: Address) -> None:
        self.address = address
        self.base_url = address.url
        self.port = address.port
        self.ports = (address.port,)

    def learn_form(self) -> bool:
        """Finds the headers that every request needs, and sends them from now on; returns whether there are any."""
        self.form.learn(self.address, ask)
        if not self.form.notes:
            return False
        self._use(self.form.applied(self.address))
        return True

    def log_in(self, *, strict: bool = False) -> None:
        """Logs in the users who have to. Raises: TargetError, if `strict` and a login fails."""
        self._auth.log_in(self.address, strict=strict)

    def fetch(self, path: str, accept: str = "*/*", port: int | None = None, user: str = "") -> HttpResponse | None:
        """Sends `GET path`, as `ServedApi.fetch`."""
        signed = partial(self._auth.signed_as, user) if user else None
        return fetch_document(self.address, path, accept, signed=signed)

    def ask(self, request: HttpRequest, port: int | None = None) -> HttpResponse | None:
        """Sends one request, as `ServedApi.ask`."""
        return ask(self.address, request)
