"""Authenticates requests: logs users in after each start of the SUT, and adds their credentials to what is sent.

Logins run between evaluations, over connections of their own, so nothing that they reach is attributed to a test. The
requests of a test case only name their user; credentials are added here when the requests are sent.
"""

from __future__ import annotations

import binascii
import json
import time
from collections.abc import Callable
from typing import Final
from urllib.parse import quote, quote_plus, urlsplit

import msgspec

from wimble.base64url import from_base64url
from wimble.errors import TargetError
from wimble.execute.http.address import Address
from wimble.execute.http.http_client import CallFailed, HttpClient
from wimble.execute.http.token_signing import TokenSigner
from wimble.http.given_credentials import learn_credentials
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.http.texts import json_bytes
from wimble.model.json_pointer import at_pointer
from wimble.types import Json
from wimble.users import TOKEN, AuthUser, Login, Secrets, basic_header

LOGIN_TIMEOUT_S: Final = 30.0
REFRESH_AT: Final = 0.8
"""Share of a token's lifetime after which a new one is fetched."""


class _Session(msgspec.Struct):
    """The result of a login. `refresh_at_s` is a time of the monotonic clock."""

    token: str = ""
    cookies: tuple[tuple[str, str], ...] = ()
    refresh_at_s: float = float("inf")


class Authenticator:
    """The users of one run and their logins at one server."""

    def __init__(self, users: tuple[AuthUser, ...], secrets: Secrets) -> None:
        self._users = {user.name: user for user in users}
        self._secrets = secrets
        self.signer = TokenSigner(secrets)
        self._sessions: dict[str, _Session] = {}
        self._credentials: dict[str, _Credentials] = {}
        self._stale: dict[str, None] = {}
        self._refused: set[tuple[str, str]] = set()
        """(user, operation) that were answered with 401 since the last other answer. A new token has been tried for
        them already.
        """
        self._tried: set[str] = set()
        self._notes: dict[str, None] = {}
        self._n_answers: dict[str, int] = dict.fromkeys(self._users, 0)
        self._n_unauthorised: dict[str, int] = dict.fromkeys(self._users, 0)

    @property
    def has_users(self) -> bool:
        return bool(self._users)

    def forget(self) -> None:
        """Discards all logins, since the SUT was started afresh."""
        self._sessions.clear()
        self._credentials.clear()
        self._stale.clear()
        self._tried.clear()

    def needs_login(self) -> bool:
        """Whether a user has to log in: not tried since the start, a token that expires soon, or a 401."""
        now_s = time.monotonic()
        return bool(self._stale) or any(
            name not in self._tried or self._sessions.get(name, _NOBODY).refresh_at_s <= now_s
            for name, user in self._users.items()
            if user.login is not None
        )

    def log_in(self, address: Address, *, strict: bool = False, on_wait: Callable[[], None] | None = None) -> None:
        """Logs in the users who have to. If a login fails, that is noted, and the user's calls continue without it.

        on_wait: see `HttpClient`.

        Raises: TargetError, if `strict` and a login fails.
        """
        now_s = time.monotonic()
        for name, user in self._users.items():
            session = self._sessions.get(name)
            is_valid = session is not None and session.refresh_at_s > now_s and name not in self._stale
            has_failed = session is None and name in self._tried and name not in self._stale
            if user.login is None or is_valid or (has_failed and not strict):
                continue
            self._tried.add(name)
            self._credentials.pop(name, None)
            try:
                self._sessions[name] = self._logged_in(user, user.login, address, on_wait)
            except TargetError as error:
                self._sessions.pop(name, None)
                if strict:
                    raise
                self._notes[f"{error.where}: {error.what}; calls continued without a login"] = None
        self._stale.clear()

    def take_notes(self) -> list[str]:
        """Returns warnings, once each. They include users whose calls were all answered with 401."""
        unknown = [name for name, n in self._n_answers.items() if n >= 5 and n == self._n_unauthorised[name]]
        for name in unknown:
            self._notes[
                (
                    f"auth: each of the {self._n_answers[name]} calls of user {name!r} was answered with 401; are "
                    "the credentials right?"
                )
            ] = None
        notes = list(self._notes)
        self._notes.clear()
        return notes

    # ---- requests and answers ---------------------------------------------------------------------------------------

    def signed(self, request: HttpRequest) -> HttpRequest:
        """Returns the request with the credentials of its user, and with the tokens that are signed for it."""
        request = self.signer.signed(request)
        if not request.user or request.user not in self._users:
            return request
        credentials = self._credentials.get(request.user)
        if credentials is None:
            user = self._users[request.user]
            credentials = _credentials(user, self._sessions.get(user.name, _NOBODY), self._secrets)
            self._credentials[user.name] = credentials
        return credentials.added_to(request)

    def signed_as(self, user: str, request: HttpRequest) -> HttpRequest:
        """Returns the request with the credentials of `user`."""
        return self.signed(msgspec.structs.replace(request, user=user))

    def take_in(
        self, request: HttpRequest, operation: str, response: HttpResponse, *, is_entrance: bool = False
    ) -> HttpResponse:
        """Returns the answer without secrets of given users. Those that it gives to others are kept out of all output.

        After a 401 the user logs in anew before the next evaluation, once per operation.
        """
        user = request.user
        if user in self._users:
            key = (user, operation)
            self._n_answers[user] += 1
            if response.status != 401:
                self._refused.discard(key)
            else:
                self._n_unauthorised[user] += 1
                if key not in self._refused and self._users[user].login is not None:
                    self._refused.add(key)
                    self._stale[user] = None
        learn_credentials(request, response, self._secrets.learnt, is_entrance=is_entrance)
        self.signer.note_sessions(response)
        return _without_secrets(response, self._secrets) if self._users else response

    # ---- logging in -------------------------------------------------------------------------------------------------

    def _logged_in(
        self, user: AuthUser, login: Login, address: Address, on_wait: Callable[[], None] | None
    ) -> _Session:
        """Raises: TargetError."""
        url = self._secrets.expand(login.url)
        where = f"login of user {user.name!r} at {login.method} {login.url}"
        if url.startswith("/"):
            target = url
        else:
            parts = urlsplit(url)
            is_https = parts.scheme == "https"
            address = Address(parts.hostname or "", parts.port or (443 if is_https else 80), is_https)
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        client = HttpClient(
            address.host, address.port, is_https=address.is_https, headers=address.headers, on_wait=on_wait
        )
        try:
            response = client.request(login_request(login, target, self._secrets), LOGIN_TIMEOUT_S)
        except CallFailed as error:
            raise TargetError(
                "auth-login-unreachable",
                f"no answer: {error.message}",
                where=where,
                hint="Is the path right, and does the server that logs users in run?",
            ) from error
        finally:
            client.close()
        _check_status(response, where, self._secrets)
        return self._session_of(login, response, where)

    def _session_of(self, login: Login, response: HttpResponse, where: str) -> _Session:
        if login.cookies:
            cookies = _cookies(response)
            if not cookies:
                raise _no_token(response, where, "no Set-Cookie", self._secrets)
            for _, value in cookies:
                self._secrets.hide(value)
            return _Session(cookies=cookies)
        body = response.json()
        if login.token_header:
            token: Json = response.header(login.token_header) or ""
            missing = f"no header {login.token_header}"
        else:
            token = at_pointer(body, login.token)
            missing = f"nothing at {login.token}"
        if isinstance(token, int) and not isinstance(token, bool):
            token = str(token)
        if not isinstance(token, str) or not token:
            raise _no_token(response, where, missing, self._secrets)
        self._secrets.hide(token)
        lifetime_s = _lifetime_s(token, at_pointer(body, login.lifetime) if login.lifetime else None)
        if lifetime_s is not None and lifetime_s <= 0:
            raise TargetError(
                "auth-token-expired",
                "the token that it gives has expired already",
                where=where,
                hint="Compare the clocks of this machine and of the server that logs users in.",
            )
        until_s = float("inf") if lifetime_s is None else time.monotonic() + lifetime_s * REFRESH_AT
        return _Session(token=token, refresh_at_s=until_s)


_NOBODY: Final = _Session()


class _Credentials(msgspec.Struct, frozen=True):
    headers: tuple[tuple[str, str], ...]
    query: str
    cookies: str

    def added_to(self, request: HttpRequest) -> HttpRequest:
        """Returns the request with these credentials.

        They replace headers of the same name. Cookies and query are added to those of the request.
        """
        names = {name.lower() for name, _ in self.headers}
        headers = [header for header in request.headers if header[0].lower() not in names]
        headers += self.headers
        if self.cookies:
            own = [value for name, value in headers if name.lower() == "cookie"]
            headers = [header for header in headers if header[0].lower() != "cookie"]
            headers.append(("Cookie", "; ".join([*own, self.cookies])))
        target = request.target
        if self.query:
            target += ("&" if "?" in target else "?") + self.query
        return HttpRequest(request.method, target, tuple(headers), request.body, request.user)


def _credentials(user: AuthUser, session: _Session, secrets: Secrets) -> _Credentials:
    """Returns the credentials of a user. What needs a token is left out if there was no login."""

    def filled(pairs: tuple[tuple[str, str], ...]) -> list[tuple[str, str]]:
        return [
            (name, secrets.expand(value).replace(TOKEN, session.token))
            for name, value in pairs
            if session.token or TOKEN not in value
        ]

    headers = filled(user.headers)
    if user.basic is not None:
        value = basic_header(secrets.expand(user.basic[0]), secrets.expand(user.basic[1]))
        secrets.hide(value.removeprefix("Basic "))
        headers.append(("Authorization", value))
    cookies = [*filled(user.cookies), *session.cookies]
    query = "&".join(f"{quote(name, safe='')}={quote(value, safe='')}" for name, value in filled(user.query))
    return _Credentials(tuple(headers), query, "; ".join(f"{name}={value}" for name, value in cookies))


def login_request(login: Login, target: str, secrets: Secrets) -> HttpRequest:
    """Returns the request that logs a user in. target: path and query."""
    headers = [("Accept", "*/*"), *((name, secrets.expand(value)) for name, value in login.headers)]
    if login.basic is not None:
        headers.append(("Authorization", basic_header(secrets.expand(login.basic[0]), secrets.expand(login.basic[1]))))
    body: bytes | None = None
    media_type = ""
    if login.json is not None:
        body, media_type = json_bytes(_expanded(login.json, secrets)), "application/json"
    elif login.form:
        pairs = [f"{quote_plus(name)}={quote_plus(secrets.expand(value))}" for name, value in login.form]
        body, media_type = "&".join(pairs).encode(), "application/x-www-form-urlencoded"
    elif login.body:
        body = secrets.expand(login.body).encode()
    if media_type and all(name.lower() != "content-type" for name, _ in headers):
        headers.append(("Content-Type", media_type))
    return HttpRequest(login.method, target, tuple(headers), body)


def _expanded(value: Json, secrets: Secrets) -> Json:
    if isinstance(value, str):
        return secrets.expand(value)
    if isinstance(value, dict):
        return {key: _expanded(item, secrets) for key, item in value.items()}
    if isinstance(value, list):
        return [_expanded(item, secrets) for item in value]
    return value


def _cookies(response: HttpResponse) -> tuple[tuple[str, str], ...]:
    found: dict[str, str] = {}
    for name, value in response.headers:
        if name == "set-cookie":
            cookie, _, text = value.split(";", 1)[0].partition("=")
            found[cookie.strip()] = text.strip()
    return tuple((name, value) for name, value in found.items() if name and value)


def _lifetime_s(token: str, told: Json) -> float | None:
    """Returns the lifetime of a token, or None if it is unknown.

    It comes from the answer, else from the token if that is a JWT (RFC 7519, `exp`).
    """
    if isinstance(told, int | float) and not isinstance(told, bool):
        return float(told)
    expires = jwt_expiry(token)
    return None if expires is None else expires - time.time()


def jwt_expiry(token: str) -> float | None:
    """Returns the `exp` claim of a JWT, in seconds since the epoch; None if it is no JWT or has none."""
    parts = token.split(".")
    if len(parts) != 3:
        return None
    try:
        claims = json.loads(from_base64url(parts[1]))
    except (ValueError, binascii.Error):
        return None
    expires = claims.get("exp") if isinstance(claims, dict) else None
    return float(expires) if isinstance(expires, int | float) and not isinstance(expires, bool) else None


def _without_secrets(response: HttpResponse, secrets: Secrets) -> HttpResponse:
    is_clean = not secrets.has_given(response.body) and not any(
        secrets.has_given(value.encode("latin-1", "replace")) for _, value in response.headers
    )
    if is_clean:
        return response
    return HttpResponse(
        response.status,
        tuple((name, secrets.redact_given(value)) for name, value in response.headers),
        secrets.redact_given_bytes(response.body),
        response.is_truncated,
        is_endless=response.is_endless,
        is_readable=response.is_readable,
    )


def _check_status(response: HttpResponse, where: str, secrets: Secrets) -> None:
    status = response.status
    if 200 <= status < 400:
        return
    details = _said(response, secrets)
    if status < 500:
        raise TargetError(
            "auth-login-refused",
            f"refused with status {status}",
            where=where,
            details=details,
            hint="Check name and password, and what the body has to look like.",
        )
    raise TargetError(
        "auth-login-failed",
        f"answered with status {status}",
        where=where,
        details=details,
        hint="The server that logs users in failed; its log may say why.",
    )


def _no_token(response: HttpResponse, where: str, missing: str, secrets: Secrets) -> TargetError:
    body = response.json()
    keys = ", ".join(list(body)[:10]) if isinstance(body, dict) else ""
    found = f"found in the body: {keys}" if keys else f"its body is {response.media_type or 'empty'}"
    return TargetError(
        "auth-no-token",
        f"answered with status {response.status}, but there is {missing}",
        where=where,
        details=(found,),
        hint="Say where the token is with `token` (JSON pointer), `token_header` or `cookies = true`.",
    )


def _said(response: HttpResponse, secrets: Secrets) -> tuple[str, ...]:
    text = secrets.redact(response.body.decode("utf-8", "replace")).strip()
    return (f"it said: {text.splitlines()[0][:200]}",) if text else ()
