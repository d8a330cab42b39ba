"""The comparison of an API with its document, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from wimble.model.comparison import KINDS, Comparison, Difference, DifferenceKind

_PLURALS: dict[DifferenceKind, str] = {
    "operation": "operations",
    "parameter": "parameters",
    "body member": "members of bodies",
    "status": "statuses",
    "media type": "media types",
    "answer member": "members of answers",
}
_SINGULARS: dict[DifferenceKind, str] = {"body member": "member of bodies", "answer member": "member of answers"}


def counted(differences: Sequence[Difference]) -> str:
    """Returns such as `12 statuses, 3 parameters and 2 operations`."""
    counts = Counter(difference.kind for difference in differences)
    parts = [_plural(counts[kind], kind) for kind in KINDS if counts[kind]]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}" if parts else ""


def comparison_sentence(comparison: Comparison) -> str:
    """Returns the comparison in one sentence."""
    extra, unseen = comparison.undocumented, comparison.unseen
    if not extra and not unseen:
        return "the document names all that was seen, and all that it names was seen"
    parts = []
    if extra:
        parts.append(f"{counted(extra)} {'is' if len(extra) == 1 else 'are'} not in the document")
    if unseen:
        parts.append(f"{len(unseen):,} declared {'one was' if len(unseen) == 1 else 'ones were'} never seen")
    return "; ".join(parts)


def comparison_lines(comparison: Comparison) -> list[str]:
    """Returns all differences, a heading for each side, and a line for each operation and kind."""
    lines: list[str] = []
    sides = (("Not in the document", comparison.undocumented), ("In the document, never seen", comparison.unseen))
    for title, differences in sides:
        if differences:
            lines += [f"{title} ({counted(differences)})", *_by_operation(differences)]
    return lines


def _by_operation(differences: Sequence[Difference]) -> list[str]:
    lines = []
    for operation, found in groupby(sorted(differences), key=lambda difference: difference.operation):
        parts = []
        for kind, same in groupby(found, key=lambda difference: difference.kind):
            details = [difference.detail for difference in same if difference.detail]
            name = _plural_name(len(details), kind) if kind != "operation" else ""
            parts.append(f"{name} {', '.join(details)}".strip())
        text = "; ".join(part for part in parts if part)
        lines.append(f"  {operation}{': ' if text else ''}{text}")
    return lines


def _plural(number: int, kind: DifferenceKind) -> str:
    return f"{number:,} {_plural_name(number, kind)}"


def _plural_name(number: int, kind: DifferenceKind) -> str:
    return _SINGULARS.get(kind, kind) if number == 1 else _PLURALS[kind]
