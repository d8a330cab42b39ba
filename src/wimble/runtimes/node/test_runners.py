"""The format of a suite for an npm project: that of the test runner which the project has installed."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from wimble.runtimes.node.package_manifests import MANIFEST, installed_version, manifest_in, named_packages
from wimble.runtimes.runtime import TestFormat

BUILT_IN_RUNNER: Final = "node-test"
HTTP_CLIENT: Final = "superagent"
"""The package with which tests for Jest send requests, if the project has it."""
PREFIXED_MODULES_SINCE: Final = 27
"""The first major version of Jest that resolves built-in modules by names such as `node:fs`."""
CLIENT_WITH_PREFIXES_SINCE: Final = 9
"""The first major version of SuperAgent that loads built-in modules by such names."""


class TestRunner(NamedTuple):
    """A runner from npm whose format exists."""

    package: str
    """The name of its package, and of the format."""
    title: str
    oldest: int
    """The oldest major version with which suites were tested."""
    newest: int


TEST_RUNNERS: Final = (TestRunner("jest", "Jest", 24, 30), TestRunner("vitest", "Vitest", 1, 5))


def test_format(working_dir: Path, wanted: str | None) -> TestFormat | None:
    """Returns the format for the suites of the project in the folder.

    wanted: the name of the format that the user asked for; None: chosen by the runner that the project has installed.
    Returns None if the user asked for none and the folder contains no project of Node.
    """
    if wanted is not None:
        runner = next((runner for runner in TEST_RUNNERS if runner.package == wanted), None)
        return TestFormat(name=wanted) if runner is None else _asked_for(runner, working_dir)
    named = _named_packages(working_dir)
    if named is None:
        return None
    reasons = []
    for runner in TEST_RUNNERS:
        if runner.package not in named:
            continue
        version = installed_version(working_dir, runner.package)
        obstacle = _obstacle(runner, version)
        if not obstacle:
            packages = _usable_packages(runner, version, working_dir)
            reason = f"for {runner.title} {version}, which the project has installed"
            return TestFormat(name=runner.package, reason=reason, packages=packages)
        reasons.append(obstacle)
    return TestFormat(name=BUILT_IN_RUNNER, reason=f"for node:test, since {'; '.join(reasons)}" if reasons else "")


def _asked_for(runner: TestRunner, working_dir: Path) -> TestFormat:
    """Returns the format of a runner that the user asked for, with the packages that have to be installed."""
    version = installed_version(working_dir, runner.package)
    if version:
        packages = _usable_packages(runner, version, working_dir)
        return TestFormat(name=runner.package, reason=_obstacle(runner, version), packages=packages)
    packages = (HTTP_CLIENT,) if runner.package == "jest" else ()
    missing = [name for name in packages if not installed_version(working_dir, name)]
    install = f"npm install --save-dev {' '.join([runner.package, *missing])}"
    return TestFormat(name=runner.package, packages=packages, install=install)


def _obstacle(runner: TestRunner, version: str) -> str:
    """Returns why a suite for the runner may not run; empty if it does. version: empty if it is not installed."""
    if not version:
        return f"package.json names {runner.package}, but no node_modules folder contains it"
    if not runner.oldest <= _major(version) <= runner.newest:
        return (
            f"{runner.title} {version} is installed, and suites are tested with {runner.title} {runner.oldest} to "
            f"{runner.newest}"
        )
    return ""


def _usable_packages(runner: TestRunner, version: str, working_dir: Path) -> tuple[str, ...]:
    """Returns the packages, beside the runner, that tests can import in the project."""
    if runner.package != "jest":
        return ()
    client = installed_version(working_dir, HTTP_CLIENT)
    has_prefixes = bool(client) and _major(client) >= CLIENT_WITH_PREFIXES_SINCE
    is_usable = bool(client) and (not has_prefixes or _major(version) >= PREFIXED_MODULES_SINCE)
    return (HTTP_CLIENT,) if is_usable else ()


def _major(version: str) -> int:
    return int(version.partition(".")[0])


def _named_packages(working_dir: Path) -> frozenset[str] | None:
    """Returns the packages that package.json depends on; None if the folder contains no project of Node."""
    if (working_dir / MANIFEST).is_file():
        return named_packages(manifest_in(working_dir))
    # The folder may contain programs for Node without a package.json.
    has_programs = any(working_dir.glob("*.[cm]js")) or any(working_dir.glob("*.js"))
    return frozenset() if has_programs else None
