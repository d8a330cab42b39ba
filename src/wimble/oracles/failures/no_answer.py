"""Finds calls without an HTTP answer although the process lives.

The event loop was blocked, no answer came, the connection was closed, or the answer was not HTTP.
"""

from __future__ import annotations

from wimble.http.exchange import exchange_of, failure_of
from wimble.http.http_messages import CallFailure
from wimble.model.evaluation import Finding
from wimble.model.external import ExternalRequest
from wimble.model.observation import Cause
from wimble.oracles.messages.message_shapes import first_line, shortened
from wimble.oracles.oracle import NO_CAUSE, CallOracle, CallView, Oracle, Verdict, cause_key, place_of

_BLOCKED = "blocked"
_NO_ANSWER = "no-answer"
_CONNECTION_LOST = "connection-lost"
_MALFORMED = "malformed-response"


def _judge(name: str, failure: CallFailure, says: str, expected: str) -> CallOracle:
    def judge_call(view: CallView) -> Verdict:
        if failure_of(view.observation) != failure:
            return []
        if any(crash.kind == "died" for crash in view.evaluation.crashes):
            # An earlier call may have ended the process. Then later calls have no server to answer them.
            return []
        return [_finding(view, name, says, expected)]

    return judge_call


def _finding(view: CallView, name: str, says: str, expected: str) -> Finding:
    cause = view.observation.cause or NO_CAUSE
    operation = view.operation.id
    return Finding(
        oracle=name,
        key=(name, *(_awaited_from(view) or cause_key(cause) or _statement_key(cause) or (operation,))),
        operation=operation,
        status=None,
        title=f"{operation} {says}{_after_error(cause)}",
        observed=_observed(view) + place_of(cause),
        expected=expected,
        cause=cause,
        call_index=view.observation.call_index,
    )


def _awaited_from(view: CallView) -> tuple[str, ...]:
    """Returns the site of the program whose request to a service hangs: what ran last there depends on other answers,
    and on how long their services took.
    """
    requests = view.evaluation.interactions_of(ExternalRequest)
    hanging = (one.site for one in requests if one.call == view.observation.call_index and one.reply == "hang")
    site = next((site for site in hanging if site), "")
    return ("asks", site) if site else ()


def _after_error(cause: Cause) -> str:
    """Says which error there was in the call, if any: most likely it is what has kept the call from being answered."""
    return f", after {shortened(first_line(cause.message))}" if cause.message else ""


def _observed(view: CallView) -> str:
    exchange = exchange_of(view.observation)
    if exchange.failure in ("connection-lost", "malformed-response") and exchange.detail:
        return exchange.detail
    return f"no answer after {view.observation.elapsed_s:.1f} s"


def _statement_key(cause: Cause) -> tuple[str, ...]:
    return (cause.statement,) if cause.statement else ()


_CRASHES = frozenset(["process-died", "unhandled"])

BLOCKED = Oracle(
    _BLOCKED,
    _judge(_BLOCKED, "blocked", "blocks the event loop", "no call keeps the server from serving others"),
    yields_to=_CRASHES,
    outcomes=frozenset(["hung"]),
)
NO_ANSWER = Oracle(
    _NO_ANSWER,
    _judge(_NO_ANSWER, "timeout", "is never answered", "every call is answered"),
    yields_to=_CRASHES,
    outcomes=frozenset(["hung"]),
)
CONNECTION_LOST = Oracle(
    _CONNECTION_LOST,
    _judge(
        _CONNECTION_LOST, "connection-lost", "closes the connection before it has answered", "every call is answered"
    ),
    yields_to=_CRASHES,
    outcomes=frozenset(["crashed"]),
)
MALFORMED = Oracle(
    _MALFORMED,
    _judge(_MALFORMED, "malformed-response", "answers with something that is not HTTP", "a well-formed HTTP response"),
    yields_to=_CRASHES,
    outcomes=frozenset(["unreadable"]),
)
ORACLES = (BLOCKED, NO_ANSWER, CONNECTION_LOST, MALFORMED)
