"""Finds promises that the program compares, tests for truth, or answers, where it should have awaited them.

A promise is always true and equal to no text or number, so the program goes one way whatever the value will be. In an
answer it is an object without members, which no document has to forbid. What the agent cannot be certain about is only
told with other findings (mistakes.py), unless all answers show that it is there (answered_promises.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from wimble.http.exchange import response_of
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause, Mistake
from wimble.oracles.mistaken_places import places_in_answer
from wimble.oracles.oracle import CallView, Oracle, Verdict, cause_key

NAME = "missing-await"


def judge_call(view: CallView) -> Verdict:
    cause = view.observation.cause
    # What ends the process while another call is under way is told with that call, and may belong to an earlier one.
    if cause is None or not cause.mistakes or not view.observation.is_answered:
        return []
    return [_finding(view, mistake) for mistake in _faults(view, cause.mistakes)]


def _faults(view: CallView, mistakes: Sequence[Mistake]) -> Iterator[Mistake]:
    """Yields the mistakes that are faults: of a promise that goes through several functions into an answer, the one
    that is certain, or else the first one.

    If the program has put a promise into an answer, the answer has to show it: it may have made another one since.
    """
    told: set[str] = set()
    for mistake in sorted((one for one in mistakes if not one.is_null), key=lambda one: not one.is_fault):
        places = [] if mistake.members is None else places_in_answer(mistake, view.observation)
        if mistake.is_fault:
            is_shown = mistake.members is None or bool(places)
        else:
            is_shown = view.promises.is_answered(mistake, view.observation) and told.isdisjoint(places)
        if is_shown:
            yield mistake
            told.update(places)


def _finding(view: CallView, mistake: Mistake) -> Finding:
    operation = view.operation.id
    response = response_of(view.observation)
    place = Cause(file=mistake.file, line=mistake.line, statement=f"{mistake.file}:{mistake.line}")
    return Finding(
        oracle=NAME,
        key=(NAME, *cause_key(place)),
        operation=operation,
        status=response.status if response is not None else None,
        title=f"{operation}: {mistake.text}",
        observed=f"{mistake.text} at {mistake.file}:{mistake.line}",
        expected="the value of the promise, not the promise itself",
        cause=place,
        call_index=view.observation.call_index,
    )


ORACLE = Oracle(NAME, judge_call)
