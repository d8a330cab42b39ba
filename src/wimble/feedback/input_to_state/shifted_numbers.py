"""Numbers that no input equals: an input, moved by what is missing.

`Date.parse(at) - Date.now() > 0`, `total - paid === 0`, `(to - from) / DAY === 30`: the operand is an input with
something added, or taken from something. What is added need not be known: the input moves by as much as the operand has
to. Where the operand counts days of a date, it moves by so many days.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wimble.feedback.input_to_state.input_sites import Site
from wimble.feedback.input_to_state.origin import Place
from wimble.feedback.input_to_state.transforms.number_transforms import number_of
from wimble.genes.date_texts import from_time, to_time

UNITS_MS = (1, 86_400_000, 1000, 3_600_000, 60_000)
"""Units in which programs count time, most common first."""
SLACK_MS = 60_000
"""Added where time is counted in milliseconds: the clock of the SUT goes on until the next call."""


def shifted(sites: Sequence[Site], missing: float) -> Iterator[Place]:
    """Edits that move one of the sites each, likeliest first. missing: by how much the operand has to grow."""
    for sign in (1, -1):
        for site in sites:
            number = number_of(site.value)
            if number is not None:
                yield from _placed(site, _whole(number + sign * missing))
    for unit_ms in UNITS_MS:
        for sign in (1, -1):
            for site in sites:
                ms = to_time(site.value) if isinstance(site.value, str) else None
                if ms is not None:
                    assert isinstance(site.value, str)
                    slack_ms = SLACK_MS if unit_ms == 1 and missing > 0 else 0
                    yield from _placed(site, from_time(ms + sign * (missing * unit_ms + slack_ms), site.value))


def _placed(site: Site, value: float | str | None) -> Iterator[Place]:
    place = None if value is None else site.put(value)
    if place is not None:
        yield place


def _whole(number: float) -> float:
    """The same number, as an int where it is one."""
    return int(number) if number == int(number) else number
