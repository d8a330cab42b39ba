"""Rooms of the core: each says what it holds, and file names stand once, so that a name is enough to find a file."""

import ast
from collections import Counter
from graphlib import CycleError, TopologicalSorter
from pathlib import PurePosixPath

from source_files import SOURCE, nodes_of, source_paths, tree_of


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


def room_of(module: str) -> PurePosixPath:
    """Returns the folder that holds a module, or what a module holds."""
    room = PurePosixPath()
    for part in module.split(".")[1:]:
        if not (SOURCE / room / part).is_dir():
            break
        room /= part
    return room


def test_rooms_of_a_layer_import_in_one_direction():
    """A room and the folder around it may import each other: that holds what its rooms share, and what joins them."""
    imports: dict[PurePosixPath, set[PurePosixPath]] = {}
    for path in source_paths():
        own = PurePosixPath(path.parent.relative_to(SOURCE))
        for node in nodes_of(path):
            if not isinstance(node, ast.ImportFrom) or not f"{node.module}.".startswith("wimble."):
                continue
            for other in {room_of(f"{node.module}.{alias.name}") for alias in node.names}:
                is_of_same_layer = other.parts[:1] == own.parts[:1]
                if is_of_same_layer and own not in (other, *other.parents) and other not in own.parents:
                    imports.setdefault(own, set()).add(other)
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        raise AssertionError(" -> ".join(str(room) for room in error.args[1])) from None
