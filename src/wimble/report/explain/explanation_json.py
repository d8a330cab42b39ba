"""Explanations as JSON (`wimble explain --json`), documented in docs/reference/explain.md."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from wimble.report.explain.facts import Explanation, Overview
from wimble.types import Json

FORMAT = "wimble-explanation"
FORMAT_VERSION = 1  # 1: first.


def explanations_as_json(explained: Sequence[Explanation]) -> Json:
    return {"format": FORMAT, "version": FORMAT_VERSION, "targets": [_target(one) for one in explained]}


def overview_as_json(overview: Overview) -> Json:
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "of": overview.title,
        "uncovered_branches": overview.n_branches,
        "statements_never_run": overview.n_statements,
        "lines_never_run": list(overview.never_run),
        "lines_never_completed": list(overview.never_completed),
        "note": overview.note,
        "never_entered": [
            {"place": place, "name": name, "statements": number} for place, name, number in overview.never_entered
        ],
        "never_complete": [
            {"place": place, "source": source, "statements": number} for place, source, number in overview.stuck
        ],
        "targets": [_target(one) for one in overview.branches],
    }


def _target(explained: Explanation) -> Json:
    return msgspec.to_builtins(explained)
