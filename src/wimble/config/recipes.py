"""Converts values of the user's files to recipes, in which a secret is replaced by its name and kept in `Secrets`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl

from wimble.config.toml_tables import Table
from wimble.errors import UsageError
from wimble.json_texts import held_json
from wimble.types import ABSENT, Json
from wimble.users import Secrets, names_in

_IDENTITY = re.compile(r"^u$|user|login|e-?mail|client_?id|account|grant|scope|tenant|name", re.IGNORECASE)
_SECRET = re.compile(
    r"pass|pwd|secret|token|key|pin\b|otp|code|credential|^(?:proxy-)?auth|cookie|session", re.IGNORECASE
)
_HARMLESS = re.compile(
    r"type|remember|lang|locale|redirect|mode|realm|domain|audience|device|version|platform|provider|role|action|operation"
    r"|query",
    re.IGNORECASE,
)
"""Names of fields of a login's body that are neither secret nor name the user."""


class Recipes:
    """Converts the values of one user to recipes."""

    def __init__(self, user: str, secrets: Secrets, environment: Mapping[str, str], table: Table) -> None:
        self._user = user
        self._secrets = secrets
        self._environment = environment
        self._table = table

    def secret(self, template: str, field: str) -> str:
        """Returns the recipe of a secret value.

        A value that the file itself contains gets the name of an environment variable, which generated tests read.
        """
        if not names_in(template):
            name = "WIMBLE_" + re.sub(r"[^A-Z0-9]+", "_", f"{self._user}_{field}".upper()).strip("_")
            self._secrets.set(name, template, is_secret=True)
            return "${" + name + "}"
        return self._known(template, is_secret=True)

    def plain(self, template: str) -> str:
        """Returns the recipe of a value that is not secret, such as a user's name."""
        return self._known(template, is_secret=False)

    def by_name(self, template: str, field: str) -> str:
        """Returns the recipe of a value that is secret if the field's name suggests it.

        A value from the environment is secret unless the field names the user.
        """
        if _SECRET.search(field):
            return self.secret(template, field)
        return self._known(template, is_secret=not _IDENTITY.search(field))

    def of_body(self, template: str, field: str) -> str:
        """Returns the recipe of a field of a login's body, such as `p = "..."`.

        The field is secret unless its name is known to be harmless or to name the user.
        """
        if _is_secret_field(field):
            return self.secret(template, field)
        return self.by_name(template, field)

    def raw(self, template: str, field: str) -> str:
        """Returns the recipe of a whole body. The body is secret, and so is each of its values in a secret field."""
        recipe = self.secret(template, field)
        text = self._secrets.expand(template)
        held = held_json(text)
        values = parse_qsl(text) if held is ABSENT else list(_fields_of(held, field))
        for name, value in values:
            if _is_secret_field(name):
                self._secrets.hide(value)
        return recipe

    def json(self, value: Json, field: str = "body") -> Json:
        """Returns a JSON body of a login, with recipes for its texts."""
        if isinstance(value, str):
            return self.of_body(value, field)
        if isinstance(value, dict):
            return {key: self.json(item, key) for key, item in value.items()}
        if isinstance(value, list):
            return [self.json(item, field) for item in value]
        return value

    def _known(self, template: str, *, is_secret: bool) -> str:
        for name in names_in(template):
            value = self._environment.get(name)
            if value is None or value == "":
                raise UsageError(
                    "auth-variable-missing",
                    self._table.said(f"the environment variable {name} is {'not set' if value is None else 'empty'}"),
                    where=self._table.where(),
                    hint=f"Set it before the run: export {name}=...",
                )
            self._secrets.set(name, value, is_secret=is_secret)
        return template


def _is_secret_field(name: str) -> bool:
    return bool(_SECRET.search(name)) or not (_IDENTITY.search(name) or _HARMLESS.search(name))


def _fields_of(value: Json, field: str) -> Iterator[tuple[str, str]]:
    """Yields (name of the field, text) for each text in a JSON body."""
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _fields_of(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from _fields_of(item, field)
