"""Rooms of the core: each says what it holds, and file names stand once, so that a name is enough to find a file."""

import ast
from collections import Counter

from source_files import SOURCE, source_paths, tree_of


def test_file_names_stand_once():
    """`emit/runtime` holds files of generated suites, which are named for their users."""
    names = Counter(
        path.name
        for path in source_paths()
        if path.name not in ("__init__.py", "__main__.py") and "runtime" not in path.relative_to(SOURCE).parts
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_each_room_has_a_door_text():
    rooms = {path.parent for path in source_paths() if "runtime" not in path.relative_to(SOURCE).parts}
    silent = [
        str(room.relative_to(SOURCE))
        for room in rooms
        if not (room / "__init__.py").exists() or not ast.get_docstring(tree_of(room / "__init__.py"))
    ]
    assert silent == []
