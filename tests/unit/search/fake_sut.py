"""A SUT in memory: a Python function that answers calls and reports at its branches what an agent would."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from hint_samples import hint
from wimble.genes import Gene
from wimble.http.binding import binding_of, http_operation
from wimble.http.declarations import DeclaredLink, HttpInput
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.evaluation import Evaluation, Reached, with_additions
from wimble.model.hints import InputHint, OperandHint
from wimble.model.operation import Operation
from wimble.model.targets import Target, TargetTable
from wimble.model.testcase import TestCase
from wimble.runtimes.node.javascript_values import JAVASCRIPT
from wimble.search.strategies import STRATEGIES, Strategy
from wimble.search.targets.core_targets import core_targets
from wimble.settings import Settings
from wimble.types import ABSENT, OperationId


def operation(
    method: str,
    path: str,
    body: Gene | None = None,
    *,
    operation_id: str = "",
    links: tuple[DeclaredLink, ...] = (),
    **parameters: Gene,
) -> Operation:
    """Parameters named in the path are path parameters, all others query parameters."""
    inputs = [
        HttpInput(name=name, location="path" if f"{{{name}}}" in path else "query", template=gene, required=True)
        for name, gene in parameters.items()
    ]
    inputs.sort(key=lambda given: given.location != "path")
    if body is not None:
        inputs.append(HttpInput(name="body", location="body", template=body, media_type="application/json"))
    return http_operation(
        id=OperationId(f"{method} {path}"),
        method=method,
        path=path,
        inputs=inputs,
        operation_id=operation_id,
        links=links,
    )


class Probe:
    """What the handler tells of its comparisons."""

    def __init__(self, table: TargetTable) -> None:
        self.table = table
        self.call = 0
        self.reached: dict[Any, Reached] = {}
        self.hints: list[OperandHint] = []

    def equals(self, site: int, left: Any, right: Any) -> bool:
        return self._compare(
            site,
            "===",
            left,
            right,
            outcome=left == right and type(left) is type(right),
            distance=_distance(left, right),
        )

    def at_least(self, site: int, left: float, right: float) -> bool:
        return self._compare(site, ">=", left, right, outcome=left >= right, distance=max(0.0, right - left))

    def line(self, site: int) -> None:
        self.reach(self.table.register(Target("line", "app.js", site, 0)), 1.0)

    def _compare(self, site: int, operator: str, left: Any, right: Any, *, outcome: bool, distance: float) -> bool:
        true, false = (
            self.table.register(Target("branch", "app.js", site, 0, f"{operator} {way}")) for way in ("true", "false")
        )
        # [WB-JS] §3.3: a reached target is never 0, and closer is higher.
        self.reach(true, 1.0 if outcome else 0.1 + 0.9 / (1.0 + distance) * 0.99)
        self.reach(false, 0.5 if outcome else 1.0)
        scalars = (str, int, float, bool, type(None))
        if not outcome and isinstance(left, scalars) and isinstance(right, scalars):
            self.hints.append(hint(left, operator, right, target=true, call=self.call))
        return outcome

    def reads(self, location: Any, name: str) -> None:
        """Tells that the handler has read an input that is not there."""
        target = self.table.register(Target("statement", "app.js", 1, 0))
        self.hints.append(InputHint(target=target, call=self.call, location=location, path=(name,)))

    def reach(self, target: Any, h: float) -> None:
        known = self.reached.get(target)
        if known is None or h > known.h:
            self.reached[target] = Reached(h, self.call)


def _distance(left: Any, right: Any) -> float:
    if isinstance(left, bool) or isinstance(right, bool) or type(left) is not type(right):
        numbers = (int, float)
        if not (isinstance(left, numbers) and isinstance(right, numbers)):
            return 1e9
    if isinstance(left, str):
        pairs = sum(abs(ord(a) - ord(b)) for a, b in zip(left, right, strict=False))
        return 65_536.0 * abs(len(left) - len(right)) + pairs
    return float(abs(left - right))


Handler = Callable[[str, dict[str, Any], Probe, dict[str, Any]], tuple[Any, ...]]
"""(operation id, values by name, probe, state of the test case) -> (status, JSON body), or these and cookies by name"""


class FakeSut:
    """Runs test cases against a handler; state lives for one test case."""

    def __init__(self, handler: Handler, *, with_hints: bool = False) -> None:
        self.table = TargetTable()
        self._handler = handler
        self._with_hints = with_hints

    def evaluate(self, test_case: TestCase) -> Evaluation:
        probe = Probe(self.table)
        state: dict[str, Any] = {}
        bodies: list[Any] = []
        cookies: list[dict[str, str]] = []

        def resolve(call: int, pointer: str) -> Any:
            if pointer.startswith("cookie:"):
                return cookies[call].get(pointer.removeprefix("cookie:"), ABSENT)
            value = bodies[call]
            for part in pointer.split("/")[1:]:
                try:
                    value = value[int(part)] if isinstance(value, list) else value[part]
                except (KeyError, IndexError, ValueError, TypeError):
                    return ABSENT
            return ABSENT if pointer.startswith("header:") else value

        observations = []
        for index, call in enumerate(test_case.calls):
            probe.call = index
            values = {
                given.name: value
                for given, gene in zip(call.operation.inputs, call.genes, strict=True)
                if (value := gene.phenotype(resolve)) is not ABSENT
            }
            try:
                status, body, *given = self._handler(call.operation.id, values, probe, state)
            except (KeyError, TypeError, AttributeError):  # of an input that is missing, or not of its declared type
                status, body, given = 500, {}, []
            bodies.append(body)
            cookies.append(given[0] if given else {})
            set_cookies = (("set-cookie", f"{name}={value}") for name, value in cookies[-1].items())
            headers = (("content-type", "application/json"), *set_cookies)
            observations.append(
                http_observation(
                    call_index=index,
                    request=HttpRequest(binding_of(call.operation).method, binding_of(call.operation).path),
                    response=HttpResponse(status, headers, json.dumps(body).encode()),
                )
            )
        evaluation = Evaluation(
            test_case=test_case,
            observations=tuple(observations),
            reached=probe.reached,
            hints=tuple(probe.hints) if self._with_hints else (),
        )
        return with_additions(evaluation, [core_targets(evaluation, [], self.table)])

    def target(self, kind: Any, site: int, detail: str = "") -> Any:
        return self.table.register(Target(kind, "app.js", site, 0, detail))


def searched(
    sut: FakeSut,
    operations: list[Operation],
    *,
    seed: int,
    evaluations: int,
    strategy: str = "mio",
    stop_at: int | None = None,
) -> tuple[Strategy, int]:
    """Runs a search; stops early once the line `stop_at` is covered. Answers the evaluations used as well."""
    search = STRATEGIES[strategy](operations, sut.table, Settings(), Random(seed), JAVASCRIPT)
    wanted = sut.target("line", stop_at) if stop_at is not None else None
    for count in range(evaluations):
        progress = count / evaluations
        search.observe(sut.evaluate(search.next_test_case(progress)), progress)
        if wanted is not None and search.archive.is_covered(wanted):
            return search, count + 1
    return search, evaluations
