from random import Random

from wimble.search.sampling.value_pool import MAX_NAMES, MAX_VALUES_PER_NAME, ValuePool
from wimble.types import ABSENT


def test_value_is_found_under_any_spelling_of_its_name():
    pool = ValuePool()
    pool.add("user_id", 7)
    assert pool.choose(Random(1), "UserID") == 7
    assert pool.choose(Random(1), "other", "userId") == 7
    assert pool.choose(Random(1), "other") is ABSENT


def test_values_are_distinct_by_type_too():
    pool = ValuePool()
    for value in (1, 1, True, "1", None):
        pool.add("x", value)
    assert [(type(value), value) for value in pool.values("x")] == [(int, 1), (bool, True), (str, "1")]


def test_full_name_forgets_its_oldest_value():
    pool = ValuePool()
    for value in range(MAX_VALUES_PER_NAME + 3):
        pool.add("x", value)
    assert len(pool.values("x")) == MAX_VALUES_PER_NAME
    assert set(range(3)).isdisjoint(pool.values("x"))
    pool.add("x", 1)
    assert 1 in pool.values("x")


def test_names_and_long_texts_are_bounded():
    pool = ValuePool()
    for index in range(MAX_NAMES + 10):
        pool.add(f"n{index}", index)
    assert pool.values(f"n{MAX_NAMES + 5}") == ()
    pool.add("n1", "long" * 1_000)
    assert pool.values("n1") == (1,)
