"""Answers that are a trial for any client, from a real Node server with the agent inside: each is survived within
bounds."""

import json
import shutil
import time
from pathlib import Path

import psutil
import pytest

from wimble.execute.http.answer_parsing import MAX_BODY_BYTES
from wimble.execute.sut.started_sut import StartedSut
from wimble.http.binding import http_operation
from wimble.http.exchange import exchange_of
from wimble.model.targets import TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.runtimes.node.node_runtime import NODE
from wimble.settings import Settings
from wimble.types import ABSENT

pytestmark = [pytest.mark.e2e, pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")]

SERVER = Path(__file__).parents[2] / "e2e" / "servers" / "rough.js"
BODY = {"ok": True, "text": "a" * 200}


@pytest.fixture(scope="module")
def sut(tmp_path_factory):
    folder = tmp_path_factory.mktemp("rough")
    shutil.copy(SERVER, folder / "server.js")
    settings = Settings(command=("node", "server.js"), working_dir=folder, start_timeout_s=20.0, call_timeout_s=2.0)
    made = StartedSut(settings, TargetTable(), folder / "out" / "sut.log", runtimes=(NODE,))
    made.start()
    yield made
    made.stop()


def observations(sut, *paths):
    calls = tuple(Call(http_operation(id=f"GET {path}", method="GET", path=path, inputs=()), ()) for path in paths)
    return sut.evaluate(TestCase(calls)).observations


def observed(sut, *paths):
    return [exchange_of(observation) for observation in observations(sut, *paths)]


def body_of(exchange):
    return json.loads(exchange.response.body)


@pytest.mark.parametrize(
    "path", ["/gzip", "/deflate", "/brotli", "/twice", "/close", "/drop-after", "/hints", "/trailers"]
)
def test_what_clients_can_read_is_read_and_the_next_call_is_in_step(sut, path):
    first, second = observed(sut, path, "/fault")
    assert first.response.status == 200
    assert body_of(first) == BODY
    assert body_of(second) == BODY


def test_early_hints_and_trailers_are_no_headers_of_the_answer(sut):
    hinted, trailed = observed(sut, "/hints", "/trailers")
    assert hinted.response.header("link") is None
    assert trailed.response.header("x-checksum") is None


@pytest.mark.parametrize("path", ["/huge", "/flood", "/bomb"])
def test_bodies_without_measure_are_cut_in_bounded_memory(sut, path):
    before = psutil.Process().memory_info().rss
    start_s = time.monotonic()
    for _ in range(5):
        first, second = observed(sut, path, "/fault")
        assert first.response.is_truncated
        assert len(first.response.body) <= MAX_BODY_BYTES
        assert body_of(second) == BODY
    assert psutil.Process().memory_info().rss - before < 40 * MAX_BODY_BYTES
    assert time.monotonic() - start_s < 15


def test_a_stream_is_an_answer_and_only_its_first_one_takes_all_the_time(sut):
    took_s = []
    for _ in range(2):
        (observation,) = observations(sut, "/drip")
        stream = exchange_of(observation)
        assert (stream.failure, stream.response.status, stream.response.is_endless) == (None, 200, True)
        assert stream.response.body.startswith(b"{}\n{}\n")
        took_s.append(observation.elapsed_s)
    assert took_s[0] > 1.5
    assert took_s[1] < 1.0


def test_an_event_stream_never_takes_all_the_time(sut):
    (observation,) = observations(sut, "/events")
    assert exchange_of(observation).response.is_endless
    assert observation.elapsed_s < 1.0


def test_an_answer_that_stands_still_halfway_is_none(sut):
    (silent,) = observed(sut, "/stands-still")
    assert (silent.response, silent.failure) == (None, "timeout")
    assert silent.detail == "no complete answer in time"


def test_a_body_shorter_than_promised_tells_by_how_much(sut):
    short, after = observed(sut, "/too-short", "/fault")
    assert short.failure == "connection-lost"
    assert short.detail == "status 200, then the connection was lost after 11 of 50 bytes of the body"
    assert body_of(after) == BODY


def test_a_body_longer_than_promised_costs_the_connection_only(sut):
    long, after = observed(sut, "/too-long", "/fault")
    assert body_of(long) == {"ok": True}
    assert body_of(after) == BODY


def test_a_reset_is_a_lost_call(sut):
    lost, after = observed(sut, "/reset", "/fault")
    assert lost.failure == "connection-lost"
    assert "reset" in lost.detail
    assert body_of(after) == BODY


def test_codings_that_nobody_knows_say_nothing_about_the_body(sut):
    (unknown,) = observed(sut, "/unknown-coding")
    assert not unknown.response.is_readable
    assert unknown.response.json() is ABSENT


def test_redirects_are_answers(sut):
    (there,) = observed(sut, "/redirect")
    assert (there.response.status, there.response.header("location")) == (302, "/redirect")
