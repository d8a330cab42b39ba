"""`split` hints: a text was split, and the code after it may need more parts; edits add one or two parts."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from wimble.feedback.comparison.operand_edits import MAX_ORIGINS
from wimble.feedback.comparison.unrecognised_operands import MAX_UNMATCHED, UNMATCHED_COST
from wimble.feedback.edit import Proposal, proposal
from wimble.feedback.input_to_state.input_sites import sampled_sites
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.genes.taint_markers import taint_marker
from wimble.model.hints import SplitHint
from wimble.model.operands import decoded, to_text

SPLIT_COST = 2
"""Added cost, since the text may have enough parts."""
MAX_PARTS = 50
"""Parts that are added at once."""


def split_edits(hint: SplitHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns proposals for one hint, unordered, possibly with repetitions."""
    separator = decoded(hint.separator)
    return list(_with_more_parts(hint, separator, index, rng)) if isinstance(separator, str) and separator else []


def _with_more_parts(hint: SplitHint, separator: str, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    more = _more_parts(hint, separator, rng)
    how = f"split by {separator!r}, more parts"
    text = decoded(hint.text)
    if isinstance(text, str):
        found = [(text, origin) for origin in index.origins(text, with_guesses=False)[:MAX_ORIGINS]]
    else:
        found = index.decoded_texts()[:MAX_ORIGINS]
        texts = [site for site in index.sites_of_call() if site.is_free() and isinstance(site.value, str)]
        for site in sampled_sites(texts, MAX_UNMATCHED, rng):
            for rank, parts in enumerate(more):
                place = site.put((to_text(site.value) or taint_marker(rng)) + separator + parts)
                if place is not None:
                    yield proposal(hint.target, UNMATCHED_COST + rank, [place], f"split true: {how}")
    for own, origin in found:
        has_end = own.endswith(separator)  # an empty part at the end, as after the last line of a text, stays there
        for rank, parts in enumerate(more):
            longer = own + parts + separator if has_end else (own or taint_marker(rng)) + separator + parts
            places = origin.write(longer)
            if places:
                yield proposal(hint.target, SPLIT_COST + origin.cost + rank, places, f"split true: {origin.how}, {how}")


def _more_parts(hint: SplitHint, separator: str, rng: Random) -> list[str]:
    """Returns what may be added: one or two parts, as words and as digits; before these as many as the program gives
    names to.
    """
    text = decoded(hint.text)
    n_missing = hint.parts - (text.count(separator) + 1 if isinstance(text, str) else 1)
    numbers = [n_missing, 1, 2] if 2 < n_missing <= MAX_PARTS else [1, 2]
    return [parts for number in numbers for parts in _parts(number, separator, rng)]


def _parts(number: int, separator: str, rng: Random) -> Iterator[str]:
    """Yields so many words, and so many digits."""
    yield separator.join(taint_marker(rng) for _ in range(number))
    yield separator.join(str(rng.randrange(10)) for _ in range(number))
