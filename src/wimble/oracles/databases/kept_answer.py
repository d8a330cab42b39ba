"""Finds reads whose answer is kept after a call has created something that it would show.

No single test case proves that: what was created may be on another page, or belong to somebody else. So there are two,
each on a fresh start with the same rows: a creation and a read; and the same with the read before as well. It is a
fault if

* the read between asks the database for the table that the creation inserts into, and the one after it does not,
* both answer the same, and without the read between, the answer after the creation has more elements in a list, or
  another number,
* that shows a second time, with the same numbers.

Reads that change something keep what they have read on purpose, and so do programs that deal with times, or that use a
package which keeps answers, and answers that say how long they may be kept.
"""

from __future__ import annotations

import linecache
import re
from collections.abc import Iterable, Sequence
from typing import Final

from wimble.databases.asked_tables import asked_table, asked_tables
from wimble.http.exchange import response_of
from wimble.model.database import DatabaseCommand
from wimble.model.evaluation import Evaluation, Finding
from wimble.oracles.databases.at_once import numbers_read
from wimble.oracles.databases.former_values import FOR_A_TIME
from wimble.oracles.databases.kept_changes import changes_of_call
from wimble.oracles.databases.stale_answer import ACCEPTED, NAME
from wimble.oracles.oracle import NO_CAUSE, place_of, place_of_command

_KEEPS_ANSWERS: Final = re.compile(r"cache|memoi|moize|\blru|keyv|catbox", re.IGNORECASE)
_KEEPS_SOMETHING: Final = re.compile(r"cache|memo|\bstore|new (?:Weak)?Map\(", re.IGNORECASE)
_PACKAGE: Final = re.compile(r"""(?:require\(|\bfrom|\bimport\b\(?)\s*["']([^."'][^"']*)["']""")
_MAY_BE_KEPT: Final = re.compile(r"(?:max-age|s-maxage)\s*=\s*[1-9]", re.IGNORECASE)


def tables_inserted(evaluation: Evaluation, call: int) -> set[str]:
    """Returns the tables and collections that a call has inserted into."""
    changes = changes_of_call(evaluation, call)
    return {one.change.table.lower() for one in changes if one.change.kind == "insert"}


def keeps_answers(package: str) -> bool:
    """Whether the name of a package says that it keeps answers, most of them for some time."""
    return _KEEPS_ANSWERS.search(package) is not None


def may_be_kept(between: Evaluation, asked_before: Iterable[str] = ()) -> bool:
    """Whether the last of three calls (a read, a creation and the read) may answer what is kept.

    asked_before: tables that the read has asked for at another time.
    """
    if len(between.observations) != len(between.test_case.calls) or between.is_sut_lost:
        return False
    first, created, last = between.observations[-3:]
    if not first.outcome == created.outcome == last.outcome == "ok" or first.exchange.value() != last.exchange.value():
        return False
    answer = response_of(created)
    if answer is None or answer.status == ACCEPTED:
        return False
    if any(changes_of_call(between, one.call_index) for one in (first, last)):
        return False
    inserted = tables_inserted(between, created.call_index)
    known = asked_tables(between, first.call_index).union(asked_before)
    return bool(inserted & known) and not inserted & asked_tables(between, last.call_index)


def shown_difference(after: Sequence[Evaluation], between: Sequence[Evaluation]) -> str:
    """Returns what an answer has, as a clause, if it is not read before the creation, and else has not; "" if it is
    not certain that there is such a thing.

    after: runs of a creation and the read. between: runs with the read before as well.
    """
    if any(one.observations[-1].outcome != "ok" for one in (*after, *between)):
        return ""
    fresh = [numbers_read(one, len(one.observations) - 1) for one in after]
    kept = [numbers_read(one, len(one.observations) - 1) for one in between]
    for place, numbers in fresh[0].items():
        known = kept[0].get(place)
        if known is None or len(numbers) != len(known) or numbers == known:
            continue
        if all(one.get(place) == numbers for one in fresh) and all(one.get(place) == known for one in kept):
            new, old = next((new, old) for new, old in zip(numbers, known, strict=True) if new != old)
            return f"{place[1]} is {old:g}, and {new:g} without the first read"
    return ""


def is_meant_to_be_old(evaluation: Evaluation, files: Iterable[str], shared: Iterable[str]) -> bool:
    """Whether what the last call answers may be kept for a while.

    files: those whose code it was the first to run. shared: those whose code other calls before it have run. Of these,
    only what keeps something counts: a log of requests deals with times, too.
    """
    response = response_of(evaluation.observations[-1])
    declared = "" if response is None else response.header("cache-control") or ""
    if _MAY_BE_KEPT.search(declared):
        return True
    keeping = (text for text in map(_text_of, shared) if _KEEPS_SOMETHING.search(text))
    texts = (*map(_text_of, files), *keeping)
    return any(FOR_A_TIME.search(text) or any(map(keeps_answers, _PACKAGE.findall(text))) for text in texts)


def _text_of(file: str) -> str:
    return "".join(linecache.getlines(file))


def finding_of(between: Evaluation, difference: str) -> Finding:
    """Returns the finding of a read, a creation and the read. difference: as `shown_difference` tells it."""
    read, act = between.test_case.calls[-1].operation, between.test_case.calls[-2].operation
    first, created, last = between.observations[-3:]
    inserted = tables_inserted(between, created.call_index)
    commands = between.interactions_of(DatabaseCommand, first.call_index)
    asked = next((one for one in commands if asked_table(one) in inserted), None)
    cause = NO_CAUSE if asked is None else place_of_command(asked)
    response = response_of(last)
    return Finding(
        oracle=NAME,
        key=(NAME, read.id, "created"),
        operation=read.id,
        status=response.status if response is not None else None,
        title=f"{read.id} answers what was there before {act.id} has created something",
        observed=f"the same answer before and after {act.id}, which answered {created.outcome_key}: {difference}"
        f"{place_of(cause) if cause.file else ''}",
        expected="the answer that it gives if it was not read before",
        cause=cause,
        call_index=last.call_index,
    )
