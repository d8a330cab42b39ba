"""Recognises findings of different kinds that one change of the program mends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from wimble.engine.faults.explained_faults import ExplainedFaults
from wimble.engine.faults.same_mend import injections, missing_awaits, related_answers, related_errors
from wimble.engine.faults.same_mend.abandoned_fields import parts_of_failed_answers
from wimble.engine.faults.same_mend.deaths_of_makers import of_deaths_of_makers
from wimble.engine.faults.same_mend.groups import Parts
from wimble.engine.faults.same_mend.leaks_of_clients import of_leaks
from wimble.engine.faults.same_mend.masked_fields import of_masked_fields
from wimble.engine.faults.same_mend.null_members import of_nulls
from wimble.engine.faults.same_mend.refused_conversions import of_refused_conversions
from wimble.engine.faults.same_mend.stale_caches import of_caches
from wimble.engine.faults.same_mend.unawaited_calls import of_unawaited_calls
from wimble.engine.faults.same_mend.unawaited_values import parts_of_missing_awaits
from wimble.engine.faults.same_mend.unbindable_values import of_unbindable_values
from wimble.engine.faults.same_mend.unescaped_texts import of_unescaped_texts

RULES: Final[tuple[Callable[[ExplainedFaults], Parts], ...]] = (
    injections.of_unchecked_names,
    injections.of_injections,
    missing_awaits.of_answered_promises,
    missing_awaits.of_missing_awaits,
    missing_awaits.of_rejected_promises,
    parts_of_missing_awaits,
    parts_of_failed_answers,
    of_masked_fields,
    related_errors.of_errors_without_place,
    related_errors.of_errors_of_packages,
    related_errors.of_chains,
    related_errors.of_missing_values,
    related_errors.of_request_members,
    related_errors.of_parents,
    related_errors.of_wrong_types,
    of_refused_conversions,
    of_nulls,
    related_answers.of_unchecked_columns,
    related_answers.of_null_columns,
    related_answers.of_answers_without_member,
    related_answers.of_handled_errors,
    related_answers.of_stale_answers,
    of_caches,
    related_answers.of_unanswered_calls,
    related_errors.of_validators,
    related_errors.of_answers_of_services,
    related_errors.of_crashes_after_services,
    of_unawaited_calls,
    of_deaths_of_makers,
    of_leaks,
    of_unescaped_texts,
    of_unbindable_values,
    related_answers.of_kept_changes,
    related_answers.of_unwritten_numbers,
    related_answers.of_refusals_with_changes,
)
"""A finding that several rules know is a part of what the last of them names."""


def parts_of_others(faults: ExplainedFaults) -> Parts:
    """Returns, for each finding that is part of another one, the key of that one. Crashes are told their cause."""
    parts: Parts = {}
    for rule in RULES:
        parts.update(rule(faults))
    return {key: _whole(head, parts) for key, head in parts.items()}


def _whole(head: tuple[object, ...], parts: Parts) -> tuple[object, ...]:
    """Returns what the head of a part is a part of itself, in the end; the head, if that leads in a circle."""
    seen, last = {head}, head
    while last in parts and parts[last] not in seen:
        last = parts[last]
        seen.add(last)
    return head if last in parts else last
