"""The services that the SUT was seen to call, for the report: what it asked of them, and in which operations."""

from __future__ import annotations

from typing import Final

from wimble.engine.session.repeated_requests import Repetitions
from wimble.model.evaluation import Evaluation
from wimble.model.external import (
    CONNECT_OUTCOMES,
    PROBE_DOMAIN,
    WILDCARD,
    CalledService,
    ExternalRequest,
    Unmockable,
    host_and_port,
    shown_origin,
)
from wimble.model.hints import InputHint
from wimble.model.setup_kinds.answer import Answer
from wimble.model.testcase import TestCase
from wimble.search.external.request_templates import service_of, template_at_named_host, template_of

MAX_SERVICES: Final = 1_000
MAX_MEMBERS: Final = 200
"""Members of answers of one service that are told."""
MAX_REQUESTS: Final = 100
"""Requests of one service that are told apart, by method and path template."""
MAX_SITES: Final = 100
"""Lines of the program that call one service."""


class CalledServices:
    """Collects the requests of all evaluations."""

    def __init__(self) -> None:
        self._requests: dict[str, dict[str, None]] = {}
        self._operations: dict[str, dict[str, None]] = {}
        self._sites: dict[str, dict[str, None]] = {}
        self._clients: dict[str, dict[str, None]] = {}
        self._replies: dict[str, dict[str, None]] = {}
        self._members: dict[str, dict[str, None]] = {}
        self._repetitions = Repetitions()
        self._unmocked: dict[str, Unmockable] = {}
        self._served: set[tuple[str, int]] = set()
        """Hosts and ports of all requests."""

    @property
    def has_any(self) -> bool:
        """Whether a service was called."""
        return bool(self._requests)

    def note(self, evaluation: Evaluation) -> None:
        """Adds the requests of an evaluation."""
        for one in evaluation.interactions:
            if isinstance(one, ExternalRequest):
                self._note_request(one, evaluation)
            elif isinstance(one, Unmockable) and len(self._unmocked) < MAX_SERVICES:
                self._note_unmockable(one)
        if evaluation.test_case.setup:
            self._note_members(evaluation)
            self._note_failed_connects(evaluation)
        if len(evaluation.interactions) > 1:
            self._repetitions.note(evaluation)

    def _note_members(self, evaluation: Evaluation) -> None:
        """Adds the members of answers that the program has read and not found."""
        setup = evaluation.test_case.setup
        for hint in evaluation.hints:
            if not isinstance(hint, InputHint) or hint.location != "answer" or not hint.path:
                continue
            for answer in (setup[number] for number in hint.answers if 0 <= number < len(setup)):
                if not isinstance(answer, Answer):
                    continue
                service = self._service_of(answer.origin, evaluation.test_case)
                members = self._members.setdefault(service, {})
                if len(members) < MAX_MEMBERS:
                    path = ".".join("[]" if name.isdigit() else name for name in hint.path if name != "*")
                    members[f"{answer.method} {answer.path}: {path}"] = None

    def _note_failed_connects(self, evaluation: Evaluation) -> None:
        """Adds the outcomes of connecting that were planned for services that are known, and got no request then."""
        test_case = evaluation.test_case
        asked = {one.origin for one in evaluation.interactions_of(ExternalRequest)}
        for _, answer in test_case.setup_of(Answer):
            service = self._service_of(answer.origin, test_case)
            if answer.outcome in CONNECT_OUTCOMES and answer.origin not in asked and service in self._requests:
                self._replies[service][answer.outcome] = None

    def _note_unmockable(self, one: Unmockable) -> None:
        self._unmocked.setdefault(f"{one.host}:{one.port}" if one.port else one.host, one)

    def _note_request(self, request: ExternalRequest, evaluation: Evaluation) -> None:
        if PROBE_DOMAIN in request.origin or PROBE_DOMAIN in request.target:
            return
        service = self._service_of(request.origin, evaluation.test_case)
        if service not in self._requests and len(self._requests) >= MAX_SERVICES:
            return
        self._served.add(host_and_port(request.origin))
        requests = self._requests.setdefault(service, {})
        if len(requests) < MAX_REQUESTS:
            template = template_at_named_host if service.endswith(f"//{WILDCARD}") else template_of
            requests[f"{request.method} {template(request.target, evaluation.test_case)}"] = None
        operation = evaluation.test_case.calls[request.call].operation.id
        self._operations.setdefault(service, {})[operation] = None
        sites = self._sites.setdefault(service, {})
        if request.site and len(sites) < MAX_SITES:
            sites[request.site] = None
        if request.client:
            self._clients.setdefault(service, {})[request.client] = None
        self._replies.setdefault(service, {})[request.reply] = None

    def _service_of(self, origin: str, test_case: TestCase) -> str:
        """Returns the service's name: its own, if it was called when no input named it."""
        shown = shown_origin(origin)
        return shown if shown in self._requests else service_of(origin, test_case)

    def all(self) -> tuple[CalledService, ...]:
        """Returns the services in the order of their names."""
        called = (
            CalledService(
                origin=service,
                requests=tuple(sorted(requests)),
                operations=tuple(sorted(self._operations[service])),
                sites=tuple(sorted(self._sites[service], key=_place_in_order)),
                clients=tuple(sorted(self._clients.get(service, ()))),
                replies=tuple(sorted(self._replies[service])),
                members=tuple(sorted(self._members.get(service, ()))),
                notes=self._repetitions.of(service),
            )
            for service, requests in sorted(self._requests.items())
        )
        unmocked = (
            CalledService(
                origin=place,
                problem=one.reason,
                is_program=one.kind == "program",
                is_reached=one.kind in ("reached", "native"),
            )
            for place, one in sorted(self._unmocked.items())
            if not self._is_served(one)
        )
        return (*called, *unmocked)

    def _is_served(self, one: Unmockable) -> bool:
        """Whether requests came from there all the same: a client that ends in between has refused nothing."""
        return one.kind == "connection" and (one.host, one.port) in self._served


def _place_in_order(site: str) -> tuple[str, int]:
    file, _, line = site.rpartition(":")
    return file, int(line)
