"""`group` hints: a text matched a regular expression without some of its groups.

The edits make it match with all groups.
"""

from __future__ import annotations

from random import Random

from wimble.feedback.comparison.operand_edits import MAX_ORIGINS
from wimble.feedback.edit import Proposal, proposal
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.model.hints import GroupHint
from wimble.model.operands import decoded

GROUP_COST = 2
"""Added cost, since the code that follows may need no more groups."""


def group_edits(hint: GroupHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns proposals for one hint; none if the text is no input, or if no match with all groups is found."""
    text, source = decoded(hint.text), decoded(hint.source)
    fullest = index.values.regexes.fullest_match(source, hint.flags, rng) if isinstance(source, str) else None
    if not isinstance(text, str) or fullest is None:
        return []
    out = []
    for origin in index.origins(text, with_guesses=False)[:MAX_ORIGINS]:
        places = origin.write(fullest)
        if places:
            why = f"groups true: {origin.how}, with all groups"
            out.append(proposal(hint.target, GROUP_COST + origin.cost, places, why))
    return out
