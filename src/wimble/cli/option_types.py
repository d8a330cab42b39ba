"""Types of command-line parameters, whose errors show what is allowed."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

import click

from wimble.config.durations import seconds_of

MAX_PORT: Final = 65535
_HOST_AND_PORT: Final = re.compile(r"(?P<host>\[[0-9a-fA-F:.]+\]|[^\s:/?#@\[\]]+)(?::(?P<port>[0-9]{1,9}))?")


class Duration(click.ParamType[float]):
    """A duration in seconds, written with units: `90s`, `5m`, `1.5h`, `1m30s`."""

    name = "duration"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        try:
            return seconds_of(str(value))
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Count(click.ParamType[int]):
    """A whole number within limits."""

    name = "number"

    def __init__(self, minimum: int, maximum: int = 2**63 - 1) -> None:
        self._minimum = minimum
        self._maximum = maximum

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        try:
            number = int(str(value))
        except ValueError:
            self.fail(f"{value!r} is not a whole number", param, ctx)
        if not self._minimum <= number <= self._maximum:
            self.fail(f"{number} is out of range; expected {self._minimum} to {self._maximum}", param, ctx)
        return number


class HostAndPort(click.ParamType[str]):
    """A host name or address, with or without a port: `api.example`, `api.example:8443`, `[2001:db8::1]:443`."""

    name = "host"

    def __init__(self, *, needs_port: bool = False) -> None:
        self._needs_port = needs_port

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> str:
        text = str(value)
        parts = _HOST_AND_PORT.fullmatch(text)
        if parts is None:
            near = urlsplit(text).netloc.rpartition("@")[2] if "://" in text else ""
            self.fail(f"{text!r} is not a host name or address" + (f"; nearest: {near}" if near else ""), param, ctx)
        port = parts["port"]
        if port is None and self._needs_port:
            self.fail(f"{text!r} has no port; expected HOST:PORT, such as {text}:4000", param, ctx)
        if port is not None and not 1 <= int(port) <= MAX_PORT:
            self.fail(f"port {port} is out of range; expected 1 to {MAX_PORT}", param, ctx)
        host = parts["host"].lower()
        try:
            return (host if host.isascii() else host.encode("idna").decode()) + (f":{port}" if port else "")
        except UnicodeError:
            self.fail(f"{text!r} is not a host name", param, ctx)
