"""Each technique that has a name makes a difference when it is switched off, and none when it is on."""

from random import Random

import pytest
from api import API, shop
from fake_sut import FakeSut

from wimble.execute.sut import StartedSut
from wimble.model.database import Command, Database
from wimble.model.evaluation import CompareHint, Evaluation, QueryHint, Reached
from wimble.model.targets import Target, TargetTable
from wimble.model.testcase import TestCase
from wimble.search.ablation import PLATEAU_H, as_seen
from wimble.search.mio import MioStrategy
from wimble.settings import Settings
from wimble.techniques import TECHNIQUES, Techniques

SEEN_THROUGH = (
    "formats", "key-lookups", "method-replacements", "queries", "refusals", "limits", "response-shapes", "schema-parts",
    "isolation", "resets", "conflicts",
)  # fmt: skip
"""Those that this small API does not ask for, or that the search knows nothing of; tested one by one below."""


def guarded(operation_id, values, probe, state):
    """A shop with a title out of the code, and two numbers that distances lead to, without hints and never quite."""
    if "year" in (values.get("body") or {}):
        probe.equals(8, values["body"]["title"], "gold")
        for site, wanted in ((7, 40_000_000.5), (9, -70_000.5)):
            distance = abs(values["body"]["year"] - wanted)
            probe.reach(probe.table.register(Target("branch", "app.js", site, 0, "> true")), 0.99 / (1 + distance))
    return shop(operation_id, values, probe, state)


def proposals(techniques, evaluations=600, seed=3):
    """What is tried, test case by test case."""
    sut = FakeSut(guarded, with_hints=True)
    sut.table.constants.put("app.js", [(3, "gold"), (4, 5_000_000)])
    search = MioStrategy(API, sut.table, Settings(techniques=techniques), Random(seed))
    tried = []
    for count in range(evaluations):
        test_case = search.next_test_case(count / evaluations)
        tried.append(test_case)
        evaluation = sut.evaluate(test_case)
        if not search.wants_hints:
            evaluation.hints = ()
        search.observe(evaluation, count / evaluations)
    return tried


def test_with_all_techniques_the_search_repeats_itself():
    assert proposals(Techniques()) == proposals(Techniques.without([]))


@pytest.mark.parametrize("name", [name for name in TECHNIQUES if name not in SEEN_THROUGH])
def test_without_a_technique_the_search_goes_another_way(name):
    assert any(
        proposals(Techniques.without([name]), seed=seed) != proposals(Techniques(), seed=seed) for seed in range(8)
    )


def evaluation_with(table, *targets):
    """All reached half-way by one call, with a hint each."""
    return Evaluation(
        test_case=TestCase(()),
        observations=(),
        reached={target: Reached(0.9, 0) for target in targets},
        hints=tuple(
            CompareHint(target=target, call=0, operator="===", left="a", right="b", wanted=True) for target in targets
        ),
    )


@pytest.mark.parametrize(
    ("name", "target"),
    [
        ("key-lookups", Target("branch", "app.js", 1, 0, "key true")),
        ("method-replacements", Target("method", "app.js", 1, 0, "startsWith true")),
        ("queries", Target("query", "app.js", 1, 0, "rows by GET /books: SELECT 1")),
    ],
)
def test_what_is_switched_off_has_neither_distance_nor_hints(name, target):
    table = TargetTable()
    own, other = table.register(target), table.register(Target("branch", "app.js", 2, 0, "=== true"))
    seen = as_seen(evaluation_with(table, own, other), table, Techniques.without([name]), is_sampled=False)
    assert seen.reached == {own: Reached(PLATEAU_H, 0), other: Reached(0.9, 0)}
    assert [hint.target for hint in seen.hints] == [other]


def test_formats_are_dropped_alone():
    table = TargetTable()
    target = table.register(Target("method", "app.js", 1, 0, "isEmail true"))
    evaluation = evaluation_with(table, target)
    asked = CompareHint(target=target, call=0, operator="format", left="a", right="email", wanted=True)
    evaluation.hints += (asked,)
    assert asked not in as_seen(evaluation, table, Techniques.without(["formats"]), is_sampled=False).hints
    assert as_seen(evaluation, table, Techniques(), is_sampled=False) is evaluation


def test_hints_of_commands_are_dropped_with_their_distance():
    table = TargetTable()
    target = table.register(Target("query", "app.js", 1, 0, "rows by GET /books: SELECT 1"))
    evaluation = evaluation_with(table)
    database = Database(id="main", dialect="postgres")
    command = Command(database="main", call=0, site="", text="SELECT 1")
    hint = QueryHint(target=target, call=0, wanted=True, command=command, database=database, tables={})
    evaluation.hints = (hint,)
    assert as_seen(evaluation, table, Techniques.without(["queries"]), is_sampled=False).hints == ()
    assert as_seen(evaluation, table, Techniques.without(["constants"]), is_sampled=False).hints == (hint,)


def test_what_is_covered_stays_covered_without_distances():
    table = TargetTable()
    target = table.register(Target("branch", "app.js", 1, 0, "=== true"))
    evaluation = evaluation_with(table, target)
    evaluation.reached[target] = Reached(1.0, 0)
    assert as_seen(evaluation, table, Techniques.without(["branch-distance"]), is_sampled=False).reached == {
        target: Reached(1.0, 0)
    }


def test_without_isolation_the_sut_starts_as_it_would_alone(tmp_path):
    def isolation_of(techniques):
        sut = StartedSut(Settings(techniques=techniques), TargetTable(), tmp_path / "log")
        return sut._conditions.is_isolated

    assert isolation_of(Techniques())
    assert not isolation_of(Techniques.without(["isolation"]))


def test_unknown_techniques_are_told():
    with pytest.raises(KeyError, match="gradients"):
        Techniques.without(["gradients"])


@pytest.mark.parametrize(("name", "kind"), [("response-shapes", "shape"), ("schema-parts", "part")])
def test_what_blind_searches_look_at_is_no_target_where_it_is_switched_off(name, kind):
    table = TargetTable()
    own, other = (table.register(Target(one, "", 0, 0, "GET /books 200 $ list")) for one in (kind, "status"))
    seen = as_seen(evaluation_with(table, own, other), table, Techniques.without([name]), is_sampled=False)
    assert list(seen.reached) == [other]
