"""Seeds of evaluations: their own each, and what JSON can hold."""

from wimble.agent.isolation import SEED_BITS, Isolation


def test_seeds_are_repeatable_and_all_different():
    seeds = [Isolation(7).seed_of(number) for number in range(-100, 10_000)]
    assert seeds == [Isolation(7).seed_of(number) for number in range(-100, 10_000)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 1 << SEED_BITS for seed in seeds)


def test_runs_with_other_seeds_draw_otherwise():
    first, second = ({Isolation(seed).seed_of(number) for number in range(1000)} for seed in (1, 2))
    assert not first & second
