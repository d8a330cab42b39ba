"""Ways of making test cases are gone by what they have paid lately."""

from wimble.search.payoffs import Payoffs


def credited(payoffs, way, *, tries, successes=0):
    for count in range(tries):
        payoffs.credit(way, is_success=count < successes)


def test_ways_that_nothing_is_known_of_share_the_turns():
    assert Payoffs().share("new", "changed") == 0.5


def test_the_way_that_pays_more_gets_more_turns_and_the_other_one_some():
    payoffs = Payoffs()
    credited(payoffs, "new", tries=50, successes=10)
    credited(payoffs, "changed", tries=5_000)
    assert 0.95 < payoffs.share("new", "changed") < 1.0
    assert 0.0 < payoffs.share("changed", "new") < 0.05


def test_old_successes_fade():
    payoffs = Payoffs()
    credited(payoffs, "new", tries=400, successes=200)
    early = payoffs.share("new", "changed")
    credited(payoffs, "new", tries=1_000)
    assert payoffs.share("new", "changed") < early / 4


def test_failures_in_a_row_make_the_other_way_rarer():
    payoffs = Payoffs()
    shares = [payoffs.share_beside_failures("new", failures) for failures in (0, 10, 1_000)]
    assert shares[0] == 0.5
    assert shares == sorted(shares)
    assert shares[2] > 0.99
