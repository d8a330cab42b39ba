"""Writes the verified tests to the output folder, also after an interrupt."""

from __future__ import annotations

import math
import os
import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import msgspec

from wimble.emit.database_setup import password_needs
from wimble.emit.test_formats import FORMATS, format_for
from wimble.emit.write_suite import write_suite
from wimble.engine.candidates.suite_databases import can_be_written, files_to_put_back, needs_memory, suite_databases
from wimble.engine.session.notices import tests_were
from wimble.engine.session.output_folder import TESTS_DIR
from wimble.engine.stability.state_dependence import told_starts
from wimble.engine.verify.secrets_in_tests import holds_secret, told_secrets
from wimble.engine.write.finished_run import FinishedRun
from wimble.engine.write.library_tests import library_tests
from wimble.engine.write.password_places import find_password
from wimble.engine.write.run_variables import RunVariables, database_variables, known_variables, run_variables
from wimble.engine.write.token_keys import key_needs, keys_in, keys_of
from wimble.execute.sut.served_api import ServedApi
from wimble.model.result import ReportedTest
from wimble.model.suite import Suite, SuiteDatabase, SutStart, VerifiedTest
from wimble.runtimes.runtime import TestFormat
from wimble.users import AuthUser

LEAST_START_TIMEOUT_S: Final = 60.0
SLOWER_START: Final = 5.0
"""How many times as long as in the run a start may take in tests."""


class WrittenTests(msgspec.Struct, frozen=True):
    """The verified tests that were written, and what to say of them."""

    tests: tuple[ReportedTest, ...] = ()
    starts: str = ""
    """A sentence about how they start the SUT, and why; empty if there is nothing to say."""
    format_name: str = ""
    format_reason: str = ""
    """Why they have this format, as the end of a sentence about the tests; empty if there is nothing to say."""
    needs: tuple[str, ...] = ()
    """What has to be done before they can run; empty if they run as they are."""


def write_tests(run: FinishedRun) -> WrittenTests:
    """Writes the verified tests to the output folder.

    If the disk fails, it warns, and the reports are still written.
    """
    coordinator, settings = run.coordinator, run.coordinator.settings
    if not settings.writes_tests:
        return WrittenTests()
    if settings.library:
        tests_written, name = library_tests(run)
        return WrittenTests(tests=tests_written, format_name=name)
    test_format = format_for(settings.working_dir, coordinator.runtime, settings.test_format)
    suite = _suite_of(run, test_format)
    if not suite.tests:
        return WrittenTests()
    folder = settings.output_dir / TESTS_DIR
    try:
        written = write_suite(suite, FORMATS[test_format.name], folder, TESTS_DIR, settings.secrets.redact)
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)  # a part of a suite does not run, and takes the reports' place
        coordinator.notices.warn(f"the tests could not be written: {error.strerror or error}")
        return WrittenTests()
    installs = (f"first {test_format.install}",) if test_format.install else ()
    needs = (*installs, *suite.needs)
    return WrittenTests(written, _told_starts(run, suite.tests), test_format.name, test_format.reason, needs)


def _suite_of(run: FinishedRun, test_format: TestFormat) -> Suite:
    """Returns the suite of the tests that can be written; warns about the others."""
    coordinator, sut = run.coordinator, run.sut
    settings = coordinator.settings
    tests = _without_secrets(run)
    databases = _databases_of(run, tests)
    tests = _with_rows(run, tests, databases)
    keys = keys_of(tests, sut.api.token_keys, partial(find_password, settings.working_dir.absolute()))
    tests = _with_keys(run, tests, {key.id for key in keys})
    start = _start_of(run, databases)
    users = used_users(settings.users, tests)
    known = {coordinator.runtime.loading.variable, *start.port_variables, *known_variables(keys, users)}
    variables = _variables_of(run, known, set(database_variables(databases)))
    return Suite(
        tests=tests,
        start=msgspec.structs.replace(
            start,
            variables=variables.values | dict.fromkeys(variables.unset),
            path_variables=variables.paths,
            place_variables=variables.places,
        ),
        seed=settings.seed,
        title=coordinator.specification.title,
        databases=databases,
        keys=keys,
        users=users,
        packages=test_format.packages,
        needs=(*password_needs(databases), *key_needs(keys), *variables.needs),
    )


def _databases_of(run: FinishedRun, tests: Sequence[VerifiedTest]) -> tuple[SuiteDatabase, ...]:
    """Returns the databases that the tests put rows into or back."""
    coordinator = run.coordinator
    folder = coordinator.settings.working_dir.absolute()
    sources = _sources_of(run)
    return suite_databases(
        run.sut.databases,
        tests,
        os.environ,
        str(folder),
        packages_of=lambda driver: coordinator.runtime.projects.packages_folder(driver, str(folder), sources),
        find_password=partial(find_password, folder),
        shares_start=run.suite.starts.shares_start,
    )


def _sources_of(run: FinishedRun) -> set[str]:
    """Returns the paths of the program's source files."""
    return {target.file for target in run.coordinator.table if target.file}


def _variables_of(run: FinishedRun, known: set[str], of_databases: set[str]) -> RunVariables:
    """Returns the environment variables with which the program has run. known: those that the suite has already."""
    settings = run.coordinator.settings
    if not settings.command:
        return RunVariables()
    folder = str(settings.working_dir.absolute())
    sources = sorted(_sources_of(run))
    redact = settings.secrets.redact
    return run_variables(
        os.environ, sources, but=known, of_databases=of_databases, working_dir=folder, redact=redact
    )  # fmt: skip


def _start_of(run: FinishedRun, databases: Sequence[SuiteDatabase]) -> SutStart:
    """Returns how the tests start the SUT."""
    settings, sut = run.coordinator.settings, run.sut
    sut_dir = str(settings.working_dir.absolute())
    return SutStart(
        command=settings.command,
        working_dir=sut_dir,
        base_url=sut.api.base_url,
        is_port_fixed=sut.api.is_port_fixed,
        port_variables=port_variables({**os.environ, **sut.api.port_environment}, sut.api),
        start_timeout_s=start_timeout_s(settings.start_timeout_s, run.suite.start_s),
        reset=settings.reset or "",
        data_files=files_to_put_back(sut.written_files, databases, sut_dir),
        ready_paths=sut.api.ready_paths,
        ready_answers=sut.api.ready_answers,
        headers=sut.api.form.headers,
    )


def _told_starts(run: FinishedRun, tests: Sequence[VerifiedTest]) -> str:
    starts = run.suite.starts
    return told_starts(
        remembers=any(starts.depends_on_state(test.test_case) for test in tests),
        evidence=starts.evidence,
        in_order=starts.shares_start,
        n_sharing=sum(test.shares_start for test in tests),
        n_tests=len(tests),
    )


def start_timeout_s(of_run_s: float, start_s: float) -> float:
    """Returns how long tests wait for a start: machines that run tests may be slower, and do more beside them.

    of_run_s: how long the run waits. start_s: how long a start has taken.
    """
    return float(math.ceil(max(LEAST_START_TIMEOUT_S, of_run_s, SLOWER_START * start_s)))


def port_variables(environment: Mapping[str, str], api: ServedApi) -> dict[str, str | None]:
    """Returns the environment variables that gave the SUT its port.

    A suite sets the same ones, also on other machines. If there are none and the SUT chose the port itself, `PORT` gets
    that port: elsewhere another file may choose. If several servers listen, `PORT` is unset (None), since another
    server might take it.
    """
    port = str(api.port)
    told: dict[str, str | None] = {
        name: value for name, value in sorted(environment.items()) if name.upper().endswith("PORT") and value == port
    }
    is_chosen_by_sut = api.is_port_fixed and len(api.ports) == 1
    return {"PORT": environment.get("PORT") or (port if is_chosen_by_sut else None)} | told


def _with_keys(run: FinishedRun, tests: Sequence[VerifiedTest], readable: set[str]) -> tuple[VerifiedTest, ...]:
    """Returns the tests whose tokens can be signed when they run, and warns about the others."""
    kept = tuple(test for test in tests if readable.issuperset(keys_in(test)))
    if n_left := len(tests) - len(kept):
        told = "1 test was not written: it signs" if n_left == 1 else f"{n_left} tests were not written: they sign"
        run.coordinator.notices.warn(
            f"{told} a token with a secret that stands neither in an environment variable nor in a file of the project"
        )
    return kept


def _with_rows(
    run: FinishedRun, tests: Sequence[VerifiedTest], databases: Sequence[SuiteDatabase]
) -> tuple[VerifiedTest, ...]:
    """Returns the tests without those whose rows the suite's helper cannot insert."""
    kept = tuple(test for test in tests if can_be_written(test, databases))
    left = [test for test in tests if not can_be_written(test, databases)]
    n_memory = sum(needs_memory(test, run.sut.databases) for test in left)
    if n_memory:
        run.coordinator.notices.warn(
            f"{tests_were(n_memory)} not written: rows are needed in a database in the API's memory, "
            "where tests cannot insert rows (docs/databases.md)"
        )
    if n_memory < len(left):
        run.coordinator.notices.warn(
            f"{tests_were(len(left) - n_memory)} not written: rows are needed in a database that "
            "generated tests cannot reach yet (docs/databases.md)"
        )
    return kept


def used_users(users: Sequence[AuthUser], tests: Sequence[VerifiedTest]) -> tuple[AuthUser, ...]:
    """Returns all users if any test makes calls as one of them, else none.

    All log in after each start, as they did when the tests were verified.
    """
    return tuple(users) if any(call.user for test in tests for call in test.test_case.calls) else ()


def _without_secrets(run: FinishedRun) -> tuple[VerifiedTest, ...]:
    """Returns the verified tests without those whose text would hold a secret."""
    secrets, tests = run.coordinator.settings.secrets, run.suite.tests
    kept = [
        test for test in tests if not holds_secret(secrets, test.test_case, [call.observation for call in test.calls])
    ]
    if len(kept) < len(tests):
        run.coordinator.notices.warn(told_secrets(len(tests) - len(kept)))
    return tuple(kept)
