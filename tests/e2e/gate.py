"""A way to a server that can be shut, as a server is that goes away and comes back."""

from __future__ import annotations

import contextlib
import socket
import threading


class Gate:
    """Listens on `port` while it is open, and hands on what comes to the server's."""

    def __init__(self, server_port: int) -> None:
        self._server_port = server_port
        self._listener: socket.socket | None = None
        self._ways: list[socket.socket] = []
        self.port = 0
        self.open()

    def open(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._admit, args=(self._listener,), daemon=True).start()

    def shut(self) -> None:
        """Ends all connections; further ones are refused."""
        assert self._listener is not None
        for one in (self._listener, *self._ways):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._ways.clear()

    def _admit(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                server = socket.create_connection(("127.0.0.1", self._server_port))
                self._ways += [client, server]
                for source, sink in ((client, server), (server, client)):
                    threading.Thread(target=_hand_on, args=(source, sink), daemon=True).start()


def _hand_on(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65_536):
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_RDWR)
    source.close()
