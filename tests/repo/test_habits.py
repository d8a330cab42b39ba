"""What all tests keep to."""

import ast
from collections import Counter
from pathlib import Path

from source_files import nodes_of, text_of

TESTS = Path(__file__).parents[1]
MAY_SLEEP = {
    "shared/waiting.py",  # between two looks at a condition
    "unit/execute/test_http_client.py",  # a server that sends its answer in pieces
}


def test_no_test_sleeps_to_wait():
    """Tests wait for what they wait for: an event, an end, a condition (tests/shared/waiting.py)."""
    sleeping = {
        path.relative_to(TESTS).as_posix()
        for path in TESTS.rglob("*.py")
        if "sleep" in text_of(path)
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("time.sleep", "sleep")
    }
    assert sleeping == MAY_SLEEP


def test_test_files_have_names_of_their_own():
    """pytest imports them by their name alone."""
    counts = Counter(path.name for path in TESTS.rglob("*.py") if path.name not in ("__init__.py", "conftest.py"))
    assert [name for name, count in counts.items() if count > 1] == []
