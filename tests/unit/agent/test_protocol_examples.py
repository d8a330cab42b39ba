"""The golden messages of protocol/examples, from the core's side."""

import json
from pathlib import Path

import msgspec
import pytest

from wimble.agent.protocol import database_messages, library_messages, messages

EXAMPLES = sorted((Path(__file__).parents[3] / "protocol" / "examples").glob("*.json"))
CORE_MESSAGES = {
    "welcome": messages.Welcome,
    "begin": messages.Begin,
    "invoke": library_messages.Invoke,
    "connection": messages.Connection,
    "end": messages.End,
    "follow": messages.Follow,
    "ping": messages.Ping,
    "query": database_messages.Query,
    "release": database_messages.Release,
}


def of_core(path):
    return json.loads(path.read_text())["type"] in CORE_MESSAGES


@pytest.mark.parametrize("path", [path for path in EXAMPLES if not of_core(path)], ids=lambda path: path.stem)
def test_messages_of_agents_are_read_without_loss(path):
    example = json.loads(path.read_text())
    message = messages.decode_agent_message(path.read_bytes())
    read = json.loads(msgspec.json.encode(message))
    for key, value in example.items():
        if key in ("hints", "causes", "cause", "commands", "entries") and value:
            continue  # holds fields by kind, or rows that may be shorter; compared below
        assert read[key] == value, key
    if isinstance(message, messages.File):
        assert [list(row) for row in messages.decode_target_rows(message.targets)] == example["targets"]
        assert messages.decode_constant_rows(message.constants) == example.get("constants", [])
    if isinstance(message, messages.PathMessage):
        assert [row[: len(given)] for row, given in zip(read["entries"], example["entries"], strict=True)] == (
            example["entries"]
        )
    if isinstance(message, messages.Result):
        for hint, expected in zip(message.hints, example["hints"], strict=True):
            own = json.loads(msgspec.json.encode(hint))
            assert {key: own[key] for key in expected} == expected
        for command, row in zip(message.commands, example.get("commands", []), strict=True):
            assert {key: getattr(command, key) for key in row} == row
    causes = example.get("causes", []) + ([example["cause"]] if example.get("cause") else [])
    read_causes = list(getattr(message, "causes", [])) + [c for c in [getattr(message, "cause", None)] if c]
    for cause, expected in zip(read_causes, causes, strict=True):
        assert json.loads(msgspec.json.encode({key: getattr(cause, key) for key in expected})) == expected


@pytest.mark.parametrize("path", [path for path in EXAMPLES if of_core(path)], ids=lambda path: path.stem)
def test_messages_of_the_core_are_written_exactly_so(path):
    example = json.loads(path.read_text())
    kind = CORE_MESSAGES[example["type"]]
    message = msgspec.convert(example, kind)
    assert json.loads(messages.encode_core_message(message)) == example


def test_unknown_fields_are_passed_over():
    message = messages.decode_agent_message(b'{"type":"pong","n":3,"new":{"a":[1]}}')
    assert message == messages.Pong(n=3)
