"""Executes one run in its own process: `python -m wimble.experiment.one_run FOLDER [--own-network]`.

The process reads FOLDER/plan.json and writes FOLDER/result.json at the end. When its stdin is closed, it ends with all
processes that it has started, so that none of them outlives the worker.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path
from types import FrameType

import msgspec

from wimble import __version__
from wimble.agent.processes.own_network import raise_loopback
from wimble.emit.write_suite import write_atomically
from wimble.errors import WimbleError
from wimble.experiment.c8_coverage import Coverage, coverage_of, own_loaded
from wimble.experiment.experiment_plan import RunPlan
from wimble.experiment.library_suts import library_place
from wimble.experiment.run_record import RESULT_FILE, Record
from wimble.experiment.tools import TOOLS
from wimble.experiment.work_place import clear_place, make_place

PLAN_FILE = "plan.json"
OWN_NETWORK = "--own-network"
BROKEN_OFF = 143
"""The exit code that shells report for a process that was ended by SIGTERM."""


def make_record(plan: RunPlan, folder: Path, *, has_own_network: bool) -> Record:
    """Executes a run in `folder` and measures its coverage. Raises: WimbleError, RuntimeError, OSError."""
    started_s = time.monotonic()
    tool = TOOLS[plan.setting.tool]
    is_library = bool(plan.sut.library)
    place = library_place(plan.sut, folder, dict(os.environ)) if is_library else make_place(plan, folder)
    try:
        outcome = tool.run(plan, place)
        notes = (*outcome.notes, *tool.replay(plan, place))
        measured = own_loaded(place.recorded, place.sut) if is_library else plan.sut.measured
        coverage = coverage_of(place.recorded, place.sut, measured, place.out / "c8")
    finally:
        clear_place(place, keeps_sut=is_library)
    return Record(
        plan=plan,
        wimble_version=__version__,
        seconds=time.monotonic() - started_s,
        measures={**outcome.measures, **_measures(coverage)},
        curve=outcome.curve,
        notes=(*notes, *_notes(coverage)),
        has_own_network=has_own_network,
    )


def _notes(coverage: Coverage) -> tuple[str, ...]:
    if not coverage.n_cut_off:
        return ()
    return (f"the SUT was killed {coverage.n_cut_off} times while it wrote its coverage, which is missing",)


def _measures(coverage: Coverage) -> dict[str, float]:
    return {
        "c8_lines": coverage.lines.percent,
        "c8_lines_covered": coverage.lines.covered,
        "c8_lines_total": coverage.lines.total,
        "c8_branches": coverage.branches.percent,
        "c8_branches_covered": coverage.branches.covered,
        "c8_branches_total": coverage.branches.total,
    }


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0])
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_watch_stdin, daemon=True).start()
    try:
        has_own_network = OWN_NETWORK in arguments
        if has_own_network:
            raise_loopback()
        plan = msgspec.json.decode((folder / PLAN_FILE).read_bytes(), type=RunPlan)
        record = make_record(plan, folder, has_own_network=has_own_network)
    except WimbleError as error:
        sys.stderr.write("\n".join(error.lines()) + "\n")
        return int(error.exit_code)
    except (RuntimeError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 1
    write_atomically(folder / RESULT_FILE, msgspec.json.format(msgspec.json.encode(record), indent=1).decode() + "\n")
    return 0


def _leave(_signal: int, _frame: FrameType | None) -> None:
    """Exits with an exception, so that all `finally` blocks run and the SUT is stopped."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(BROKEN_OFF)


def _watch_stdin() -> None:
    while os.read(0, 4096):  # not sys.stdin, whose lock the interpreter acquires at its exit
        pass
    # The signal is sent to the main thread, since it has to end that thread's wait for a process.
    main_thread = threading.main_thread().ident
    assert main_thread is not None
    signal.pthread_kill(main_thread, signal.SIGTERM)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
