"""A call that sends very many equal requests to services is told while its answer is waited for."""

from __future__ import annotations

from wimble.agent.protocol.mock_messages import MockRequest
from wimble.execute.external_services import ExternalServices
from wimble.execute.looping_requests import VERY_MANY
from wimble.model.testcase import TestCase


class Channel:
    """A mock server that has collected what the test says."""

    def __init__(self) -> None:
        self.seq = 0
        self.collected: list[MockRequest] = []

    def plan(self, seq, answers, down=()):
        self.seq = seq

    def take(self):
        taken, self.collected = self.collected, []
        return taken

    def send(self, target: str) -> None:
        origin = "https://jobs.example:443"
        request = MockRequest(seq=self.seq, n=0, connection=1, origin=origin, method="GET", target=target)
        self.collected.append(request)


def begun() -> tuple[ExternalServices, Channel]:
    channel = Channel()
    services = ExternalServices(channel)
    services.begin(TestCase(()))
    return services, channel


def test_one_job_that_is_asked_for_again_and_again():
    services, channel = begun()
    for _ in range(VERY_MANY - 1):
        channel.send("/jobs/1")
        assert services.repeated().n_of_kind < VERY_MANY
    channel.send("/jobs/1")
    assert services.repeated().n_of_kind == VERY_MANY


def test_the_query_may_count_pages():
    services, channel = begun()
    for page in range(VERY_MANY):
        channel.send(f"/customers?page={page}")
    assert services.repeated().n_of_kind == VERY_MANY
    assert services.repeated().n_equal == 1, "the last page may come"


def test_many_things_that_are_asked_for_once_each():
    services, channel = begun()
    for number in range(4 * VERY_MANY):
        channel.send(f"/customers/{number}")
    assert services.repeated().n_of_kind < VERY_MANY


def test_requests_of_an_earlier_call_or_test_case_do_not_count():
    services, channel = begun()
    for _ in range(VERY_MANY):
        channel.send("/jobs/1")
    services.note_call(0)
    channel.send("/jobs/1")
    assert services.repeated().n_of_kind < VERY_MANY
    services.begin(TestCase(()))
    for _ in range(VERY_MANY - 1):
        channel.send("/jobs/1")
    assert services.repeated().n_of_kind < VERY_MANY
