"""Collects, at the end of a run, what the search knew of each target: the content of `explain.json`.

This costs nothing during the search: the archive and the log of attempts keep the data anyway.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Protocol

import msgspec

from wimble import __version__
from wimble.encoding import encode_test_case, n_parts, to_text
from wimble.engine.write.finished_run import FinishedRun
from wimble.feedback.input_to_state.operand_sources import InputIndex
from wimble.genes import CarriedGene, ObjectGene
from wimble.http.curl import curl_command
from wimble.http.curl_credentials import signed_tokens
from wimble.http.request_building import build_request
from wimble.library.argument_literals import call_text
from wimble.library.function_binding import FunctionBinding
from wimble.library.invocation import invocation_of
from wimble.model.explain_data import ExplainData, ExplainedFile, ExplainedTest, Knowledge, Operands, TargetRow, Tried
from wimble.model.hints import Hint, OperandHint, PresenceRequirement, SchemaHint, TruthinessHint
from wimble.model.operands import decoded
from wimble.model.result import ReportedTest
from wimble.model.setup import setup_comments
from wimble.model.structure import FileStructure
from wimble.model.targets import TargetTable
from wimble.model.testcase import GeneAddress, TestCase, setup_index
from wimble.oracles.failures.crashes import DIED
from wimble.oracles.failures.missing_await import NAME as MISSING_AWAIT
from wimble.search.archive.archive import Entry
from wimble.search.mio import MioStrategy
from wimble.types import ABSENT, Json, TargetId

MAX_KNOWN = 5_000
"""Maximum number of targets with all details. A person reads the session file, so it stays below some megabytes."""
MAX_CURL_LENGTH = 2_000
MAX_TEST_CASE_LENGTH = 20_000
"""Maximum number of characters of an encoded test case: one with large bodies holds much of the API's schema."""
MAX_TEST_CASE_PARTS = MAX_TEST_CASE_LENGTH // 12
"""More parts have more characters than that: each writes at least its tag."""
MAX_EDITS = 12
MAX_ORIGINS = 3
MAX_OPERANDS = 2
MAX_OPERAND_LENGTH = 200


class SourceFile(Protocol):
    """The part of a file that the agent has seen (agent/session.py) that is needed here."""

    @property
    def path(self) -> str: ...
    @property
    def targets(self) -> tuple[TargetId, ...]: ...
    @property
    def error(self) -> str: ...


def explain_data_of(run: FinishedRun, tests: tuple[ReportedTest, ...]) -> ExplainData:
    """Returns all that is known of each target. tests: those that were written."""
    coordinator, sut = run.coordinator, run.sut
    settings = coordinator.settings
    gatherer = _Gatherer(run)
    files = (
        *(
            gatherer.source_file(file, sut.structures.get(file.path) or FileStructure())
            for file in sorted(sut.files, key=lambda file: file.path)
        ),
        gatherer.file("", list(_own_targets(coordinator.table))),
    )
    return ExplainData(
        wimble_version=__version__,
        runtime=coordinator.runtime.name,
        command=settings.command,
        working_dir=str(settings.working_dir.absolute()),
        seed=settings.seed,
        stopped_by=run.stopped_by,
        seconds=round(coordinator.budget.elapsed_s, 3),
        calls=coordinator.budget.calls,
        evaluations=coordinator.statistics.n_evaluations,
        has_hints=coordinator.strategy.wants_hints,
        ends=tuple(_places_of_ends(run)),
        promises=tuple(_places_of_promises(run)),
        tests=tuple(ExplainedTest(test.file, test.name) for test in tests),
        test_cases=tuple(gatherer.test_cases),
        files=files,
    )


def _places_of_ends(run: FinishedRun) -> dict[str, None]:
    causes = [fault.finding.cause for fault in run.coordinator.faults if fault.finding.oracle == DIED]
    return dict.fromkeys(f"{cause.file}:{cause.line}" for cause in causes if cause.file)


def _places_of_promises(run: FinishedRun) -> dict[str, None]:
    findings = [fault.finding for fault in run.coordinator.faults]
    mistakes = [mistake for finding in findings for mistake in finding.cause.mistakes if mistake.members is None]
    used = [finding.cause for finding in findings if finding.oracle == MISSING_AWAIT]
    places = [*((one.file, one.line) for one in used), *((one.file, one.line) for one in mistakes)]
    return dict.fromkeys(f"{file}:{line}" for file, line in places if file)


def _own_targets(table: TargetTable) -> Iterator[TargetId]:
    """Returns the targets without a file, such as statuses and faults."""
    return (TargetId(number) for number, target in enumerate(table) if not target.file)


class _Gatherer:
    """Collects data on each target from the archive and the log of attempts; caches what many targets share."""

    def __init__(self, run: FinishedRun) -> None:
        self._coordinator = run.coordinator
        self._base_url = run.sut.api.base_url
        self._headers = run.sut.api.form.headers
        self._token_keys = run.sut.api.token_keys
        self._archive = run.coordinator.strategy.archive
        self._values = run.coordinator.runtime.values
        self._attempts = run.coordinator.strategy.attempts
        strategy = run.coordinator.strategy
        self._solver_reports = strategy.solver.statistics.targets if isinstance(strategy, MioStrategy) else {}
        self._latest = self._attempts.latest_hints()
        self._test_of: dict[TargetId, int] = {}
        for number, test in enumerate(run.suite.tests):
            for target in test.covers:
                self._test_of.setdefault(target, number)
        self._indexes: dict[tuple[int, int], InputIndex] = {}
        self._curls: dict[int, tuple[str, ...]] = {}
        self.test_cases: list[Json] = []
        """The encoded test cases to which the collected data refer."""
        self._number_of: dict[int, int | None] = {}
        self._n_known = 0

    def source_file(self, file: SourceFile, structure: FileStructure) -> ExplainedFile:
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

    def file(self, path: str, targets: Sequence[TargetId]) -> ExplainedFile:
        known = {}
        for index, target in enumerate(targets):
            knowledge = self._knowledge(target)
            if knowledge is not None:
                known[index] = knowledge
        return ExplainedFile(path=path, targets=tuple(self._row(target) for target in targets), known=known)

    def _row(self, target_id: TargetId) -> TargetRow:
        target = self._coordinator.table[target_id]
        h = self._archive.best_h(target_id)
        return TargetRow(
            target.kind,
            target.line,
            target.column,
            target.detail,
            round(h, 6) if h < 0.999999 else h,
            round(self._coordinator.boot_reached.get(target_id, 0.0), 6),
            self._test_of.get(target_id) if h >= 1.0 else None,
        )

    def _knowledge(self, target: TargetId) -> Knowledge | None:
        """Returns what is known of a target.

        Returns None if it is covered or was never reached, or if MAX_KNOWN is exceeded.
        """
        best = self._archive.best(target)
        if best is None or self._n_known >= MAX_KNOWN:
            return None
        self._n_known += 1
        entry, call = best
        return Knowledge(
            operation=entry.test_case.calls[call].operation.id,
            curl=self._curl(entry.test_case),
            test_case=self._numbered(entry.test_case),
            best=self._operands(entry.hints(target), entry),
            latest=self._operands(self._latest.get(target, ()), None),
            tried=self._tried(target),
        )

    def _tried(self, target: TargetId) -> Tried:
        attempts = self._attempts.attempts_at(target)
        edits = sorted(attempts.edits.items(), key=lambda item: (-item[1], item[0]))
        return Tried(
            samplings=attempts.samplings,
            evaluations=attempts.evaluations,
            edits=tuple(edits[:MAX_EDITS]),
            other_edits=attempts.other_edits + sum(count for _, count in edits[MAX_EDITS:]),
            mutations=dict(sorted(attempts.mutations.items())),
            last_improvement=attempts.last_improvement,
            solver=self._solver_reports.get(target),
        )

    def _operands(self, hints: Sequence[Hint], entry: Entry | None) -> tuple[Operands, ...]:
        """entry: the test case of the hints, or None if unknown."""
        return tuple(
            self._operands_of(hint, entry)
            for hint in [hint for hint in hints if isinstance(hint, OperandHint)][:MAX_OPERANDS]
        )

    def _operands_of(self, hint: OperandHint, entry: Entry | None) -> Operands:
        left, right = hint.operands
        about = hint.requirement if isinstance(hint, SchemaHint) else hint
        fields = msgspec.structs.asdict(about)
        is_about_right = not isinstance(about, (TruthinessHint, PresenceRequirement))
        return Operands(
            kind=str(about.__struct_config__.tag),
            operator=fields.get("operator", ""),
            place=fields.get("place", ""),
            path=hint.path if isinstance(hint, SchemaHint) else "",
            left=_bounded(left),
            right=_bounded(right),
            wanted=fields.get("wanted", True),
            flags=fields.get("flags", ""),
            left_inputs=self._origins(left, hint.call, entry),
            right_inputs=self._origins(right, hint.call, entry) if is_about_right else (),
        )

    def _origins(self, operand: Json, call: int, entry: Entry | None) -> tuple[str, ...]:
        if entry is None or call >= len(entry.test_case.calls):
            return ()
        key = (id(entry), call)
        index = self._indexes.get(key)
        if index is None:
            # The inputs do not depend on chance. A generator of its own leaves the run's generator unchanged.
            index = self._indexes[key] = InputIndex(
                entry.test_case, call, Random(0), self._values, resolve=entry.resolve
            )
        value = decoded(operand)
        # An input that is left out would be equal to any other undefined value.
        found = [] if value is ABSENT else index.origins(value)[:MAX_ORIGINS]
        return tuple(
            f"{_input_name(entry.test_case, origin.place[0], call)} ({origin.how})"
            if origin.place is not None
            else origin.how
            for origin in found
        )

    def _numbered(self, test_case: TestCase) -> int | None:
        """Returns the index of the encoded test case in `test_cases`; None if it is too long."""
        key = id(test_case)
        if key not in self._number_of:
            encoded = None
            if n_parts(test_case, MAX_TEST_CASE_PARTS) < MAX_TEST_CASE_PARTS:
                encoded = encode_test_case(test_case)
            is_short = encoded is not None and len(to_text(encoded)) <= MAX_TEST_CASE_LENGTH
            self._number_of[key] = len(self.test_cases) if is_short else None
            if is_short:
                self.test_cases.append(encoded)
        return self._number_of[key]

    def _curl(self, test_case: TestCase) -> tuple[str, ...]:
        known = self._curls.get(id(test_case))
        if known is None:
            comments: dict[str, None] = dict.fromkeys(setup_comments(test_case))
            commands = []
            for call in test_case.calls:
                if isinstance(call.operation.binding, FunctionBinding):
                    commands.append(call_text(call.operation.binding, invocation_of(call)))
                    continue
                request = build_request(call, _named_answer)
                signed = list(signed_tokens(request, self._token_keys))
                comments.update(dict.fromkeys(comment for _, comment in signed))
                stand_ins = [stand_in for stand_in, _ in signed]
                users = self._coordinator.settings.users
                commands.append(curl_command(request, self._base_url, users, self._headers, stand_ins=stand_ins))
            lines = (*comments, *commands)
            known = self._curls[id(test_case)] = tuple(_shortened(line) for line in lines)
        return known


def _named_answer(call: int, pointer: str) -> Json:
    """Returns the text that stands in a command for a value of an earlier answer."""
    return f"from-call-{call + 1}.{pointer.removeprefix('header:').strip('/').replace('/', '.')}"


def _shortened(text: str) -> str:
    return text if len(text) <= MAX_CURL_LENGTH else text[:MAX_CURL_LENGTH] + " ..."


def _bounded(value: Json) -> Json:
    return value[:MAX_OPERAND_LENGTH] + "..." if isinstance(value, str) and len(value) > MAX_OPERAND_LENGTH else value


def _input_name(test_case: TestCase, address: GeneAddress, of_call: int) -> str:
    """Returns a name such as `query limit` or `body items.0.sku`, with the call if it is an earlier one.

    An input of an inserted row is named `column members.kind`.
    """
    if address.call < 0:
        return test_case.setup[setup_index(address.call)].input_label(address.input)
    call = test_case.calls[address.call]
    declared = call.operation.inputs[address.input]
    gene = call.genes[address.input]
    is_unnamed = declared.role in ("content", "credential") or declared.is_undeclared
    words: list[str] = [] if is_unnamed else [declared.name]
    for index in address.path:
        children = gene.children()
        if isinstance(gene, ObjectGene | CarriedGene):
            words.append(gene.fields[index][0])
        elif len(children) > 1:
            words.append(str(index))
        gene = children[index]
    earlier = "" if address.call == of_call else f" of call {address.call + 1}"
    undeclared = " (not in the document)" if declared.is_undeclared else ""
    return f"{declared.sent_in} {'.'.join(words)}".strip() + undeclared + earlier
