"""Writes the verified tests of a library."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from wimble.emit.library_formats import LibraryPackage, write_library_tests
from wimble.engine.session.output_folder import TESTS_DIR
from wimble.engine.write.finished_run import FinishedRun
from wimble.execute.sut.library_sut import LibrarySut
from wimble.library.argument_literals import call_text, variable_name
from wimble.library.function_binding import function_of
from wimble.library.invocation import exchange_of_function, is_forbidden
from wimble.model.observation import Observation
from wimble.model.result import ReportedTest
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import TestCase

RUNNABLE = frozenset({"ok", "refused", "failed"})
"""Outcomes of calls that a test can make: others end the process of the test runner, or block it."""


def library_tests(run: FinishedRun) -> tuple[tuple[ReportedTest, ...], str]:
    """Writes the tests and returns them with the name of their format. If the disk fails, it warns."""
    coordinator, sut = run.coordinator, run.sut
    settings = coordinator.settings
    format_name = settings.test_format or "node-test"
    tests = [test for test in run.suite.tests if _is_runnable(test)]
    if not tests or not isinstance(sut, LibrarySut):
        return (), ""
    library = sut.library
    package = LibraryPackage(
        name=library.name,
        version=library.version,
        folder=library.source,
        is_folder=library.root == library.source,
        entry=library.entry,
        is_single=library.is_single,
    )
    folder = settings.output_dir / TESTS_DIR
    try:
        return write_library_tests(tests, package, format_name, folder, shown_folder=TESTS_DIR), format_name
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        coordinator.notices.warn(f"the tests could not be written: {error.strerror or error}")
        return (), ""


def _is_runnable(test: VerifiedTest) -> bool:
    """Whether a test runner survives the test, and comes to the same result without the limits of the process."""
    thrown = [exchange_of_function(call.observation).thrown for call in test.calls]
    return all(call.observation.outcome in RUNNABLE for call in test.calls) and not any(
        one is not None and is_forbidden(one) for one in thrown
    )


def call_lines(test_case: TestCase, observations: Sequence[Observation]) -> tuple[str, ...]:
    """Returns statements that make the calls again in a program."""
    imports: dict[str, None] = {}
    lines: list[str] = []
    for call, observation in zip(test_case.calls, observations, strict=False):
        binding = function_of(call.operation)
        root = variable_name(binding.package)
        package = binding.package
        required = f"import * as {root} from '{package}';" if binding.is_module else ""
        imports[required or f"const {root} = require('{package}');"] = None
        lines.append(call_text(binding, exchange_of_function(observation).invocation, root) + ";")
    return (*imports, *lines)
