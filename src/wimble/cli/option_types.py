"""Types of command-line parameters, whose errors show what is allowed."""

from __future__ import annotations

import click

from wimble.config.durations import seconds_of


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
