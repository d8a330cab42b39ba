"""Users who make calls, separate from their secrets: the description of a user contains no secret.

It refers to values as `${NAME}`, and to the token of a login as `{token}`. So it may appear in any output, and
generated suites contain it. Only `Secrets` has the values of the names, and removes them from texts. It removes the
credentials that the SUT gives to users of the search, too.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Callable
from urllib.parse import quote, quote_plus

import msgspec

from wimble.learnt_secrets import REDACTED, LearntSecrets, Words
from wimble.types import Json

SHORTEST_SECRET = 4
"""Minimum length of a redacted value: shorter values occur in many texts by chance."""
TOKEN = "{token}"
LONG_RUN = 16
_LONG_RUN = re.compile(r"[A-Za-z0-9_-]{16,}")
_NAME = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")

__all__ = ["REDACTED", "AuthUser", "Login", "Pairs", "Secrets", "basic_header", "names_in"]

Pairs = tuple[tuple[str, str], ...]


class Login(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request that returns a token or cookies. At most one of `json`, `form` and `body` is its body."""

    method: str = "POST"
    url: str
    """A path on the SUT, or a whole URL."""
    headers: Pairs = ()
    json: Json = None
    form: Pairs = ()
    body: str = ""
    basic: tuple[str, str] | None = None
    """User and password of the request itself, as OAuth2 clients send them (RFC 6749 §2.3.1)."""
    token: str = ""
    """JSON pointer to the token in the answer's body."""
    token_header: str = ""
    """Name of a header with the token, as an alternative to `token`."""
    cookies: bool = False
    """Whether the answer's cookies are sent with later requests, as an alternative to a token."""
    lifetime: str = ""
    """JSON pointer to the token's lifetime in seconds."""


class AuthUser(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The additions that one user makes to requests."""

    name: str
    headers: Pairs = ()
    query: Pairs = ()
    cookies: Pairs = ()
    basic: tuple[str, str] | None = None
    login: Login | None = None
    scheme: str = ""
    """The OpenAPI security scheme for which this user has credentials; empty for any scheme."""


class Secrets:
    """The values of the names in descriptions of users, and the tokens of logins.

    Long runs of letters and digits (tokens, one per login, of which there may be hundreds) are recognised by their
    beginnings. So truncated tokens are found as well, and the cost does not depend on their number. Other secrets are
    searched for as a whole.
    """

    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self._hidden: dict[str, None] = {}
        self._beginnings: set[str] = set()
        self._others: set[str] = set()
        self._pattern: re.Pattern[str] | None = None
        self.learnt = LearntSecrets()
        """Credentials that calls of the search use: they stay in answers, and out of all output."""
        self._words = Words()

    def __bool__(self) -> bool:
        return bool(self._hidden or self.learnt or self._words)  # signed JWTs are removed from output in any case

    def __repr__(self) -> str:
        return f"<{len(self._hidden)} secrets>"

    def set(self, name: str, value: str, *, is_secret: bool) -> None:
        """Sets the value of a name. If `is_secret`, all output redacts it."""
        self._values[name] = value
        if is_secret:
            self.hide(value)

    @property
    def variables(self) -> dict[str, str]:
        """The values by name that generated suites read from the environment."""
        return dict(self._values)

    def hide_word(self, value: str) -> None:
        """Redacts a secret that is a short text or a word, where it is the whole of a value. Answers keep it."""
        self._words.add(value)

    def hide(self, value: str) -> None:
        """Redacts `value`, in each of its written forms, from all output."""
        if len(value) < SHORTEST_SECRET or value in self._hidden:
            return
        self._hidden[value] = None
        runs = value.split(".")
        if len(runs) == 3 and runs[0].startswith("eyJ"):
            runs = runs[1:]  # the header of a JWT is not secret, and all headers begin alike
        if all(_LONG_RUN.fullmatch(run) for run in runs):
            self._beginnings.update(run[:LONG_RUN] for run in runs)
            return
        self._others |= _written(value)
        longest_first = sorted(self._others, key=lambda form: (-len(form), form))
        self._pattern = re.compile("|".join(map(re.escape, longest_first)))

    def expand(self, template: str) -> str:
        """Returns the template with values for its names; `{token}` stays."""
        return _NAME.sub(lambda match: self._values.get(match[1], match[0]), template)

    def redact(self, text: str) -> str:
        """Returns the text, for output, with `***` for each secret in it."""
        return self._words.redact(self.learnt.redact(self.redact_given(text)))

    def redact_given(self, text: str) -> str:
        """Returns the text of an answer without what `hide` has hidden."""
        if self._pattern is not None:
            text = self._pattern.sub(REDACTED, text)
        return _LONG_RUN.sub(self._without_token, text) if self._beginnings else text

    def redact_bytes(self, data: bytes) -> bytes:
        """Does the same as `redact` for bytes of any encoding. Returns `data` itself if it contains no secret."""
        return _redacted(data, self.redact)

    def redact_given_bytes(self, data: bytes) -> bytes:
        """Does the same as `redact_given` for bytes. Returns `data` itself if it contains no secret."""
        return _redacted(data, self.redact_given) if self._hidden else data

    def has_given(self, data: bytes) -> bool:
        """Whether the data contains what `hide` has hidden."""
        return self.redact_given_bytes(data) is not data

    def has_any(self, text: str) -> bool:
        """Whether the text contains a secret of any kind."""
        return self.redact(text) != text

    def _without_token(self, match: re.Match[str]) -> str:
        run = match[0]
        for start in range(len(run) - LONG_RUN + 1):
            if run[start : start + LONG_RUN] in self._beginnings:
                return run[:start] + REDACTED
        return run


def _redacted(data: bytes, redact: Callable[[str], str]) -> bytes:
    text = data.decode("utf-8", "surrogateescape")
    clean = redact(text)
    return data if clean == text else clean.encode("utf-8", "surrogateescape")


def names_in(template: str) -> list[str]:
    """Returns the `NAME` of each `${NAME}` in the template."""
    return _NAME.findall(template)


def basic_header(user: str, password: str) -> str:
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def _written(secret: str) -> set[str]:
    """Returns the forms of a secret in JSON, HTML, URLs and source text."""
    return {
        secret,
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        html.escape(secret),
        quote(secret, safe=""),
        quote_plus(secret),
        secret.replace("\\", "\\\\").replace("'", "\\'"),
        base64.b64encode(secret.encode()).decode(),
    }
