"""Tells of each operation that never succeeded what it answered, and what is known of the reason."""

from __future__ import annotations

from collections.abc import Sequence

from wimble.engine.session.coordinator import Coordinator
from wimble.model.operation import Operation
from wimble.model.result import Answers, NeverSucceeded
from wimble.oracles.databases.not_found import NAME as NOT_FOUND
from wimble.oracles.failures.crashes import DIED
from wimble.oracles.failures.missing_await import NAME as MISSING_AWAIT

MOST = 0.5
"""Share of the calls from which on an outcome is what the operation mostly answers."""
LET_IN = 0.1
"""Share of the calls that were answered otherwise than by 401, 403 or 404 from which on users are let in, or things may
have been found."""
MAX_CREATORS = 3
IDENTITY = frozenset(["401", "403"])
OF_STATE = frozenset(["402", "409", "410", "412", "423"])
"""Answers about something that is known: a user without a plan, a thing that is closed."""
NO_STATE_FOR_IT = "the state of the user, or of what the call names, does not allow it"
WANTS_RIGHTS = "it lets none of the users in that wimble signs up: name one with more rights in wimble.toml"
UNANSWERED = {
    "timeout": "it does not answer in time",
    "blocked": "it keeps the event loop from running",
    "connection-lost": "the connection breaks before an answer",
    "malformed-response": "it answers what is no HTTP",
}


def never_succeeded(coordinator: Coordinator) -> tuple[NeverSucceeded, ...]:
    """Returns the operations that no call brought to success, in the order of the description."""
    statistics = coordinator.statistics
    return tuple(
        NeverSucceeded(
            operation=operation.id,
            calls=statistics.calls_of(operation.id),
            answers=(answers := statistics.answers_without_success(operation.id)),
            reason=_reason(coordinator, operation, answers),
        )
        for operation in coordinator.specification.operations
        if not statistics.has_succeeded(operation.id)
    )


def _reason(coordinator: Coordinator, operation: Operation, answers: Sequence[Answers]) -> str:
    n_calls = sum(one.calls for one in answers)
    if not n_calls:
        return "it was never called"
    let_in = [one for one in answers if one.outcome_key not in IDENTITY]
    if len(let_in) < len(answers) and sum(one.calls for one in let_in) >= LET_IN * n_calls:
        said = _reason(coordinator, operation, let_in)
        return f"where a user is let in, {said}"
    key = answers[0].outcome_key
    if answers[0].calls < MOST * n_calls:
        return _mixed(answers)
    if key in IDENTITY:
        return _wanted_user(answers, has_users=bool(coordinator.settings.users))
    if _has_fault(coordinator, operation, NOT_FOUND):
        return "it does not find what is there, which is reported as a fault"
    if _has_fault(coordinator, operation, MISSING_AWAIT):
        return "a promise that is not awaited decides what it answers, which is reported as a fault"
    if key == "404" and (refusal := next((one.outcome_key for one in answers if one.outcome_key in OF_STATE), "")):
        return f"what it finds, it refuses with {refusal}: its state does not allow the call"
    if key == "404":
        has_failed = any(one.outcome_key.startswith("5") or one.outcome_key in UNANSWERED for one in answers)
        return "each call has found nothing or failed" if has_failed else _missing(coordinator, operation, answers)
    if key in UNANSWERED:
        return "it ends the server's process" if _has_fault(coordinator, operation, DIED) else UNANSWERED[key]
    has_only_failed = all(one.outcome_key.startswith("5") for one in answers)
    failed = "each call has failed" if has_only_failed else "each call that it has not refused has failed"
    refused = f"it refuses with {key}: {NO_STATE_FOR_IT}" if key in OF_STATE else "it refuses the input"
    return {"2": "it answers errors", "3": "it redirects", "4": refused, "5": failed}.get(key[0], "")


def _mixed(answers: Sequence[Answers]) -> str:
    """Describes answers of which none was given to most calls."""
    keys = [one.outcome_key for one in answers]
    if all(key.startswith("4") for key in keys):
        return f"it refuses the input, with {', '.join(keys[:-1])} and {keys[-1]}"
    has_failed = any(key.startswith("5") or key in UNANSWERED for key in keys)
    if has_failed:
        return "it refuses some calls and fails in others"
    has_redirected = any(key.startswith("3") for key in keys)
    return (
        "it redirects some calls and refuses others" if has_redirected else "it refuses some calls and answers errors"
    )


def _wanted_user(answers: Sequence[Answers], *, has_users: bool) -> str:
    if has_users:
        return "the users of wimble.toml may not call it"
    n_calls = sum(one.calls for one in answers)
    denied = {one.outcome_key: one.calls for one in answers}
    # An answer that is rare may be that to malformed credentials.
    is_known = all(denied.get(key, 0) >= LET_IN * n_calls for key in ("401", "403"))
    return WANTS_RIGHTS if is_known else "it wants a user: name one in wimble.toml"


def _has_fault(coordinator: Coordinator, operation: Operation, oracle: str) -> bool:
    found = (fault.finding for fault in coordinator.faults)
    return any(finding.oracle == oracle and finding.operation == operation.id for finding in found)


def _missing(coordinator: Coordinator, operation: Operation, answers: Sequence[Answers]) -> str:
    """Says why the resource that an operation names was not there, in most calls or in all."""
    subjects = coordinator.resources.bindings(operation)
    if not subjects:
        takes_values = any(one.role == "content" or one.sent_in == "query" for one in operation.inputs)
        return "nothing was found for the values of its inputs" if takes_values else "nothing is served there"
    subject, statistics = subjects[-1], coordinator.statistics
    name = operation.inputs[subject.input_index].name
    creators = subject.creators[:MAX_CREATORS]
    if not creators:
        return f"it needs a value of {name} that exists; none was found, and no operation creates one"
    failing = [creator.id for creator in creators if not statistics.has_succeeded(creator.id)]
    if len(failing) == len(creators):
        return f"it needs a value of {name} that exists, and {' and '.join(failing)} never succeeded"
    n_refused = sum(one.calls for one in answers if one.outcome_key != "404")
    if n_refused >= LET_IN * sum(one.calls for one in answers):
        # Some of them may have found what they name, and be refused for their input.
        return f"most calls give no value of {name} that exists, and it refuses the others"
    return f"no value of {name} was found that exists"
