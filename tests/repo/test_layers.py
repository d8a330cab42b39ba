"""The layer list of ARCHITECTURE.md, enforced. Imports inside functions count too."""

import ast
from collections.abc import Iterable

from source_files import SOURCE, nodes_of, source_paths

LAYERS = [
    "types", "errors", "base64url", "json_texts", "xml_escapes", "own_keys", "learnt_secrets", "users", "techniques", "settings", "solve", "genes", "model", "http", "library", "runtimes", "databases", "spec", "encoding",
    "feedback", "search", "oracles", "describe",
    "agent", "state", "execute", "emit", "engine", "report", "config", "experiment", "cli",
]  # fmt: skip


def layer_of(module: str) -> str | None:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[0] == "wimble" else None


def imported_modules(nodes: Iterable[ast.AST]) -> list[tuple[int, str]]:
    found = []
    for node in nodes:
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: relative import"
            found += [(node.lineno, f"{node.module}.{alias.name}") for alias in node.names]
    return found


def test_layers_import_only_from_below():
    violations = []
    for path in source_paths():
        own = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if own == "__init__" or own == "__main__":
            continue
        assert own in LAYERS, f"{path}: not in the layer list"
        for line, module in imported_modules(nodes_of(path)):
            other = layer_of(module)
            if other is None or other == "__version__":
                continue
            if other not in LAYERS or LAYERS.index(other) > LAYERS.index(own):
                violations.append(f"{path.relative_to(SOURCE)}:{line}: {own} imports {module}")
    assert not violations, "\n".join(violations)
