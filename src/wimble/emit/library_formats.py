"""Writes verified tests of a library as source text: node:test, Jest, Vitest."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from wimble.emit.library_assertions import (
    JEST,
    LISTED,
    NODE_TEST,
    PLAIN,
    VITEST,
    Notation,
    result_checks,
    thrown_checks,
)
from wimble.emit.library_processes import process_helper, process_imports, process_test_lines
from wimble.emit.runtime_texts import runtime_text
from wimble.emit.source_text import comment_lines, with_relative_places
from wimble.library.argument_literals import call_parts, import_of, text_literal
from wimble.library.function_binding import FunctionBinding, function_of
from wimble.library.invocation import exchange_of_function, made_names
from wimble.model.result import ReportedTest
from wimble.model.suite import VerifiedCall, VerifiedTest
from wimble.oracles.libraries.library_faults import CALLED_TWICE

LIBRARY_FORMATS: Final[dict[str, Notation]] = {"node-test": NODE_TEST, "jest": JEST, "vitest": VITEST}
TITLES: Final = {"fault": "faults", "success": "results", "other": "errors"}
"""Kind of tests -> name of their file."""
SETTINGS: Final = "settings"
"""Name of the file of tests after which others return something else."""
ALONE: Final = "called-twice"
"""Name of the files of tests that need a process in which nothing has called the function before."""
APART: Final = "processes"
"""Name of the file of tests whose calls end or block their process."""
MAX_TESTS_PER_FILE: Final = 400
BACKGROUND: Final = "background.cjs"
_OF_MODULE: Final = "import { createRequire } from 'node:module';"
_REQUIRE: Final = "createRequire(import.meta.url)"
"""What was called is what `require` gets: the other text of the package may differ in its names, and in its results."""
_BACKGROUND_MODULE: Final = f"import background from './{BACKGROUND}';"
_BACKGROUND_REQUIRED: Final = f"const background = require('./{BACKGROUND}');"


class LibraryPackage(msgspec.Struct, frozen=True, kw_only=True):
    """The package as tests import it."""

    name: str
    installed: str = ""
    """The package that has to be installed; `name` may be one of its parts. Empty: it is `name`."""
    version: str
    folder: Path
    """The folder of its files."""
    is_folder: bool = False
    """Whether it is a folder or a module of the user, so that tests import it by its path."""
    entry: Path | None = None
    """The file that is loaded, for a folder or a module of the user."""
    is_single: bool = False
    """Whether it is a module, rather than a package."""
    is_dual: bool = False
    """Whether `import` may get other code than `require`, as an ES module in place of a CommonJS one."""
    keeps_running: bool = False
    """Whether servers or timers that it starts when it is loaded keep the process from ending."""


def write_library_tests(
    tests: Sequence[VerifiedTest],
    apart: Sequence[VerifiedTest],
    package: LibraryPackage,
    format_name: str,
    folder: Path,
    *,
    shown_folder: str,
) -> tuple[ReportedTest, ...]:
    """Writes the tests to files in `folder`, by kind.

    apart: tests whose calls end or block the process, and which need one of their own. Raises: OSError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written: list[ReportedTest] = []
    notation = LIBRARY_FORMATS[format_name]
    files = [(stem, chunk, _file_text(chunk, package, notation, folder)) for stem, chunk in _iter_files(tests)]
    if apart:
        files.append((APART, apart, _text_of_processes(apart, package, notation, folder)))
    for stem, chunk, (source, extension) in files:
        path = folder / f"{stem}.test.{extension}"
        path.write_text(source, encoding="utf-8")
        written += [ReportedTest(f"{shown_folder}/{path.name}", test.name, len(test.calls)) for test in chunk]
    if written and not package.is_folder:
        _link_package(package, folder)
    if written and package.keeps_running:
        (folder / BACKGROUND).write_text(runtime_text(BACKGROUND), encoding="utf-8")
    return tuple(written)


def _iter_files(tests: Sequence[VerifiedTest]) -> Iterator[tuple[str, Sequence[VerifiedTest]]]:
    """Yields names of files with their tests.

    What a function returns when it is called again depends on all calls before: such a test has its own process.
    """
    alone = [test for test in tests if any(finding.oracle == CALLED_TWICE for finding in test.findings)]
    changing = [test for test in tests if not test.test_case.is_safe and test not in alone]
    usual = [test for test in tests if test.test_case.is_safe and test not in alone]
    titled = [(title, [test for test in usual if test.kind == kind]) for kind, title in TITLES.items()]
    for title, of_title in (*titled, (SETTINGS, changing)):
        for number in range(0, len(of_title), MAX_TESTS_PER_FILE):
            stem = title if number == 0 else f"{title}-{number // MAX_TESTS_PER_FILE + 1}"
            yield stem, of_title[number : number + MAX_TESTS_PER_FILE]
    for index, test in enumerate(alone):
        yield ALONE if index == 0 else f"{ALONE}-{index + 1}", [test]


def _link_package(package: LibraryPackage, folder: Path) -> None:
    """Makes the tests find the installed package where they are; elsewhere a project has it installed itself."""
    installed = package.installed or package.name
    modules = package.folder.parents[installed.count("/")]
    link = folder / "node_modules"
    link.unlink(missing_ok=True)
    link.symlink_to(modules, target_is_directory=True)
    manifest = f'{{\n  "private": true,\n  "dependencies": {{ "{installed}": "{package.version}" }}\n}}\n'
    (folder / "package.json").write_text(manifest, encoding="utf-8")


class _Loading(NamedTuple):
    """How a program loads the library to make the calls of tests."""

    of_module: bool
    """Whether one of the functions is that of an ES module."""
    name: str
    """What is imported, as a literal."""
    imported: str
    """The statement in an ES module."""
    root: str
    called: tuple[FunctionBinding, ...]
    """The functions of all calls, as they are called then."""

    @property
    def required(self) -> str:
        """The statement in CommonJS."""
        return f"const {self.root} = require({self.name});"


def _loading_of(
    tests: Sequence[VerifiedTest], package: LibraryPackage, folder: Path, *, in_module: bool = False
) -> _Loading:
    """in_module: whether the program is an ES module in any case."""
    of_module = any(function_of(call.operation).is_module for test in tests for call in test.test_case.calls)
    name = specifier_of(package, folder, is_module=in_module or of_module)
    calls = [call for test in tests for call in test.calls]
    bindings = [function_of(call.operation) for test in tests for call in test.test_case.calls]
    makers = {name for call in calls for name in made_names(exchange_of_function(call.observation).invocation)}
    return _Loading(of_module, text_literal(name), *import_of(bindings, name, sorted(makers)))


def _text_of_processes(
    tests: Sequence[VerifiedTest], package: LibraryPackage, notation: Notation, folder: Path
) -> tuple[str, str]:
    """Returns the text of a file with tests that make their calls in processes of their own, and its extension."""
    loading = _loading_of(tests, package, folder)
    is_module = notation.is_module or loading.of_module
    imports = notation.module_imports if is_module else notation.imports
    head = [*imports, process_imports(is_module=is_module), ""]
    load = loading.imported if loading.of_module else loading.required
    helper = process_helper(load, is_module=is_module, of_module=loading.of_module)
    text = _text_of(tests, loading, package, notation, process_test_lines)
    return _whole(package, head, f"{helper}\n{text}", is_module=is_module)


def _text_of(
    tests: Sequence[VerifiedTest],
    loading: _Loading,
    package: LibraryPackage,
    notation: Notation,
    lines_of: Callable[[VerifiedTest, Sequence[FunctionBinding], str, Notation], Iterator[str]],
) -> str:
    """Returns the tests with their comments, one after the other. lines_of: yields the lines of a test."""
    of_calls = iter(loading.called)
    blocks = []
    for test in tests:
        bindings = [next(of_calls) for _ in test.test_case.calls]
        lines = lines_of(test, bindings, loading.root, notation)
        blocks.append("\n".join([*_comments(test, str(package.folder)), *lines, ""]))
    return "\n".join(blocks)


def _whole(package: LibraryPackage, head: Sequence[str], text: str, *, is_module: bool) -> tuple[str, str]:
    strict = "" if is_module else "'use strict';\n"
    about = f"// Tests of {package.name}{'@' + package.version if package.version else ''}, generated by wimble.\n"
    return f"{strict}{about}\n" + "\n".join(head) + "\n" + text, "mjs" if is_module else "cjs"


def _file_text(
    tests: Sequence[VerifiedTest], package: LibraryPackage, notation: Notation, folder: Path
) -> tuple[str, str]:
    loading = _loading_of(tests, package, folder, in_module=notation.is_module)
    is_module = notation.is_module or loading.of_module
    root = loading.root
    background = _BACKGROUND_MODULE if is_module else _BACKGROUND_REQUIRED
    before = [background] if package.keeps_running else []
    if is_module and package.is_dual and not loading.of_module:
        head = [_OF_MODULE, *notation.module_imports, *before, "", f"const {root} = {_REQUIRE}({loading.name});"]
    elif is_module:
        head = [*notation.module_imports, *before, loading.imported]
    else:
        head = [*notation.imports, *before, loading.required]
    if package.keeps_running:
        head.append(f"background.restore(); // no run waits for what {package.name} has started")
    text = _text_of(tests, loading, package, notation, _test_lines)
    helper = f"\n{PLAIN}" if "plain(" in text else ""
    helper += f"\n{LISTED}" if "listed(" in text else ""
    return _whole(package, head, f"{helper}\n{text}", is_module=is_module)


def specifier_of(package: LibraryPackage, folder: Path, *, is_module: bool) -> str:
    """Returns what a program in `folder` imports. is_module: whether it is an ES module."""
    if not package.is_folder:
        return package.name
    # A folder cannot be imported as an ES module.
    is_file = package.entry is not None and (is_module or package.is_single)
    entry = package.entry if is_file and package.entry is not None else package.folder
    relative = os.path.relpath(entry, folder.resolve()).replace(os.sep, "/")
    return relative if relative.startswith(".") else f"./{relative}"


def _test_lines(
    test: VerifiedTest, bindings: Sequence[FunctionBinding], root: str, notation: Notation
) -> Iterator[str]:
    statements: list[str] = []
    is_async = False
    for binding, verified in zip(bindings, test.calls, strict=True):
        exchange = exchange_of_function(verified.observation)
        is_async = is_async or exchange.is_awaited
        of_call = _statements(binding, verified, root, notation)
        # Each call of several has its own names.
        statements += of_call if len(test.calls) == 1 else ["{", *(f"  {line}" for line in of_call), "}"]
    yield f"test({text_literal(test.name)}, {'async ' if is_async else ''}() => {{"
    yield from (f"  {line}" for line in statements)
    yield "});"


def _comments(test: VerifiedTest, folder: str) -> Iterator[str]:
    """folder: of the package, to which places are relative."""
    for finding in test.findings:
        yield from comment_lines(with_relative_places(finding.observed, folder), "// ")
        yield from comment_lines(f"Expected: {finding.expected}.", "// ")
    if test.reason and not test.findings:
        yield from comment_lines(test.reason, "// ")


def _statements(binding: FunctionBinding, verified: VerifiedCall, root: str, notation: Notation) -> list[str]:
    exchange = exchange_of_function(verified.observation)
    before, call = call_parts(binding, exchange.invocation, root)
    if exchange.is_iterated:
        call = f"listed({call})" if exchange.is_awaited else f"[...{call}]"
    setup = [f"{one};" for one in before]
    if exchange.thrown is not None:
        write = notation.rejects if exchange.is_awaited else notation.throws
        return write(setup, call, thrown_checks(notation, exchange.thrown, is_same=bool(verified.checks)))
    lines = [*setup, f"const result = {'await ' if exchange.ends_in_promise else ''}{call};"]
    for name in exchange.polluted:
        owner, _, key = name.rpartition(".")
        lines += [
            f"const isPolluted = Object.hasOwn({owner}, {text_literal(key)});",
            f"delete {owner}[{text_literal(key)}];",
            notation.equal("isPolluted", "true"),
        ][: 3 if name == exchange.polluted[0] else 0]
    if verified.checks:
        return lines + result_checks(notation, exchange.returned, is_whole=exchange.is_whole)
    return [*setup, call.join(("await ", ";")) if exchange.ends_in_promise else f"{call};", *lines[len(setup) + 1 :]]


def library_run_command(file_name: str, folder: Path, typed_in: Path) -> str:
    """Returns the shell command that runs the tests in `folder`, for use in the folder `typed_in`."""
    place = os.path.relpath(folder, typed_in).replace(os.sep, "/")
    text = (folder / file_name).read_text(encoding="utf-8")
    if "node:test" in text:
        return f"node --test {place}/*.test.{file_name.rpartition('.')[2]}"
    if "from 'vitest'" in text:
        return f"npx vitest run --root {place}"
    module = "NODE_OPTIONS=--experimental-vm-modules " if file_name.endswith(".mjs") else ""
    return f"{module}npx jest --rootDir {place} --testMatch '**/*.test.[cm]js'"
