"""Forms that a program takes only from its own pages, as the headers of browsers tell (`Sec-Fetch-Site`)."""

from __future__ import annotations

from typing import Final

from wimble.genes import EnumGene
from wimble.model.learned_input import LearnedInput
from wimble.model.observation import Observation
from wimble.model.testcase import Call
from wimble.search.learned.content_forms import form_sent
from wimble.search.learned.members import JSON_FORM, undeclared_content, value_of_input, with_input
from wimble.types import ABSENT, OperationId

MAX_VAIN: Final = 6
"""Number of refusals of an operation with the header, after which it is no longer sent."""
_SITE: Final = LearnedInput(location="header", path=("sec-fetch-site",))
_OWN: Final = EnumGene(("same-origin",))


def _is_like_form(call: Call) -> bool:
    """Whether a page of any site can send the call: a form, or nothing at all."""
    return form_sent(call) != JSON_FORM and undeclared_content(call.operation) is not None


def _is_forbidden_form(call: Call, observation: Observation) -> bool:
    is_refused = observation.outcome == "refused" and _is_like_form(call)
    return is_refused and observation.exchange.denial() in ("forbidden", "forged")


class SameOrigin:
    """Operations that have forbidden a form."""

    def __init__(self) -> None:
        self._n_vain: dict[OperationId, int] = {}
        self._told: set[tuple[OperationId, int | None]] = set()

    def observe(self, call: Call, observation: Observation) -> None:
        """Notes a form that was forbidden, with the header or without."""
        operation_id = call.operation.id
        n_vain = self._n_vain.get(operation_id, 0)
        if n_vain < MAX_VAIN and _is_forbidden_form(call, observation):
            self._n_vain[operation_id] = n_vain + (value_of_input(call, _SITE) is not ABSENT)

    def has_forbidden_anew(self, call: Call, observation: Observation) -> bool:
        """Whether a form is forbidden without the header, told once for each operation and form."""
        if not _is_forbidden_form(call, observation) or value_of_input(call, _SITE) is not ABSENT:
            return False
        key = call.operation.id, form_sent(call)
        is_new = key not in self._told
        self._told.add(key)
        return is_new

    def as_own_page(self, call: Call) -> Call:
        """Returns the call with the header, if it sends a form that has to come from a page of the program."""
        n_vain = self._n_vain.get(call.operation.id)
        if n_vain is None or n_vain >= MAX_VAIN or not _is_like_form(call):
            return call
        return with_input(call, _SITE, _OWN) or call
