"""`list` hints: a value was no list; edits make lists of the inputs that have this value (list_inputs.py)."""

from __future__ import annotations

from random import Random

from wimble.feedback.comparison.list_inputs import listed
from wimble.feedback.comparison.named_members import places_named
from wimble.feedback.comparison.omitted_inputs import MAX_INCLUDED, OMITTED_COST, is_site_named
from wimble.feedback.comparison.operand_edits import MAX_ORIGINS
from wimble.feedback.edit import Proposal, proposal
from wimble.feedback.input_to_state.input_sites import sampled_sites
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.feedback.input_to_state.origin import Place
from wimble.model.hints import ListHint
from wimble.model.operands import decoded, to_text
from wimble.types import ABSENT


def _named_places(hint: ListHint, index: InputIndex, rng: Random) -> list[Place]:
    """Returns edits that make a list of the input of that name, or of a member that no object has yet."""
    test_case = index.test_case
    sites = [site for site in index.sites_of_call() if site.is_free() and is_site_named(site, hint.name, test_case)]
    found = (site.put([site.value]) if site.inner else listed(site, test_case, rng) for site in sites[:MAX_INCLUDED])
    places = [place for place in found if place is not None]
    if sites or decoded(hint.value) is not ABSENT:
        return places
    return [place for _, place in places_named(hint.name, [], test_case, hint.call)]


def list_edits(hint: ListHint, index: InputIndex, rng: Random) -> list[Proposal]:
    """Returns proposals for one hint. An undefined value may be any of the inputs that were left out."""
    value = decoded(hint.value)
    named = _named_places(hint, index, rng) if hint.name else []
    if named:
        return [proposal(hint.target, 0, [place], f"list true: {hint.name} as a list") for place in named]
    free = [site for site in (*index.sites_of_call(), *index.sites_of_answers()) if site.is_free()]
    if value is ABSENT or value is None:
        omitted = [site for site in free if site.value is ABSENT or site.value is None]
        sites, cost = sampled_sites(omitted, MAX_INCLUDED, rng), OMITTED_COST
    else:
        text = to_text(value)
        same = [site for site in free if site.value is not ABSENT and to_text(site.value) == text]
        sites, cost = same[:MAX_ORIGINS], 0
    places = (listed(site, index.test_case, rng) for site in sites)
    return [proposal(hint.target, cost, [place], "list true: a list of it") for place in places if place is not None]
