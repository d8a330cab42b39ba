import pytest

from wimble.engine.session.stop import AFTER_STOP_S, StopRequest


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


def test_a_stop_ends_all_phases_after_a_while():
    stop = StopRequest()
    stop.make_graceful()
    assert stop.left_s is None
    stop.signal()
    stop.rearm()
    assert 0 < (stop.left_s or 0) <= AFTER_STOP_S
    with pytest.raises(KeyboardInterrupt):
        stop.expire()
    stop.rearm()
    assert stop.is_requested, "of the phases that come then, too"


def test_what_is_written_is_not_interrupted_by_time_and_by_one_signal():
    stop = StopRequest()
    stop.make_graceful()
    stop.signal()
    stop.begin_writing()
    stop.expire()
    stop.signal()
    with pytest.raises(KeyboardInterrupt):
        stop.signal()


def test_a_second_signal_ends_the_phases_that_follow_too():
    stop = StopRequest()
    stop.make_graceful()
    stop.signal()
    stop.rearm()
    assert not stop.is_requested
    assert stop.was_ever_requested
    with pytest.raises(KeyboardInterrupt):
        stop.signal()
    stop.rearm()
    assert stop.is_requested
    assert stop.has_expired
