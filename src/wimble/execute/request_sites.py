"""Adds to the requests that services got the lines of the program that have sent them, as agents tell of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

import msgspec

from wimble.agent.protocol.messages import SentRequest
from wimble.model.external import ExternalRequest, host_and_port
from wimble.model.interaction import Interaction

Kind: TypeAlias = tuple[str, str]
"""(method, path and query); the path is empty for mails."""


def with_sites(found: Iterable[Interaction], sent: Sequence[SentRequest]) -> list[Interaction]:
    """Returns what was found in an evaluation, in order. sent: in the order in which it was sent.

    A client may send to another host than the one that is asked, such as a proxy. Of a kind that arrives more often
    than it is told of (mails over one connection), the last one stands for the others.
    """
    sites: dict[Kind, list[tuple[str, str]]] = {}
    for one in sent:
        if one.site:
            sites.setdefault((one.method, _path_of(one.target)), []).append((_host_of(one.host), one.site))
    return [_placed(one, sites) if isinstance(one, ExternalRequest) else one for one in found] if sites else [*found]


def _placed(request: ExternalRequest, sites: dict[Kind, list[tuple[str, str]]]) -> ExternalRequest:
    of_kind = sites.get((request.method, "" if request.is_mail else request.target), [])
    host = host_and_port(request.origin)[0]
    fitting = [each for each in of_kind if each[0] == host] or of_kind
    if not fitting:
        return request
    if len(fitting) > 1:
        of_kind.remove(fitting[0])
    return msgspec.structs.replace(request, site=fitting[0][1])


def _path_of(target: str) -> str:
    """Returns a target without the origin that proxies get."""
    scheme, is_origin, rest = target.partition("://")
    return f"/{rest.partition('/')[2]}" if is_origin and scheme in ("http", "https") else target


def _host_of(told: str) -> str:
    host = told.rpartition("://")[2].lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0] if host.count(":") == 1 else host
