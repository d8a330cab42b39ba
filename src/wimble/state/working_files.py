"""Restores the files and folders below the SUT's working folder before each start and at the end of the run.

They outlive the SUT. It is not known who wrote a file: it may have been the user, who works during the run. So
nothing is deleted but empty folders: replaced and removed files are moved to the output folder. Programs are ignored,
since people edit them and a SUT does not write them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import psutil

from wimble.errors import WimbleError

COPIES: Final = "files"
"""Folder in the output folder with the files as they were before the run; removed when all files are restored."""
WRITTEN: Final = "written"
"""Folder in the output folder with the files that the SUT wrote."""
OF_KILLED_RUN: Final = "files-after-killed-run"
"""Folder in the output folder with files as they were after a run that was killed."""

MAX_FILES: Final = 20_000
MAX_FILE_BYTES: Final = 64 << 20
MAX_BYTES: Final = 512 << 20
SHOWN: Final = 3
MAX_TOLD: Final = 50
MAX_WRITTEN: Final = 500

LEFT_OUT_FOLDERS: Final = frozenset(
    [
        "node_modules",
        ".git",
        ".hg",
        ".svn",
        ".venv",
        ".idea",
        ".vscode",
        ".cache",
        ".turbo",
        ".next",
        ".nuxt",
        ".nyc_output",
        ".parcel-cache",
        "__pycache__",
        "dist",
        "build",
        "coverage",
    ]
)
"""Packages, caches and build output, which are not data and take long to create again."""
MARKERS: Final = (".wimble-output", ".wimble-experiment")
FOREIGN_DATA: Final = frozenset(["PG_VERSION", "ibdata1", "WiredTiger", "appendonlydir", "dump.rdb", *MARKERS])
"""A folder that contains one of these belongs to a database server, or to a run or experiment of wimble."""
PROGRAMS: Final = frozenset(
    [
        ".js",
        ".cjs",
        ".mjs",
        ".jsx",
        ".ts",
        ".cts",
        ".mts",
        ".tsx",
        ".vue",
        ".svelte",
        ".css",
        ".scss",
        ".map",
        ".py",
        ".sh",
        ".lock",
        ".prisma",
        ".tsbuildinfo",
        ".md",
        ".html",
        ".ejs",
        ".hbs",
        ".pug",
        ".sql",
        ".graphql",
        ".gql",
        ".proto",
        ".yml",
        ".yaml",
        ".toml",
        ".env",
    ]
)
PROGRAM_NAMES: Final = frozenset(
    ["package.json", "package-lock.json", "npm-shrinkwrap.json", "tsconfig.json", "Makefile"]
)


class Stamp(NamedTuple):
    """Time and size of a file, which change when it is written."""

    modified_ns: int
    size: int


FOLDER: Final = Stamp(0, 0)
"""Stands for a folder, of which only matters whether it exists. Its path ends with a slash."""


class TooManyFiles(WimbleError):
    """Raised if the folder holds more than MAX_FILES files: it is very large, or not that of a project."""


class WorkingFiles:
    """The files and folders below the working folder, by paths relative to it. Those of folders end with a slash.

    `take` is called before the first start, `put_back` whenever the SUT has stopped, and `close` at the end.
    """

    def __init__(self, folder: Path, output_dir: Path) -> None:
        self._folder = folder.resolve()
        self._output_dir = output_dir.resolve()
        self._before: dict[str, Stamp] | None = None
        self._others: frozenset[str] = frozenset()
        """Files that other processes write: wimble's output may be redirected to one, or written by `tee`."""
        self._copied: set[str] = set()
        self._written: Counter[str] = Counter()
        """Path -> the number of starts after which the file had changed."""
        self._notes: dict[str, None] = {}
        self._told: set[str] = set()
        """Files that a message has named."""

    def take(self) -> None:
        """Records and copies the present files."""
        try:
            self._put_back_old_copies()
            self._others = _written_by_neighbours(self._folder)
            self._before = self._files()
            self._copy(self._before)
        except TooManyFiles:
            self._notes[
                f"{self._folder} holds more than {MAX_FILES:,} files: changes that the SUT makes there are not undone"
            ] = None
        except OSError as error:
            self._notes[
                f"what the SUT writes in its folder stays as it leaves it: no copies could be made ({error.strerror})"
            ] = None
            self._before = None
            shutil.rmtree(self._output_dir / COPIES, ignore_errors=True)  # a part of them would only fill the disk

    def _files(self) -> dict[str, Stamp]:
        """Returns the present files and folders that the SUT may have written. Raises: TooManyFiles."""
        found = _files_below(self._folder, self._output_dir)
        return {path: stamp for path, stamp in found if path not in self._others}

    def _copy(self, stamps: dict[str, Stamp]) -> None:
        n_bytes = 0
        _private_folder(self._output_dir / COPIES)
        for path, stamp in stamps.items():
            if stamp is FOLDER or stamp.size > MAX_FILE_BYTES or n_bytes + stamp.size > MAX_BYTES:
                continue
            with contextlib.suppress(FileNotFoundError, PermissionError):  # removed in the meantime, or not readable
                _copy_file(self._folder / path, self._output_dir / COPIES / path)
                self._copied.add(path)
                n_bytes += stamp.size

    def _put_back_old_copies(self) -> None:
        """Restores the files that a killed run has changed, and warns the user.

        They may have been edited since, so they are kept in OF_KILLED_RUN. Raises: OSError.
        """
        copies, aside = self._output_dir / COPIES, self._output_dir / OF_KILLED_RUN
        shutil.rmtree(self._output_dir / WRITTEN, ignore_errors=True)
        if not copies.is_dir():
            return
        different = [path for path in _plain_files_below(copies) if not _is_same(copies / path, self._folder / path)]
        if different:
            shutil.rmtree(aside, ignore_errors=True)
            _private_folder(aside)
        for path in different:
            if (self._folder / path).exists():
                _copy_file(self._folder / path, aside / path)
            _copy_file(copies / path, self._folder / path)
        shutil.rmtree(copies, ignore_errors=True)
        if different:
            self._notes[
                f"an earlier run was killed before it put files back ({_shown(different)}): they are put back now; "
                f"as they were after that run they are in {aside}"
            ] = None

    # ---- changes ----------------------------------------------------------------------------------------------------

    def _changes(self) -> list[str]:
        """Returns the paths of files and folders that are new, changed or removed."""
        if self._before is None:
            return []
        try:
            now = self._files()
        except TooManyFiles:
            return []
        return sorted(path for path in now.keys() | self._before.keys() if now.get(path) != self._before.get(path))

    def put_back(self) -> None:
        """Restores changed files. Must be called while the SUT is stopped. Only stats the files if none has changed."""
        changes = self._changes()
        if changes:
            with contextlib.suppress(OSError):  # reported below for each file
                _private_folder(self._output_dir / WRITTEN)
        for path in self._in_order(changes):
            self._written[path] += 1
            try:
                if _is_folder(path):
                    self._put_back_folder(path)
                else:
                    self._put_back_file(path)
            except OSError as error:
                self._notes[f"{path} could not be put back as it was: {error.strerror}"] = None

    def _in_order(self, changes: list[str]) -> list[str]:
        """Returns sorted paths in an order in which each can be put back: folders are emptied first and filled last."""
        before = self._before or {}
        folders = [path for path in changes if _is_folder(path)]
        files = [path for path in changes if not _is_folder(path)]
        return [
            *[path for path in files if path not in before],
            *[path for path in reversed(folders) if path not in before],
            *[path for path in folders if path in before],
            *[path for path in files if path in before],
        ]

    def _put_back_folder(self, path: str) -> None:
        assert self._before is not None
        if path in self._before:
            (self._folder / path).mkdir(parents=True, exist_ok=True)
            return
        try:
            (self._folder / path).rmdir()
        except OSError:  # it holds programs, and so is not what a SUT writes
            self._before[path] = FOLDER
            del self._written[path]

    def _put_back_file(self, path: str) -> None:
        assert self._before is not None
        file, copy, written = self._folder / path, self._output_dir / COPIES / path, self._output_dir / WRITTEN / path
        if path not in self._before:
            written.parent.mkdir(parents=True, exist_ok=True)
            written.unlink(missing_ok=True)
            shutil.move(file, written)
            return
        if path not in self._copied:
            self._notes[f"{path} was changed by the SUT, and is too large to be put back"] = None
            return
        if file.exists():
            _copy_file(file, written)
        _copy_file(copy, file)

    def close(self) -> None:
        """Removes the copies after the last `put_back`, unless a file could not be restored."""
        if self._before is not None and not any(path in self._copied for path in self._changes()):
            shutil.rmtree(self._output_dir / COPIES, ignore_errors=True)
        self._before = None

    @property
    def written(self) -> tuple[str, ...]:
        """Files and folders through which a start of the SUT may influence a later one, at most MAX_WRITTEN.

        These are changed ones that existed before the run, and new ones that were written in several starts.
        """
        counts = self._written + Counter(self._changes())
        before = self._before or {}
        return tuple(sorted(path for path, n in counts.items() if path in before or n > 1)[:MAX_WRITTEN])

    def take_notes(self) -> list[str]:
        """Returns the messages for the user, each of them once, about files that were not told before."""
        notes, self._notes = list(self._notes), {}
        present = dict.fromkeys([*self.written, *self._changes()])
        data = [path for path in present if not path.endswith((".log", "/")) and path not in self._told][:MAX_TOLD]
        self._told.update(data)
        if data:
            notes.append(
                f"the SUT writes files in its folder ({_shown(data)}): "
                "they are put back before each of its starts and at the end; "
                f"what it wrote is in {self._output_dir / WRITTEN}"
            )
        return notes


def _files_below(folder: Path, output_dir: Path) -> Iterator[tuple[str, Stamp]]:
    """Yields the files below the folder that may hold data, and the folders. Raises: TooManyFiles."""
    pending, n_files = [folder], 0
    while pending:
        current = pending.pop()
        try:
            entries = list(os.scandir(current))
        except OSError:
            continue
        if any(entry.name in FOREIGN_DATA for entry in entries):
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in LEFT_OUT_FOLDERS and entry.path != str(output_dir):
                    pending.append(Path(entry.path))
                    yield os.path.relpath(entry.path, folder) + "/", FOLDER
            elif entry.is_file(follow_symlinks=False) and not _is_program(entry.name):
                n_files += 1
                if n_files > MAX_FILES:
                    raise TooManyFiles("too-many-files", f"more than {MAX_FILES} files", where=str(folder))
                with contextlib.suppress(FileNotFoundError):
                    status = entry.stat(follow_symlinks=False)
                    yield os.path.relpath(entry.path, folder), Stamp(status.st_mtime_ns, status.st_size)


def _written_by_neighbours(folder: Path) -> frozenset[str]:
    """Returns the files in the folder that this process, or another process of its session, has open.

    The SUT has its own session.
    """
    session = os.getsid(0)
    found: set[str] = set()
    for pid in psutil.pids():
        with contextlib.suppress(OSError, psutil.Error):
            if os.getsid(pid) == session:
                found.update(file.path for file in psutil.Process(pid).open_files())
    return frozenset(os.path.relpath(path, folder) for path in found if Path(path).is_relative_to(folder))


def _private_folder(folder: Path) -> None:
    """Creates a folder that only this user can read, since the SUT's files may be secret. Raises: OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def _is_folder(path: str) -> bool:
    return path.endswith("/")


def _is_program(name: str) -> bool:
    return name in PROGRAM_NAMES or "." + name.rpartition(".")[2] in PROGRAMS or name.startswith((".git", ".env"))


def _plain_files_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def _is_same(copy: Path, file: Path) -> bool:
    try:
        return copy.read_bytes() == file.read_bytes()
    except OSError:
        return False


def _copy_file(source: Path, target: Path) -> None:
    """Copies content, permissions and times. Overwrites `target` in place, so that it remains the same file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
    shutil.copystat(source, target)


def _shown(paths: list[str]) -> str:
    return ", ".join(paths[:SHOWN]) + (f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else "")
