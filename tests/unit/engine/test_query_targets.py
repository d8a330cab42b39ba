"""What commands of an evaluation become: targets, h, hints; and how seldom rows are read for it."""

from __future__ import annotations

import msgspec
import pytest

from wimble.engine.queries.query_targets import QueryTargets, place_of_site
from wimble.http.binding import http_operation
from wimble.model.database import Column, Database, DatabaseCommand, QueryResult, Table, TableName
from wimble.model.evaluation import Evaluation, with_additions
from wimble.model.hints import ComparisonHint, OperandHint, QueryHint
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.targets import TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.types import OperationId, TargetId

USERS = Table(
    name=TableName("users"),
    columns=(
        Column(name="id", type_name="integer", type="integer", is_nullable=False),
        Column(name="email", type_name="text", type="text"),
    ),
    primary_key=("id",),
)


TEST_CASE = TestCase(
    tuple(
        Call(http_operation(id=OperationId(f"GET {path}"), method="GET", path=path), ())
        for path in ("/users", "/admins")
    )
)


class FakeDatabases:
    """Users 1 and 2, and a count of the queries."""

    schemas = (Database(id="main", dialect="postgres", tables=(USERS,)),)

    contents: object = None

    def __init__(self) -> None:
        self.queries: list[str] = []

    def query(self, database, text, params=()):
        self.queries.append(text)
        return QueryResult(columns=("id", "email"), rows=((1, "kari@x.no"), (2, "ola@x.no")))

    def contents_of(self, database, table):
        return self.contents if (database, table) == ("main", USERS.name) else None

    def insert(self, inserts):
        return ()


class Setup:
    def __init__(self) -> None:
        self.table = TargetTable()
        self.databases = FakeDatabases()
        self.covered: set[int] = set()
        self.targets = QueryTargets(self.table, self.databases, self.covered.__contains__)

    def reached(self, *commands: DatabaseCommand, full: bool = False) -> dict[str, float]:
        evaluation = self.evaluated(*commands, full=full)
        return {self.table[target].name(): reached.h for target, reached in evaluation.reached.items()}

    def evaluated(
        self,
        *commands: DatabaseCommand,
        full: bool = False,
        test_case: TestCase = TEST_CASE,
        hints: tuple[OperandHint, ...] = (),
    ) -> Evaluation:
        evaluation = Evaluation(test_case=test_case, observations=(), reached={}, interactions=commands, hints=hints)
        return with_additions(evaluation, [self.targets.additions(evaluation, hints=hints, full=full)])


@pytest.fixture
def setup() -> Setup:
    return Setup()


def by_email(email: str, returned: int, site: str = "/app/users.js:12:7") -> DatabaseCommand:
    return DatabaseCommand(
        database="main",
        call=0,
        site=site,
        text="select * from users where email = $1",
        params=(email,),
        returned=returned,
    )


FOUND = "query /app/users.js:12:7 found by GET /users: select * from users where email = $1"
MISSED = "query /app/users.js:12:7 not found by GET /users: select * from users where email = $1"


def test_both_outcomes_are_targets_of_the_place_that_ran_the_command(setup):
    reached = setup.reached(by_email("nobody", 0))

    assert reached[MISSED] == 1.0
    assert 0.01 < reached[FOUND] < 1.0


def test_nearer_values_are_nearer(setup):
    far, near = setup.reached(by_email("nobody", 0)), setup.reached(by_email("kari@x.nu", 0))

    assert near[FOUND] > far[FOUND]


def test_the_best_of_several_commands_counts(setup):
    both = setup.reached(by_email("nobody", 0), by_email("kari@x.no", 1))

    assert (both[FOUND], both[MISSED]) == (1.0, 1.0)


def test_the_same_command_for_a_further_value_has_outcomes_of_its_own(setup):
    again = " (for further values)"
    twice = setup.reached(by_email("kari@x.no", 1), by_email("kari@x.no", 1))
    assert twice.keys() == {FOUND, MISSED}

    both = setup.reached(by_email("kari@x.no", 1), by_email("nobody", 0))
    assert both.keys() == {FOUND, MISSED, FOUND + again, MISSED + again}
    assert both[FOUND] == both[MISSED + again] == 1.0

    setup.covered.update(target for target in range(len(setup.table)) if again not in setup.table[target].name())
    (hint,) = setup.evaluated(by_email("kari@x.no", 1), by_email("nobody", 0)).hints
    assert (hint.command.params, hint.wanted) == (("nobody",), True)


def test_each_operation_has_outcomes_of_its_own(setup):
    by_another = msgspec.structs.replace(by_email("kari@x.no", 1), call=1)

    assert len(setup.reached(by_email("nobody", 0), by_another)) == 4


def test_hints_tell_the_outcome_that_is_wanted(setup):
    (hint,) = setup.evaluated(by_email("nobody", 0)).hints

    assert (hint.wanted, hint.command.params) == (True, ("nobody",))
    assert [row["email"] for row in hint.tables["users"]] == ["kari@x.no", "ola@x.no"]


def test_rows_are_read_once_while_nothing_is_written(setup):
    for email in ("a", "b", "c"):
        setup.reached(by_email(email, 0))
    assert len(setup.databases.queries) == 1

    update = DatabaseCommand(
        database="main", call=0, site="/app/x.js:1:1", text="update users set email = 'x'", affected=2
    )
    setup.reached(update)
    setup.reached(by_email("a", 0))
    assert len(setup.databases.queries) > 1


def test_rows_that_were_put_back_are_not_read_again_whatever_is_written_meanwhile(setup):
    update = DatabaseCommand(
        database="main", call=0, site="/app/x.js:1:1", text="update users set email = 'x'", affected=2
    )
    as_put_back = object()
    for _ in range(3):
        setup.databases.contents = as_put_back
        setup.reached(
            by_email("a", 0), DatabaseCommand(database="main", call=0, site="", text="delete from loans", affected=1)
        )
    assert len(setup.databases.queries) == 1

    setup.databases.contents = None  # the call has written to them
    setup.reached(update, by_email("b", 0))
    assert len(setup.databases.queries) == 2

    setup.databases.contents = as_put_back
    setup.reached(by_email("c", 0))
    assert len(setup.databases.queries) == 2, "they are as they were"

    setup.databases.contents = object()  # what a login has left is theirs now
    setup.reached(by_email("d", 0))
    assert len(setup.databases.queries) == 3


def test_nothing_is_read_for_what_is_covered(setup):
    setup.reached(by_email("a", 0))
    setup.covered |= set(range(len(setup.table)))
    setup.databases.queries.clear()

    assert setup.reached(by_email("b", 0)) == {}
    assert setup.databases.queries == []
    assert setup.reached(by_email("b", 0), full=True)[MISSED] == 1.0


def test_where_rows_were_brought_and_missed_it_is_told_though_nothing_is_left_to_cover(setup):
    setup.reached(by_email("a", 0))
    setup.covered |= set(range(len(setup.table)))
    row = InsertRow(genes=(), database="main", dialect="postgres", table=USERS.name, columns=())
    with_row = TestCase(TEST_CASE.calls, (row,))

    (hint,) = setup.evaluated(by_email("b", 0), test_case=with_row).hints
    assert (setup.table[hint.target].name(), hint.wanted) == (FOUND, True)
    assert setup.evaluated(by_email("kari@x.no", 1), test_case=with_row).hints == ()
    assert setup.evaluated(by_email("b", 0)).hints == ()


def test_branches_behind_a_row_that_was_there_get_one_of_their_own(setup):
    setup.reached(by_email("kari@x.no", 1))
    setup.covered |= set(range(len(setup.table)))
    branch = ComparisonHint(
        target=TargetId(99), call=0, operator="identical", left="kari@x.no", right="admin", wanted=True
    )

    hints = setup.evaluated(by_email("kari@x.no", 1), hints=(branch,)).hints
    assert [(hint.target, hint.wanted) for hint in hints if isinstance(hint, QueryHint)] == [(99, True)]
    update = DatabaseCommand(database="main", call=0, site="", text="update users set id = 1", affected=1)
    setup.reached(update)
    setup.covered |= set(range(len(setup.table)))
    assert setup.evaluated(update, hints=(branch,)).hints == (branch,)


def test_outcomes_that_never_come_are_measured_ever_less(setup):
    for number in range(200):
        setup.reached(
            by_email(f"nobody {number}", 0),
            DatabaseCommand(database="main", call=0, site="", text="update users set id = 1"),
        )

    assert len(setup.databases.queries) < 80


def test_texts_with_their_values_written_in_share_targets_beyond_a_limit(setup):
    for number in range(100):
        text = f"select * from users where id = {number}"
        setup.reached(DatabaseCommand(database="main", call=0, site="/app/a.js:1:1", text=text, returned=0))

    assert len(setup.table) < 70


def test_commands_put_together_from_optional_filters_share_targets_beyond_a_few(setup):
    columns = ("id", "email", "email || id", "lower(email)", "upper(email)", "length(email)", "-id")
    texts = [f"select * from users where {column} = $1" for column in columns]
    select = DatabaseCommand(database="main", call=0, site="/app/a.js:1:1", text="", params=("x",), returned=0)
    reached = [setup.reached(msgspec.structs.replace(select, text=text)) for text in texts + texts[:1]]

    missed = [next(name for name, h in one.items() if h == 1.0).partition(" by GET /users: ")[2] for one in reached]
    assert missed == [*texts[:4], *["other select users"] * 3, texts[0]]

    update = msgspec.structs.replace(
        select, text="update users set email = $1 where id = $2", params=("x", 7), returned=None, affected=0
    )
    assert any(update.text in name for name in setup.reached(update))


def test_what_failed_has_no_outcome(setup):
    assert (
        setup.reached(DatabaseCommand(database="main", call=0, site="", text="select * from users", error="gone")) == {}
    )
    assert (
        setup.reached(DatabaseCommand(database="other", call=0, site="", text="select * from users", returned=1)) == {}
    )
    assert setup.reached(DatabaseCommand(database="main", call=0, site="", text="begin")) == {}


def test_sites_are_read_from_the_right():
    assert place_of_site("C:/app/a.js:3:4") == ("C:/app/a.js", 3, 4)
    assert place_of_site("/app/a.js:3") == ("/app/a.js", 3, 0)
    assert place_of_site("") == ("", 0, 0)


def test_queries_that_run_for_each_row_are_found_once_for_all_who_ask(setup):
    def asked(call: int, returned: int, *params: int) -> DatabaseCommand:
        text = "SELECT * FROM users WHERE id = $1" if params else "SELECT * FROM users"
        return DatabaseCommand(
            database="main", call=call, site="/app/users.js:4", text=text, params=params, returned=returned
        )

    of_second_call = (asked(1, 2), asked(1, 1, 1), asked(1, 1, 2))
    evaluation = setup.evaluated(asked(0, 2), *of_second_call, asked(2, 1, 3))

    (query,) = evaluation.queries_per_row
    assert (query.call, query.text, query.n_runs, query.n_rows) == (1, "SELECT * FROM users WHERE id = $1", 1, 2)
