"""`--help` imports nothing of what a run needs: users ask for it often, and it takes over a second to import."""

import subprocess
import sys

from wimble.cli.command_table import COMMANDS
from wimble.emit.library_formats import LIBRARY_FORMATS
from wimble.emit.test_formats import FORMATS
from wimble.search.strategies import STRATEGIES
from wimble.settings import LIBRARY_TEST_FORMATS, STRATEGY_NAMES, TEST_FORMATS

OWN = ("engine", "search", "emit", "report", "oracles", "experiment")
HEAVY = frozenset([*(f"wimble.{layer}" for layer in OWN), "graphql", "sqlglot", "z3", "rich", "jinja2", "cryptography"])
LATE = frozenset(["graphql", "sqlglot", "z3", "cryptography", "jinja2", "junitparser", "jsonpath_rfc9535", "asyncio"])
PROGRAM = """
import sys
from wimble.cli.main import main
for name in sys.argv[1:]:
    try:
        main([name, "--help"])
    except SystemExit as end:
        assert not end.code, (name, end.code)
print("\\n".join(sys.modules), file=sys.stderr)
"""


def test_help_needs_no_more_than_its_options():
    ran = subprocess.run([sys.executable, "-c", PROGRAM, *COMMANDS], capture_output=True, text=True, check=True)
    assert ran.stdout.count("Usage:") == len(COMMANDS)
    imported = set(ran.stderr.split())
    assert "wimble.cli.run_command" in imported
    assert sorted(HEAVY & imported) == []


def test_a_run_starts_without_what_few_runs_need_or_only_their_end():
    program = "import sys, wimble.cli.run_settings, wimble.cli.execution; print(*sys.modules)"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    imported = set(ran.stdout.split())
    assert "wimble.engine.phases" in imported
    assert sorted(LATE & imported) == []


def test_the_names_in_options_are_those_of_the_tables():
    assert set(STRATEGY_NAMES) == set(STRATEGIES)
    assert set(TEST_FORMATS) == set(FORMATS)
    assert set(LIBRARY_TEST_FORMATS) == set(LIBRARY_FORMATS)
