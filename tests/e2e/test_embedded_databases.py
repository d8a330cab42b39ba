"""Databases in the API's own process, through real drivers: rows are there again after a run, lead to faults, and stand
in generated suites."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys

import pytest

from database_servers import EMBEDDED, seen_by_programs

pytestmark = pytest.mark.e2e


@pytest.fixture
def clinic(project, embedded_packages, node_with_sqlite):
    """The API; its file is made by its first start."""
    for file in ("clinic.mjs", "clinic.sql", "clinic.postgres.sql", "handle.mjs"):
        project.add(file, (EMBEDDED / file).read_text())
    (project.folder / "node_modules").symlink_to(embedded_packages)
    project.environment["PATH"] = f"{node_with_sqlite}:{project.environment['PATH']}"
    return project


def run_suite(project, test_format: str) -> None:
    tests = project.folder / "wimble-out" / "tests"
    command = {
        "node-test": ["node", "--test", "--test-concurrency=1", *map(str, sorted(tests.glob("*.test.mjs")))],
        "pytest": [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tests)],
    }
    ran = subprocess.run(
        command[test_format],
        cwd=project.folder, env=project.environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-1000:]


@pytest.mark.parametrize(
    ("driver", "test_format"),
    [
        ("better-sqlite3", "node-test"),
        pytest.param("libsql", "node-test", marks=pytest.mark.long),
        pytest.param("node:sqlite", "pytest", marks=pytest.mark.long),
        ("sqlite3", "node-test"),
    ],
)
def test_rows_in_a_file(clinic, driver, test_format):
    if driver == "sqlite3" and not (EMBEDDED / "node_modules" / "sqlite3").exists():
        pytest.skip(
            "compiles for two minutes, so only by hand: npm install --no-save sqlite3@6.0.1 in tests/e2e/embedded"
        )
    clinic.environment |= {"DRIVER": driver, "DATABASE_FILE": "data.db"}
    file = clinic.folder / "data.db"
    with sqlite3.connect(file) as made:
        made.executescript((clinic.folder / "clinic.sql").read_text())
    before = dump(file)

    result = clinic.run("--max-calls", "250", "--seed", "1", "--format", test_format, "--", "node", "clinic.mjs")

    assert result.code == 1, result.stderr
    assert clinic.summary["operations"] == {"total": 7, "reached_2xx": 7}  # with that of the document
    (finding,) = clinic.summary["findings"]
    assert (
        "animal.breed.trim()" in (clinic.folder / "clinic.mjs").read_text().splitlines()[finding["cause"]["line"] - 1]
    )
    assert finding["test"], "a test brings the row"
    assert dump(file) == before
    suite = (clinic.folder / "wimble-out" / "tests").glob("*.test.mjs" if test_format == "node-test" else "test_*.py")
    assert any("database.insert(" in path.read_text() for path in suite)
    for _ in range(2):
        run_suite(clinic, test_format)
    assert dump(file) == before


def test_rows_in_memory(clinic):
    """Each call finds what the start has left, and rows lead to the fault; but no suite can put any there."""
    clinic.environment["DRIVER"] = "sql.js"

    result = clinic.run("--max-calls", "250", "--seed", "2", "--format", "node-test", "--", "node", "clinic.mjs")

    assert result.code == 1, result.stderr
    assert clinic.summary["operations"] == {"total": 7, "reached_2xx": 7}  # with that of the document
    (finding,) = clinic.summary["findings"]
    assert (
        "animal.breed.trim()" in (clinic.folder / "clinic.mjs").read_text().splitlines()[finding["cause"]["line"] - 1]
    )
    assert "rows are needed in a database in the API's memory" in result.stderr
    run_suite(clinic, "node-test")


@pytest.mark.long
def test_rows_of_pglite(clinic):
    """An ES module: PostgreSQL in a folder, to which rows are added, and from which all are taken back."""
    clinic.environment |= {"DRIVER": "pglite", "DATABASE_FILE": "data"}
    before = dump_pglite(clinic)

    result = clinic.run(
        "--max-calls", "300", "--seed", "1", "--format", "none", "--", "node", "clinic.mjs", timeout_s=400
    )  # fmt: skip

    assert result.code == 1, result.stderr
    assert clinic.summary["operations"] == {"total": 7, "reached_2xx": 7}  # with that of the document
    lines = (clinic.folder / "clinic.mjs").read_text().splitlines()
    places = [finding["cause"] for finding in clinic.summary["findings"]]
    causes = [lines[place["line"] - 1] for place in places if place["file"].endswith("clinic.mjs")]
    assert any("animal.breed.trim()" in cause for cause in causes), "a test brings the row"
    assert dump_pglite(clinic) == before


def dump_pglite(project) -> str:
    """All rows and sequences of the clinic, which its first start makes."""
    texts = [f"SELECT t::text FROM {name} t ORDER BY 1" for name in ("owners", "animals", "visits", "log")]
    texts += [f"SELECT last_value, is_called FROM {name}" for name in ("visits_id_seq", "log_id_seq")]
    script = (
        "const { open } = await import('./handle.mjs'); const database = await open('pglite', 'data');"
        f"for (const text of {texts}) console.log(text, await database.all(text, []));"
        "await database.close();"
    )
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script],
        cwd=project.folder, env=project.environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_programs_cannot_tell(embedded_packages, node_with_sqlite, tmp_path):
    """Names, texts, errors and stacks of the drivers are the same with the agent inside."""
    variables = {"PATH": f"{node_with_sqlite}:{os.environ['PATH']}"}
    inside, plain, dialects = seen_by_programs(variables, tmp_path, EMBEDDED)
    assert dialects == {"sqlite", "postgres"}
    assert inside == plain


def dump(file) -> list[str]:
    with sqlite3.connect(file) as database:
        return sorted(database.iterdump())
