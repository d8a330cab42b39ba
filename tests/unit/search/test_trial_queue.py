"""Trials of what was read come first, the latest ones before others, and all others in between."""

from wimble.search.generators.probes.trial_queue import MAX_WAITING, OTHERS_PERIOD, TrialQueue


def taken(queue: TrialQueue[str], count: int) -> list[str | None]:
    return [queue.take() for _ in range(count)]


def test_the_latest_reads_come_first_and_others_in_between():
    queue: TrialQueue[str] = TrialQueue()
    queue.put_reads(["a1", "a2", "a3"])
    queue.put_others(["x", "y"])
    queue.put_reads(["b1", "b2"])
    assert OTHERS_PERIOD == 3 and len(queue) == 7
    assert taken(queue, 8) == ["b1", "b2", "x", "a1", "a2", "y", "a3", None]
    assert len(queue) == 0


def test_others_come_at_once_where_nothing_was_read():
    queue: TrialQueue[str] = TrialQueue()
    queue.put_others(["x", "y"])
    queue.put_reads([])
    assert taken(queue, 3) == ["x", "y", None]


def test_the_oldest_of_too_many_stay():
    queue: TrialQueue[str] = TrialQueue()
    queue.put_reads(map(str, range(MAX_WAITING)))
    queue.put_reads(["late"])
    queue.put_others(map(str, range(2 * MAX_WAITING)))
    assert len(queue) == 2 * MAX_WAITING
    assert queue.take() == "0"
