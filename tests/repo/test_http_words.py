"""What is HTTP's stays where HTTP is spoken: search, feedback and the model go by operations and outcomes."""

import ast
import io
import re
import tokenize
from pathlib import Path

from source_files import named_sources, nodes_of, text_of

HOMES = ("http/", "spec/", "execute/", "emit/", "oracles/")
EXCEPTIONS = {
    "describe/": "makes an OpenAPI document of requests and answers",
    "report/": "shows requests and answers as they were sent",
    "experiment/schemathesis.py": "reads what another tool for HTTP APIs has found",
    "engine/boot/": "finds the description of an HTTP API",
    "engine/write/": "writes requests as curl commands, and what tests need to log in",
    "engine/journal/journal_entries.py": "keeps exchanges on disk, to read them again",
    "engine/session/statistics.py": "tells answers of GraphQL, which have one status, apart by their messages",
    "engine/verify/secrets_in_tests.py": "finds secrets in the requests of tests",
    "engine/monitors/rate_limits.py": "reads what an answer says of the rate",
    "engine/faults/answered_errors.py": "reads the errors in answers of GraphQL",
    "engine/faults/same_mend/stale_caches.py": "compares the paths and bodies that requests sent",
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


WORDS = re.compile(r"http|status|headers?(?![a-z])|cookie", re.IGNORECASE)
"""In names of the code: what only HTTP has."""
OTHER_HOMES = {
    "config/": "users of `wimble.toml` are described by headers, cookies and requests",
    "users.py": "the same, as the settings hold them",
    "learnt_secrets.py": "hides secrets in cookies",
    "agent/": "what the agent says of requests and services",
    "runtimes/": "knows the HTTP clients that projects have, and how a language reads headers",
    "state/working_files.py": "the status of a process",
    "model/external.py": "requests to other services",
    "model/setup_kinds/answer.py": "answers of other services",
    "search/external/": "answers of other services",
    "search/generators/services/": "answers of other services",
    "search/generators/generator_table.py": "names the generators of answers",
    "search/generators/entrance/getting_in.py": "whether users can be told by cookies",
    "search/generators/runs/target_runs.py": "targets that are statuses, in the protocol's words",
    "search/access/": "the ways in which APIs take credentials",
    "engine/session/harvest.py": "reads the documents of services",
    "engine/session/recordings.py": "reads recordings of HTTP traffic",
    "engine/session/repeated_requests.py": "compares requests to other services",
    "engine/stability/expected_requests.py": "answers of other services",
    "model/evaluation.py": "the field `status` of findings, which reports show",
    "engine/faults/fault_merging.py": "findings with one status at one place",
    "engine/faults/same_mend/related_answers.py": "the same",
    "model/suite.py": "headers that all requests of a suite have",
}
"""Files and folders beside those above in which names are of HTTP, and why."""


def names_of_http(path: Path) -> list[tuple[int, str]]:
    """Returns the names in a module that are words of HTTP, with their lines."""
    tokens = tokenize.generate_tokens(io.StringIO(text_of(path)).readline)
    return [(token.start[0], token.string) for token in tokens if token.type == tokenize.NAME and is_word(token.string)]


def is_word(name: str) -> bool:
    return WORDS.search(name) is not None


def test_names_of_http_stand_where_it_is_spoken() -> None:
    homes = (*HOMES, *EXCEPTIONS, *OTHER_HOMES)
    found = [
        f"{name}:{line}: {word}"
        for name, path in named_sources()
        if not name.startswith(homes)
        for line, word in names_of_http(path)
    ]
    assert not found, "\n".join(found)


def test_each_other_home_is_needed() -> None:
    named = {name for name, path in named_sources() if names_of_http(path)}
    assert [start for start in OTHER_HOMES if not any(name.startswith(start) for name in named)] == []
