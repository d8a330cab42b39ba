"""A column of a row was changed: others follow, so that the database still takes it."""

import pytest

from wimble.databases.sql.row_repair import repaired
from wimble.genes import IntegerGene, LinkedGene, StringGene
from wimble.model.database import Column, TableName
from wimble.model.setup_kinds.database_action import inserted_rows
from wimble.model.setup_kinds.insert_key import InsertKey
from wimble.model.setup_kinds.insert_row import InsertRow
from wimble.model.testcase import GeneAddress, TestCase

COLUMNS = tuple(Column(name=name, type_name="integer", type="integer") for name in ("net", "tax", "gross"))


def case(*values: int, checks: tuple[str, ...] = ("net + tax = gross",), link: bool = False) -> TestCase:
    genes = [IntegerGene(value) for value in values]
    if link:
        genes[2] = LinkedGene(-1, 1, (), IntegerGene(0))
    action = InsertRow(
        genes=tuple(genes), database="d", dialect="postgres", table=TableName("t"), columns=COLUMNS, checks=checks
    )
    return TestCase((), (action,))


def row(test_case: TestCase) -> tuple:
    return inserted_rows(test_case)[0].rows[0]


@pytest.mark.parametrize("changed", [0, 1, 2])
def test_what_was_changed_stays(changed):
    before = case(100, 20, 120)
    after = before.with_gene(GeneAddress(-1, changed), IntegerGene(777))

    net, tax, gross = row(repaired(after, before))

    assert (net, tax, gross)[changed] == 777
    assert net + tax == gross


def test_a_column_that_follows_another_is_not_touched():
    before = case(0, 20, 20, link=True)
    after = before.with_gene(GeneAddress(-1, 0), IntegerGene(5))

    assert repaired(after, before) is after, "net has to be 0 where gross follows tax"


def test_nothing_is_changed_where_all_checks_hold():
    before = case(100, 20, 120)
    after = before.with_gene(GeneAddress(-1, 0), IntegerGene(100))

    assert repaired(after, before) is after


@pytest.mark.parametrize("check", ["net > tax AND net < tax", "no such thing (", "sqrt(net) = 0.5"])
def test_what_cannot_be_mended_stays(check):
    before = case(100, 20, 120, checks=(check,))
    after = before.with_gene(GeneAddress(-1, 0), IntegerGene(1))

    assert row(repaired(after, before)) == (1, 20, 120)


def test_a_link_may_have_texts_around_it():
    action = InsertKey(
        genes=(StringGene("a"), LinkedGene(-1, 0, (), StringGene("session:a:x"), "session:", ":x")),
        database="d", table=TableName("hashes", "redis"),
        columns=tuple(Column(name=name, type_name="text", type="text") for name in ("field", "key")),
    )  # fmt: skip
    changed = TestCase((), (action,)).with_gene(GeneAddress(-1, 0), StringGene("token"))

    assert row(changed) == ("token", "session:token:x")
