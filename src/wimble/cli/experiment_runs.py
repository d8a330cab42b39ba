"""Executes an experiment for `wimble experiment`."""

from __future__ import annotations

import importlib.util
import signal
from pathlib import Path
from types import FrameType

import click

from wimble.agent.processes.own_network import own_network
from wimble.emit.write_suite import write_atomically
from wimble.errors import ExitCode, OutputError, UsageError
from wimble.experiment.campaign import default_workers, prepare, run_all
from wimble.experiment.experiment_file import read_experiment
from wimble.experiment.experiment_plan import Experiment, RunPlan
from wimble.experiment.library_tables import library_text
from wimble.experiment.plots import write_plots
from wimble.experiment.result_tables import tables_text
from wimble.experiment.run_record import Store

EXTRA = ("distributed", "matplotlib", "scipy")
TABLES_FILE = "tables.md"


def execute_experiment(
    *, folder: Path | None, workers: int | None, scheduler: str | None, tables_only: bool, file: Path
) -> ExitCode:
    """The options are those of the command."""
    _check_extra()
    experiment = read_experiment(file)
    store = Store((folder or Path("wimble-experiments", experiment.name)).absolute())
    _check_folder(store.folder)
    is_whole = True
    if store.missing(experiment) and not tables_only:
        with store.held():
            is_whole = _run(experiment, store, workers or default_workers(), scheduler)
    _report(experiment, store)
    return ExitCode.OK if is_whole else ExitCode.TARGET


def _check_extra() -> None:
    """Checks the libraries that no other command needs. Raises: UsageError, if one is missing."""
    missing = [name for name in EXTRA if importlib.util.find_spec(name) is None]
    if missing:
        raise UsageError(
            "experiments-not-installed",
            f"`wimble experiment` needs {', '.join(missing)}",
            hint="Install them with it: pip install 'wimble[experiments]'",
        )


def _check_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(
            "output-not-writable", f"{folder} cannot be written: {error.strerror}", where="--out"
        ) from error


def _run(experiment: Experiment, store: Store, workers: int, scheduler: str | None) -> bool:
    """Executes the missing runs. Returns whether all of them have a result.

    Ctrl-C and SIGTERM stop the execution; the results of finished runs are kept.
    """
    missing = store.missing(experiment)
    n_all = len(experiment.runs())
    at_once = "" if scheduler else f", {min(workers, len(missing))} at a time"
    _say(f"{experiment.name}: {len(missing)} of {n_all} runs to do{at_once}; results in {store.folder}")
    _, why_not = own_network()
    if why_not and scheduler is None:
        _say(f"SUTs share this machine's network, for a run cannot have one of its own: {why_not}")
    previous = signal.signal(signal.SIGTERM, _interrupt)
    n_done = n_failed = 0
    try:
        needed = {plan.sut.name for plan in missing}
        prepare([sut for sut in experiment.suts if sut.name in needed])
        for plan in missing:
            store.clear_remains(plan)
        for finished in run_all(missing, store, workers=workers, scheduler=scheduler):
            n_done += 1
            n_failed += bool(finished.failure)
            _say(f"[{n_done}/{len(missing)}] {finished.plan.title}: {_outcome(finished.plan, finished.failure, store)}")
    except KeyboardInterrupt:
        _say(f"stopped: {n_done} of {len(missing)} runs are done and kept; run it again to go on")
        return False
    finally:
        signal.signal(signal.SIGTERM, previous)
    if n_failed:
        _say(f"{n_failed} runs have no result; run it again to try these once more")
    return n_failed == 0


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _outcome(plan: RunPlan, failure: str, store: Store) -> str:
    if failure:
        return "failed\n" + "\n".join(f"    {line}" for line in failure.splitlines())
    record = store.load(plan)
    if record is None:
        return "failed: its result is missing"
    shown = [f"{record.measures[key]:g} {key}" for key in ("targets", "faults") if key in record.measures]
    return ", ".join([*shown, f"{record.measures['c8_lines']:.1f} % lines by c8", f"{record.seconds:.0f} s"])


def _report(experiment: Experiment, store: Store) -> None:
    """Prints the tables, and writes them and the plots. Raises: OutputError, if the files cannot be written."""
    records = store.load_all(experiment)
    text = "\n".join(
        part for part in (tables_text(experiment, records), library_text(experiment, records, store)) if part
    )
    click.echo(text, nl=False)
    try:
        write_atomically(store.folder / TABLES_FILE, text)
        plots = write_plots(experiment, records, store.folder)
    except OSError as error:
        raise OutputError("output-not-writable", f"{store.folder} cannot be written: {error}", where="--out") from error
    _say(f"tables: {store.folder / TABLES_FILE}")
    for plot in plots:
        _say(f"curves: {plot}")


def _say(line: str) -> None:
    click.echo(line, err=True)
