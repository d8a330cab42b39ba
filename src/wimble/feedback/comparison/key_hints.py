"""`key` hints: with another key, a look-up may give the wanted outcome; edits write that key into inputs."""

from __future__ import annotations

import math
from random import Random

from wimble.feedback.comparison.operand_edits import MAX_ORIGINS
from wimble.feedback.edit import Proposal, proposal
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.model.hints import KeyHint
from wimble.model.operands import decoded

KEY_COST = 4
"""Added cost, since the outcome may not depend on the look-up."""


def key_edits(hint: KeyHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns proposals for one hint; none if the key is no input."""
    other = decoded(hint.other)
    if isinstance(other, float) and math.isnan(other):
        return []  # no request can contain it
    out = []
    for origin in index.origins(decoded(hint.key), with_guesses=False)[:MAX_ORIGINS]:
        places = origin.write(other)
        if places:
            why = f"key true: {origin.how}, another key, {other!r:.60}"
            out.append(proposal(hint.target, KEY_COST + origin.cost, places, why))
    return out
