"""Requests that an earlier call goes on sending are none of the operations that are called meanwhile."""

from wimble.agent.protocol.mock_messages import MockRequest
from wimble.execute.external_services import ExternalServices
from wimble.model.testcase import TestCase

NOTHING = TestCase(())


class Channel:
    """A mock server of which the test says what it reports."""

    def __init__(self):
        self.seq = 0
        self.waiting = []

    def plan(self, seq, answers, down=()):
        self.seq = seq

    def take(self):
        taken, self.waiting = self.waiting, []
        return taken

    @property
    def collected(self):
        return self.waiting

    def send(self, count, target="/again"):
        self.waiting += [
            MockRequest(seq=self.seq, n=0, connection=1, origin="https://a.example:443", method="GET", target=target)
            for _ in range(count)
        ]


def targets_of(services, channel, **sent):
    """Runs an evaluation, and returns the targets of the requests that are taken for its own."""
    services.begin(NOTHING)
    for target, count in sent.items():
        channel.send(count, f"/{target}")
    services.note_call(0)
    return {one.target for one in services.take()}


def test_a_loop_that_goes_on_after_its_call_sends_no_requests_of_later_ones():
    channel = Channel()
    services = ExternalServices(channel)
    assert targets_of(services, channel, again=12) == {"/again"}
    channel.send(3)
    assert targets_of(services, channel, again=5, other=1) == {"/other"}
    assert targets_of(services, channel, again=1) == set(), "seen in the evaluation before"
    assert targets_of(services, channel) == set()
    assert targets_of(services, channel, again=1) == {"/again"}, "the loop has ended, and an operation sends the same"


def test_a_request_that_is_sent_after_an_answer_belongs_to_later_calls_as_ever():
    channel = Channel()
    services = ExternalServices(channel)
    assert targets_of(services, channel, audit=1) == {"/audit"}
    channel.send(2, "/audit")
    assert targets_of(services, channel, audit=1) == {"/audit"}


def test_a_request_that_comes_after_the_last_answer_is_one_of_its_call():
    channel = Channel()
    services = ExternalServices(channel)
    services.begin(NOTHING)
    services.note_call(0)
    services.note_call(1)
    channel.send(1, "/audit")
    assert [(one.call, one.target) for one in services.take()] == [(1, "/audit")]


def test_many_requests_that_end_with_their_call_are_its_own_each_time():
    channel = Channel()
    services = ExternalServices(channel)
    for _ in range(3):
        assert targets_of(services, channel, page=30) == {"/page"}


def test_a_sut_that_starts_again_has_left_nothing():
    channel = Channel()
    services = ExternalServices(channel)
    targets_of(services, channel, again=12)
    channel.send(1)
    assert targets_of(services, channel, again=1) == set()
    services.connect(channel)
    assert targets_of(services, channel, again=1) == {"/again"}


def test_requests_of_a_start_are_known_as_such_and_are_none_of_the_first_call():
    channel = Channel()
    services = ExternalServices(channel)
    services.note_start()
    assert not services.are_asked_by_starts
    channel.send(1)
    services.note_start()
    assert services.are_asked_by_starts
    assert targets_of(services, channel, other=1) == {"/other"}
