"""The address at which the API is reached."""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec

from wimble.agent.protocol.servers import Server
from wimble.errors import UsageError


class Address(msgspec.Struct, frozen=True):
    """Host, port and protocol at which wimble reaches the API."""

    host: str
    port: int
    is_https: bool
    headers: tuple[tuple[str, str], ...] = ()
    """Headers of every request to the API, such as `X-Forwarded-Proto`; a `Host` here replaces that of host and
    port."""

    @property
    def url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'https' if self.is_https else 'http'}://{host}:{self.port}"


def address_of(server: Server) -> Address:
    """Returns the server's address.

    Any-address becomes loopback, and the prefix of IPv4-mapped addresses is removed.
    """
    host = server.address.removeprefix("::ffff:")
    if host in ("", "::", "0.0.0.0", "localhost"):
        host = "127.0.0.1"
    return Address(host, server.port, server.protocol == "https")


def address_of_url(url: str) -> Address:
    """Raises: UsageError, if the URL is not an http(s) URL."""
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError:
        port = None
        parts = parts._replace(scheme="")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(
            "bad-url", "not a URL of a Web API", where=f"--url {url}", hint="such as http://127.0.0.1:3000"
        )
    is_https = parts.scheme == "https"
    return Address(parts.hostname, port or (443 if is_https else 80), is_https)
