from wimble.search.archive.target_choice import FAIR_PERIOD, GREEDY_SHARE, MIN_ALLOWANCE, TargetChooser


def chooser_with(*targets, allowance=20):
    chooser = TargetChooser()
    for target in targets:
        chooser.add(target, allowance)
    return chooser


def test_no_target_to_choose():
    assert TargetChooser().choose() is None


def test_stays_with_a_target_while_it_has_allowance():
    chooser = chooser_with(1, 2, 3)
    first = [chooser.choose() for _ in range(FAIR_PERIOD - 1)]
    assert len(set(first)) == 1


def test_quickest_improver_comes_first():
    chooser = TargetChooser()
    chooser.add(1, allowance=2)
    chooser.add(3, allowance=20)
    chooser.add(2, allowance=20)
    chooser.improved(2)  # without a sampling: as quick as can be
    chosen = [chooser.choose() for _ in range(2 * FAIR_PERIOD)]
    assert chosen[: FAIR_PERIOD - 1] == [1, 1, 2, 2]
    assert chosen[FAIR_PERIOD:-1] == [2] * (FAIR_PERIOD - 1)


def test_next_one_has_its_turn_when_the_quickest_has_used_up_its_allowance():
    chooser = TargetChooser()
    chooser.add(3, allowance=50)
    chooser.add(2, allowance=20)
    chooser.improved(2)
    chosen = [chooser.choose() for _ in range(2 * MIN_ALLOWANCE)]
    assert chosen[:4] == [2, 2, 2, 2]
    assert chosen[-4:-1] == [3, 3, 3]


def test_improvement_renews_the_allowance():
    chooser = chooser_with(1, allowance=2)
    for _ in range(10):
        chooser.choose()
    assert chooser.samplings(1) == 10
    chooser.improved(1)
    assert chooser.samplings(1) == 0


def test_least_sampled_when_no_target_has_allowance():
    chooser = chooser_with(*range(10), allowance=2)
    for _ in range(500):
        chooser.choose()
    samplings = [chooser.samplings(target) for target in range(10)]
    assert max(samplings) - min(samplings) <= 2


def test_target_that_improves_forever_cannot_starve_the_others():
    chooser = chooser_with(1, 2, 3)
    chosen = []
    for _ in range(300):
        chosen.append(chooser.choose())
        if chosen[-1] == 1:
            chooser.improved(1)
    assert chosen.count(2) + chosen.count(3) >= 300 / FAIR_PERIOD * 2 / 3 - 2


def test_target_that_improves_forever_has_a_tenth_of_a_long_search_at_most():
    chooser = chooser_with(*range(20))
    chosen = []
    for _ in range(5_000):
        target = chooser.choose()
        chosen.append(target)
        if target == 3:  # a difference with the clock
            chooser.improved(3)
    assert chosen.count(3) < 5_000 * 2 * GREEDY_SHARE


def test_covered_target_is_never_chosen_again():
    chooser = chooser_with(1, 2)
    chooser.remove(1)
    assert {chooser.choose() for _ in range(50)} == {2}
    chooser.remove(2)
    assert chooser.choose() is None


def test_heaps_stay_bounded():
    chooser = chooser_with(*range(50))
    for turn in range(20_000):
        target = chooser.choose()
        if turn % 3 == 0:
            chooser.improved(target)
    assert len(chooser._rest) <= 64 + 4 * 50 + 1
    assert len(chooser._quick) <= 64 + 4 * 50 + 1


def test_a_target_is_sampled_in_vain_once_its_allowance_is_used_up():
    chooser = chooser_with(1, allowance=3)
    vain = []
    for _ in range(5):
        chooser.choose()
        vain.append(chooser.vain_samplings(1))
    assert vain == [0, 0, 0, 4, 5]
    chooser.improved(1)
    assert chooser.vain_samplings(1) == 0
