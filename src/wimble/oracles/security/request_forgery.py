"""Finds inputs that decide which host the program calls (server-side request forgery, CWE-918).

The proof is a mark: the search sends a host name that occurs nowhere else (`MARK.probe.example`), and the program calls
it. A host that the program has fixed, or takes from a list of its own, is never that one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from wimble.http.exchange import response_of
from wimble.model.evaluation import Finding
from wimble.model.external import PROBE_DOMAIN, ExternalRequest, Unmockable, host_and_port
from wimble.model.observation import Cause
from wimble.oracles.messages.message_shapes import shortened
from wimble.oracles.oracle import NO_CAUSE, CallView, Oracle, Verdict
from wimble.oracles.security.sent_inputs import texts_of_call

NAME: Final = "request-forgery"
MAX_SHOWN: Final = 80
"""Characters of the input that are shown."""


def _judge(view: CallView) -> Verdict:
    for probed in _probed_hosts(view):
        # The address may have been stored by an earlier call, such as the registration of a webhook.
        for index in range(view.observation.call_index, -1, -1):
            for name, text in texts_of_call(view.evaluation.test_case.calls[index]):
                if probed.host in text.lower():
                    return [_finding(view, index, name, text, probed)]
    return []


class _Probed(NamedTuple):
    """A request to the host of a probe."""

    host: str
    place: str
    """The request as people write it."""


def _probed_hosts(view: CallView) -> Iterator[_Probed]:
    """Yields the requests to hosts of probes."""
    if not view.evaluation.interactions:
        return
    for one in view.evaluation.interactions:
        if one.call != view.observation.call_index:
            continue
        if isinstance(one, ExternalRequest):
            host, place = host_and_port(one.origin)[0], one.place
        elif isinstance(one, Unmockable):
            host, place = one.host, f"a connection to {one.host}:{one.port}"
        else:
            continue
        if host.endswith(f".{PROBE_DOMAIN}"):
            yield _Probed(".".join(host.split(".")[-PROBE_LABELS:]), place)


PROBE_LABELS: Final = PROBE_DOMAIN.count(".") + 2
"""Labels of a host that a probe names; the program may put some of its own in front of them."""


def _finding(view: CallView, index: int, name: str, text: str, probed: _Probed) -> Finding:
    given_by = view.evaluation.test_case.calls[index].operation.id
    operation = view.operation.id
    response = response_of(view.observation)
    told = f"the input {name} {shortened(repr(text), MAX_SHOWN)}"
    if given_by != operation:
        told += f" of {given_by}"
    return Finding(
        oracle=NAME,
        key=(NAME, operation, given_by, name),
        operation=operation,
        status=None if response is None else response.status,
        title=f"{operation} calls the host that the input {name} names",
        observed=f"{told} led to {probed.place}",
        expected="inputs decide no host, or only one of a list; --may-name-hosts names operations whose purpose it is",
        cause=_cause(view.observation.cause or NO_CAUSE, probed.host),
        call_index=view.observation.call_index,
    )


def _cause(cause: Cause, host: str) -> Cause:
    """Returns the call's cause without an error that is not about the host: the program has handled one before."""
    is_of_other = cause.message and host not in f"{cause.message}\n{cause.stack}".lower()
    return Cause(statement=cause.statement) if is_of_other else cause


ORACLE = Oracle(NAME, _judge, reads_interactions=True)
