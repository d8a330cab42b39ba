"""The golden messages of protocol/mock-examples, from the core's side."""

import json
from pathlib import Path

import msgspec
import pytest

from wimble.agent.protocol import mock_messages

FOLDER = Path(__file__).parents[3] / "protocol" / "mock-examples"


@pytest.mark.parametrize("name", ["closed", "request", "unmockable"])
def test_messages_of_the_mock_server_are_read_without_loss(name):
    payload = (FOLDER / f"{name}.json").read_bytes()
    assert json.loads(msgspec.json.encode(mock_messages.decode_mock_message(payload))) == json.loads(payload)


@pytest.mark.parametrize(
    ("name", "kind"), [("plan", mock_messages.Plan), ("certificate-issued", mock_messages.Certificate)]
)
def test_messages_of_the_core_are_written_as_the_mock_server_reads_them(name, kind):
    example = json.loads((FOLDER / f"{name}.json").read_bytes())
    assert json.loads(mock_messages.encode_for_mock(msgspec.convert(example, kind))) == example


def test_a_request_for_a_certificate_names_the_host_and_what_is_wrong():
    payload = (FOLDER / "certificate-asked.json").read_bytes()
    asked = mock_messages.decode_certificate_request(payload)
    assert (asked.host, asked.fault) == ("api.payments.example", "expired")
