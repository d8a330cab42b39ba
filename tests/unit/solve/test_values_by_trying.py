"""Values by trying keep the form of the traced ones, and are tried only where chance can meet the condition."""

from __future__ import annotations

import hashlib

from wimble.solve.path_conditions import Expression, Path, PathEntry
from wimble.solve.values.values_by_trying import FEW, Trials, tried


def hashed(beginning: str, *earlier: PathEntry) -> Path:
    nodes = (
        Expression("in:/query/a", (), "Ab-12"),
        Expression("k", (), "sha256"),
        Expression("k", (), "hex"),
        Expression("digest", (0, 1, 2), hashlib.sha256(b"Ab-12").hexdigest()),
        Expression("k", (), beginning),
        Expression("k", (), 0),
        Expression("startsWith", (3, 4, 5), False),
        Expression("k", (), "A"),
        Expression("startsWith", (0, 7, 5), True),
    )
    return Path(nodes, (*earlier, PathEntry("", False, 6)))


def test_the_beginning_of_a_hash_is_met_by_trying() -> None:
    values = tried(hashed("000")).values
    assert values is not None
    assert hashlib.sha256(str(values["/query/a"]).encode()).hexdigest().startswith("000")


def test_conditions_before_keep_their_outcome_and_texts_their_form() -> None:
    values = tried(hashed("00", PathEntry("", True, 8))).values
    assert values is not None
    text = str(values["/query/a"])
    assert text.startswith("A")
    assert (len(text), text[1].islower(), text[2], text[3:].isdigit()) == (5, True, "-", True)


def test_a_whole_hash_is_not_tried() -> None:
    assert tried(hashed("0" * 64)) == Trials()


def test_operations_that_cannot_be_computed_are_not_tried() -> None:
    nodes = (Expression("in:/query/a", (), "x"), Expression("unknown", (0,), True))
    assert tried(Path(nodes, (PathEntry("", True, 1),))).values is None


def test_numbers_are_tried_near_the_traced_ones() -> None:
    nodes = (
        Expression("in:/query/a", (), 7),
        Expression("k", (), 3),
        Expression("imul", (0, 0), 49),
        Expression("%", (2, 1), 1),
        Expression("k", (), 0),
        Expression("===", (3, 4), False),
    )
    values = tried(Path(nodes, (PathEntry("", False, 5),))).values
    assert values is not None
    assert int(values["/query/a"]) % 3 == 0


def test_few_trials_of_a_hash_are_cut_short_and_many_are_not() -> None:
    path = hashed("00000")
    assert tried(path, FEW) == Trials(n_nodes=FEW.with_hash, is_cut=True)
    assert not tried(hashed("0" * 64), FEW).is_cut
