"""Users as whom tests call the system under test (SUT): their logins, and the credentials of their calls."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlencode, urlsplit

from sut_http import NOT_GIVEN, Pairs, Response

Credentials = tuple[Pairs, str, str]
"""Headers, cookies, query."""


class Users:
    """Users with recipes in which `${NAME}` is an environment variable, and `{token}` what the login brings."""

    def __init__(self, users: list[dict[str, Any]], request: Callable[..., Response]) -> None:
        self._users = {user["name"]: user for user in users}
        self._request = request
        self._sessions: dict[str, tuple[str, list[str]]] = {}  # user's name -> token, cookies

    def forget(self) -> None:
        """Ends all sessions, as a start of the SUT does."""
        self._sessions.clear()

    def log_in_all(self) -> None:
        """Logs in those who have no session."""
        for name in self._users:
            if name not in self._sessions:
                self.log_in(name)

    def log_in(self, name: str) -> Credentials:
        """Logs a user in, again if need be; answers the headers, cookies and query that its calls are sent with."""
        user = self._user(name)
        self._sessions[name] = self._session(name, _filled_all(user["login"], name)) if "login" in user else ("", [])
        return self.credentials(name)

    def _session(self, name: str, recipe: dict[str, Any]) -> tuple[str, list[str]]:
        answer = self._send_login(recipe)
        if answer.status >= 400:
            raise RuntimeError(f"The login of user {name!r} was answered with {answer.status}.")
        if recipe.get("cookies"):
            lines = answer.headers.get_all("set-cookie") or []
            return "", [line.split(";")[0].strip() for line in lines]
        if "token_header" in recipe:
            token = answer.headers.get(recipe["token_header"], "")
        else:
            token = _at_pointer(answer.json, recipe["token"])
        if not token:
            raise RuntimeError(f"The login of user {name!r} brought no token.")
        return token, []

    def _send_login(self, recipe: dict[str, Any]) -> Response:
        address = recipe["url"]
        parts = urlsplit(address)
        headers = [(name, value) for name, value in recipe.get("headers", ())]
        if "basic" in recipe:
            headers.append(("Authorization", _basic(recipe["basic"])))
        body = recipe.get("body")
        if "form" in recipe:
            body = urlencode(recipe["form"])
            headers.append(("Content-Type", "application/x-www-form-urlencoded"))
        target = address
        if parts.scheme:
            target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        at = f"{parts.scheme}://{parts.netloc}" if parts.scheme else ""
        method = recipe.get("method", "POST")
        return self._request(method, target, headers=headers, body=body, json=recipe.get("json", NOT_GIVEN), at=at)

    def credentials(self, name: str) -> Credentials:
        """Returns what the calls of a user are sent with."""
        user = self._user(name)
        token, cookies = self._sessions.get(name, ("", []))

        def with_token(key: str) -> list[tuple[str, str]]:
            return [
                (field, _filled(value, name).replace("{token}", token))
                for field, value in user.get(key, ())
                if token or "{token}" not in value
            ]

        headers = with_token("headers")
        if "basic" in user:
            headers.append(("Authorization", _basic(_filled_all(user["basic"], name))))
        all_cookies = [f"{field}={value}" for field, value in with_token("cookies")] + cookies
        query = "&".join(f"{quote(field, safe='')}={quote(value, safe='')}" for field, value in with_token("query"))
        return headers, "; ".join(all_cookies), query

    def _user(self, name: str) -> dict[str, Any]:
        if name not in self._users:
            raise RuntimeError(f"There is no user {name!r}.")
        return self._users[name]


def _filled(template: str, name: str) -> str:
    """A value with environment variables filled in."""

    def value_of(match: re.Match[str]) -> str:
        if value := os.environ.get(match[1]):
            return value
        raise RuntimeError(f"Set the environment variable {match[1]}: user {name!r} needs it.")

    return re.sub(r"\$\{([A-Za-z_]\w*)\}", value_of, template)


def _filled_all(value: Any, name: str) -> Any:
    if isinstance(value, str):
        return _filled(value, name)
    if isinstance(value, list | tuple):
        return [_filled_all(item, name) for item in value]
    if isinstance(value, dict):
        return {key: _filled_all(item, name) for key, item in value.items()}
    return value


def _basic(pair: list[str]) -> str:
    return "Basic " + base64.b64encode(":".join(pair).encode()).decode()


def _at_pointer(value: Any, pointer: str) -> str:
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list):
            value = value[int(key)] if key.isdigit() and int(key) < len(value) else None
        else:
            value = value.get(key) if isinstance(value, dict) else None
    return "" if value is None else str(value)
