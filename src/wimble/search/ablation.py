"""What a search sees of an evaluation when techniques are switched off: the agent measures all, and this takes out what an experiment
wants to do without. With everything on, evaluations pass as they are.
"""

from __future__ import annotations

import msgspec

from wimble.model.evaluation import Evaluation, Hint, QueryHint, Reached
from wimble.model.targets import Target, TargetTable
from wimble.techniques import Techniques

PLATEAU_H = 0.5
"""h of everything that was reached but not covered, where distances are switched off."""


def as_seen(evaluation: Evaluation, table: TargetTable, techniques: Techniques, *, is_sampled: bool) -> Evaluation:
    """is_sampled: whether its test case was freshly made, not out of another one."""
    if techniques == _ALL:
        return evaluation
    left_out = {kind for kind, is_on in _whole_kinds(techniques).items() if not is_on}
    hints = () if is_sampled and not techniques.taint_on_sampling else evaluation.hints
    return msgspec.structs.replace(
        evaluation,
        hints=tuple(hint for hint in hints if _is_hint_seen(hint, table, techniques)),
        conflicts=evaluation.conflicts if techniques.conflicts else (),
        reached={
            target: Reached(_seen_h(reached.h, table[target], techniques), reached.call)
            for target, reached in evaluation.reached.items()
            if table[target].kind not in left_out
        },
    )


_ALL = Techniques()


def _whole_kinds(techniques: Techniques) -> dict[str, bool]:
    """Kinds of target that are there by one technique alone."""
    return {"shape": techniques.response_shapes, "part": techniques.schema_parts}


def _is_hint_seen(hint: Hint, table: TargetTable, techniques: Techniques) -> bool:
    if isinstance(hint, QueryHint):
        return techniques.queries
    return (techniques.formats or hint.operator != "format") and _has_distance(table[hint.target], techniques)


def _seen_h(h: float, target: Target, techniques: Techniques) -> float:
    is_plain = h >= 1.0 or h <= 0.0 or (techniques.branch_distance and _has_distance(target, techniques))
    return h if is_plain else PLATEAU_H


def _has_distance(target: Target, techniques: Techniques) -> bool:
    """Whether more is known of the target than its outcome."""
    if target.kind == "method":
        return techniques.method_replacements
    if target.kind == "query":
        return techniques.queries
    return techniques.key_lookups or target.kind != "branch" or not target.detail.startswith("key ")
