"""Executes the missing runs of an experiment on Dask, on a local cluster or on one with a given address.

If a worker dies, Dask replaces it and repeats its run a few times. Finished runs always remain on disk.
"""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from wimble.agent.processes.usable_cores import usable_cores
from wimble.errors import UsageError
from wimble.experiment.dask_worker import Done, run_one
from wimble.experiment.experiment_plan import RunPlan, SutPlan
from wimble.experiment.run_record import Store

CONNECT_LIMIT_S = 10.0
PREPARE_LIMIT_S = 1_800.0
"""Time limit of a SUT's `prepare` command, which may have to compile native modules."""
CORES_PER_RUN = 2
"""One core for wimble and one for the SUT."""


class Finished(msgspec.Struct, frozen=True):
    """A run that has ended, with or without a result on disk."""

    plan: RunPlan
    failure: str = ""
    """Why there is no result; empty if there is one."""


def default_workers() -> int:
    return max(1, usable_cores() // CORES_PER_RUN)


def prepare(suts: Sequence[SutPlan]) -> None:
    """Runs the `prepare` command of each SUT that has one. Raises: UsageError, if a command fails."""
    for sut in suts:
        if not sut.prepare:
            continue
        try:
            done = subprocess.run(
                sut.prepare,
                shell=True,
                cwd=sut.folder,
                capture_output=True,
                text=True,
                timeout=PREPARE_LIMIT_S,
                check=False,
                stdin=subprocess.DEVNULL,
            )
            lines = (done.stdout + done.stderr).strip().splitlines()
            code = done.returncode
        except subprocess.SubprocessError as error:
            lines, code = [str(error)], 1
        if code != 0:
            raise UsageError(
                "sut-not-prepared",
                f"{sut.name} could not be prepared: `{sut.prepare}` failed",
                where=sut.folder,
                details=tuple(lines[-8:]),
            )


def run_all(plans: Sequence[RunPlan], store: Store, *, workers: int, scheduler: str | None) -> Iterator[Finished]:
    """Executes the runs and yields each when it has ended.

    scheduler: the address of a Dask scheduler; None: a local cluster with `workers` processes.

    Raises: UsageError, if the scheduler cannot be reached.
    """
    import distributed  # an extra; the command line has checked that it is installed

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # the runs report their failures themselves
    with contextlib.ExitStack() as stack:
        client = _client(distributed, stack, min(workers, len(plans)), scheduler)
        folder = str(store.folder.absolute())
        futures = {
            client.submit(
                run_one, msgspec.json.encode(plan), folder, key=f"wimble-{os.getpid()}-{plan.key}", pure=False
            ): plan
            for plan in plans
        }
        try:
            for future in distributed.as_completed(futures, loop=client.loop):
                yield Finished(futures[future], _taken(future, futures[future], store))
                future.release()
        finally:
            with contextlib.suppress(Exception):  # the cluster may have ended
                client.cancel(list(futures), force=True)


def _client(distributed: Any, stack: contextlib.ExitStack, workers: int, scheduler: str | None) -> Any:
    if scheduler is None:
        # Each worker executes one run at a time. Workers are processes, so that the death of one does not end others.
        scheduler = stack.enter_context(
            distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",
                memory_limit=0,
                silence_logs=logging.CRITICAL,
            )
        )
    try:
        return stack.enter_context(distributed.Client(scheduler, timeout=CONNECT_LIMIT_S, set_as_default=False))
    except (OSError, ValueError, TimeoutError) as error:
        raise UsageError(
            "no-scheduler",
            f"there is no Dask scheduler at {scheduler}",
            where="--scheduler",
            details=(str(error),),
            hint="Such as tcp://host:8786, as `dask scheduler` prints it; without it, the runs are executed on this "
            "machine.",
        ) from error


def _taken(future: Any, plan: RunPlan, store: Store) -> str:
    """Stores the result of a run on this machine's disk. Returns why there is none, or an empty text."""
    try:
        done: Done = future.result()
    except Exception as error:  # the worker died repeatedly, or cannot import wimble; other runs continue
        why = f"its Dask worker returned no result: {type(error).__name__}: {error}"
        store.fail(plan, why + "\n")
        return why
    if done.failure:
        return done.failure
    if store.load(plan) is None:  # the worker has stored the result on another disk
        store.put(plan, done.result)
    return ""
