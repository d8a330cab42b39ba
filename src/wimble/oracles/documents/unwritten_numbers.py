"""Finds numbers and dates in answers for which JSON has no notation: NaN, Infinity and invalid dates become `null`.

They come from a division by nothing, from a text that is no number, or from a member that is missing, and no client can
tell what was meant. A document that forbids `null` there has a finding of its own, which is told the same place.
"""

from __future__ import annotations

from typing import Final

from wimble.http.exchange import response_of
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause, Mistake
from wimble.oracles.documents import response_schema
from wimble.oracles.mistaken_places import places_in_answer
from wimble.oracles.oracle import CallView, Oracle, Verdict, cause_key

NAME: Final = "unwritten-number"


def judge_call(view: CallView) -> Verdict:
    cause = view.observation.cause
    found: list[Finding] = []
    told: set[str] = set()
    for mistake in cause.mistakes if cause is not None else ():
        places = places_in_answer(mistake, view.observation) if mistake.is_null else []
        # A value goes through several functions into an answer; the first one is closest to where it was made.
        if places and told.isdisjoint(places):
            found.append(_finding(view, mistake, places))
        told.update(places)
    return found


def _finding(view: CallView, mistake: Mistake, places: list[str]) -> Finding:
    operation = view.operation.id
    response = response_of(view.observation)
    place = Cause(file=mistake.file, line=mistake.line, statement=f"{mistake.file}:{mistake.line}")
    return Finding(
        oracle=NAME,
        key=(NAME, *cause_key(place), mistake.text),
        operation=operation,
        status=response.status if response is not None else None,
        title=f"{operation}: {mistake.text} ({places[0]})",
        observed=f"{mistake.text} at {mistake.file}:{mistake.line}; the answer has `null` at {', '.join(places)}",
        expected="a number or a date, or an answer that says why there is none",
        cause=place,
        call_index=view.observation.call_index,
        subject=places[0],
    )


ORACLE = Oracle(NAME, judge_call, yields_to=frozenset({response_schema.NAME}), outcomes=frozenset({"ok", "partial"}))
