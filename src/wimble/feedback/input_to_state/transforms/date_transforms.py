"""Dates: texts parsed as dates, timestamps in milliseconds and seconds, and single fields of a date (year, weekday)."""

from __future__ import annotations

import calendar
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

import msgspec

from wimble.feedback.input_to_state.transforms.number_transforms import number_of
from wimble.feedback.input_to_state.transforms.transform import (
    CONVERTED_COST,
    GUESS_COST,
    NOTHING,
    PART_COST,
    Inverse,
    Nothing,
    Step,
)
from wimble.genes.date_texts import from_time, to_time
from wimble.model.operands import DateValue, Operand, is_number
from wimble.types import Json

DAY_MS = 86_400_000
MAX_MONTHS = 60
"""Within so many months any day falls on any weekday, except a 29th of February."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LEAST_TIMESTAMP_S = 10**8
"""A time in 1973: fields of smaller numbers are not recognised, since these are no timestamps."""


class Field(msgspec.Struct, frozen=True):
    """One field of a date.

    `read` returns its value. `write` returns the date with another value there, or None if there is none.
    """

    name: str
    read: Callable[[datetime], int]
    write: Callable[[datetime, int], datetime | None]


def _replaced(moment: datetime, **fields: int) -> datetime | None:
    """Returns the date with these fields replaced; the last day of the month if the month has no such day."""
    year, month = fields.get("year", moment.year), fields.get("month", moment.month)
    if not (1 <= year <= 9999 and 1 <= month <= 12):
        return None
    last = calendar.monthrange(year, month)[1]
    try:
        return moment.replace(day=min(moment.day, last)).replace(**fields)  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return None


def _moved(moment: datetime, days: int) -> datetime | None:
    try:
        return moment + timedelta(days=days)
    except OverflowError:
        return None


def _in_month(moment: datetime, is_wanted: Callable[[datetime], bool], day: int | None = None) -> datetime | None:
    """Returns the date in the nearest later month in which the day satisfies `is_wanted`.

    It searches fewer than MAX_MONTHS months, and returns None if there is none.
    """
    day = moment.day if day is None else day
    for months in range(1, MAX_MONTHS):
        year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
        if year <= 9999 and 1 <= day <= calendar.monthrange(year, month + 1)[1]:
            other = moment.replace(year=year, month=month + 1, day=day)
            if is_wanted(other):
                return other
    return None


def date_fields(weekday: Callable[[datetime], int], first_weekday: int) -> tuple[Field, ...]:
    """Returns the fields of a date that programs read; days of the week are numbered as in `ValueSemantics`."""

    def in_week(moment: datetime, value: int) -> datetime | None:
        is_weekday = first_weekday <= value <= first_weekday + 6
        return _moved(moment, value - weekday(moment)) if is_weekday else None

    return (
        Field("year", lambda moment: moment.year, lambda moment, value: _replaced(moment, year=value)),
        Field("month", lambda moment: moment.month - 1, lambda moment, value: _replaced(moment, month=value + 1)),
        Field("month", lambda moment: moment.month, lambda moment, value: _replaced(moment, month=value)),
        Field("day", lambda moment: moment.day, lambda moment, value: _replaced(moment, day=value)),
        Field("weekday", weekday, in_week),
        # If both are wanted (Friday the 13th), a change of one alone would undo the other.
        Field(
            "weekday, the same day of another month",
            weekday,
            lambda moment, value: _in_month(moment, lambda other: weekday(other) == value),
        ),
        Field(
            "day, the same weekday of another month",
            lambda moment: moment.day,
            lambda moment, value: _in_month(moment, lambda other: weekday(other) == weekday(moment), day=value),
        ),
        Field("hour", lambda moment: moment.hour, lambda moment, value: _replaced(moment, hour=value)),
        Field("minute", lambda moment: moment.minute, lambda moment, value: _replaced(moment, minute=value)),
        Field("second", lambda moment: moment.second, lambda moment, value: _replaced(moment, second=value)),
    )


def parsed_date(own: Json, operand: Operand) -> Iterator[Step]:
    """The operand is the input's time: as Date, in milliseconds or seconds, or written in ISO form."""
    ms = to_time(own) if isinstance(own, str) else None
    if ms is not None:
        return _of_date_text(str(own), ms, operand)
    number = number_of(own)
    return iter(()) if number is None else _of_timestamp(number, operand)


def _of_date_text(own: str, ms: int, operand: Operand) -> Iterator[Step]:
    if isinstance(operand, DateValue):
        is_same = operand.ms == ms
    elif is_number(operand):
        is_same = operand == ms
        if not is_same and operand == ms // 1000:
            yield Step(CONVERTED_COST, "parsed as a date, in seconds", time_inverse(own, unit=1000))
    else:
        is_same = isinstance(operand, str) and operand != own and to_time(operand) in (ms, ms // DAY_MS * DAY_MS)
    if is_same:
        yield Step(CONVERTED_COST, "parsed as a date", time_inverse(own))


def _of_timestamp(number: float, operand: Operand) -> Iterator[Step]:
    if isinstance(operand, DateValue):
        if operand.ms == number:
            yield Step(CONVERTED_COST, "as milliseconds", _to_timestamp(1))
        elif operand.ms == number * 1000 and number:
            yield Step(CONVERTED_COST, "as seconds", _to_timestamp(1000))
    elif isinstance(operand, str) and abs(number) >= 1000:
        for unit in (1, 1000):
            if to_time(operand) == number * unit:
                yield Step(CONVERTED_COST, "written as a date", _to_timestamp(unit))


def date_field(own: Json, operand: Operand, *, fields: Sequence[Field]) -> Iterator[Step]:
    """`getUTCFullYear()`, `getMonth()`, `getDay()` ... of a date text or timestamp, in time zones near UTC."""
    if not isinstance(operand, int) or isinstance(operand, bool):
        return
    moment, write = _moment_of(own)
    if moment is None:
        return
    for field in fields:
        if field.read(moment) == operand:
            cost = PART_COST if field.name == "year" else GUESS_COST
            yield Step(cost, f"its {field.name}", _field_inverse(moment, field, write))


Writer = Callable[[int], Json]


def _moment_of(own: Json) -> tuple[datetime | None, Writer]:
    """Returns the input as a moment, or None, and a function that writes a moment (in ms) in the input's form."""
    ms = to_time(own) if isinstance(own, str) else None
    if ms is not None:
        assert isinstance(own, str)
        text = own
        return _at(ms), lambda new: from_time(new, text)
    number = number_of(own)
    if number is None or number != int(number) or abs(number) < _LEAST_TIMESTAMP_S:
        return None, lambda new: new
    unit = 1000 if abs(number) < 10**10 else 1
    return _at(int(number) * unit), lambda new: new // unit


def _at(ms: int) -> datetime | None:
    try:
        return _EPOCH + timedelta(milliseconds=ms)
    except OverflowError:
        return None


def _field_inverse(moment: datetime, field: Field, write: Writer) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        if not is_number(wanted) or wanted != int(wanted):
            return NOTHING
        new = field.write(moment, int(wanted))
        value = None if new is None else write((new - _EPOCH) // timedelta(milliseconds=1))
        return NOTHING if value is None else value

    return inverse


def time_inverse(text: str, unit: int = 1) -> Inverse:
    """Returns an inverse that writes a wanted time in the form of `text`.

    unit: milliseconds per unit of a wanted number.
    """

    def inverse(wanted: Operand) -> Json | Nothing:
        ms = wanted.ms if isinstance(wanted, DateValue) else to_time(wanted) if isinstance(wanted, str) else wanted
        moment = from_time(ms * (unit if is_number(wanted) else 1), text) if is_number(ms) else None
        return NOTHING if moment is None else moment

    return inverse


def _to_timestamp(unit: int) -> Inverse:
    def inverse(wanted: Operand) -> Json | Nothing:
        ms = wanted.ms if isinstance(wanted, DateValue) else to_time(wanted) if isinstance(wanted, str) else wanted
        if not is_number(ms):
            return NOTHING
        return int(ms) // unit if ms % unit == 0 else NOTHING

    return inverse
