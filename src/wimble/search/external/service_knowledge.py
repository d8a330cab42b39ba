"""What is known of services before the program reads their answers: recorded ones, their documents, standards."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from wimble.model.external import ExternalRequest, RecordedAnswer
from wimble.model.setup_kinds.answer import Answer, answer_of_gene
from wimble.search.external.connect_answers import connect_answers, defined_messages, is_connect
from wimble.search.external.grpc_answers import defined_answers, grpc_answers, is_grpc
from wimble.search.external.recorded_answers import RecordedAnswers
from wimble.search.external.standard_answers import standard_answers
from wimble.settings import RecordedChoice
from wimble.spec.protobuf.grpc_methods import GrpcMethods
from wimble.spec.service_documents import ServiceDocument


class ServiceKnowledge:
    """The knowledge of one search; recordings may be added while it runs."""

    def __init__(self, rng: Random, choice: RecordedChoice = "closest") -> None:
        self._rng = rng
        self._recorded = RecordedAnswers(rng, choice)
        self._documents: list[ServiceDocument] = []
        self._methods = GrpcMethods()
        self.n_added = 0
        """How often something was added."""

    def add_recorded(self, recorded: Iterable[RecordedAnswer]) -> None:
        self._recorded.add(recorded)
        self.n_added += 1

    def add_document(self, document: ServiceDocument) -> None:
        self._documents.append(document)
        self.n_added += 1

    def answers_for(self, request: ExternalRequest, path: str) -> list[Answer]:
        """Returns answers for a request with that path template: recorded ones, then those that documents declare."""
        if self.n_added == 0:
            return []
        if is_grpc(request):
            return defined_answers(request, self._methods.answer_of(request.path), self._rng)
        if is_connect(request):
            return defined_messages(request, self._methods.answer_of(request.path), self._rng)
        return [
            *self._recorded.answers_for(request, path),
            *(
                answer_of_gene(request.origin, request.method, path, status=status, gene=gene.sampled(self._rng))
                for document in self._documents
                for status, gene in document.answers_to(request.origin, request.method, request.target)
            ),
        ]

    def add_definitions(self, texts: Iterable[str], generated: Iterable[str] = ()) -> None:
        """Adds definitions of Protocol Buffers, and what code was generated from; texts that are none are left out."""
        for text in texts:
            self._methods.add(text)
        for text in generated:
            self._methods.add_generated(text)
        self.n_added += 1

    def standard_answers_for(self, request: ExternalRequest, path: str) -> list[Answer]:
        """Returns the answers that standards give to what the request says; each call returns new ones."""
        if is_grpc(request):
            return grpc_answers(request)
        if is_connect(request):
            return connect_answers(request)
        return standard_answers(request, path, self._rng)
