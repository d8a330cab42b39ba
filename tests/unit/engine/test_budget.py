from wimble.engine.session.budget import LEAST_ALLOWANCE_S, MOST_LEFT_OUT, Budget


class Clock:
    def __init__(self) -> None:
        self.now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def test_time_budget_counts_from_the_restart_of_the_clock():
    clock = Clock()
    budget = Budget(max_time_s=10.0, max_calls=None, clock=clock)
    clock.now_s += 50
    budget.restart_clock()
    clock.now_s += 5
    assert budget.progress() == 0.5
    clock.now_s += 6
    assert budget.is_spent
    assert budget.ended_by == "time"


def test_call_budget_needs_no_clock():
    budget = Budget(max_time_s=None, max_calls=4, clock=Clock())
    budget.note_calls(3)
    assert budget.progress() == 0.75
    assert budget.is_repeatable
    budget.note_calls(2)
    assert budget.is_spent
    assert budget.progress() == 1.0
    assert budget.ended_by == "calls"


def test_whichever_of_two_budgets_ends_first_counts():
    clock = Clock()
    budget = Budget(max_time_s=10.0, max_calls=100, clock=clock)
    budget.note_calls(50)
    clock.now_s += 1
    assert budget.progress() == 0.5
    clock.now_s += 9
    assert budget.is_spent
    assert budget.ended_by == "time"


def test_no_time_is_counted_after_the_search():
    clock = Clock()
    budget = Budget(max_time_s=10.0, max_calls=None, clock=clock)
    clock.now_s += 4
    budget.stop_clock()
    clock.now_s += 5
    assert budget.elapsed_s == 4.0


def test_the_last_improvement_is_told_as_a_share_of_the_budget():
    budget = Budget(max_time_s=None, max_calls=10)
    budget.note_calls(4)
    budget.note_improvement()
    budget.note_calls(3)
    assert budget.last_improvement == 0.4


def test_what_follows_the_search_may_take_as_long_as_the_search():
    clock = Clock()
    budget = Budget(max_time_s=60.0, max_calls=1000, clock=clock)
    clock.now_s += 45
    budget.stop_clock()
    assert budget.allowance_s == 45.0
    assert budget.after_search_s == 0.0
    clock.now_s += 10
    assert (budget.allowance_s, budget.after_search_s) == (45.0, 10.0)


def test_time_that_is_left_out_does_not_count_up_to_half_of_the_search():
    clock = Clock()
    budget = Budget(max_time_s=60.0, max_calls=None, clock=clock)
    clock.now_s += 60
    budget.stop_clock()
    with budget.left_out():
        clock.now_s += 20
    assert budget.after_search_s == 0.0
    clock.now_s += 5
    with budget.left_out():
        clock.now_s += 40
    assert budget.after_search_s == 5.0 + 20 + 40 - MOST_LEFT_OUT * 60


def test_a_short_search_has_the_least_allowance():
    clock = Clock()
    budget = Budget(max_time_s=5.0, max_calls=None, clock=clock)
    clock.now_s += 5
    budget.stop_clock()
    assert budget.allowance_s == LEAST_ALLOWANCE_S
    budget.allow_at_least(2 * LEAST_ALLOWANCE_S)
    budget.allow_at_least(1.0)
    assert budget.allowance_s == 2 * LEAST_ALLOWANCE_S
