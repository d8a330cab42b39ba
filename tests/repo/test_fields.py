"""No module sets fields of another module's objects: who owns a field changes it, in a method."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from source_files import named_sources, nodes_of

OF_LIBRARIES = {
    "cli/describe_command.py": {"hidden", "help"},
    "cli/run_command.py": {"default_map"},
    "emit/runtime/sut_http.py": {"response_class", "check_hostname", "verify_mode"},
    "engine/boot/read_document.py": {"check_hostname", "verify_mode"},
    "execute/http/http_client.py": {"check_hostname", "verify_mode"},
    "report/junit.py": {"time", "result", "text"},
    "solve/solver_process.py": {"_main_ctx"},
}
"""Fields of objects of click, `http.client`, `ssl`, junitparser and Z3, which have no other way to set them."""


def own_fields(nodes: Iterable[ast.AST]) -> set[str]:
    """Returns the fields and properties of the classes of a module."""
    found: set[str] = set()
    for cls in (node for node in nodes if isinstance(node, ast.ClassDef)):
        for node in ast.walk(cls):
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                found.add(node.target.id)
            elif isinstance(node, ast.FunctionDef):
                found.add(node.name)
            elif is_set(node) and is_own(node):
                found.add(node.attr)
    return found


def is_set(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)


def is_own(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")


def foreign_fields(nodes: Sequence[ast.AST]) -> Iterator[ast.Attribute]:
    """Yields the places where a module sets a field that no class of its own has."""
    own = own_fields(nodes)
    for node in nodes:
        if is_set(node) and not is_own(node) and node.attr not in own:
            yield node


def test_no_module_sets_fields_of_others():
    found, needed = [], set()
    for name, path in named_sources():
        for node in foreign_fields(nodes_of(path)):
            if node.attr in OF_LIBRARIES.get(name, ()):
                needed.add((name, node.attr))
            else:
                found.append(f"{name}:{node.lineno}: {ast.unparse(node)}")
    assert found == []
    assert needed == {(name, field) for name, fields in OF_LIBRARIES.items() for field in fields}


def test_a_field_of_another_module_is_noticed():
    module = """
class Own:
    n: int = 0

def change(own, other):
    own.n += 1
    other.cause, other[0].place = 1, 2
"""
    assert [node.attr for node in foreign_fields(list(ast.walk(ast.parse(module))))] == ["cause", "place"]
