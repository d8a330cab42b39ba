"""Who has sent a request, as far as its credentials tell."""

from __future__ import annotations

from typing import Final, NamedTuple

from wimble.http.http_messages import HttpRequest

_PLACES: Final = ("authorization", "cookie", "x-api-key")


class Sender(NamedTuple):
    """Equal for requests with the same credentials; false if there are none."""

    user: str
    """One that the user of wimble has given."""
    credentials: tuple[tuple[str, str], ...]

    def __bool__(self) -> bool:
        return bool(self.user or self.credentials)


NOBODY: Final = Sender("", ())


def sender_of(request: HttpRequest) -> Sender:
    """Returns the sender of a request."""
    return Sender(request.user, tuple(sorted(one for one in request.headers if one[0].lower() in _PLACES)))
