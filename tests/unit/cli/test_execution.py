"""Events of a run are passed on until it ends, whatever interrupts them."""

from collections.abc import Iterator

import pytest

from wimble.cli.execution import _dispatch
from wimble.engine.events import Event, PhaseStarted


class ConsumerInterruptedOnce:
    """Is interrupted while it shows its first event, as by Ctrl-C."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.is_closed = False

    def handle(self, event: Event) -> None:
        assert isinstance(event, PhaseStarted)
        if not self.shown:
            self.shown.append(f"{event.phase}, interrupted")
            raise KeyboardInterrupt
        self.shown.append(event.phase)

    def close(self) -> None:
        self.is_closed = True


def phases(*, goes_on: bool) -> Iterator[Event]:
    try:
        yield PhaseStarted(phase="search")
        raise AssertionError("the interrupt ends the phase")
    except KeyboardInterrupt:
        if not goes_on:
            raise
    yield PhaseStarted(phase="verify")


def test_a_run_decides_what_an_interrupt_ends_while_an_event_is_shown() -> None:
    consumer = ConsumerInterruptedOnce()
    assert _dispatch(phases(goes_on=True), [consumer]) == PhaseStarted(phase="verify")
    assert consumer.shown == ["search, interrupted", "verify"]
    assert consumer.is_closed


def test_a_run_that_ends_with_the_interrupt_is_over() -> None:
    consumer = ConsumerInterruptedOnce()
    with pytest.raises(KeyboardInterrupt):
        _dispatch(phases(goes_on=False), [consumer])
    assert consumer.is_closed
