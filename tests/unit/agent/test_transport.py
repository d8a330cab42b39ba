"""Frames over the Unix socket."""

import socket
import stat
import struct
import tempfile
import threading
from pathlib import Path

import pytest

from wimble.agent.transport import MAX_FRAME_BYTES, Transport
from wimble.errors import ProtocolError


def frame(payload: bytes) -> bytes:
    return struct.pack("<I", len(payload)) + payload


@pytest.fixture
def transport():
    made = Transport()
    yield made
    made.close()


@pytest.fixture
def dial(transport):
    sockets = []

    def connect():
        end = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        end.connect(transport.path)
        sockets.append(end)
        return end

    yield connect
    for end in sockets:
        end.close()


def heard(transport, n_events, timeout_s=2.0):
    events = []
    while len(events) < n_events:
        batch = list(transport.poll(timeout_s))
        if not batch and not transport._connections:
            break
        events += batch
    return events


def test_only_the_user_can_reach_the_socket(transport):
    assert stat.S_IMODE(Path(transport.path).parent.stat().st_mode) == 0o700


def test_a_deep_temporary_folder_does_not_make_the_path_too_long(tmp_path, monkeypatch):
    deep = tmp_path / ("x" * 120)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    made = Transport()
    assert len(made.path) < 100
    made.close()
    assert list(deep.iterdir()) == []


def test_frames_arrive_whole_however_they_were_cut(transport, dial):
    end = dial()
    data = frame(b'{"a":1}') + frame(b"") + frame(b"x" * 300_000)
    threading.Thread(target=lambda: [end.sendall(data[i : i + 777]) for i in range(0, len(data), 777)]).start()
    assert [payload for _, payload in heard(transport, 3)] == [b'{"a":1}', b"", b"x" * 300_000]


def test_connections_are_told_apart_and_their_end_is_told(transport, dial):
    first, second = dial(), dial()
    first.sendall(frame(b"1"))
    ((one, _),) = heard(transport, 1)
    second.sendall(frame(b"2"))
    ((two, _),) = heard(transport, 1)
    assert one is not two
    first.sendall(frame(b"last"))
    first.close()
    assert heard(transport, 2) == [(one, b"last"), (one, None)]
    assert not one.is_open
    one.send(b"into nothing")
    assert two.is_open


def test_sending_never_blocks_and_arrives_in_order(transport, dial):
    end = dial()
    end.sendall(frame(b"hello"))
    ((agent, _),) = heard(transport, 1)
    payloads = [bytes([i]) * 200_000 for i in range(20)]
    for payload in payloads:
        agent.send(payload)
    expected = b"".join(frame(payload) for payload in payloads)
    received = bytearray()

    def read():
        while len(received) < len(expected):
            received.extend(end.recv(65536))

    reader = threading.Thread(target=read)
    reader.start()
    while reader.is_alive():
        list(transport.poll(0.01))
    assert received == expected


def test_polling_returns_in_time_when_nothing_comes(transport, dial):
    dial()
    assert list(transport.poll(0.01)) == []
    assert list(transport.poll(0.01)) == []


def test_an_impossible_length_is_an_error(transport, dial):
    dial().sendall(struct.pack("<I", MAX_FRAME_BYTES + 1))
    with pytest.raises(ProtocolError, match="frame of"):
        heard(transport, 1)


def test_closing_removes_the_folder_and_may_be_done_twice(transport, dial):
    dial()
    folder = Path(transport.path).parent
    transport.close()
    transport.close()
    assert not folder.exists()
    assert list(transport.poll(1)) == []
