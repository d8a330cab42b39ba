"""The result of one run, and where it lies: one folder per run below the experiment's, made complete or not at all.

DIR/SUT/SETTING/SEED/result.json    what the tables are made of
DIR/SUT/SETTING/SEED/out/           what the tool wrote: tests, reports
DIR/SUT/SETTING/SEED/log.txt        what it said
DIR/SUT/SETTING/.SEED-*/            a run that goes on, or was interrupted and is repeated
DIR/SUT/SETTING/SEED.failed.txt     why a run has no result
"""

from __future__ import annotations

import contextlib
import fcntl
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

from wimble.emit.write_suite import write_atomically
from wimble.errors import UsageError
from wimble.experiment.experiment_plan import Experiment, RunPlan
from wimble.experiment.work_place import RESULTS_MARKER
from wimble.model.result import CurvePoint

FORMAT: Final = "wimble-experiment-run"
FORMAT_VERSION: Final = 1  # 1: first.
RESULT_FILE = "result.json"
LOG_FILE = "log.txt"


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one run. A measure that a tool does not have is missing, not 0."""

    format: Literal["wimble-experiment-run"] = FORMAT
    version: int = FORMAT_VERSION
    plan: RunPlan
    wimble_version: str
    seconds: float
    """Duration of the whole run: start, search, suite, measuring."""
    measures: dict[str, float]
    """By the names in tables.py."""
    curve: tuple[CurvePoint, ...] = ()
    notes: tuple[str, ...] = ()
    """Notes for readers of the tables: SUT lost, tests failed."""
    has_own_network: bool = True
    """Whether the run had a network of its own."""


_decoder = msgspec.json.Decoder(Record)


class Store:
    """The folder of one experiment."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self, plan: RunPlan) -> Path:
        return self.folder / plan.key

    def load(self, plan: RunPlan) -> Record | None:
        """Returns the run's result; None where there is none or it is incomplete. Raises: UsageError, where it is of
        another plan."""
        path = self.place(plan) / RESULT_FILE
        try:
            record = _decoder.decode(path.read_bytes())
        except (OSError, msgspec.MsgspecError):
            return None
        if record.version != FORMAT_VERSION:
            return None
        if not record.plan.is_same(plan):
            raise UsageError(
                "experiment-changed",
                f"{path} is the result of another run than the file now describes",
                where="--out",
                details=(f"was: {_shown(record.plan)}", f"is: {_shown(plan)}"),
                hint="Name another folder with --out, or remove that result to run it again.",
            )
        return record

    def load_all(self, experiment: Experiment) -> list[Record]:
        return [record for plan in experiment.runs() if (record := self.load(plan)) is not None]

    def missing(self, experiment: Experiment) -> list[RunPlan]:
        """Runs without a result."""
        return [plan for plan in experiment.runs() if self.load(plan) is None]

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Locks the folder for one command: another one would take its runs for interrupted ones.

        Raises: UsageError, OSError.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / RESULTS_MARKER).open("a") as marker:
            try:
                fcntl.flock(marker, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                raise UsageError(
                    "experiment-runs-already",
                    f"another `wimble experiment` works in {self.folder}",
                    where="--out",
                    hint="Wait for it, or name another folder with --out.",
                ) from error
            yield

    def begin(self, plan: RunPlan) -> Path:
        """Returns a new folder to work in. What other tries have left behind is removed by `clear_remains`."""
        place = self.place(plan)
        place.parent.mkdir(parents=True, exist_ok=True)
        (self.folder / RESULTS_MARKER).touch()
        return Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))

    def complete(self, plan: RunPlan, working: Path) -> None:
        """Puts a finished run in its place, whole."""
        place = self.place(plan)
        shutil.rmtree(place, ignore_errors=True)
        working.chmod(0o755)  # mkdtemp makes folders that only the owner reads
        working.rename(place)
        self._failure_file(plan).unlink(missing_ok=True)

    def put(self, plan: RunPlan, result: bytes) -> None:
        """Keeps a result that was made on another machine's disk."""
        place = self.place(plan)
        place.mkdir(parents=True, exist_ok=True)
        write_atomically(place / RESULT_FILE, result.decode())

    def fail(self, plan: RunPlan, why: str) -> None:
        """Writes why there is no result."""
        self._failure_file(plan).parent.mkdir(parents=True, exist_ok=True)
        self._failure_file(plan).write_text(why, encoding="utf-8", errors="backslashreplace")

    def clear_remains(self, plan: RunPlan) -> None:
        """Removes the folders of interrupted attempts of the run."""
        place = self.place(plan)
        for remains in place.parent.glob(f".{place.name}-*"):
            shutil.rmtree(remains, ignore_errors=True)

    def _failure_file(self, plan: RunPlan) -> Path:
        place = self.place(plan)
        return place.parent / f"{place.name}.failed.txt"


def _shown(plan: RunPlan) -> str:
    """Returns a summary of a plan in one line."""
    setting = plan.setting
    parts = [setting.tool, setting.strategy, *(f"without {name}" for name in setting.without)]
    parts += [f"{plan.max_calls} calls"] if plan.max_calls else []
    parts += [f"{plan.max_time_s:g} s"] if plan.max_time_s else []
    return f"{', '.join(parts)}: {' '.join(plan.sut.command)}"
