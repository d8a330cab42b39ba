"""The working place of a run: a copy of the SUT's folder, a port, and the environment of the SUT."""

from __future__ import annotations

import os
import shutil
import socket
from pathlib import Path

import msgspec

from wimble.experiment.experiment_plan import RunPlan

LINKED = "node_modules"
"""Name of folders whose files are hard-linked instead of copied: they are large, and programs do not write to them."""
LEFT_OUT = frozenset({".git", "wimble-out"})
"""Names of folders that are not copied."""
RESULTS_MARKER = ".wimble-experiment"
"""File in a folder of results, which is not copied if it is below the SUT's folder."""
OUT_DIR = "out"


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """The working place of one run."""

    folder: Path
    sut: Path
    """The copy of the SUT's folder, so that runs of the same SUT do not share data."""
    port: int
    env: dict[str, str]
    """The whole environment of the SUT."""

    @property
    def out(self) -> Path:
        """The folder of the tool's output, which is kept after the run."""
        return self.folder / OUT_DIR

    @property
    def recorded(self) -> Path:
        """The folder of the raw coverage, which is removed after the run."""
        return self.folder / "coverage"


def make_place(plan: RunPlan, folder: Path) -> Place:
    """Copies the SUT into `folder` and chooses a free port. Raises: OSError."""
    sut = folder / "sut"
    copy_sut(Path(plan.sut.folder), sut)
    port = free_port()
    env = {**os.environ, **dict(plan.sut.env), plan.sut.port_variable: str(port)}
    return Place(folder=folder, sut=sut, port=port, env=env)


def clear_place(place: Place, *, keeps_sut: bool = False) -> None:
    """Removes the copy of the SUT and the raw coverage. keeps_sut: whether it is no copy."""
    if not keeps_sut:
        shutil.rmtree(place.sut, ignore_errors=True)
    shutil.rmtree(place.recorded, ignore_errors=True)


def copy_sut(source: Path, target: Path) -> None:
    """Copies the SUT's folder; symbolic links remain links. Raises: OSError."""
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
            pass  # the target is on another file system
    if file.is_symlink() or file.is_file():  # sockets and pipes of a running SUT are not copied
        shutil.copy2(file, to, follow_symlinks=False)


def free_port() -> int:
    """Returns a port that is free now, but is not reserved."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
