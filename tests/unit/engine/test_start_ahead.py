"""A fresh start that can wait is begun ahead, and used once it has had the time to load."""

from types import SimpleNamespace

from wimble.engine.worker.start_ahead import StartAhead


class OneSut:
    """A SUT whose starts can be begun ahead, or cannot."""

    def __init__(self, *, may_have_standbys=True):
        self.has_standby = False
        self._may = may_have_standbys

    def keep_standbys(self, most=None):
        self.has_standby = self._may


def ahead_of(sut, clock):
    return StartAhead(sut, SimpleNamespace(monotonic=lambda: clock[0]))


def test_the_first_one_is_begun_when_it_is_asked_for_and_used_once_it_has_loaded():
    sut, clock = OneSut(), [100.0]
    ahead = ahead_of(sut, clock)
    assert not ahead.is_loaded(2.0)
    assert sut.has_standby
    clock[0] = 101.9
    assert not ahead.is_loaded(2.0)
    clock[0] = 102.0
    assert ahead.is_loaded(2.0)


def test_the_next_one_is_begun_by_the_start_before_it():
    sut, clock = OneSut(), [100.0]
    ahead = ahead_of(sut, clock)
    ahead.is_loaded(2.0)
    clock[0] = 110.0
    ahead.note_start()
    assert not ahead.is_loaded(2.0)
    clock[0] = 112.0
    assert ahead.is_loaded(2.0)


def test_a_sut_that_starts_ahead_would_disturb_starts_at_once():
    assert ahead_of(OneSut(may_have_standbys=False), [0.0]).is_loaded(10.0)
