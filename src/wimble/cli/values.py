"""Parameter types of the command line, with errors that say what is allowed."""

from __future__ import annotations

import re

import click

UNITS_S = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h)")


class Duration(click.ParamType[float]):
    """Seconds, written with a unit: `90s`, `5m`, `1.5h`, `1m30s`."""

    name = "duration"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        text = str(value).strip()
        parts = _DURATION.findall(text)
        if not parts or "".join(number + unit for number, unit in parts) != text:
            self.fail(f"{text!r} is not a duration; expected a number with a unit, such as 30s, 5m or 1h", param, ctx)
        seconds = sum(float(number) * UNITS_S[unit] for number, unit in parts)
        if seconds <= 0:
            self.fail(f"{text!r} is no time at all; expected more than 0, such as 30s", param, ctx)
        return seconds


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
