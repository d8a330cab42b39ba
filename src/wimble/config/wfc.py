"""Reads authentication files of Web Fuzzing Commons (YAML, JSON or TOML), a format that several fuzzers share.

https://github.com/WebFuzzing/Commons, `src/main/resources/wfc/schemas/auth.yaml`. Tokens are described in one of two
ways: up to 0.1.0 by `extractFromField` (or `extractFromHeader`), `httpHeaderName`, `headerPrefix` and `headerPostfix`;
from 0.2.0 on by `extractFrom`, `extractSelector`, `sendIn`, `sendName` and `sendTemplate`. Both are read. A null field
counts as absent. Sign-up before login, and features that need mocks of other services, are reported as errors, since an
incomplete authentication would look like a fault of the API.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from wimble.config.recipes import Recipes
from wimble.config.toml_tables import Table
from wimble.errors import UsageError
from wimble.types import Json
from wimble.users import TOKEN, AuthUser, Login, Pairs, Secrets

_LOGIN_KEYS = (
    "endpoint", "externalEndpointURL", "payloadRaw", "payloadUserPwd", "headers", "verb", "contentType", "token",
    "expectCookies",
)  # fmt: skip
_TOKEN_KEYS = (
    "extractFromField", "extractFromHeader", "httpHeaderName", "headerPrefix", "headerPostfix", "extractFrom",
    "extractSelector", "sendIn", "sendName", "sendTemplate",
)  # fmt: skip


def read_wfc_file(path: Path, secrets: Secrets, environment: Mapping[str, str]) -> tuple[AuthUser, ...]:
    """Returns the users of the file, and adds their secrets to `secrets`. Raises: UsageError."""
    try:
        text = path.read_text(encoding="utf-8")
        values = tomllib.loads(text) if path.suffix == ".toml" else yaml.load(text, Loader=yaml.CSafeLoader)
    except (OSError, ValueError, yaml.YAMLError) as error:
        raise UsageError("auth-file-unreadable", f"cannot be read: {error}", where=str(path)) from error
    root = Table(values, path, "", text)
    root.only(("schemaVersion", "auth", "authTemplate", "configs"))
    template = root.get("authTemplate", dict, {})
    tables = []
    for index, entry in enumerate(root.get("auth", list, [])):
        own = Table(entry, path, f"auth[{index}]", text)
        tables.append(Table(_merged(template, own.values), path, own.place, text))
    return tuple(_user(table, secrets, environment) for table in tables)


def _merged(template: Any, own: Any) -> Any:
    """Returns `own` with those values of the template that it lacks, also in nested tables."""
    if not isinstance(template, dict) or not isinstance(own, dict):
        return own
    given = {key: value for key, value in own.items() if value is not None}
    return {**template, **{key: _merged(template.get(key), value) for key, value in given.items()}}


def _user(table: Table, secrets: Secrets, environment: Mapping[str, str]) -> AuthUser:
    table.only(("name", "requireMockHandling", "fixedHeaders", "loginEndpointAuth"))
    if table.get("requireMockHandling", bool, False):
        raise table.error("mocks of other services are not set up for a login", "requireMockHandling")
    name = table.text_of("name")
    recipes = Recipes(name, secrets, environment, table)
    headers = tuple((key, recipes.secret(value, key)) for key, value in _headers(table, "fixedHeaders"))
    login = table.table("loginEndpointAuth")
    if login is None:
        return AuthUser(name=name, headers=headers)
    login.only(_LOGIN_KEYS)
    token = login.table("token")
    sent_headers, sent_query = _sent(token)
    return AuthUser(name=name, headers=headers + sent_headers, query=sent_query, login=_login(login, token, recipes))


def _headers(table: Table, key: str) -> Pairs:
    entries = table.get(key, list, [])
    tables = [Table(entry, table.file, f"{table.place}.{key}[{i}]", table.text) for i, entry in enumerate(entries)]
    return tuple((entry.text_of("name"), entry.text_of("value")) for entry in tables)


def _login(table: Table, token: Table | None, recipes: Recipes) -> Login:
    url = table.text_of("externalEndpointURL", "") or table.text_of("endpoint")
    content_type = table.text_of("contentType", "application/json")
    headers = tuple((key, recipes.by_name(value, key)) for key, value in _headers(table, "headers"))
    body = ""
    json: Json = None
    form: Pairs = ()
    payload = table.table("payloadUserPwd")
    if payload is not None:
        json, form = _payload(payload, content_type, recipes)
    elif "payloadRaw" in table.values:
        body = recipes.raw(table.text_of("payloadRaw"), "payload")
        headers += (("Content-Type", content_type),)
    uses_cookies = bool(table.get("expectCookies", bool, False))
    if token is None and not uses_cookies:
        raise table.missing("neither `token` nor `expectCookies` is there")
    pointer, header = _source(token)
    return Login(
        method=table.text_of("verb").upper(),
        url=recipes.plain(url),
        headers=headers,
        json=json,
        form=form,
        body=body,
        token=pointer,
        token_header=header,
        cookies=token is None,
    )


def _payload(payload: Table, content_type: str, recipes: Recipes) -> tuple[Json, Pairs]:
    payload.only(("username", "password", "usernameField", "passwordField"))
    pairs = (
        (payload.text_of("usernameField"), recipes.plain(payload.text_of("username"))),
        (payload.text_of("passwordField"), recipes.secret(payload.text_of("password"), "password")),
    )
    if content_type.split(";")[0].strip() == "application/x-www-form-urlencoded":
        return None, pairs
    return dict(pairs), ()


def _source(token: Table | None) -> tuple[str, str]:
    """Returns where the login's answer contains the token: (JSON pointer, header), at least one of them empty."""
    if token is None:
        return "", ""
    token.only(_TOKEN_KEYS)
    selector = token.text_of("extractSelector", "")
    if token.text_of("extractFrom", "body") == "header" or "extractFromHeader" in token.values:
        return "", (selector or token.text_of("extractFromHeader")).lower()
    return selector or token.text_of("extractFromField"), ""


def _sent(token: Table | None) -> tuple[Pairs, Pairs]:
    """Returns the (headers, query parameters) that send the token."""
    if token is None:
        return (), ()
    name = token.text_of("sendName", "") or token.text_of("httpHeaderName", "Authorization")
    value = token.text_of("headerPrefix", "") + TOKEN + token.text_of("headerPostfix", "")
    value = token.text_of("sendTemplate", value)
    if TOKEN not in value:
        raise token.error(f"a text with {TOKEN} in it is expected", "sendTemplate")
    place = token.text_of("sendIn", "header")
    if place not in ("header", "query"):
        raise token.error(f"`header` or `query` is expected, found `{place}`", "sendIn")
    return (((name, value),), ()) if place == "header" else ((), ((name, value),))
