"""Reads the users of `[[auth]]` tables.

A user has headers, basic, bearer, API keys, cookies, a login endpoint or OAuth2 client credentials.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from wimble.config.recipes import Recipes
from wimble.config.toml_tables import Table
from wimble.users import TOKEN, AuthUser, Login, Pairs, Secrets

KINDS = ("headers", "basic", "bearer", "api_key", "cookies", "login", "oauth2")
LOGIN_KEYS = ("method", "path", "headers", "json", "form", "body", "token", "token_header", "cookies", "send")
OAUTH2_KEYS = ("token_url", "client_id", "client_secret", "scope", "client_auth", "send")
DEFAULT_SEND = f"Authorization: Bearer {TOKEN}"


def read_users(root: Table, secrets: Secrets, environment: Mapping[str, str]) -> tuple[AuthUser, ...]:
    """Returns the users of the file's `[[auth]]` tables, and adds their secrets to `secrets`. Raises: UsageError."""
    entries: list[Any] = root.get("auth", list, [])
    tables = [Table(entry, root.file, f"auth[{index}]", root.text) for index, entry in enumerate(entries)]
    return tuple(_user(table, secrets, environment) for table in tables)


def _user(table: Table, secrets: Secrets, environment: Mapping[str, str]) -> AuthUser:
    table.only(("name", "scheme", *KINDS))
    name = table.text_of("name")
    if not name.strip() or not name.isprintable():
        raise table.error("a name of printable characters is expected", "name")
    if not any(kind in table.values for kind in KINDS):
        raise table.missing(f"user {name!r} has no credentials", hint=f"Give one of: {', '.join(KINDS)}")
    recipes = Recipes(name, secrets, environment, table)
    user = AuthUser(
        name=name,
        scheme=table.text_of("scheme", ""),
        headers=tuple((key, recipes.secret(value, key)) for key, value in table.pairs("headers")),
        cookies=tuple((key, recipes.secret(value, key)) for key, value in table.pairs("cookies")),
    )
    if "bearer" in table.values:
        token = recipes.secret(table.text_of("bearer"), "bearer")
        user = _with_header(user, "Authorization", f"Bearer {token}")
    basic = table.table("basic")
    if basic is not None:
        basic.only(("username", "password"))
        password = recipes.secret(basic.text_of("password"), "password")
        user = msgspec.structs.replace(user, basic=(recipes.plain(basic.text_of("username")), password))
    user = _with_api_key(user, table.table("api_key"), recipes)
    login, oauth2 = table.table("login"), table.table("oauth2")
    if login is not None and oauth2 is not None:
        raise table.error("`login` and `oauth2` exclude each other: a user logs in once")
    if login is not None:
        user = _with_login(user, login, recipes)
    if oauth2 is not None:
        user = _with_oauth2(user, oauth2, recipes)
    return user


def _with_header(user: AuthUser, name: str, value: str) -> AuthUser:
    return msgspec.structs.replace(user, headers=(*user.headers, (name, value)))


def _with_api_key(user: AuthUser, table: Table | None, recipes: Recipes) -> AuthUser:
    if table is None:
        return user
    table.only(("in", "name", "value"))
    places = {"header": "headers", "query": "query", "cookie": "cookies"}
    place = table.text_of("in", "header")
    if place not in places:
        raise table.error(f"header, query or cookie is expected, found {place!r}", "in")
    pair = (table.text_of("name"), recipes.secret(table.text_of("value"), "api_key"))
    field = places[place]
    return msgspec.structs.replace(user, **{field: (*getattr(user, field), pair)})


def _with_login(user: AuthUser, table: Table, recipes: Recipes) -> AuthUser:
    table.only(LOGIN_KEYS)
    bodies = [key for key in ("json", "form", "body") if key in table.values]
    if len(bodies) > 1:
        raise table.error(f"`{bodies[0]}` and `{bodies[1]}` exclude each other")
    uses_cookies = bool(table.get("cookies", bool, False))
    n_sources = sum((uses_cookies, "token" in table.values, "token_header" in table.values))
    if n_sources != 1:
        raise table.missing(
            "where the token comes from is not clear" if n_sources else "the source of the token is missing",
            hint='Give one of: token = "/access_token" (JSON pointer), token_header = "X-Token", cookies = true',
        )
    token = table.text_of("token", "")
    if token and not token.startswith("/"):
        raise table.error("a JSON pointer starts with `/`", "token", hint=f'Such as "/{token}"')
    login = Login(
        method=table.text_of("method", "POST").upper(),
        url=recipes.plain(_login_url(table, "path")),
        headers=tuple((key, recipes.by_name(value, key)) for key, value in table.pairs("headers")),
        json=recipes.json(table.values.get("json")),
        form=tuple((key, recipes.of_body(value, key)) for key, value in table.pairs("form")),
        body=_raw_body(table, recipes),
        token=token,
        token_header=table.text_of("token_header", "").lower(),
        cookies=uses_cookies,
    )
    if not uses_cookies:
        user = _with_header(user, *_sent(table))
    return msgspec.structs.replace(user, login=login)


def _raw_body(table: Table, recipes: Recipes) -> str:
    body = table.text_of("body", "")
    return recipes.raw(body, "login_body") if body else ""


def _login_url(table: Table, key: str) -> str:
    url = table.text_of(key)
    if not url.startswith(("/", "http://", "https://")):
        raise table.error(f"a path such as /login, or a whole URL, is expected, found {url!r}", key)
    return url


def _sent(table: Table) -> tuple[str, str]:
    """Returns (name, value) of the header that sends the token; `send` has the form `Name: value`."""
    name, colon, value = table.text_of("send", DEFAULT_SEND).partition(":")
    if not colon or TOKEN not in value:
        raise table.error(f"a header with {TOKEN} in it is expected", "send", hint=f'Such as "{DEFAULT_SEND}"')
    return name.strip(), value.strip()


def _with_oauth2(user: AuthUser, table: Table, recipes: Recipes) -> AuthUser:
    """Returns the user with a login by the client credentials grant (RFC 6749 §4.4)."""
    table.only(OAUTH2_KEYS)
    way = table.text_of("client_auth", "basic")
    if way not in ("basic", "body"):
        raise table.error(f"basic or body is expected, found {way!r}", "client_auth")
    client = (
        recipes.plain(table.text_of("client_id")),
        recipes.secret(table.text_of("client_secret"), "client_secret"),
    )
    scope = recipes.plain(table.text_of("scope", ""))
    form: Pairs = (("grant_type", "client_credentials"), *((("scope", scope),) if scope else ()))
    if way == "body":
        form += (("client_id", client[0]), ("client_secret", client[1]))
    login = Login(
        url=recipes.plain(_login_url(table, "token_url")),
        form=form,
        basic=client if way == "basic" else None,
        token="/access_token",
        lifetime="/expires_in",
    )
    return msgspec.structs.replace(_with_header(user, *_sent(table)), login=login)
