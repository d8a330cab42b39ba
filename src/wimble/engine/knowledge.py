"""Gathers, at the end of a run, what the search knew of each target: the session file's content.

Costs nothing while the search runs; what it reads was kept by the archive and the journal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Protocol

import msgspec

from wimble import __version__
from wimble.engine.context import RunContext
from wimble.feedback.inputs import InputIndex
from wimble.feedback.values import decoded
from wimble.genes import ObjectGene
from wimble.model.curl import curl_command
from wimble.model.evaluation import CompareHint, Hint
from wimble.model.request import build_request
from wimble.model.result import ReportedTest
from wimble.model.session import Knowledge, Operands, Session, SessionFile, SessionTest, TargetRow, Tried
from wimble.model.setup import InsertAction, row_comments
from wimble.model.structure import FileStructure
from wimble.model.targets import TargetTable
from wimble.model.testcase import GeneAddress, TestCase, setup_index
from wimble.search.archive import Entry
from wimble.types import ABSENT, Json, TargetId

MAX_KNOWN = 5_000
"""Targets told in full; a session file is read by a person, and stays below some megabytes."""
MAX_CURL_LENGTH = 2_000
MAX_EDITS = 12
MAX_ORIGINS = 3
MAX_OPERANDS = 2
MAX_OPERAND_LENGTH = 200


class SourceFile(Protocol):
    """What is needed of a file that the agent has seen (agent/session.py)."""

    @property
    def path(self) -> str: ...
    @property
    def targets(self) -> tuple[TargetId, ...]: ...
    @property
    def error(self) -> str: ...


class SeenSut(Protocol):
    """What is needed of the SUT."""

    @property
    def files(self) -> Sequence[SourceFile]: ...
    @property
    def structures(self) -> Mapping[str, FileStructure]: ...


def session_of(context: RunContext, sut: SeenSut, tests: tuple[ReportedTest, ...]) -> Session:
    """Everything that is known now; works on whatever there is, also after an interrupt."""
    settings = context.settings
    gatherer = _Gatherer(context)
    return Session(
        wimble_version=__version__,
        command=settings.command,
        working_dir=str(settings.working_dir.absolute()),
        seed=settings.seed,
        stopped_by=context.stopped_by,
        seconds=round(context.search_s, 3),
        calls=context.budget.calls,
        evaluations=context.evaluations,
        has_hints=context.strategy.wants_hints,
        tests=tuple(SessionTest(test.file, test.name) for test in tests),
        files=(
            *(
                gatherer.source_file(file, sut.structures.get(file.path) or FileStructure())
                for file in sorted(sut.files, key=lambda file: file.path)
            ),
            gatherer.file("", list(_own_targets(context.table))),
        ),
    )


def _own_targets(table: TargetTable) -> Iterator[TargetId]:
    """Statuses and faults."""
    return (TargetId(number) for number, target in enumerate(table) if not target.file)


class _Gatherer:
    """Asks the archive and the journal about one target after the other; remembers what many targets share."""

    def __init__(self, context: RunContext) -> None:
        self._context = context
        self._archive = context.strategy.archive
        self._journal = context.strategy.journal
        self._latest = self._journal.latest_hints()
        self._test_of: dict[TargetId, int] = {}
        for number, test in enumerate(context.tests):
            for target in test.covers:
                self._test_of.setdefault(target, number)
        self._indexes: dict[tuple[int, int], InputIndex] = {}
        self._curls: dict[int, tuple[str, ...]] = {}
        self._n_known = 0

    def source_file(self, file: SourceFile, structure: FileStructure) -> SessionFile:
        index_of = {target: index for index, target in enumerate(file.targets)}
        return msgspec.structs.replace(
            self.file(file.path, file.targets),
            regions=tuple(
                msgspec.structs.replace(region, target=index_of[target])
                for target, region in structure.regions
                if target in index_of
            ),
            functions=tuple(structure.functions),
            error=file.error,
        )

    def file(self, path: str, targets: Sequence[TargetId]) -> SessionFile:
        known = {}
        for index, target in enumerate(targets):
            knowledge = self._knowledge(target)
            if knowledge is not None:
                known[index] = knowledge
        return SessionFile(path=path, targets=tuple(self._row(target) for target in targets), known=known)

    def _row(self, target_id: TargetId) -> TargetRow:
        target = self._context.table[target_id]
        h = self._archive.best_h(target_id)
        return TargetRow(
            target.kind,
            target.line,
            target.column,
            target.detail,
            round(h, 6) if h < 0.999999 else h,
            round(self._context.boot_reached.get(target_id, 0.0), 6),
            self._test_of.get(target_id) if h >= 1.0 else None,
        )

    def _knowledge(self, target: TargetId) -> Knowledge | None:
        """None where there is nothing to tell: covered, never reached, or one too many."""
        best = self._archive.best(target)
        if best is None or self._n_known >= MAX_KNOWN:
            return None
        self._n_known += 1
        entry, call = best
        return Knowledge(
            operation=entry.test_case.calls[call].operation.id,
            curl=self._curl(entry.test_case),
            best=self._operands(entry.hints(target), entry),
            latest=self._operands(self._latest.get(target, ()), None),
            tried=self._tried(target),
        )

    def _tried(self, target: TargetId) -> Tried:
        effort = self._journal.effort(target)
        edits = sorted(effort.edits.items(), key=lambda item: (-item[1], item[0]))
        return Tried(
            samplings=effort.samplings,
            evaluations=effort.evaluations,
            edits=tuple(edits[:MAX_EDITS]),
            other_edits=effort.other_edits + sum(count for _, count in edits[MAX_EDITS:]),
            mutations=dict(sorted(effort.mutations.items())),
            last_improvement=effort.last_improvement,
        )

    def _operands(self, hints: Sequence[Hint], entry: Entry | None) -> tuple[Operands, ...]:
        """entry: the test case that the hints are of, where it is known."""
        return tuple(
            Operands(
                operator=hint.operator,
                left=_bounded(hint.left),
                right=_bounded(hint.right),
                wanted=hint.wanted,
                flags=hint.flags,
                left_inputs=self._origins(hint.left, hint.call, entry),
                right_inputs=self._origins(hint.right, hint.call, entry) if hint.operator != "truthy" else (),
            )
            for hint in [hint for hint in hints if isinstance(hint, CompareHint)][:MAX_OPERANDS]
        )

    def _origins(self, operand: Json, call: int, entry: Entry | None) -> tuple[str, ...]:
        if entry is None or call >= len(entry.test_case.calls):
            return ()
        key = (id(entry), call)
        index = self._indexes.get(key)
        if index is None:
            # Which inputs there are depends on no chance; a generator of its own leaves the run's alone.
            index = self._indexes[key] = InputIndex(entry.test_case, call, Random(0), entry.resolve)
        value = decoded(operand)
        # An input that is left out equals all else that is undefined.
        found = [] if value is ABSENT else index.origins(value)[:MAX_ORIGINS]
        return tuple(
            f"{_input_name(entry.test_case, origin.place[0], call)} ({origin.how})"
            if origin.place is not None
            else origin.how
            for origin in found
        )

    def _curl(self, test_case: TestCase) -> tuple[str, ...]:
        known = self._curls.get(id(test_case))
        if known is None:
            url = self._context.sut.base_url
            users = self._context.settings.users
            commands = (curl_command(build_request(call, _named_answer), url, users) for call in test_case.calls)
            lines = (*row_comments(test_case), *commands)
            known = self._curls[id(test_case)] = tuple(_shortened(line) for line in lines)
        return known


def _named_answer(call: int, pointer: str) -> Json:
    """What stands in a command for a value out of an earlier answer."""
    return f"from-call-{call + 1}.{pointer.removeprefix('header:').strip('/').replace('/', '.')}"


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_CURL_LENGTH else text[:MAX_CURL_LENGTH] + " ..."


def _bounded(value: Json) -> Json:
    return value[:MAX_OPERAND_LENGTH] + "..." if isinstance(value, str) and len(value) > MAX_OPERAND_LENGTH else value


def _input_name(test_case: TestCase, address: GeneAddress, of_call: int) -> str:
    """`query limit`, `body items.0.sku`; with the call where it is an earlier one. `column members.kind` of a row that was put in."""
    if address.call < 0:
        action = test_case.setup[setup_index(address.call)]
        if isinstance(action, InsertAction):
            return f"column {action.table}.{action.columns[address.input].name}"
        return "setup"
    call = test_case.calls[address.call]
    declared = call.operation.inputs[address.input]
    gene = call.genes[address.input]
    words: list[str] = [] if declared.location == "body" else [declared.name]
    for index in address.path:
        children = gene.children()
        if isinstance(gene, ObjectGene):
            words.append(gene.fields[index][0])
        elif len(children) > 1:
            words.append(str(index))
        gene = children[index]
    earlier = "" if address.call == of_call else f" of call {address.call + 1}"
    return f"{declared.location} {'.'.join(words)}".rstrip() + earlier
