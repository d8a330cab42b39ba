"""A program on a file of SQLite that ends in a test: nobody puts the file back while the tests have it open."""

from __future__ import annotations

import subprocess

import pytest

from runners import runner_command

LONG = pytest.mark.long
pytestmark = pytest.mark.e2e
N_RUNS = 3


def database_files(project) -> dict[str, bytes]:
    """Those that hold data."""
    found = project.folder.glob("accounts.db*")
    return {path.name: path.read_bytes() for path in found if not path.name.endswith("-shm")}


@pytest.mark.parametrize(
    ("journal", "is_there", "test_format"),
    [
        ("", False, "node-test"),
        pytest.param("WAL", False, "pytest", marks=LONG),
        pytest.param("WAL", True, "pytest", marks=LONG),
        pytest.param("", True, "node-test", marks=LONG),
    ],
)
def test_tests_with_rows_pass_where_the_program_ends(project, node_with_sqlite, journal, is_there, test_format):
    project.environment |= {"PATH": f"{node_with_sqlite}:{project.environment['PATH']}", "JOURNAL": journal}
    file = project.folder / "accounts.db"
    if is_there:
        script = "process.on('exit', () => {}); require('./accounts.cjs'); setTimeout(() => process.exit(), 100);"
        subprocess.run(["node", "-e", script], cwd=project.folder, env=project.environment, check=True, timeout=60)
        assert file.exists()

    result = project.run("--max-calls", "400", "--seed", "1", "--format", test_format, "--", "node", "accounts.cjs")

    assert result.code == 1, result.stderr
    (died,) = (finding for finding in project.summary["findings"] if finding["oracle"] == "process-died")
    assert died["test"], "a test brings the row"
    before = database_files(project)
    assert bool(before) == is_there
    for _ in range(N_RUNS):
        ran = subprocess.run(
            runner_command(test_format, project.folder / "wimble-out" / "tests"),
            cwd=project.folder, env=project.environment, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
        assert ran.returncode == 0, ran.stdout[-4000:]
        assert database_files(project) == before
