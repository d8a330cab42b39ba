"""Executes one run for a Dask worker, in its own process and network, and returns its result. Does not import Dask."""

from __future__ import annotations

import contextlib
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import msgspec

from wimble.agent.processes.own_network import own_network
from wimble.errors import WimbleError
from wimble.experiment import install
from wimble.experiment.experiment_plan import RunPlan
from wimble.experiment.library_suts import install_library
from wimble.experiment.one_run import OWN_NETWORK, PLAN_FILE
from wimble.experiment.run_record import LOG_FILE, RESULT_FILE, Store
from wimble.experiment.tools import TOOLS

BESIDE_BUDGET_S = 3_600.0
"""Time limit of a run beyond its budget: for start, minimising, verifying, the suite and c8."""
SLOWEST_CALL_S = 1.0
"""Average time per call that the time limit of a run with a budget in calls assumes."""
LEAVE_WAIT_S = 20.0
"""Time that a run's process has to end after its stdin is closed."""
SHOWN_LINES = 12
"""The number of last lines of a log that a failure shows."""


class Done(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of a run, as plain data that is sent over the network. Exactly one of both fields is set."""

    result: bytes = b""
    """The text of result.json."""
    failure: str = ""


def run_one(plan_json: bytes, store_folder: str) -> Done:
    """Executes a run. Returns failures of the run instead of raising them, so that other runs continue."""
    plan = msgspec.json.decode(plan_json, type=RunPlan)
    store = Store(Path(store_folder))
    try:
        install.c8()  # before the run, since the run's own network reaches no registry
        TOOLS[plan.setting.tool].install()
        install_library(plan.sut)
        working = store.begin(plan)
    except WimbleError as error:
        return _failed(store, plan, "\n".join(error.lines()))
    except OSError as error:
        return _failed(store, plan, str(error))
    try:
        failure = _run_in_process(plan_json, plan, working)
        if failure:
            return _failed(store, plan, failure)
        result = (working / RESULT_FILE).read_bytes()
        store.complete(plan, working)
        return Done(result=result)
    except OSError as error:
        return _failed(store, plan, str(error))
    finally:
        shutil.rmtree(working, ignore_errors=True)


def _failed(store: Store, plan: RunPlan, why: str) -> Done:
    with contextlib.suppress(OSError):
        store.fail(plan, why + "\n")
    return Done(failure=why)


def _run_in_process(plan_json: bytes, plan: RunPlan, working: Path) -> str:
    """Executes the run in a process. Returns why it failed; empty if it succeeded."""
    prefix, _ = own_network()
    (working / PLAN_FILE).write_bytes(plan_json)
    command = [*prefix, sys.executable, "-m", "wimble.experiment.one_run", str(working)]
    log_path = working / LOG_FILE
    with log_path.open("wb") as log:
        process = subprocess.Popen(
            [*command, *((OWN_NETWORK,) if prefix else ())],
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        code = process.wait(_limit_s(plan))
    except subprocess.TimeoutExpired:
        return f"it did not end within {_limit_s(plan):.0f} s"
    finally:
        _end(process)
    if code == 0:
        return ""
    lines = log_path.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return "\n".join(lines[-SHOWN_LINES:]) or f"it answered {code}"


def _limit_s(plan: RunPlan) -> float:
    by_calls = plan.max_calls * SLOWEST_CALL_S if plan.max_calls is not None else 0.0
    return (plan.max_time_s if plan.max_time_s is not None else by_calls) + BESIDE_BUDGET_S


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the run's process.

    When its stdin is closed, it ends with all processes that it has started. If that takes too long, it is killed.
    """
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(LEAVE_WAIT_S)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
