"""What is HTTP's stays where HTTP is spoken: search, feedback and the model go by operations and outcomes."""

import ast
from pathlib import Path

from source_files import named_sources, nodes_of

HOMES = ("http/", "spec/", "execute/", "emit/", "oracles/")
EXCEPTIONS = {
    "describe/": "makes an OpenAPI document of requests and answers",
    "report/": "shows requests and answers as they were sent",
    "experiment/schemathesis.py": "reads what another tool for HTTP APIs has found",
    "engine/boot/": "finds the description of an HTTP API",
    "engine/write/": "writes requests as curl commands, and what tests need to log in",
    "engine/journal/journal_entries.py": "keeps exchanges on disk, to read them again",
    "engine/verify/secrets_in_tests.py": "finds secrets in the requests of tests",
    "engine/monitors/rate_limits.py": "reads what an answer says of the rate",
    "engine/faults/abandoned_fields.py": "reads the errors in answers of GraphQL",
    "engine/faults/same_mend.py": "compares the texts that requests sent",
    "engine/faults/unchecked_inputs.py": "compares the texts that requests sent",
}
"""Files or folders that import `wimble.http` as well, and why. None is in a layer of the search."""


def imports_http(path: Path) -> bool:
    for node in nodes_of(path):
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith("wimble.http."):
            return True
        if isinstance(node, ast.Import) and any(f"{alias.name}.".startswith("wimble.http.") for alias in node.names):
            return True
    return False


def users_of_http() -> list[str]:
    return [name for name, path in named_sources() if imports_http(path)]


def test_only_the_layers_of_http_and_named_files_import_it() -> None:
    assert [name for name in users_of_http() if not name.startswith((*HOMES, *EXCEPTIONS))] == []


def test_each_exception_is_needed() -> None:
    users = users_of_http()
    assert [start for start in EXCEPTIONS if not any(name.startswith(start) for name in users)] == []


def test_no_exception_is_in_a_layer_of_the_search() -> None:
    layers = ("genes/", "model/", "solve/", "databases/", "feedback/", "search/")
    assert [start for start in EXCEPTIONS if start.startswith(layers)] == []
