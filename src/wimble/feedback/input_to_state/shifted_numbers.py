"""Numbers that no input equals, but that may be an input with something added.

Examples: `Date.parse(at) - Date.now() > 0`, `total - paid === 0`, `(to - from) / DAY === 30`. The operand is an input
with something added, or something minus an input. The other summand need not be known: the input changes by the
difference between the wanted and the present operand. If the operand counts days, a date changes by that number of
days, and so does a number that may be a moment in milliseconds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wimble.feedback.input_to_state.input_sites import Site
from wimble.feedback.input_to_state.origin import Place
from wimble.feedback.input_to_state.transforms.number_transforms import number_of
from wimble.genes.date_texts import from_time, to_time

DAY_MS = 86_400_000
UNITS_MS = (1, DAY_MS, 1000, 3_600_000, 60_000)
"""Units in which programs count time, most common first."""
SLACK_MS = 60_000
"""Added if time is counted in milliseconds, since the clock of the SUT advances until the next call."""


def shifted(sites: Sequence[Site], missing: float) -> Iterator[Place]:
    """Yields edits that each change one of the sites, likeliest first. missing: by how much the operand has to grow."""
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
                elif unit_ms == DAY_MS:
                    number = number_of(site.value)
                    if number is not None and abs(number) >= DAY_MS:
                        yield from _placed(site, _whole(number + sign * missing * unit_ms))


def _placed(site: Site, value: float | str | None) -> Iterator[Place]:
    place = None if value is None else site.put(value)
    if place is not None:
        yield place


def _whole(number: float) -> float:
    """Returns the number, as an int if it is whole."""
    return int(number) if number == int(number) else number
