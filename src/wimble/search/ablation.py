"""Restricts an evaluation to what a search may use when techniques are switched off.

The agent measures everything. This module removes what an experiment does without: hints, conflicts, distances and
kinds of targets. If no technique is switched off, evaluations stay unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final, Protocol

import msgspec

from wimble.model.evaluation import Evaluation, Reached
from wimble.model.hints import FormatHint, FormatRequirement, Hint, QueryHint, SchemaHint
from wimble.model.targets import Target, TargetKind, TargetTable
from wimble.settings import Settings
from wimble.techniques import TechniqueName

PLATEAU_H = 0.5
"""h of every target that was reached but not covered, if distances are switched off."""


class View(Protocol):
    """Returns an evaluation as the search uses it. is_sampled: whether its test case was made without a parent."""

    def __call__(self, evaluation: Evaluation, *, is_sampled: bool) -> Evaluation: ...


KINDS: Final[Mapping[TechniqueName, TargetKind]] = MappingProxyType(
    {"response-shapes": "shape", "schema-parts": "part"}
)
"""Kinds of target that are left out when a technique is switched off."""

OUTCOME_ONLY: Final[Mapping[TechniqueName, Callable[[Target], bool]]] = MappingProxyType(
    {
        "method-replacements": lambda target: target.kind == "method",
        "queries": lambda target: target.kind == "query",
        "key-lookups": lambda target: target.kind == "branch" and target.operator == "key",
    }
)
"""Targets for which only the outcome counts when a technique is switched off: they have neither distance nor hints."""


def _is_about_format(hint: Hint) -> bool:
    """Whether the hint says that a text was checked for a format, or that a schema requires one."""
    about = hint.requirement if isinstance(hint, SchemaHint) else hint
    return isinstance(about, (FormatHint, FormatRequirement))


HINTS: Final[Mapping[TechniqueName, Callable[[Hint], bool]]] = MappingProxyType(
    {
        "formats": _is_about_format,
        "queries": lambda hint: isinstance(hint, QueryHint),
    }
)
"""Hints that are left out when a technique is switched off, whatever their target."""


def view_of(settings: Settings, table: TargetTable) -> View:
    """Returns the view of a search with these settings."""
    return AblatedView(settings.switched_off, table) if settings.switched_off else _whole


def _whole(evaluation: Evaluation, *, is_sampled: bool) -> Evaluation:
    return evaluation


class AblatedView:
    """Removes from evaluations what the techniques that are switched off would have added."""

    def __init__(self, switched_off: frozenset[TechniqueName], table: TargetTable) -> None:
        self._table = table
        self._has_distances = "branch-distance" not in switched_off
        self._has_conflicts = "conflicts" not in switched_off
        self._has_rows = "queries" not in switched_off
        self._has_injections = "injections" not in switched_off
        self._sampled_have_hints = "taint-on-sampling" not in switched_off
        self._kinds_left_out = {kind for name, kind in KINDS.items() if name in switched_off}
        self._outcome_only = [test for name, test in OUTCOME_ONLY.items() if name in switched_off]
        self._hints_left_out = [test for name, test in HINTS.items() if name in switched_off]

    def __call__(self, evaluation: Evaluation, *, is_sampled: bool) -> Evaluation:
        hints = evaluation.hints if self._sampled_have_hints or not is_sampled else ()
        return msgspec.structs.replace(
            evaluation,
            hints=tuple(hint for hint in hints if self._is_hint_seen(hint)),
            conflicts=evaluation.conflicts if self._has_conflicts else (),
            injections=evaluation.injections if self._has_injections else (),
            user_rows=evaluation.user_rows if self._has_rows else (),
            reached={
                target: Reached(self._seen_h(reached.h, self._table[target]), reached.call)
                for target, reached in evaluation.reached.items()
                if self._table[target].kind not in self._kinds_left_out
            },
        )

    def _is_hint_seen(self, hint: Hint) -> bool:
        if any(is_left_out(hint) for is_left_out in self._hints_left_out):
            return False
        return isinstance(hint, QueryHint) or self._has_distance(self._table[hint.target])

    def _seen_h(self, h: float, target: Target) -> float:
        is_plain = h >= 1.0 or h <= 0.0 or (self._has_distances and self._has_distance(target))
        return h if is_plain else PLATEAU_H

    def _has_distance(self, target: Target) -> bool:
        return not any(is_outcome_only(target) for is_outcome_only in self._outcome_only)
