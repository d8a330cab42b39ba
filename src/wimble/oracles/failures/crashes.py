"""Finds failures outside of answers: a process that ended, and errors that no handler caught.

A process that ends because of an uncaught exception is one fault: `process-died` takes this exception as its cause. A
process of the SUT may also exit while the SUT lives on, such as a helper that has finished or a worker of a cluster.
This is a fault only if the call that was running in it got no answer.

What a service has done shows in the message: a connection that was refused, one that was reset, text in the place of
JSON. One place that heeds none of them is one fault, and so is one request whose errors nobody listens to.
"""

from __future__ import annotations

from msgspec.structs import replace

from wimble.http.exchange import HttpExchange
from wimble.http.http_messages import HttpRequest
from wimble.library.function_binding import FunctionBinding
from wimble.model.evaluation import Crash, Evaluation, Finding
from wimble.model.observation import Cause
from wimble.oracles.failures.server_error import is_server_error
from wimble.oracles.failures.upstream import service_before
from wimble.oracles.messages.message_shapes import message_shape, title_of
from wimble.oracles.messages.stored_texts import stored_texts
from wimble.oracles.oracle import Oracle, Verdict, cause_key, place_of

DIED = "process-died"
UNHANDLED = "unhandled"

_WHAT = {
    "uncaught-exception": "an uncaught exception",
    "unhandled-rejection": "an unhandled rejection",
}


def judge_died(evaluation: Evaluation) -> Verdict:
    """Returns one finding for a process that died, else for an exit whose call got no answer; else [].

    An object that emits an error has told its user, who would have listened.
    """
    if any(crash.kind == "unheard-error" for crash in evaluation.crashes):
        return []
    for crash in evaluation.crashes:
        if crash.kind == "died":
            return [_told_of_promise(_died(evaluation, crash))]
    for crash in evaluation.crashes:
        if crash.kind == "exit" and _is_unanswered(evaluation, crash):
            return [_told_of_promise(_died(evaluation, crash))]
    return []


def judge_unhandled(evaluation: Evaluation) -> Verdict:
    """Returns a finding for each unhandled error, unless a process died or the error's call answered 5xx."""
    if any(crash.kind == "died" for crash in evaluation.crashes):
        return []
    return [
        _told_of_promise(_unhandled(evaluation, crash))
        for crash in evaluation.crashes
        if crash.kind in _WHAT and not _is_answered(evaluation, crash)
    ]


def _is_unanswered(evaluation: Evaluation, crash: Crash) -> bool:
    index = crash.call_index
    return (
        index is not None
        and 0 <= index < len(evaluation.observations)
        and not evaluation.observations[index].is_answered
    )


def _is_answered(evaluation: Evaluation, crash: Crash) -> bool:
    """Whether the call answered 5xx because of the same error. Then the answer is the finding."""
    if crash.call_index is None or not 0 <= crash.call_index < len(evaluation.observations):
        return False
    observation = evaluation.observations[crash.call_index]
    exchange = observation.exchange
    response = exchange.response if isinstance(exchange, HttpExchange) else None
    if response is None or observation.cause is None:
        return False
    is_same_place = bool(crash.cause.file) and cause_key(crash.cause) == cause_key(observation.cause)
    return is_same_place and is_server_error(response)


def _died(evaluation: Evaluation, crash: Crash) -> Finding:
    # If the end itself has no place and message, its cause is the last uncaught error, else the call of exit.
    by_worth = sorted(
        (other for other in evaluation.crashes if other.kind != "died"), key=lambda other: other.kind != "exit"
    )
    cause, thrown = crash.cause, by_worth[-1] if by_worth else None
    if thrown is not None and not (cause.file and cause.message):
        cause = thrown.cause
    index = _call_index(evaluation, crash if crash.call_index is not None else thrown or crash)
    operation, request = _called(evaluation, index)
    how = (
        f"signal {crash.signal}"
        if crash.signal
        else f"exit code {crash.exit_code}"
        if crash.exit_code is not None
        else ""
    )
    service = _service_of(evaluation, index, cause)
    shape = "" if service else _shape_of(evaluation, cause, request, index)
    why = title_of(cause.message) or how
    return Finding(
        oracle=DIED,
        key=(DIED, *(cause_key(cause) or (operation, service or how)), shape),
        operation=operation,
        status=None,
        title=f"{operation} ends the {_process_of(evaluation)}" + (f": {why}" if why else ""),
        observed="the process ended" + (f" with {how}" if how else "") + (f": {cause.message}" if cause.message else "")
        + place_of(cause),
        expected="no call ends the process",
        cause=cause,
        call_index=index,
    )  # fmt: skip


def _unhandled(evaluation: Evaluation, crash: Crash) -> Finding:
    index = _call_index(evaluation, crash)
    operation, request = _called(evaluation, index)
    what = _WHAT[crash.kind]
    message = title_of(crash.cause.message)
    service = _service_of(evaluation, index, crash.cause)
    return Finding(
        oracle=UNHANDLED,
        key=(
            UNHANDLED,
            *(cause_key(crash.cause) or (operation, service or crash.kind)),
            "" if service else _shape_of(evaluation, crash.cause, request, index),
        ),
        operation=operation,
        status=None,
        title=f"{operation} leaves {what}" + (f": {message}" if message else ""),
        observed=what + (f": {crash.cause.message}" if crash.cause.message else "") + place_of(crash.cause),
        expected="every error is handled where the client can be told of it",
        cause=crash.cause,
        call_index=index,
    )


def _service_of(evaluation: Evaluation, index: int, cause: Cause) -> str:
    """Returns the origin of the service that the call has called last. What a package has raised may be late, and then
    an earlier call has called it.
    """
    earlier = range(index - 1, -1, -1) if cause.thrown_at else ()
    return next(filter(None, (service_before(evaluation, call) for call in (index, *earlier))), "")


def _told_of_promise(finding: Finding) -> Finding:
    """Returns the finding of a rejection with the test of its promise, which should have been awaited, as its place."""
    cause = finding.cause
    for mistake in cause.mistakes:
        place = f"{mistake.file}:{mistake.line}"
        if mistake.is_fault and f"{place}:" in cause.stack:
            return replace(
                finding,
                title=f"{finding.title}; {mistake.text}",
                observed=f"{finding.observed}; {mistake.text} at {place}",
                cause=replace(cause, file=mistake.file, line=mistake.line),
            )
    return finding


def _call_index(evaluation: Evaluation, crash: Crash) -> int:
    """Returns the index of the call that was running, else of the last call that was sent, else 0."""
    if crash.call_index is not None and 0 <= crash.call_index < len(evaluation.observations):
        return crash.call_index
    sent = [one.call_index for one in evaluation.observations if one.outcome != "not-run"]
    return sent[-1] if sent else 0


def _shape_of(evaluation: Evaluation, cause: Cause, request: HttpRequest | None, index: int) -> str:
    """Returns what a message has in common with others of its fault: of libraries, at one place, its class."""
    if _is_library(evaluation) and cause_key(cause):
        return cause.message.partition(":")[0]
    return message_shape(cause.message, request, stored_texts(evaluation.test_case, index))


def _process_of(evaluation: Evaluation) -> str:
    return "process" if _is_library(evaluation) else "server's process"


def _is_library(evaluation: Evaluation) -> bool:
    return any(isinstance(call.operation.binding, FunctionBinding) for call in evaluation.test_case.calls)


def _called(evaluation: Evaluation, index: int) -> tuple[str, HttpRequest | None]:
    calls, observations = evaluation.test_case.calls, evaluation.observations
    operation = calls[index].operation.id if index < len(calls) else ""
    exchange = observations[index].exchange if index < len(observations) else None
    return operation, exchange.request if isinstance(exchange, HttpExchange) else None


PROCESS_DIED = Oracle(DIED, judge_evaluation=judge_died)
UNHANDLED_ERROR = Oracle(UNHANDLED, judge_evaluation=judge_unhandled, yields_to=frozenset([DIED]))
