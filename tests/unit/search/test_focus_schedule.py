import pytest

from wimble.search.archive.focus_schedule import Schedule


@pytest.mark.parametrize(
    ("progress", "random_probability", "limit", "mutations"),
    [(0.0, 0.5, 10, 1), (0.4, 0.25, 6, 6), (0.8, 0.0, 1, 10), (1.0, 0.0, 1, 10), (1.2, 0.0, 1, 10)],
)
def test_parameters_move_on_a_line_to_the_focused_search(progress, random_probability, limit, mutations):
    schedule = Schedule()
    assert schedule.random_probability(progress) == pytest.approx(random_probability)
    assert schedule.population_limit(progress) == limit
    assert schedule.mutations(progress) == mutations


def test_number_of_genes_to_change_shrinks_to_one():
    schedule = Schedule()
    assert schedule.genes_to_change(20, 0.0) == pytest.approx(6.0)
    assert schedule.genes_to_change(20, 0.8) == pytest.approx(1.0)
    assert schedule.genes_to_change(1, 0.0) == 1.0
