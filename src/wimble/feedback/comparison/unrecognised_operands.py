"""Operands that are no input as it was sent: the program has parsed, counted, computed or hashed them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from random import Random

import msgspec

from wimble.feedback.comparison.omitted_inputs import omitted_input_edits
from wimble.feedback.comparison.question import OperandPair, Question
from wimble.feedback.edit import Proposal, proposal
from wimble.feedback.input_to_state.input_sites import Site, sampled_sites
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.feedback.input_to_state.shifted_numbers import shifted
from wimble.genes.taint_markers import taint_marker
from wimble.model.operands import is_number, to_number, to_text
from wimble.types import ABSENT

UNPARSED_COST = 4
"""Cost for NaN, which may come from any text that is no number."""
UNMATCHED_COST = 9
"""Cost for an operand in which no input is recognised: it may be the result of a look-up or hash."""
MAX_UNMATCHED = 3
"""Number of texts of the call that are tried for such an operand."""
SEPARATORS = ("@", ":", ",", "-", "/", "=", " ", ";", "|", "_", ".")
"""Separators by which programs usually split texts."""
MAX_PARTS = 20
MAX_MOVED = 6
"""Number of inputs that are tried if a number may be an input with something added."""
_PARTS = re.compile(r"([^A-Za-z0-9]+)")


def unparsed_edits(pair: OperandPair, question: Question, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """Yields edits for NaN: a text that is no number was parsed, or an input was left out."""
    texts = [
        site
        for site in (*index.sites_of_call(), *index.sites_of_rows())
        if site.is_free() and isinstance(site.value, str) and to_number(site.value) is None
    ]
    sites = sampled_sites(texts, MAX_UNMATCHED, rng)
    yield from _written(pair, question, sites, index, rng, cost=UNPARSED_COST, how="was no number")
    wanted = [value for value in question.candidates(index.values, rng)[:1] if is_number(value)]
    for site in sites:
        parts = _PARTS.split(to_text(site.value))
        for value in wanted if len(parts) > 1 else ():
            text = "".join(
                part if at % 2 or to_number(part) is not None else to_text(value) for at, part in enumerate(parts)
            )
            place = site.put(text)
            if place is not None:
                why = question.because(f"its parts were no numbers, {value!r:.60}")
                yield proposal(pair.target, UNPARSED_COST + 1, [place], why)
    yield from omitted_input_edits(pair, question, index, rng)


def shifted_number_edits(pair: OperandPair, question: Question, index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """Yields edits for a number that is no input.

    It may count the parts of a text (tried only for the number 1), or be an input with something added.
    """
    free = [site for site in (*index.sites_of_call(), *index.sites_of_rows()) if site.is_free()]
    mine = question.mine
    wanted = [value for value in question.candidates(index.values, rng)[:2] if is_number(value)]
    if not is_number(mine) or not wanted:
        return
    if mine == 1 and 1 < wanted[0] <= MAX_PARTS:
        yield from _in_parts(pair, question, math.ceil(wanted[0]), free, rng)
    movable = sampled_sites([site for site in free if not isinstance(site.value, bool)], MAX_MOVED, rng)
    for number in wanted:
        for rank, place in enumerate(shifted(movable, number - mine)):
            why = question.because(f"moved by {number - mine:g}")
            yield proposal(pair.target, UNMATCHED_COST + rank, [place], why)


def _in_parts(pair: OperandPair, question: Question, n_parts: int, free: list[Site], rng: Random) -> Iterator[Proposal]:
    """Yields edits that repeat a text, with each of the usual separators in between."""
    for site in sampled_sites([site for site in free if isinstance(site.value, str)], 1, rng):
        text = to_text(site.value) or taint_marker(rng)
        for separator in rng.sample(SEPARATORS, len(SEPARATORS)):
            place = site.put(separator.join([text] * n_parts)) if separator not in text else None
            if place is not None:
                why = question.because(f"in parts between {separator!r}")
                yield proposal(pair.target, UNMATCHED_COST, [place], why)


def unmatched_edits(pair: OperandPair, questions: list[Question], index: InputIndex, rng: Random) -> Iterator[Proposal]:
    """Yields edits for operands of which neither was recognised.

    A text with which an operand is compared is tried on a few texts of the call.
    """
    texts = [site for site in index.sites_of_call() if site.is_free() and isinstance(site.value, str)]
    for question in questions:
        if not isinstance(question.other, str) or not question.other:
            continue
        if question.mine is ABSENT:
            yield from _behind_separator(pair, question, question.other, texts, rng)
        else:
            sites = sampled_sites(texts, MAX_UNMATCHED, rng)
            guesses = _written(pair, question, sites, index, rng, cost=UNMATCHED_COST, how="not recognised")
            yield from map(_as_guess, guesses)


def _as_guess(one: Proposal) -> Proposal:
    return msgspec.structs.replace(one, edit=msgspec.structs.replace(one.edit, is_guess=True))


def _behind_separator(
    pair: OperandPair, question: Question, wanted: str, texts: list[Site], rng: Random
) -> Iterator[Proposal]:
    """Yields edits that add a part to a text, as for `text.split("@")[1] === wanted`.

    The separator is unknown and guessed.
    """
    if not question.wanted or not question.is_equality:
        return
    for site in sampled_sites(texts, MAX_UNMATCHED, rng):
        separator = rng.choice([one for one in SEPARATORS if one not in wanted] or SEPARATORS)
        place = site.put(f"{to_text(site.value) or taint_marker(rng)}{separator}{wanted}")
        if place is not None:
            why = question.because(f"a part behind {separator!r}, {wanted!r:.60}")
            yield proposal(pair.target, UNMATCHED_COST, [place], why)


def _written(
    pair: OperandPair, question: Question, sites: list[Site], index: InputIndex, rng: Random, *, cost: int, how: str
) -> Iterator[Proposal]:
    # If any other text is wanted, one candidate is enough.
    wanted = question.candidates(index.values, rng)[: 2 if question.wanted else 1]
    for site in sites:
        for rank, value in enumerate(wanted):
            place = site.put(value)
            if place is not None:
                yield proposal(pair.target, cost + rank, [place], question.because(f"{how}, {value!r:.60}"))
