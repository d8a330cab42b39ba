"""Each technique that has a name makes a difference when it is switched off, and none when it is on."""

from random import Random

import msgspec
import pytest
from api import API, shop
from fake_sut import FakeSut

from wimble.execute.sut.started_sut import StartedSut
from wimble.model.database import Database, DatabaseCommand
from wimble.model.evaluation import Evaluation, Reached
from wimble.model.hints import ComparisonHint, FormatHint, QueryHint
from wimble.model.targets import Target, TargetTable
from wimble.model.testcase import TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.runtimes.node.node_runtime import NODE
from wimble.search.ablation import PLATEAU_H, view_of
from wimble.search.mio import MioStrategy
from wimble.settings import Settings
from wimble.techniques import TECHNIQUES, switched_off

SEEN_THROUGH = (
    "formats", "key-lookups", "method-replacements", "queries", "refusals", "limits", "response-shapes", "schema-parts",
    "isolation", "resets", "conflicts", "races", "injections", "getting-in",
    "mocks", "answer-members", "undeclared-inputs", "validators", "speaking-names", "solver", "host-probes",
    "inputs-in-turn", "passed-results", "shared-words", "mixed-texts",
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


def proposals(without=(), evaluations=600, seed=3):
    """What is tried, test case by test case."""
    sut = FakeSut(guarded, with_hints=True)
    sut.table.constants.put("app.js", [(3, "gold"), (4, 5_000_000)])
    search = MioStrategy(API, sut.table, Settings(switched_off=switched_off(without)), Random(seed), JAVASCRIPT)
    tried = []
    for count in range(evaluations):
        test_case = search.next_test_case(count / evaluations)
        tried.append(test_case)
        evaluation = sut.evaluate(test_case)
        if not search.wants_hints:
            evaluation = msgspec.structs.replace(evaluation, hints=())
        search.observe(evaluation, count / evaluations)
    return tried


def test_with_all_techniques_the_search_repeats_itself():
    assert proposals() == proposals()


@pytest.mark.parametrize("name", [name for name in TECHNIQUES if name not in SEEN_THROUGH])
def test_without_a_technique_the_search_goes_another_way(name):
    assert any(proposals([name], seed=seed) != proposals(seed=seed) for seed in range(8))


def seen_without(names, evaluation, table):
    """The evaluation of a changed test case, as a search sees it that does without some techniques."""
    return view_of(Settings(switched_off=switched_off(names)), table)(evaluation, is_sampled=False)


def evaluation_with(table, *targets):
    """All reached half-way by one call, with a hint each."""
    return Evaluation(
        test_case=TestCase(()),
        observations=(),
        reached={target: Reached(0.9, 0) for target in targets},
        hints=tuple(
            ComparisonHint(target=target, call=0, operator="identical", left="a", right="b", wanted=True)
            for target in targets
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
    seen = seen_without([name], evaluation_with(table, own, other), table)
    assert seen.reached == {own: Reached(PLATEAU_H, 0), other: Reached(0.9, 0)}
    assert [hint.target for hint in seen.hints] == [other]


def test_formats_are_dropped_alone():
    table = TargetTable()
    target = table.register(Target("method", "app.js", 1, 0, "isEmail true"))
    evaluation = evaluation_with(table, target)
    asked = FormatHint(target=target, call=0, value="a", format="email", wanted=True)
    evaluation = msgspec.structs.replace(evaluation, hints=(*evaluation.hints, asked))
    assert asked not in seen_without(["formats"], evaluation, table).hints
    assert seen_without([], evaluation, table) is evaluation


def test_hints_of_commands_are_dropped_with_their_distance():
    table = TargetTable()
    target = table.register(Target("query", "app.js", 1, 0, "rows by GET /books: SELECT 1"))
    evaluation = evaluation_with(table)
    database = Database(id="main", dialect="postgres")
    command = DatabaseCommand(database="main", call=0, site="", text="SELECT 1")
    hint = QueryHint(target=target, call=0, wanted=True, command=command, database=database, tables={})
    evaluation = msgspec.structs.replace(evaluation, hints=(hint,))
    assert seen_without(["queries"], evaluation, table).hints == ()
    assert seen_without(["constants"], evaluation, table).hints == (hint,)


def test_what_is_covered_stays_covered_without_distances():
    table = TargetTable()
    target = table.register(Target("branch", "app.js", 1, 0, "=== true"))
    evaluation = evaluation_with(table, target)
    evaluation.reached[target] = Reached(1.0, 0)
    assert seen_without(["branch-distance"], evaluation, table).reached == {target: Reached(1.0, 0)}


def test_without_isolation_the_sut_starts_as_it_would_alone(tmp_path):
    def isolation_of(*without):
        sut = StartedSut(
            Settings(switched_off=switched_off(without)), TargetTable(), tmp_path / "log", runtimes=(NODE,)
        )
        return sut._processes.conditions.is_isolated

    assert isolation_of()
    assert not isolation_of("isolation")


def test_unknown_techniques_are_told():
    with pytest.raises(KeyError, match="gradients"):
        switched_off(["gradients"])


@pytest.mark.parametrize(("name", "kind"), [("response-shapes", "shape"), ("schema-parts", "part")])
def test_what_blind_searches_look_at_is_no_target_where_it_is_switched_off(name, kind):
    table = TargetTable()
    own, other = (table.register(Target(one, "", 0, 0, "GET /books 200 $ list")) for one in (kind, "status"))
    seen = seen_without([name], evaluation_with(table, own, other), table)
    assert list(seen.reached) == [other]
