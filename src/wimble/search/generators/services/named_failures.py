"""Failures of services that the program names in a condition: `error.code === 'ECONNRESET'`, `/timeout/.test(message)`.

An error is no input, so no edit of one leads there. But its name tells what the service has to do. Each answer of the
test case, and each request without one, gets that failure once for each condition.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final, TypeAlias

import msgspec

from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest
from wimble.model.hints import ComparisonHint, Hint, KeyHint, PatternHint, SubstringHint, TruthinessHint
from wimble.model.setup import MAX_SETUP
from wimble.model.setup_kinds.answer import Answer, new_answer
from wimble.model.testcase import TestCase
from wimble.runtimes.client_failures import ClientFailure
from wimble.runtimes.value_semantics import ValueSemantics
from wimble.search.external.request_templates import template_of
from wimble.search.generators.newest_first import NewestFirst
from wimble.search.generators.services.kinds_of_errors import code_named, kinds_named, refusal_named, with_kind
from wimble.search.generators.services.service_results import MALFORMED, MOVED, ServiceResult, answer_with, is_possible

FAILURES: Final[Mapping[ClientFailure, ServiceResult]] = {
    "no_host": ServiceResult(outcome="no_host"),
    "try_again": ServiceResult(outcome="try_again"),
    "refused": ServiceResult(outcome="refused"),
    "timed_out": ServiceResult(outcome="timed_out"),
    "reset": ServiceResult(outcome="reset"),
    "closed": ServiceResult(outcome="closed"),
    "expired": ServiceResult(outcome="expired"),
    "wrong_name": ServiceResult(outcome="wrong_name"),
    "self_signed": ServiceResult(outcome="self_signed"),
    "unknown_authority": ServiceResult(outcome="unknown_authority"),
    "own_authority": ServiceResult(outcome="own_authority"),
    "truncated": ServiceResult(200, {}, outcome="truncated"),
    "hang": ServiceResult(outcome="hang"),
    "malformed": MALFORMED,
    "client_error": ServiceResult(400, {}),
    "not_found": ServiceResult(404, {}),
    "server_error": ServiceResult(500, {}),
    "redirected": ServiceResult(302, headers=(("location", "?"),)),
}
"""What the service does for each failure of a client; `?` leads from any path to itself."""
FOLLOWED: Final = ServiceResult(302, headers=(("location", MOVED),))
"""What a client follows, if the program asks whether it has (`response.redirected`)."""
NamingHint: TypeAlias = ComparisonHint | KeyHint | SubstringHint | PatternHint | TruthinessHint


class NamedFailures(NewestFirst):
    """Proposes the failures that conditions name, the newest first."""

    learns_from = "hints"

    def __init__(self, rng: Random, values: ValueSemantics) -> None:
        super().__init__(rng)
        self._values = values

    def _collect(self, evaluation: Evaluation) -> None:
        for hint in evaluation.hints:
            if isinstance(hint, NamingHint):
                # The last one is proposed first.
                self._waiting.extend(reversed(list(self._trials(hint, evaluation))))

    def _trials(self, hint: NamingHint, evaluation: Evaluation) -> Iterator[TestCase]:
        test_case = evaluation.test_case
        named = [FAILURES[failure] for failure in failures_named(hint, self._values)]
        named += [FOLLOWED] if _asks_for_redirect(hint) else []
        refusal = refusal_named(hint)
        named += [] if refusal is None else [ServiceResult(*refusal)]
        # Of two names, one is that of the error that has occurred.
        occurred = {(answer.outcome, answer.status) for _, answer in test_case.setup_of(Answer)} if named else set()
        results = [one for one in named if (one.outcome, one.status) not in occurred]
        if not 0 <= hint.call < len(test_case.calls):
            return
        yield from self._with_kinds(hint, test_case, kinds_named(hint) or (() if named else code_named(hint)))
        if not results:
            return
        for result in results:
            for number, answer in test_case.setup_of(Answer):
                if self._is_new(hint, answer, result):
                    yield test_case.with_action(number, _failing(answer, result))
            if len(test_case.setup) < MAX_SETUP:
                yield from self._added(hint, evaluation, result)

    def _added(self, hint: NamingHint, evaluation: Evaluation, result: ServiceResult) -> Iterator[TestCase]:
        """Yields test cases in which requests without a planned answer fail."""
        test_case = evaluation.test_case
        for request in evaluation.interactions_of(ExternalRequest):
            if request.answered_by is None and request.call == hint.call:
                path = template_of(request.target, test_case)
                answer = new_answer(request.origin, request.method, path)
                if self._is_new(hint, answer, result):
                    yield TestCase(test_case.calls, (*test_case.setup, _failing(answer, result)))

    def _with_kinds(self, hint: NamingHint, test_case: TestCase, kinds: tuple[str, ...]) -> Iterator[TestCase]:
        """Yields test cases in which a refusal names the kind of error of which a library makes that class."""
        for kind in kinds:
            for number, answer in test_case.setup_of(Answer):
                key = (hint.target, answer.place, answer.status, kind)
                if key not in self._known and (made := list(with_kind(test_case, number, kind))):
                    self._known.add(key)
                    yield from made

    def _is_new(self, hint: NamingHint, answer: Answer, result: ServiceResult) -> bool:
        if not is_possible(result, answer.origin):
            return False
        key = (hint.target, answer.place, result.outcome, result.status)
        is_new = key not in self._known
        self._known.add(key)
        return is_new


def _asks_for_redirect(hint: NamingHint) -> bool:
    return isinstance(hint, TruthinessHint) and hint.wanted and hint.name.endswith(".redirected")


def failures_named(hint: Hint, values: ValueSemantics) -> tuple[ClientFailure, ...]:
    """Returns what may lead to the wanted outcome of a condition, if it names an error of a client."""
    match hint:
        case ComparisonHint(operator="identical" | "equal", wanted=True, left=left, right=right):
            names = (right, left)
        case KeyHint(other=other):
            names = (other, None)
        case SubstringHint(wanted=True, part=str(text)) | PatternHint(wanted=True, source=text):
            return values.failures_by_text(text)
        case _:
            return ()
    found = [values.failures_by_name(name) for name in names if isinstance(name, str)]
    return tuple(dict.fromkeys(failure for failures in found for failure in failures))


def _failing(answer: Answer, result: ServiceResult) -> Answer:
    """Returns the answer to the same requests that is this failure."""
    return msgspec.structs.replace(answer_with(result, answer, answer.path), occurrence=answer.occurrence)
