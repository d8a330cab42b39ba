"""Whether the core polls before it sleeps."""

from __future__ import annotations

from wimble.agent.processes.spinning import Spinning


def test_polls_until_answers_take_longer_and_again_when_they_come_sooner() -> None:
    spinning = Spinning(0.001)
    assert spinning.window_s == 0.001
    for _ in range(16):
        spinning.note(0.02)
    assert spinning.window_s == 0.0
    for _ in range(16):
        spinning.note(0.0002)
    assert spinning.window_s == 0.001


def test_a_late_answer_now_and_then_changes_nothing() -> None:
    spinning = Spinning(0.001)
    for number in range(200):
        spinning.note(0.02 if number % 4 == 3 else 0.0002)
        assert spinning.window_s == 0.001


def test_never_polls_where_polling_is_off() -> None:
    spinning = Spinning(0.0)
    for _ in range(50):
        spinning.note(0.0)
    assert spinning.window_s == 0.0
