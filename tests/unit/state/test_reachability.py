"""Servers that take connections, and others."""

import socket

from wimble.state.reachability import takes_connections


def test_a_port_takes_connections_once_a_server_listens():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port = server.getsockname()[1]
        assert not takes_connections("127.0.0.1", port)
        server.listen()
        assert takes_connections("127.0.0.1", port)
        assert takes_connections("localhost", port)
    assert not takes_connections("127.0.0.1", port)


def test_sockets_by_their_path_and_by_the_folder_of_postgresql(tmp_path):
    path = tmp_path / ".s.PGSQL.5432"
    assert not takes_connections(str(tmp_path), 5432)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        assert not takes_connections(str(path), 0)
        server.listen()
        assert takes_connections(str(path), 0)
        assert takes_connections(str(tmp_path), 5432)
        assert not takes_connections(str(tmp_path), 5433)
    assert not takes_connections(str(tmp_path), 5432)


def test_what_cannot_be_told_counts_as_there(tmp_path):
    (tmp_path / "file").touch()
    assert takes_connections("", 0)
    assert takes_connections("a.invalid", 5432)
    assert takes_connections("127.0.0.1", 0)
    assert takes_connections(str(tmp_path / "file"), 0)
