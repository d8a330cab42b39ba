"""Requests to services that one call sends more than once: retries without a bound, and writes that may count twice."""

from __future__ import annotations

from collections import Counter
from typing import Final

from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest, shown_origin
from wimble.search.external.request_templates import template_of

MANY: Final = 10
"""Equal requests of one call from which on it is told: programs that bound their retries stop before."""
_WRITES: Final = frozenset({"POST", "PATCH"})
"""Methods that are not idempotent (RFC 9110, 9.2.2)."""
_KEYS: Final = frozenset({"idempotency-key", "x-idempotency-key", "x-request-id", "stripe-idempotency-key"})
"""Headers by which a service recognises a request that it has had."""
_UNKNOWN: Final = frozenset({"reset", "closed", "truncated", "hang"})
"""Outcomes after which a client does not know whether its request was carried out."""
MAX_NOTES: Final = 20


class Repetitions:
    """Notes about each service, each told once."""

    def __init__(self) -> None:
        self._notes: dict[str, dict[tuple[str, ...], str]] = {}

    def note(self, evaluation: Evaluation) -> None:
        """Reads the requests of an evaluation."""
        requests = [one for one in evaluation.interactions_of(ExternalRequest) if not one.asks_proxy]
        if len(requests) < 2:
            return
        sent = Counter((one.call, one.origin, one.method, one.target, one.body) for one in requests)
        sites = {(one.call, one.origin, one.method, one.target): one.site for one in requests}
        for (call, origin, method, target, _), count in sent.items():
            if count >= MANY:
                operation = evaluation.test_case.calls[call].operation.id
                path = template_of(target, evaluation.test_case)
                text = f"{operation} sends {method} {path} {MANY} times or more in one call"
                self._add(origin, ("many", operation, method, sites.get((call, origin, method, target)) or path), text)
        self._note_writes(requests, evaluation)

    def _note_writes(self, requests: list[ExternalRequest], evaluation: Evaluation) -> None:
        failed: dict[tuple[object, ...], str] = {}
        for one in requests:
            if one.method not in _WRITES or any(name.lower() in _KEYS for name, _ in one.headers):
                continue
            key = (one.call, one.origin, one.method, one.target, one.body)
            if key in failed:
                operation = evaluation.test_case.calls[one.call].operation.id
                path = template_of(one.target, evaluation.test_case)
                text = f"{operation} sends {one.method} {path} again after {failed[key]} without an idempotency key"
                self._add(one.origin, ("twice", operation, one.method, one.site or path), text)
            elif one.reply in _UNKNOWN:
                failed[key] = one.reply

    def _add(self, origin: str, key: tuple[str, ...], text: str) -> None:
        notes = self._notes.setdefault(shown_origin(origin), {})
        if len(notes) < MAX_NOTES:
            notes.setdefault(key, text)

    def of(self, service: str) -> tuple[str, ...]:
        """Returns the notes about a service, by its origin as people write it."""
        return tuple(self._notes.get(service, {}).values())
