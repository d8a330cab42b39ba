from fake_sut import operation

from wimble.model.hints import ComparisonHint
from wimble.model.testcase import Call, TestCase
from wimble.search.archive.archive import Entry
from wimble.search.generators.edits.edit_queue import (
    MAX_CREDIT,
    MAX_FAILURES_PER_TARGET,
    MAX_LENGTH,
    MAX_SUCCESSES_PER_TARGET,
    EditQueue,
)


def entry_with_hints(*targets):
    entry = Entry(TestCase((Call(operation("GET", "/x"), ()),)), serial=1)
    for target in targets:
        entry.add_hints(
            target, [ComparisonHint(target=target, call=0, operator="identical", left=1, right=2, wanted=True)]
        )
    return entry


def test_newest_comes_first_and_put_back_goes_last():
    queue = EditQueue()
    entries = {target: entry_with_hints(target) for target in (1, 2, 3)}
    for target, entry in entries.items():
        queue.put(target, entry)
    assert queue.take() == (3, entries[3])
    queue.put_back(3, entries[3])
    assert [queue.take()[0] for _ in range(3)] == [2, 1, 3]


def test_entry_without_hints_does_not_wait():
    queue = EditQueue()
    queue.put(1, entry_with_hints())
    assert queue.take() is None


def test_edits_in_vain_get_a_third_of_the_evaluations_at_most():
    queue = EditQueue()
    entry = entry_with_hints(*range(1_000))
    queued = 0
    for turn in range(600):
        queue.put(turn, entry)
        taken = queue.take()
        if taken is not None:
            queue.charge()
            queue.report(taken[0], is_success=False)
            queued += 1
    assert 150 < queued <= 200 + MAX_CREDIT


def test_edits_that_succeed_are_not_held_back():
    queue = EditQueue()
    entry = entry_with_hints(*range(100))
    for target in range(100):
        queue.put(target, entry)
        taken = queue.take()
        assert taken is not None
        queue.charge()
        queue.report(taken[0], is_success=True)


def test_target_whose_edits_fail_again_and_again_waits_until_sampled():
    queue = EditQueue()
    entry = entry_with_hints(1)
    for _ in range(MAX_FAILURES_PER_TARGET):
        queue.report(1, is_success=False)
    queue.put(1, entry)
    queue.put_back(1, entry)
    assert queue.take() is None
    queue.report(1, is_success=True)
    queue.put(1, entry)
    assert queue.take() == (1, entry)


def test_target_that_comes_closer_without_end_waits_until_sampled():
    queue = EditQueue()
    entry = entry_with_hints(1)
    for _ in range(MAX_SUCCESSES_PER_TARGET):
        queue.put(1, entry)
        assert queue.take() == (1, entry)
        queue.charge()
        queue.report(1, is_success=True)
    queue.put(1, entry)
    queue.put_back(1, entry)
    assert queue.take() is None


def test_length_is_bounded():
    queue = EditQueue()
    entry = entry_with_hints(*range(MAX_LENGTH + 50))
    for target in range(MAX_LENGTH + 50):
        queue.put(target, entry)
    queue.put_back(7, entry)
    taken = []
    while (pair := queue.take()) is not None:
        taken.append(pair[0])
    assert len(taken) == MAX_LENGTH
    assert taken[-1] == 50
