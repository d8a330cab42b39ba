"""The place of a run: a copy of the SUT's folder, a port, and the environment of started processes."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

import msgspec

from wimble.experiment.experiment_plan import RunPlan

LINKED = "node_modules"
"""Folders of that name are hard links: they are large, and programs do not write into them."""
LEFT_OUT = frozenset({".git", "wimble-out"})
RESULTS_MARKER = ".wimble-experiment"
"""Marks a folder of results, which may lie below the SUT's folder and is not copied with it."""
OUT_DIR = "out"


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """The place of one run."""

    folder: Path
    sut: Path
    """The SUT's copy: two runs of one SUT do not touch each other's data."""
    port: int
    env: dict[str, str]
    """Whole environment of the SUT."""

    @property
    def out(self) -> Path:
        """The folder of the tool's output, which is kept."""
        return self.folder / OUT_DIR

    @property
    def recorded(self) -> Path:
        """Raw coverage; not kept."""
        return self.folder / "coverage"


def make_place(plan: RunPlan, folder: Path) -> Place:
    sut = folder / "sut"
    copy_sut(Path(plan.sut.folder), sut)
    port = free_port()
    env = {**os.environ, **dict(plan.sut.env), plan.sut.port_variable: str(port)}
    return Place(folder=folder, sut=sut, port=port, env=env)


def clear_place(place: Place) -> None:
    """Removes the copy of the SUT and the raw coverage."""
    shutil.rmtree(place.sut, ignore_errors=True)
    shutil.rmtree(place.recorded, ignore_errors=True)


def copy_sut(source: Path, target: Path) -> None:
    """Symbolic links stay links. Raises: OSError."""
    for here, folders, files in os.walk(source):
        folders[:] = [
            name for name in folders if name not in LEFT_OUT and not Path(here, name, RESULTS_MARKER).exists()
        ]
        own = Path(here).relative_to(source)
        to = target / own
        to.mkdir(parents=True, exist_ok=True)
        linked = LINKED in own.parts
        for name in [*files, *(folder for folder in folders if Path(here, folder).is_symlink())]:
            _copy(Path(here, name), to / name, linked=linked)


def _copy(file: Path, to: Path, *, linked: bool) -> None:
    if linked and not file.is_symlink():
        try:
            os.link(file, to)
            return
        except OSError:
            pass  # another file system
    if file.is_symlink() or file.is_file():  # sockets and pipes of a SUT that runs are not copied
        shutil.copy2(file, to, follow_symlinks=False)


def free_port() -> int:
    """Returns a port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
