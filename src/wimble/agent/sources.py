"""The SUT's source files as reported by its agents: targets, structure, constants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import cast

import msgspec

from wimble.agent.protocol import messages
from wimble.errors import ProtocolError
from wimble.model.source_constants import Constant
from wimble.model.structure import FileStructure, FunctionBody, Region
from wimble.model.targets import Target, TargetKind, TargetTable
from wimble.types import TargetId


class LoadedFile(msgspec.Struct, frozen=True):
    """A source file of the SUT. `error`: why it runs uninstrumented; empty if it is instrumented."""

    path: str
    targets: tuple[TargetId, ...]
    error: str


class Sources:
    """All source files of a run. A file whose text is unchanged after a restart keeps its target ids."""

    def __init__(self, table: TargetTable) -> None:
        self._table = table
        self._ids_of_file: dict[tuple[str, str], tuple[TargetId, ...]] = {}
        """Target ids by path and hash of the loaded text."""
        self.files: dict[str, LoadedFile] = {}
        self.structures: dict[str, FileStructure] = {}
        """Files and structures by path of the source."""

    def register(self, message: messages.File) -> tuple[TargetId, ...]:
        """Returns the ids of the file's targets, in the order of the message. Raises ProtocolError."""
        key = (message.path, message.hash)
        ids = self._ids_of_file.get(key)
        if ids is None:
            try:
                rows = messages.decode_target_rows(message.targets)
                regions, functions = messages.decode_structure(message)
                constants = messages.decode_constant_rows(message.constants)
            except msgspec.MsgspecError as error:
                raise ProtocolError("bad-message", f"cannot read the targets of {message.path}: {error}") from error
            for path, found in _constants_by_source(message, constants).items():
                self._table.constants.put(path, found)
            register = self._table.register
            ids = tuple(
                [
                    register(Target(cast(TargetKind, kind), path, line, column, detail))
                    for path, start, end in _parts(message, len(rows))
                    for kind, line, column, detail in rows[start:end]
                ]
            )
            self._note_structure(message, ids, regions, functions)
            if message.hash:
                self._ids_of_file[key] = ids
        self._note_sources(message, ids)
        return ids

    def _note_structure(
        self,
        message: messages.File,
        ids: tuple[TargetId, ...],
        regions: Sequence[Region],
        functions: Sequence[FunctionBody],
    ) -> None:
        for region in regions:
            if 0 <= region.target < len(ids):
                path = self._table[ids[region.target]].file
                self._structure(path).regions[ids[region.target], region] = None
        paths = [path for path, _, _ in _parts(message, len(ids))]
        for function in functions:
            if 0 <= function.part < len(paths):
                self._structure(paths[function.part]).functions[msgspec.structs.replace(function, part=0)] = None

    def _structure(self, path: str) -> FileStructure:
        return self.structures.setdefault(path, FileStructure())

    def _note_sources(self, message: messages.File, ids: tuple[TargetId, ...]) -> None:
        """Records the files that users know: the sources of a compiled text. A bundle may have many sources."""
        if not message.parts:
            self.files[message.path] = LoadedFile(message.path, ids, message.error or "")
            return
        by_path: dict[str, dict[TargetId, None]] = {}
        for path, start, end in _parts(message, len(ids)):
            by_path.setdefault(path, {}).update(dict.fromkeys(ids[start:end]))
        for path, found in by_path.items():
            known = self.files.get(path)  # another bundle may contain it too
            self.files[path] = LoadedFile(path, tuple(dict.fromkeys(known.targets if known else ()) | found), "")


def _parts(message: messages.File, n_targets: int) -> Iterator[tuple[str, int, int]]:
    """Yields (path of a source, index of its first target, end of its targets)."""
    starts = [*message.parts, (n_targets, "")] if message.parts else [(0, message.path), (n_targets, "")]
    for (start, path), (end, _) in pairwise(starts):
        yield path, start, end


def _constants_by_source(
    message: messages.File, rows: list[messages.ConstantRow]
) -> dict[str, list[tuple[int, Constant]]]:
    """Returns source -> (line, value) of its constants. Rows that refer to no source of the file are ignored."""
    by_source: dict[str, list[tuple[int, Constant]]] = {}
    for row in rows:
        part = row[2] if len(row) > 2 else None
        if len(row) < 2 or not isinstance(row[0], int):
            continue
        if not message.parts:
            by_source.setdefault(message.path, []).append((row[0], row[1]))
        elif isinstance(part, int) and 0 <= part < len(message.parts):
            by_source.setdefault(message.parts[part][1], []).append((row[0], row[1]))
    return by_source
