"""Operators get turns by what they have earned lately."""

from wimble.search.credit import Credit


def earned(*, tries, successes=0, credit=None):
    credit = credit or Credit()
    for count in range(tries):
        credit.add(is_success=count < successes)
    return credit


def test_operators_that_nothing_is_known_of_share_the_turns():
    assert Credit().probability_against(Credit()) == 0.5


def test_the_operator_that_earns_more_gets_more_turns_and_the_other_one_some():
    new = earned(tries=50, successes=10)
    changed = earned(tries=5_000)
    assert 0.95 < new.probability_against(changed) < 1.0
    assert 0.0 < changed.probability_against(new) < 0.05


def test_old_successes_fade():
    new = earned(tries=400, successes=200)
    early = new.probability_against(Credit())
    earned(tries=1_000, credit=new)
    assert new.probability_against(Credit()) < early / 4


def test_failures_in_a_row_make_the_other_operator_rarer():
    probabilities = [Credit().probability_against_failures(failures) for failures in (0, 10, 1_000)]
    assert probabilities[0] == 0.5
    assert probabilities == sorted(probabilities)
    assert probabilities[2] > 0.99
