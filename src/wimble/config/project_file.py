"""Reads `wimble.toml`: defaults for options of `wimble run`, and the users whose credentials calls are made with."""

from __future__ import annotations

import time
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from wimble.config.auth_file import read_users
from wimble.config.toml_tables import Table
from wimble.config.wfc import read_wfc_file
from wimble.errors import UsageError
from wimble.execute.http.authentication import jwt_expiry
from wimble.users import AuthUser, Secrets

FILE_NAME = "wimble.toml"
OPTIONS = (
    "command", "schema", "url", "max_time", "max_calls", "seed", "strategy", "format", "out", "include", "port",
    "start_timeout", "return_timeout", "call_timeout", "verbose", "reset", "allow_remote_database", "overlay", "only",
    "allow_host", "mock", "may_name_hosts",
    "service_schema", "recorded", "recorded_choice", "harvest",
)  # fmt: skip
_LISTS = (
    "command",
    "include",
    "overlay",
    "only",
    "allow_host",
    "mock",
    "may_name_hosts",
    "service_schema",
    "recorded",
    "harvest",
)
_TEXT_OR_LIST = ("schema",)
_SWITCHES = ("verbose", "allow_remote_database")
_NUMBERS = ("max_calls", "seed", "port")


class ProjectFile(msgspec.Struct, frozen=True, kw_only=True):
    """The content of the project file."""

    options: dict[str, Any] = {}
    """The options by their names in the file."""
    users: tuple[AuthUser, ...] = ()
    secrets: Secrets = msgspec.field(default_factory=Secrets)


def read_project_file(path: Path | None, working_dir: Path, environment: Mapping[str, str]) -> ProjectFile:
    """Returns the content of the project file. Raises: UsageError.

    path: the file that the user named; None: `wimble.toml` in `working_dir`, or empty content if it does not exist.
    """
    file = path or working_dir / FILE_NAME
    if path is None and not file.is_file():
        return ProjectFile()
    shown = path or Path(FILE_NAME)
    try:
        text = file.read_text(encoding="utf-8")
        values = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError("config-unreadable", f"cannot be read: {error}", where=str(shown)) from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError("config-not-toml", f"is not TOML: {error}", where=str(shown)) from error
    root = Table(values, shown, "", text)
    root.only(("run", "auth", "auth_file"))
    secrets = Secrets()
    users = read_users(root, secrets, environment)
    auth_file = root.get("auth_file", str)
    if auth_file is not None:
        users += read_wfc_file(file.parent / auth_file, secrets, environment)
    _check_names(users, root)
    _check_expiry(users, secrets, root)
    return ProjectFile(options=_options(values.get("run", {}), root), users=users, secrets=secrets)


def _options(values: Any, root: Table) -> dict[str, Any]:
    table = Table(values, root.file, "run", root.text)
    table.only(OPTIONS)
    for key, value in table.values.items():
        kind = _kind_of(key, value)
        found = table.get(key, kind)
        if kind is list and not all(isinstance(item, str) for item in found):
            raise table.error("an array of texts is expected", key)
    return {
        key: [value] if key in _TEXT_OR_LIST and isinstance(value, str) else value
        for key, value in table.values.items()
    }


def _kind_of(key: str, value: object) -> type:
    if key in _LISTS or (key in _TEXT_OR_LIST and not isinstance(value, str)):
        return list
    return int if key in _NUMBERS else bool if key in _SWITCHES else str


def _check_names(users: tuple[AuthUser, ...], root: Table) -> None:
    names = [user.name for user in users]
    for name in names:
        if names.count(name) > 1:
            raise root.error(f"two users are called {name!r}", "auth")


def _check_expiry(users: tuple[AuthUser, ...], secrets: Secrets, root: Table) -> None:
    """Raises UsageError for a given token that has expired, since each call with it would fail."""
    for user in users:
        for name, value in (*user.headers, *user.query, *user.cookies):
            expires = jwt_expiry(secrets.expand(value).rsplit(" ", 1)[-1])
            if expires is not None and expires <= time.time():
                when = time.strftime("%Y-%m-%d %H:%M", time.gmtime(expires))
                raise UsageError(
                    "auth-token-expired",
                    f"the token of user {user.name!r} ({name}) expired at {when} UTC",
                    where=root.where("auth"),
                    hint="Fetch a new one, or let wimble log in with `login` or `oauth2`.",
                )
