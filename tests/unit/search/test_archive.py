from random import Random

from fake_sut import operation

from wimble.genes import IntegerGene, ReferenceGene, StringGene
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.hints import ComparisonHint
from wimble.model.targets import Target, TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.archive.archive import LIMIT_PERIOD, Archive
from wimble.search.archive.focus_schedule import Schedule

GET = operation("GET", "/x", a=IntegerGene())


def case(*values):
    return TestCase(tuple(Call(GET, (IntegerGene(value),)) for value in values))


def evaluated(test_case, reached, **more):
    """reached: target -> h, by the last call; or target -> (h, call)."""
    last = len(test_case.calls) - 1
    pairs = {t: Reached(*r) if isinstance(r, tuple) else Reached(r, last) for t, r in reached.items()}
    return Evaluation(test_case=test_case, observations=more.pop("observations", ()), reached=pairs, **more)


def new_archive(n_targets=10, kind="branch", **schedule):
    table = TargetTable()
    for line in range(n_targets):
        table.register(Target(kind, "app.js", line, 0, "=== true"))
    return Archive(table, Schedule(**schedule))


def test_covered_target_has_exactly_one_solution_and_no_population():
    archive = new_archive()
    archive.add(evaluated(case(1), {0: 0.5}), 0.0)
    improvement = archive.add(evaluated(case(2), {0: 1.0}), 0.0)
    assert improvement.newly_covered == (0,)
    assert archive.solution(0) == case(2)
    assert archive.population(0) == ()
    assert archive.choose(0.0, Random(1)) is None


def test_shorter_solution_replaces_a_longer_one_but_not_an_equal_one():
    archive = new_archive()
    archive.add(evaluated(case(1, 2, 3), {0: 1.0}), 0.0)
    improvement = archive.add(evaluated(case(4, 5), {0: 1.0}), 0.0)
    assert improvement.is_kept
    assert not improvement.newly_covered
    assert not archive.add(evaluated(case(6, 7), {0: 1.0}), 0.0).is_kept
    assert archive.solution(0) == case(4, 5)


def test_test_case_is_cut_behind_the_call_that_reached_the_target():
    archive = new_archive()
    archive.add(evaluated(case(1, 2, 3), {0: (1.0, 1), 1: (0.5, 0)}), 0.0)
    assert archive.solution(0) == case(1, 2)
    assert archive.population(1) == (case(1),)


def test_population_is_sorted_by_h_then_length():
    archive = new_archive()
    for test_case, h in ((case(1, 1), 0.3), (case(2), 0.3), (case(3, 3, 3), 0.6), (case(4), 0.1)):
        archive.add(evaluated(test_case, {0: h}), 0.0)
    assert archive.population(0) == (case(3, 3, 3), case(2), case(1, 1), case(4))
    assert archive.best_h(0) == 0.6


def test_full_population_takes_only_what_is_better_than_its_worst():
    archive = new_archive(population_start=3)
    for value in range(3):
        archive.add(evaluated(case(value), {0: 0.5}), 0.0)
    assert not archive.add(evaluated(case(7), {0: 0.4}), 0.0).is_kept
    assert not archive.add(evaluated(case(8), {0: 0.5}), 0.0).is_kept
    assert archive.add(evaluated(case(9), {0: 0.6}), 0.0).improved == (0,)
    assert len(archive.population(0)) == 3
    assert archive.population(0)[0] == case(9)


def test_target_worked_on_drifts_over_a_plateau():
    archive = new_archive(population_start=2)
    for value in range(2):
        archive.add(evaluated(case(value), {0: 0.5}), 0.0)
    assert archive.add(evaluated(case(7), {0: 0.5}), 0.0, focus=0).is_kept
    assert archive.population(0) == (case(7), case(1))


def test_population_shrinks_to_one_in_the_focused_search():
    archive = new_archive()
    for value in range(10):
        archive.add(evaluated(case(value), {0: 0.05 * value + 0.1}), 0.0)
    assert len(archive.population(0)) == 10
    archive.choose(0.4, Random(1))
    assert len(archive.population(0)) == 6
    choice = archive.choose(0.8, Random(1))
    assert len(archive.population(0)) == 1
    assert choice.entry.test_case == case(9)
    assert choice.h == 0.05 * 9 + 0.1


def test_improvement_names_first_reached_and_closer_targets():
    archive = new_archive()
    assert archive.add(evaluated(case(1), {0: 0.2, 1: 0.2}), 0.0).improved == (0, 1)
    assert archive.add(evaluated(case(2), {0: 0.3, 1: 0.1}), 0.0).improved == (0,)
    assert not archive.add(evaluated(case(3), {}), 0.0).is_kept


def test_test_case_that_loses_the_sut_is_a_solution_but_never_a_parent():
    archive = new_archive()
    lost = http_observation(call_index=0, request=HttpRequest("GET", "/x"), failure="blocked")
    archive.add(evaluated(case(1), {0: 1.0, 1: 0.5}, observations=(lost,)), 0.0)
    assert archive.is_covered(0)
    assert archive.population(1) == ()


def test_newly_covered_are_told_once():
    archive = new_archive()
    archive.add(evaluated(case(1), {3: 1.0, 1: 1.0, 2: 0.5}), 0.0)
    assert archive.covered_since(0) == [3, 1]
    assert archive.covered_since(1) == [1]
    assert archive.covered_since(2) == []


def test_an_archive_counts_covered_and_reached_targets():
    archive = new_archive()
    archive.add(evaluated(case(1), {0: 1.0, 1: 0.5}), 0.0)
    assert (archive.n_covered, archive.n_reached) == (1, 2)
    assert [archive.best_h(target) for target in (0, 1, 2)] == [1.0, 0.5, 0.0]


def test_solutions_cover_everything_with_few_test_cases_and_share_no_target():
    archive = new_archive()
    archive.add(evaluated(case(1), {0: 1.0}), 0.0)
    archive.add(evaluated(case(2), {1: 1.0}), 0.0)
    archive.add(evaluated(case(3), {0: 1.0, 1: 1.0, 2: 1.0}), 0.0)
    archive.add(evaluated(case(4, 5), {3: 1.0}), 0.0)
    solutions = archive.solutions()
    assert [solution.test_case for solution in solutions] == [case(3), case(4, 5)]
    assert [solution.targets for solution in solutions] == [(0, 1, 2), (3,)]


def test_a_solution_tells_which_of_its_calls_cover_what_it_is_there_for():
    archive = new_archive()
    archive.add(evaluated(case(1), {0: 1.0}), 0.0)
    archive.add(evaluated(case(2, 3, 4, 5), {0: (1.0, 0), 1: (1.0, 1), 2: (1.0, 3)}), 0.0)
    archive.add(evaluated(case(6, 7), {3: 1.0}), 0.0)
    assert [(one.targets, one.calls) for one in archive.solutions()] == [((3,), {1}), ((0, 1, 2), {0, 1, 3})]


def test_iteration_is_by_target_with_each_test_case_once():
    archive = new_archive()
    archive.add(evaluated(case(1), {5: 1.0, 2: 1.0}), 0.0)
    archive.add(evaluated(case(2), {3: 1.0}), 0.0)
    assert list(archive.iter_solutions()) == [case(1), case(2)]


def test_work_per_evaluation_does_not_grow_with_the_targets_known():
    """Counts dictionary entries touched, not time: an evaluation of one target among 20,000 leaves the rest alone."""
    archive = new_archive(20_000)
    archive.add(evaluated(case(1), dict.fromkeys(range(20_000), 0.2)), 0.0)
    before = dict(archive._populations)
    n_items = len(archive._chooser._rest) + len(archive._chooser._quick)
    archive.add(evaluated(case(2), {7: 0.4}), 0.0)
    assert len(archive._chooser._rest) + len(archive._chooser._quick) - n_items <= 2
    assert all(len(population) == (2 if target == 7 else 1) for target, population in before.items())


def test_values_bound_to_earlier_responses_are_recognised_in_hints():
    archive = new_archive()
    bound = Call(GET, (ReferenceGene(0, "/id", IntegerGene(1)),))
    seen = ComparisonHint(target=0, call=1, operator="identical", left=977, right=5, wanted=True)
    request = HttpRequest("GET", "/x")
    answer = HttpResponse(status=200, headers=(), body=b'{"id": 977}')
    archive.add(
        evaluated(
            TestCase((*case(1).calls, bound)),
            {0: 0.5},
            hints=(seen,),
            observations=(http_observation(call_index=0, request=request, response=answer),),
        ),
        0.0,
    )
    edit = archive.choose(0.0, Random(1)).entry.next_edit(0, Random(1), JAVASCRIPT)
    assert edit.address.call == 1
    assert edit.gene == IntegerGene(5)


def archive_with_limits():
    """Two branches (0, 1) and two limits (2, 3)."""
    archive = new_archive(2)
    for name in ("GET /x 200 #/minimum", "GET /x 200 #/maximum"):
        archive.table.register(Target("limit", "", 0, 0, name))
    return archive


def test_limits_are_in_no_total_and_no_test_is_there_for_them():
    archive = archive_with_limits()
    archive.add(evaluated(case(1), {0: 1.0, 1: 0.5, 2: 0.5, 3: 0.5}), 0.0)
    improvement = archive.add(evaluated(case(2), {2: 1.0}), 0.0)
    assert improvement.newly_covered == (2,)
    assert (archive.n_covered, archive.n_reached, archive.table.n_counted) == (1, 2, 2)
    assert [(one.test_case, one.targets) for one in archive.solutions()] == [(case(1), (0,))]


def test_limits_get_a_known_share_of_the_choices():
    archive = archive_with_limits()
    archive.add(evaluated(case(1), {1: 0.5, 2: 0.5, 3: 0.5}), 0.0)
    chosen = [archive.choose(0.0, Random(1)).target for _ in range(10 * LIMIT_PERIOD)]
    assert [chosen.count(target) for target in (1, 2, 3)] == [10 * LIMIT_PERIOD - 10, 5, 5]


def test_limits_are_all_there_is_to_choose_where_the_rest_is_covered():
    archive = archive_with_limits()
    archive.add(evaluated(case(1), {0: 1.0, 1: 1.0, 2: 0.5}), 0.0)
    assert {archive.choose(0.0, Random(1)).target for _ in range(7)} == {2}


def test_an_entry_knows_hints_that_lead_to_guesses_only():
    archive = new_archive()
    named = operation("POST", "/names", name=StringGene("x"))
    hashed = ComparisonHint(target=0, call=0, operator="identical", left="9f86d0", right="60303a", wanted=True)
    plain = ComparisonHint(target=1, call=0, operator="identical", left="x", right="60303a", wanted=True)
    test_case = TestCase((Call(named, (StringGene("x"),)),))
    archive.add(evaluated(test_case, {0: 0.5, 1: 0.5}, hints=(hashed, plain)), 0.0)
    entry, _ = archive.best(0)
    assert entry.next_edit(0, Random(1), JAVASCRIPT).is_guess
    assert not entry.next_edit(1, Random(1), JAVASCRIPT).is_guess
    assert [entry.is_untraced(target) for target in (0, 1)] == [True, False]


def test_an_entry_knows_hints_that_lead_nowhere():
    archive = new_archive()
    hint = ComparisonHint(target=0, call=0, operator="identical", left="9f86d0", right="60303a", wanted=True)
    archive.add(evaluated(case(1), {0: 0.5, 1: 0.5}, hints=(hint,)), 0.0)
    entry, _ = archive.best(0)
    assert not entry.is_untraced(0)
    assert entry.next_edit(0, Random(1), JAVASCRIPT) is None
    assert entry.is_untraced(0)
    assert not entry.is_untraced(1)


def test_declared_parts_are_counted_and_get_their_turn_now_and_then():
    archive = new_archive(2)
    archive.table.register(Target("part", "", 0, 0, "GET /x answers 404"))
    archive.add(evaluated(case(1), {1: 0.5, 2: 0.5}), 0.0)
    assert (archive.n_covered, archive.n_reached, archive.table.n_counted) == (0, 2, 3)
    assert [archive.choose(0.0, Random(1)).target for _ in range(LIMIT_PERIOD)] == [1] * (LIMIT_PERIOD - 1) + [2]
    archive.add(evaluated(case(2), {2: 1.0}), 0.0)
    assert (archive.n_covered, archive.n_reached) == (1, 2)
    assert [one.targets for one in archive.solutions()] == [(2,)]
