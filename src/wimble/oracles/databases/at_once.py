"""Finds races: two calls that are sent at once have a result that they have in no order one after the other.

Three kinds are told, which leave little doubt that the program is at fault:

* Both calls succeed, although the second one is refused after the first (a double booking, a unique check before an
  insert). If they leave what one of them leaves, and answer the same, nothing is lost.
* A call fails that does not fail in turn (5xx, no answer, an end of the SUT).
* Both calls succeed, but the state is as if there had been only one of them (a lost update). A number that grows by
  the same step with each call shows that, or an update that both of them have computed from the same number
  (lost_writes.py).

A call that is refused because another one is in progress is no fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias

import msgspec

from wimble.http.exchange import response_of
from wimble.model.evaluation import Evaluation, Finding
from wimble.model.observation import Cause, Observation
from wimble.oracles.databases.kept_changes import Change, changes_of_call
from wimble.oracles.databases.lost_writes import lost_write
from wimble.oracles.databases.stored_rows import MAX_COMMAND
from wimble.oracles.messages.message_shapes import shortened
from wimble.oracles.oracle import NO_CAUSE, cause_key, place_of, place_of_command
from wimble.types import ABSENT, Json

NAME: Final = "race"
MAX_SHOWN: Final = 4
"""Maximum number of changes of the database that a finding shows."""
MAX_BODY: Final = 120
CREATED: Final = 201

Kind = Literal["both-succeed", "fails", "lost-update"]
Numbers: TypeAlias = Mapping[tuple[int, str], tuple[float, ...]]
"""(read after the calls, pointer with `*` for indices) -> the numbers there, sorted. A list counts with its length."""


class InTurn(msgspec.Struct, frozen=True):
    """The results of no call, one call and two calls in turn, each on a fresh SUT."""

    two: Evaluation
    one: Evaluation | None = None
    none: Evaluation | None = None


class Race(msgspec.Struct, frozen=True):
    """The way in which two calls interfere."""

    kind: Kind
    detail: str = ""
    """For a lost update: the number that shows it."""
    read: int | None = 0
    """For a lost update: which of the reads after the calls has that number; None if an update of theirs shows it."""


def race_of(at_once: Evaluation, in_turn: InTurn) -> Race | None:
    """Returns how the result of two calls at once differs from the result in turn; None if it does not."""
    first = at_once.test_case.at_once
    assert first is not None
    pair, turns = (one.observations[first : first + 2] for one in (at_once, in_turn.two))
    if any(_is_failure(one) for one in turns) or turns[0].outcome != "ok":
        return None
    if any(map(_is_failure, pair)):
        return Race("fails")
    if any(one.outcome != "ok" for one in pair):
        return None
    if turns[1].outcome == "refused":
        # To remove twice what is there once does no harm. Nor is it one if the user, or the rate, is refused.
        is_harmless = at_once.test_case.calls[first].operation.effect == "remove"
        if (
            is_harmless
            or turns[1].exchange.complaint() in ("content", "limit", "other")
            or _is_as_if_once(at_once, in_turn, first)
        ):
            return None
        return Race("both-succeed")
    return _lost_update(at_once, in_turn, first) or _lost_write(at_once, in_turn, first)


def _is_as_if_once(at_once: Evaluation, in_turn: InTurn, first: int) -> bool:
    """Whether two calls that both succeed do what one of them does: to publish twice what is published once.

    That is so if what is read afterwards has the same numbers, and the answers are equal or both calls together have
    changed what one of them changes. Rows that both of them insert or delete, and two answers 201, are no such case.
    Which of the two has sent a command is not asked: drivers that share connections hide it.
    """
    pair = at_once.observations[first : first + 2]
    if all(_status(one) == CREATED for one in pair) or in_turn.one is None:
        return False
    if numbers_read(at_once, first + 2) != numbers_read(in_turn.one, first + 1):
        return False
    of_two = [*changes_of_call(at_once, first), *changes_of_call(at_once, first + 1)]
    of_one = changes_of_call(in_turn.one, first)
    if _n_inserts_and_deletes(of_two) > _n_inserts_and_deletes(of_one):
        return False
    values = [one.exchange.value() for one in pair]
    return values[0] == values[1] or (bool(of_two) and _shapes(of_two) == _shapes(of_one))


def _n_inserts_and_deletes(changes: Sequence[Change]) -> int:
    return sum(not one.is_update for one in changes)


def _shapes(changes: Sequence[Change]) -> list[tuple[str, int]]:
    return sorted((one.command.text, one.command.affected or 0) for one in changes)


def differs(at_once: Evaluation, in_turn: Evaluation) -> bool:
    """Whether the numbers in what was read afterwards differ, so that a lost update is possible."""
    first = at_once.test_case.at_once
    assert first is not None
    return numbers_read(at_once, first + 2) != numbers_read(in_turn, first + 2)


def _lost_update(at_once: Evaluation, in_turn: InTurn, first: int) -> Race | None:
    if in_turn.one is None or in_turn.none is None:
        return None
    seen, two = numbers_read(at_once, first + 2), numbers_read(in_turn.two, first + 2)
    one, none = numbers_read(in_turn.one, first + 1), numbers_read(in_turn.none, first)
    for place, numbers in seen.items():
        if numbers == one.get(place) and len(numbers) == len(two.get(place, ())) == len(none.get(place, ())):
            steps = zip(none[place], numbers, two[place], strict=True)
            grown = [(a, b, c) for a, b, c in steps if a != b and round(b - a, 6) == round(c - b, 6)]
            if grown:
                _, had, wanted = grown[0]
                return Race("lost-update", f"{place[1]} is {_shown(had)} instead of {_shown(wanted)}", place[0])
    return None


def _lost_write(at_once: Evaluation, in_turn: InTurn, first: int) -> Race | None:
    lost = lost_write(at_once, in_turn.two, first)
    if lost is None:
        return None
    numbers = f"{_shown(lost.written)} twice instead of {_shown(lost.written)} and {_shown(lost.wanted)}"
    return Race("lost-update", f"updates of {lost.table} write {numbers}", None)


def _is_failure(observation: Observation) -> bool:
    return observation.outcome in ("failed", "crashed", "hung")


def numbers_read(evaluation: Evaluation, start: int) -> Numbers:
    """Returns the numbers in the answers of the calls from index `start` on."""
    found: dict[tuple[int, str], list[float]] = {}
    for number, observation in enumerate(evaluation.observations[start:]):
        if observation.outcome == "ok":
            value = observation.exchange.value()
            for pointer, leaf in _iter_numbers(None if value is ABSENT else value, "$"):
                found.setdefault((number, pointer), []).append(leaf)
    return {place: tuple(sorted(numbers)) for place, numbers in found.items()}


def _iter_numbers(value: Json, pointer: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for name, member in value.items():
            yield from _iter_numbers(member, f"{pointer}.{name}")
    elif isinstance(value, list):
        yield f"the length of {pointer}", float(len(value))
        for member in value:
            yield from _iter_numbers(member, f"{pointer}[*]")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield pointer, float(value)


def finding_of(race: Race, at_once: Evaluation, in_turn: Evaluation, *, n_shown: int, n_runs: int) -> Finding:
    """Returns the finding of a race that was seen in `n_shown` of `n_runs` runs."""
    first = at_once.test_case.at_once
    assert first is not None
    pair, turns = at_once.observations[first : first + 2], in_turn.observations[first : first + 2]
    operation = at_once.test_case.calls[first].operation.id
    cause = _cause(at_once, in_turn, race, first)
    seen = f"{_answers(pair)}{_changes(at_once, first)}{place_of(cause) if cause.file else ''}"
    alone = turns[1].exchange.phrase().removeprefix("answers ")
    titles = {
        "both-succeed": f"{operation} {pair[0].exchange.phrase()} twice to two calls at once, "
        f"and {alone} to the second of two in turn",
        "fails": f"{operation} answers {_failing(pair).outcome_key} to one of two calls at once{_error(cause)}",
        "lost-update": f"{operation} loses one of two calls at once: {race.detail}",
    }
    return Finding(
        oracle=NAME,
        key=(NAME, race.kind, *(cause_key(cause) or (operation,))),
        operation=operation,
        status=_status(_failing(pair)),
        title=titles[race.kind],
        observed=f"in {n_shown} of {n_runs} runs of two calls at once: {seen}",
        expected=f"the result of one call after the other: {_answers(turns)}",
        cause=cause,
        call_index=first + 2 + race.read if race.kind == "lost-update" and race.read is not None else first + 1,
    )


def _failing(pair: Sequence[Observation]) -> Observation:
    return next((one for one in pair if _is_failure(one)), pair[1])


def _status(observation: Observation) -> int | None:
    response = response_of(observation)
    return None if response is None else response.status


def _error(cause: Cause) -> str:
    return f": {shortened(' '.join(cause.message.split()), MAX_BODY)}" if cause.message else ""


def _answers(pair: Sequence[Observation]) -> str:
    return " and ".join(
        f"{one.outcome_key} {shortened(' '.join(one.exchange.text().split()), MAX_BODY)}".rstrip() for one in pair
    )


def _changes(evaluation: Evaluation, first: int) -> str:
    """Returns what the two calls wrote into databases, as a clause."""
    commands = [
        f"{shortened(' '.join(command.text.split()), MAX_COMMAND)} {list(command.params)}"
        for call in (first, first + 1)
        for command, _ in changes_of_call(evaluation, call)
    ]
    return f"; the database kept {', '.join(commands[:MAX_SHOWN])}" if commands else ""


def _cause(evaluation: Evaluation, in_turn: Evaluation, race: Race, first: int) -> Cause:
    lost = lost_write(evaluation, in_turn, first) if race.read is None else None
    if lost is not None:
        return place_of_command(lost.command)
    failing = _failing(evaluation.observations[first : first + 2])
    if _is_failure(failing) and failing.cause is not None:
        return failing.cause
    for call in (first + 1, first):
        if changes := changes_of_call(evaluation, call):
            return place_of_command(changes[-1].command)
    return NO_CAUSE


def _shown(number: float) -> str:
    return f"{number:g}"
