import pytest

from wimble.engine.session.stop import StopRequest


def test_before_the_search_the_first_signal_ends_all():
    with pytest.raises(KeyboardInterrupt):
        StopRequest().signal()


def test_in_the_search_the_first_signal_asks_and_the_second_insists():
    stop = StopRequest()
    stop.make_graceful()
    stop.signal()
    assert stop.is_requested
    with pytest.raises(KeyboardInterrupt):
        stop.signal()


def test_a_new_phase_takes_a_signal_of_its_own():
    stop = StopRequest()
    stop.make_graceful()
    stop.signal()
    stop.rearm()
    assert not stop.is_requested
    stop.signal()
    assert stop.is_requested
    assert stop.was_ever_requested
