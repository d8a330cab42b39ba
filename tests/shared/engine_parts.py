"""The objects that phases of the engine work with: real ones, around a SUT that is a function."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from wimble.agent.sources import LoadedFile
from wimble.engine.candidates.start_policy import StartPolicy
from wimble.engine.candidates.trials import Trials
from wimble.engine.events import Event
from wimble.engine.faults.fault_book import FaultBook
from wimble.engine.faults.provenance_log import SolutionProvenances
from wimble.engine.session.budget import Budget
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.stop import StopRequest
from wimble.engine.stability.verification import Verification
from wimble.engine.verify import verify_phase
from wimble.engine.worker.database_outages import Clock
from wimble.engine.worker.worker import Worker
from wimble.execute.sut.readiness import Expected
from wimble.execute.sut.served_api import NoApi
from wimble.http.binding import binding_of, http_operation
from wimble.http.exchange import http_observation
from wimble.http.http_messages import HttpRequest, HttpResponse
from wimble.model.database import Database, DatabaseHome, InsertRows, LearntRules, QueryResult, TableName
from wimble.model.evaluation import Evaluation, Reached, Schedule
from wimble.model.operation import Operation, Specification
from wimble.model.run_conditions import Conditions
from wimble.model.structure import FileStructure
from wimble.model.suite import VerifiedTest
from wimble.model.targets import TargetTable
from wimble.model.testcase import Call, TestCase
from wimble.oracles import Judge
from wimble.runtimes.node.node_runtime import NODE
from wimble.search.resources.resources import Resources
from wimble.search.strategies import STRATEGIES
from wimble.settings import Settings
from wimble.types import Json, OperationId, TargetId

Result = TypeVar("Result")
Answer = tuple[int, Json]
Program = Callable[[dict[str, Any], str], Answer]
"""Answers an operation, with what it keeps in memory since its start."""


def operation(name: str) -> Operation:
    """name: `GET /orders`."""
    method, _, path = name.partition(" ")
    return http_operation(id=OperationId(name), method=method, path=path)


def calls_of(*names: str) -> TestCase:
    return TestCase(tuple(Call(operation(name), ()) for name in names))


class FakeDatabases:
    """Databases that are there, or away, and hold nothing."""

    def __init__(self, homes: Sequence[DatabaseHome] = (), schemas: Sequence[Database] = ()) -> None:
        self.homes = tuple(homes)
        self.schemas = tuple(schemas)
        self.are_away = False

    def learn_from(self, learnt: LearntRules) -> None:
        pass

    def contents_of(self, database: str, table: TableName) -> object | None:
        return None

    def query(self, database: str, text: str, params: tuple[Json, ...] = ()) -> QueryResult:
        return QueryResult(columns=(), rows=())

    def insert(self, inserts: tuple[InsertRows, ...]) -> tuple[str, ...]:
        return ("",) * len(inserts)


def _accept(memory: dict[str, Any], operation_id: str) -> Answer:
    return 200, None


class ScriptedApi(NoApi):
    """What the API of a `ScriptedSut` knows. It answers nothing outside of evaluations."""

    base_url = "http://127.0.0.1:3000"
    port = 3000
    ports = (3000,)


REQUESTS = "requests"
"""Where in its memory a program says which requests it has sent to services."""


class ScriptedSut:
    """A SUT (`execute.sut.sut.Sut`) that is a program."""

    runtime = NODE
    is_alive = True
    has_standby = False
    agent_label = ""
    schedules: tuple[Schedule, ...] = ()
    written_files: tuple[str, ...] = ()
    ends_s: float | None = None
    """When it is to send no call any more; it sends them nevertheless."""
    cuts_calls = False

    def __init__(
        self,
        program: Program = _accept,
        *,
        databases: FakeDatabases | None = None,
        files: tuple[LoadedFile, ...] = (),
        structures: Mapping[str, FileStructure] | None = None,
    ) -> None:
        self._program = program
        self._memory: dict[str, Any] = {}
        self.databases = databases or FakeDatabases()
        self.api = ScriptedApi()
        self.files = files
        self.structures = structures or {}
        self.boot_reached: Mapping[TargetId, float] = {}
        self.n_starts = 0
        self.ran: list[TestCase] = []
        self.told_covered: list[tuple[TargetId, ...]] = []
        """For each evaluation: targets that the SUT was told are covered."""
        self.conditions: list[Conditions] = []
        self.is_another_day = False

    def start(self) -> None:
        self.restart()

    def restart(self) -> None:
        self._memory = {}
        self.n_starts += 1

    def keep_standbys(self, most: int | None = None) -> None: ...

    def expect_days(self, are_other: Sequence[bool]) -> None: ...

    def leave(self) -> None: ...

    def stop(self) -> None: ...

    def fill_waits(self, work: Callable[[], None]) -> None: ...

    def send_until(self, ends_s: float | None, *, cuts_calls: bool = False) -> None:
        self.ends_s = ends_s
        self.cuts_calls = cuts_calls

    def live_under(self, conditions: Conditions) -> None:
        self.conditions.append(conditions)

    def move_clock(self, is_on: bool) -> None:
        self.is_another_day = is_on

    def find_late(self, asked: Sequence[Expected], should_stop: Callable[[], bool]) -> None: ...

    def take_notes(self) -> list[str]:
        return []

    def take_late_notes(self) -> list[str]:
        return []

    def evaluate(
        self,
        test_case: TestCase,
        *,
        covered: Sequence[TargetId] = (),
        full: bool = False,
        want_hints: bool = True,
        linger_s: float = 0.0,
    ) -> Evaluation:
        self.ran.append(test_case)
        self.told_covered.append(tuple(covered))
        observations = []
        for index, call in enumerate(test_case.calls):
            status, body = self._program(self._memory, call.operation.id)
            response = HttpResponse(status, (("content-type", "application/json"),), json.dumps(body).encode())
            binding = binding_of(call.operation)
            request = HttpRequest(binding.method, binding.path)
            observations.append(http_observation(index, request, response))
        return Evaluation(
            test_case=test_case,
            observations=tuple(observations),
            reached=self.reached(test_case),
            interactions=tuple(self._memory.pop(REQUESTS, ())),
        )

    def reached(self, test_case: TestCase) -> dict[TargetId, Reached]:
        """Targets of code; none, unless a test says otherwise."""
        return {}


def new_coordinator(
    settings: Settings | None = None,
    operations: Sequence[Operation] = (),
    *,
    table: TargetTable | None = None,
    boot_reached: Mapping[TargetId, float] | None = None,
) -> Coordinator:
    settings = settings or Settings(command=("node", "server.js"), max_time_s=None, max_calls=100)
    table = table if table is not None else TargetTable()
    specification = Specification(operations=tuple(operations), source="openapi.json", title="shop")
    strategy = STRATEGIES[settings.strategy](
        specification.operations, table, settings, Random(settings.seed), NODE.values
    )
    return Coordinator(
        settings=settings,
        runtime=NODE,
        table=table,
        specification=specification,
        resources=Resources(specification.operations),
        strategy=strategy,
        judge=Judge(),
        budget=Budget(max_time_s=settings.max_time_s, max_calls=settings.max_calls),
        stop=StopRequest(),
        faults=FaultBook(),
        provenances=SolutionProvenances(strategy.archive.solution_serials),
        boot_reached=boot_reached or {},
    )


def request_stop(stop: StopRequest) -> None:
    """As the user does by Ctrl-C while a phase runs."""
    stop.make_graceful()
    stop.signal()


def new_worker(
    sut: ScriptedSut | None = None, coordinator: Coordinator | None = None, clock: Clock | None = None
) -> Worker:
    shared = coordinator or new_coordinator()
    return Worker(sut or ScriptedSut(), shared, clock) if clock is not None else Worker(sut or ScriptedSut(), shared)


def new_verification(
    sut: ScriptedSut | None = None, coordinator: Coordinator | None = None, starts: StartPolicy | None = None
) -> Verification:
    shared = coordinator or new_coordinator()
    return Verification(shared, Trials(new_worker(sut, shared), starts or StartPolicy()))


class ManualClock:
    """A clock that only `sleep` moves on."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def monotonic(self) -> float:
        return self.now_s

    def sleep(self, seconds: float, /) -> None:
        self.now_s += seconds


def verified_tests(phase: Generator[Event, None, verify_phase.VerifiedSuite]) -> tuple[VerifiedTest, ...]:
    """Returns the tests of a whole verification."""
    return finished(phase).tests


def finished(phase: Generator[Event, None, Result]) -> Result:
    """Runs a phase to its end, and returns its result."""
    while True:
        try:
            next(phase)
        except StopIteration as end:
            result: Result = end.value
            return result
