from random import Random

from wimble.search.minimise.greedy_cover import smallest_cover


def test_nothing_to_cover():
    assert smallest_cover([]) == []
    assert smallest_cover([(1, [])]) == []


def test_one_that_covers_all_beats_many():
    assert smallest_cover([(1, "a"), (1, "b"), (5, "abc"), (1, "c")]) == [2]


def test_cheaper_one_wins_among_equals_then_the_earlier():
    assert smallest_cover([(3, "ab"), (2, "ab"), (2, "ab")]) == [1]


def test_choice_made_superfluous_by_later_ones_is_left_out():
    # Greedy takes the first for its size; the other two are needed for x and y, and cover all of it.
    assert smallest_cover([(1, "abcd"), (1, "abx"), (1, "cdy")]) == [1, 2]


def test_all_is_covered_and_nothing_is_superfluous():
    rng = Random(7)
    for _ in range(50):
        candidates = [(rng.randint(1, 9), rng.sample(range(30), rng.randint(1, 8))) for _ in range(25)]
        chosen = smallest_cover(candidates)
        wanted = {item for _, items in candidates for item in items}
        assert {item for index in chosen for item in candidates[index][1]} == wanted
        for left_out in chosen:
            rest = {item for index in chosen if index != left_out for item in candidates[index][1]}
            assert rest != wanted
        assert chosen == smallest_cover(candidates)
