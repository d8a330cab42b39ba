"""The result of a run, and its folder below that of the experiment, which is created atomically.

DIR/SUT/SETTING/SEED/result.json    the record, from which the tables are computed
DIR/SUT/SETTING/SEED/out/           the tool's output: tests, reports
DIR/SUT/SETTING/SEED/log.txt        the output of the run's process
DIR/SUT/SETTING/.SEED-*/            a run in progress, or an interrupted run that will be repeated
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
    """The result of a run. A measure that a tool does not have is missing, not 0."""

    format: Literal["wimble-experiment-run"] = FORMAT
    version: int = FORMAT_VERSION
    plan: RunPlan
    wimble_version: str
    seconds: float
    """Duration of the whole run: start, search, suite, measuring."""
    measures: dict[str, float]
    """The measures by name; those in `result_tables.py` have tables."""
    curve: tuple[CurvePoint, ...] = ()
    notes: tuple[str, ...] = ()
    """Notes for readers of the tables, such as a lost SUT or failed tests."""
    has_own_network: bool = True
    """Whether the run had its own network."""


_decoder = msgspec.json.Decoder(Record)


class Store:
    """The folder of an experiment, with the results of its runs."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def place(self, plan: RunPlan) -> Path:
        """Returns the folder of a run, which exists once the run has a result."""
        return self.folder / plan.key

    def load(self, plan: RunPlan) -> Record | None:
        """Returns the run's record; None if there is none, or it cannot be read.

        Raises: UsageError, if the record is of a different plan.
        """
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
        """Returns the records of all runs that have one. Raises: UsageError."""
        return [record for plan in experiment.runs() if (record := self.load(plan)) is not None]

    def missing(self, experiment: Experiment) -> list[RunPlan]:
        """Returns the runs without a result."""
        return [plan for plan in experiment.runs() if self.load(plan) is None]

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Locks the folder for one command, since a second one would treat the runs of the first as interrupted.

        Raises: UsageError, if another command holds the lock; OSError.
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
        """Creates a folder for an attempt of a run. `clear_remains` removes the folders of earlier attempts."""
        place = self.place(plan)
        place.parent.mkdir(parents=True, exist_ok=True)
        (self.folder / RESULTS_MARKER).touch()
        return Path(tempfile.mkdtemp(prefix=f".{place.name}-", dir=place.parent))

    def complete(self, plan: RunPlan, working: Path) -> None:
        """Moves the folder of a finished run to its place, atomically."""
        place = self.place(plan)
        shutil.rmtree(place, ignore_errors=True)
        working.chmod(0o755)  # mkdtemp creates folders that only the owner can read
        working.rename(place)
        self._failure_file(plan).unlink(missing_ok=True)

    def put(self, plan: RunPlan, result: bytes) -> None:
        """Writes a result that was stored on another machine's disk."""
        place = self.place(plan)
        place.mkdir(parents=True, exist_ok=True)
        write_atomically(place / RESULT_FILE, result.decode())

    def fail(self, plan: RunPlan, why: str) -> None:
        """Writes why the run has no result."""
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
