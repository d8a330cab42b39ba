"""A SUT with tracing: the worker's own, started afresh with another environment, and back again afterwards.

It is not a second SUT beside the first one, because both would need the same port and the same databases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from wimble.engine.worker.worker import Worker
from wimble.errors import TargetError
from wimble.execute.sut.started_sut import StartedSut
from wimble.model.testcase import TestCase
from wimble.search.generators.solver_answers import TracedRun
from wimble.solve.path_conditions import CallInput, Path


class SutTracer:
    """Traces on the SUT of one worker."""

    def __init__(self, worker: Worker, sut: StartedSut) -> None:
        self._worker = worker
        self._sut = sut

    @contextmanager
    def tracing(self) -> Iterator[TracedRun | None]:
        """Starts the SUT with tracing for as long as the context lasts; None if it does not come up so.

        Raises: TargetError, if it does not come up without tracing afterwards.
        """
        self._sut.is_traced = True
        try:
            try:
                self._worker.restart()
            except TargetError:
                yield None
            else:
                yield self._run
        finally:
            self._sut.is_traced = False
            self._worker.restart()

    def _run(self, test_case: TestCase, call: int, inputs: Sequence[CallInput]) -> Path | None:
        path, evaluation = self._sut.traced_path(test_case, call, inputs)
        if evaluation.is_sut_lost:
            self._worker.restart()
        return path
