"""Makes the coordinator of a run, with what the settings ask for."""

from __future__ import annotations

from random import Random

from wimble.engine.faults.fault_book import FaultBook
from wimble.engine.faults.provenance_log import SolutionProvenances
from wimble.engine.journal.journal import Journal
from wimble.engine.journal.journal_entries import JOURNAL_FILE
from wimble.engine.session.budget import Budget
from wimble.engine.session.coordinator import Coordinator
from wimble.engine.session.harvest import Harvest
from wimble.engine.session.notices import Notices
from wimble.engine.session.statistics import Statistics
from wimble.engine.session.stop import StopRequest
from wimble.execute.sut.sut import Sut
from wimble.model.operation import Specification
from wimble.model.targets import TargetTable
from wimble.oracles import Judge
from wimble.oracles.libraries.library_table import LIBRARY_ORACLES
from wimble.search.resources.resources import Resources
from wimble.search.strategies import STRATEGIES
from wimble.settings import Settings


def new_coordinator(
    settings: Settings,
    stop: StopRequest,
    table: TargetTable,
    specification: Specification,
    *,
    sut: Sut,
    notices: Notices,
) -> Coordinator:
    strategy = STRATEGIES[settings.strategy](
        specification.operations, table, settings, Random(settings.seed), sut.runtime.values
    )
    return Coordinator(
        settings=settings,
        harvest=Harvest(settings.harvested_hosts, settings.output_dir / "harvest", settings.secrets.redact),
        runtime=sut.runtime,
        table=table,
        specification=specification,
        resources=Resources(specification.operations),
        strategy=strategy,
        judge=Judge(LIBRARY_ORACLES) if settings.library else Judge(operations=specification.operations),
        budget=Budget(max_time_s=settings.max_time_s, max_calls=settings.max_calls),
        stop=stop,
        faults=FaultBook(),
        provenances=SolutionProvenances(strategy.archive.solution_serials),
        boot_reached=dict(sut.boot_reached),
        statistics=Statistics(
            target for target, h in sut.boot_reached.items() if h >= 1.0 and table[target].kind == "line"
        ),
        notices=notices,
        journal=Journal(
            None if settings.writes_only_document or settings.library else settings.output_dir / JOURNAL_FILE,
            clean=settings.secrets.redact,
            warn=notices.warn,
        ),
    )
