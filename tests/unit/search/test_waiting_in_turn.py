"""What operations have waiting is tried in turn, so that those that succeed late are not behind all others."""

from fake_sut import operation

from wimble.model.testcase import Call, TestCase
from wimble.search.generators.variations.waiting_in_turn import WaitingInTurn

EARLY, LATE = operation("GET", "/early"), operation("GET", "/late")


def cases_of(one, *lengths):
    return [TestCase((Call(one, ()),) * length) for length in lengths]


def taken(waiting):
    return [(one.calls[0].operation.id, len(one.calls)) for one in (waiting.take() for _ in range(len(waiting)))]


def test_operations_have_one_each_in_turn_the_oldest_first():
    waiting = WaitingInTurn(10)
    waiting.add(EARLY.id, cases_of(EARLY, 1, 2, 3))
    waiting.add(LATE.id, cases_of(LATE, 1, 2))
    assert taken(waiting) == [
        ("GET /early", 1),
        ("GET /late", 1),
        ("GET /early", 2),
        ("GET /late", 2),
        ("GET /early", 3),
    ]
    assert not waiting


def test_the_newest_of_the_operation_with_most_give_way():
    waiting = WaitingInTurn(4)
    waiting.add(EARLY.id, cases_of(EARLY, 1, 2, 3, 4, 5))
    waiting.add(LATE.id, cases_of(LATE, 1))
    assert taken(waiting) == [("GET /early", 1), ("GET /late", 1), ("GET /early", 2), ("GET /early", 3)]
    waiting.add(LATE.id, [])
    assert not waiting
