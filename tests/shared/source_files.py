"""The sources of wimble, each read and parsed once for all tests that look at them."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "wimble"


@cache
def source_paths() -> tuple[Path, ...]:
    """Returns all modules, sorted."""
    return tuple(sorted(SOURCE.rglob("*.py")))


@cache
def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(text_of(path))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Returns all nodes of a module, in the order of `ast.walk`."""
    return tuple(ast.walk(tree_of(path)))


def named_sources() -> Iterator[tuple[str, Path]]:
    """Yields each module with its name below src/wimble."""
    return ((path.relative_to(SOURCE).as_posix(), path) for path in source_paths())
