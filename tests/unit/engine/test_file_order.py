"""Tests of libraries that differ after other tests of their file."""

import pytest

from wimble.engine.verify.file_order import MAX_LOOKS, OrderedRuns, left_out


class Library:
    """Tests by their numbers, of which some change a setting, and others hold as long as nothing is changed."""

    def __init__(self, changing, changed_by, *, worth=(), steps=None):
        self._changing, self._changed_by, self._worth = changing, changed_by, worth
        self._state: set[int] = set()
        self._left = steps
        self.n_starts = 0

    def runs(self) -> OrderedRuns:
        return OrderedRuns(self._holds, self._restart, self._may_go_on, self._worth.__contains__)

    def _holds(self, number: int) -> bool:
        if self._left is not None:
            self._left -= 1
        holds = not (self._changed_by.get(number, set()) & self._state)
        if number in self._changing:
            self._state.add(number)
        return holds

    def _restart(self) -> None:
        self._state.clear()
        self.n_starts += 1

    def _may_go_on(self) -> bool:
        return self._left is None or self._left > 0


@pytest.mark.parametrize(
    ("changing", "changed_by", "worth", "gone"),
    [
        (set(), {}, (), []),
        ({9}, {8: {9}}, (), []),  # it comes after the test that it would change
        ({9}, {48: {9}}, (), [9]),
        ({9}, {20: {9}, 30: {9}, 48: {9}}, (), [9]),
        ({9}, {48: {9}}, (9,), [48]),  # the one that changes something shows a fault
        ({9, 10}, {48: {9}, 49: {10}}, (), [9, 10]),
        ({48}, {48: {48}}, (), []),
    ],
)
def test_the_test_that_makes_others_differ_is_left_out(changing, changed_by, worth, gone):
    library = Library(changing, changed_by, worth=worth)
    assert left_out(range(60), library.runs()) == gone


def test_a_test_that_differs_on_a_fresh_start_is_left_out_itself():
    library = Library(set(), {})
    runs = library.runs()._replace(holds=lambda number: number != 5)
    assert left_out(range(20), runs) == [5]


def test_after_some_looks_all_that_differ_are_left_out():
    library = Library(set(range(10)), {30 + one: {one} for one in range(10)})
    assert left_out(range(60), library.runs()) == [*range(MAX_LOOKS), *range(30 + MAX_LOOKS, 40)]
    assert library.n_starts < 60


def test_without_time_all_tests_stay():
    assert left_out(range(60), Library({9}, {48: {9}}, steps=20).runs()) == []


def test_without_time_tests_that_change_settings_run_once_and_those_that_differ_are_left_out():
    library = Library({9}, {48: {9}, 50: {9}}, steps=0)
    assert left_out(range(60), library.runs(), is_needed=True) == [48, 50]
    assert library.n_starts == 2


def test_without_time_tests_that_need_one_that_is_left_out_are_left_out_too():
    class Needing(Library):
        def _holds(self, number: int) -> bool:
            return super()._holds(number) and (number != 59 or 48 in self._state)

    library = Needing({9, 48}, {48: {9}}, steps=0)
    assert left_out(range(60), library.runs(), is_needed=True) == [48, 59]
