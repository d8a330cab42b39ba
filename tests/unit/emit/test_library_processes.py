"""Tests of calls that end or block the process, which run in processes of their own."""

import subprocess
from pathlib import Path

import pytest

from wimble.emit.library_formats import LibraryPackage, write_library_tests
from wimble.library.function_binding import FunctionBinding, function_operation
from wimble.library.invocation import FunctionExchange, Invocation, Thrown, function_observation
from wimble.model.evaluation import Finding
from wimble.model.observation import Cause
from wimble.model.suite import VerifiedCall, VerifiedTest
from wimble.model.testcase import Call, TestCase
from wimble.oracles.failures.crashes import DIED, UNHANDLED
from wimble.oracles.libraries.library_faults import HANGS

NAMES = ("later", "rejected", "leaves", "spins")
FAULTY = {
    "later": "(text) => { setTimeout(() => null.x, 0); return text; }",
    "rejected": "(text) => { Promise.reject(new RangeError(`no ${text}`)); throw new Error('first'); }",
    "leaves": "async (text) => { process.exit(0); }",
    "spins": "(text) => { while (text) {} }",
}
ORACLES = {"later": DIED, "rejected": UNHANDLED, "leaves": DIED, "spins": HANGS}
MESSAGES = {
    "later": "TypeError: Cannot read properties of null (reading 'x')",
    "rejected": "RangeError: no `a`\\",
    "leaves": "process.exit(0)",
    "spins": "",
}


def _test(name: str, *, is_module: bool) -> VerifiedTest:
    binding = FunctionBinding(index=0, package="lib", kind="function", path=(name,), is_module=is_module)
    operation = function_operation(binding, name)
    finding = Finding(
        oracle=ORACLES[name],
        key=(ORACLES[name], name),
        operation=operation.id,
        title=f"{name} ends the process",
        observed=f"it ended: {MESSAGES[name]}",
        expected="no call ends the process",
        cause=Cause(message=MESSAGES[name]),
        call_index=0,
    )
    exchange = FunctionExchange(
        Invocation(operation=name, arguments=("`a`\\",)),
        "",
        thrown=Thrown(name="Error", message="first") if name == "rejected" else None,
        is_awaited=name == "leaves",
    )
    call = VerifiedCall(observation=function_observation(0, exchange))
    case = TestCase((Call(operation, ()),))
    return VerifiedTest(name=f"{name} ends", kind="fault", test_case=case, calls=(call,), findings=(finding,))


def _write_library(folder: Path, functions: dict[str, str], *, is_module: bool) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "package.json").write_text(f'{{"name": "lib", "type": "{"module" if is_module else "commonjs"}"}}')
    head = "export const {} =" if is_module else "exports.{} ="
    (folder / "index.js").write_text("\n".join(f"{head.format(name)} {text};" for name, text in functions.items()))


def _outcome(folder: Path) -> list[str]:
    files = sorted(map(str, folder.glob("processes.test.*")))
    ran = subprocess.run(["node", "--test", *files], capture_output=True, text=True, timeout=60, check=False)
    return [line for line in ran.stdout.splitlines() if line.startswith(("# pass", "# fail"))]


@pytest.mark.parametrize("is_module", [False, True])
def test_they_pass_while_the_fault_is_there_and_fail_once_it_is_mended(tmp_path: Path, is_module: bool) -> None:
    _write_library(tmp_path / "lib", FAULTY, is_module=is_module)
    package = LibraryPackage(
        name="lib", version="1", folder=tmp_path / "lib", is_folder=True, entry=tmp_path / "lib" / "index.js"
    )
    tests = [_test(name, is_module=is_module) for name in NAMES]
    written = write_library_tests([], tests, package, "node-test", tmp_path / "tests", shown_folder="tests")
    assert [one.file for one in written] == [f"tests/processes.test.{'mjs' if is_module else 'cjs'}"] * len(NAMES)
    assert _outcome(tmp_path / "tests") == ["# pass 4", "# fail 0"]
    _write_library(tmp_path / "lib", dict.fromkeys(NAMES, "(text) => text"), is_module=is_module)
    assert _outcome(tmp_path / "tests") == ["# pass 0", "# fail 4"]
