"""Writes the verified tests of a library."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from wimble.emit.library_formats import LibraryPackage, specifier_of, write_library_tests
from wimble.emit.library_processes import ENDING
from wimble.engine.session.output_folder import TESTS_DIR
from wimble.engine.write.finished_run import FinishedRun
from wimble.execute.sut.library_sut import LibrarySut
from wimble.library.argument_fit import iter_texts
from wimble.library.argument_literals import call_text, import_of, text_literal
from wimble.library.function_binding import function_of
from wimble.library.invocation import FunctionExchange, exchange_of_function, is_forbidden, made_names
from wimble.model.observation import Observation
from wimble.model.result import ReportedTest
from wimble.model.suite import VerifiedTest
from wimble.model.testcase import TestCase
from wimble.oracles.libraries.library_faults import MEMORY
from wimble.types import ABSENT

RUNNABLE = frozenset({"ok", "refused", "failed"})
"""Outcomes of calls that a test can make in the process of the test runner: others end it, or block it."""


def library_tests(run: FinishedRun) -> tuple[tuple[ReportedTest, ...], str]:
    """Writes the tests and returns them with the name of their format. If the disk fails, it warns."""
    coordinator, sut = run.coordinator, run.sut
    settings = coordinator.settings
    format_name = settings.test_format or "node-test"
    scratch = str(sut.library.folder) if isinstance(sut, LibrarySut) else ""
    apart = [test for test in run.suite.tests if _needs_process(test) and _is_free(test, scratch)]
    tests = [test for test in run.suite.tests if _is_runnable(test) and _is_free(test, scratch)]
    if not (tests or apart) or not isinstance(sut, LibrarySut):
        return (), ""
    package = _package_of(sut)
    folder = settings.output_dir / TESTS_DIR
    try:
        return write_library_tests(tests, apart, package, format_name, folder, shown_folder=TESTS_DIR), format_name
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        coordinator.notices.warn(f"the tests could not be written: {error.strerror or error}")
        return (), ""


def _is_runnable(test: VerifiedTest) -> bool:
    """Whether a test runner survives the test in its own process."""
    # What nothing handles is an error of the file in which the test is, which may come after the test.
    if test.has_crashed or any(finding.oracle in ENDING for finding in test.findings):
        return False
    return all(call.observation.outcome in RUNNABLE for call in test.calls)


def _needs_process(test: VerifiedTest) -> bool:
    """Whether a test shows a fault that a process of its own can show."""
    oracles = {finding.oracle for finding in test.findings}
    return bool(oracles & ENDING) and MEMORY not in oracles


def _is_free(test: VerifiedTest, scratch: str) -> bool:
    """Whether a test comes to the same result without the limits of the process.

    scratch: the folder in which the library runs, which is another one in a test.
    """
    exchanges = [exchange_of_function(call.observation) for call in test.calls]
    return not any(
        one.is_endless or (one.thrown is not None and is_forbidden(one.thrown)) or _names(one, scratch)
        for one in exchanges
    )


def _names(exchange: FunctionExchange, scratch: str) -> bool:
    """Whether a result holds the path of a folder."""
    returned = [] if exchange.returned is ABSENT else [exchange.returned]
    return any(scratch in text for text in (exchange.text(), *iter_texts(returned)))


def _package_of(sut: LibrarySut) -> LibraryPackage:
    library = sut.library
    return LibraryPackage(
        name=library.name,
        installed=library.package,
        version=library.version,
        folder=library.source,
        is_folder=library.root == library.source,
        entry=library.entry,
        is_single=library.is_single,
        is_dual=library.is_dual,
        keeps_running=sut.exported.keeps_running,
    )


def call_lines(sut: LibrarySut, test_case: TestCase, observations: Sequence[Observation]) -> tuple[str, ...]:
    """Returns statements that make the calls again in a program of the user, in the folder where wimble runs."""
    bindings = [function_of(call.operation) for call, _ in zip(test_case.calls, observations, strict=False)]
    is_module = bindings[0].is_module
    specifier = specifier_of(_package_of(sut), Path.cwd(), is_module=is_module)
    invocations = [exchange_of_function(one).invocation for one in observations]
    makers = sorted({name for one in invocations for name in made_names(one)})
    imported, root, called = import_of(bindings, specifier, makers)
    calls = [call_text(binding, one, root) + ";" for binding, one in zip(called, invocations, strict=False)]
    if is_module:
        return (imported, *calls)
    if any(one.waits for one in invocations):
        calls = ["(async () => {", *(f"  {one}" for one in calls), "})();"]
    return (f"const {root} = require({text_literal(specifier)});", *calls)
