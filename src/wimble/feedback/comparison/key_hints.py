"""`key` hints: with another key, a look-up may give the wanted outcome -> inputs that are that key."""

from __future__ import annotations

import math
from random import Random

from wimble.feedback.comparison.operand_edits import MAX_ORIGINS
from wimble.feedback.edit import Proposal, proposal
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.model.hints import KeyHint
from wimble.model.operands import decoded

KEY_COST = 4
"""The look-up may have no part in the outcome."""


def key_edits(hint: KeyHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Proposals for one hint: none where the key is no input."""
    other = decoded(hint.other)
    if isinstance(other, float) and math.isnan(other):
        return []  # no request can carry it
    out = []
    for origin in index.origins(decoded(hint.key), with_guesses=False)[:MAX_ORIGINS]:
        places = origin.write(other)
        if places:
            why = f"key true: {origin.how}, another key, {other!r:.60}"
            out.append(proposal(hint.target, KEY_COST + origin.cost, places, why))
    return out
