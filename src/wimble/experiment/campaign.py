"""Runs what an experiment still lacks, on Dask: a local cluster, or one by its address. Yields each result as it comes.

A worker that dies is replaced, and its run made again, a few times; whatever else happens, what is done stays on disk.
"""

from __future__ import annotations

import contextlib
import logging
import os
import subprocess
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from wimble.errors import UsageError
from wimble.experiment.dask_worker import Done, run_one
from wimble.experiment.experiment_plan import RunPlan, SutPlan
from wimble.experiment.run_record import Store

CONNECT_LIMIT_S = 10.0
PREPARE_LIMIT_S = 1_800.0
"""Native modules may have to be compiled."""
CORES_PER_RUN = 2
"""One for the core and one for the SUT."""


class Finished(msgspec.Struct, frozen=True):
    """A run has ended, with a result on disk or without."""

    plan: RunPlan
    failure: str = ""


def default_workers() -> int:
    return max(1, (os.cpu_count() or 1) // CORES_PER_RUN)


def prepare(suts: Sequence[SutPlan]) -> None:
    """Raises: UsageError, when a SUT's own command for it fails."""
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
    """Raises: UsageError, when the scheduler is not there."""
    import distributed  # an extra; the command line has checked that it is there

    logging.getLogger("distributed").setLevel(logging.CRITICAL)  # what matters is told by the runs
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
            with contextlib.suppress(Exception):  # the cluster may be gone
                client.cancel(list(futures), force=True)


def _client(distributed: Any, stack: contextlib.ExitStack, workers: int, scheduler: str | None) -> Any:
    if scheduler is None:
        # One run at a time in each worker. Workers are processes, so that one that dies does not end others.
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
            hint="Such as tcp://host:8786, as `dask scheduler` prints it; without it, this machine does the work.",
        ) from error


def _taken(future: Any, plan: RunPlan, store: Store) -> str:
    """Why there is no result; else it lies on this machine's disk, whoever made it."""
    try:
        done: Done = future.result()
    except Exception as error:  # the worker died, again and again, or cannot load us: other runs go on
        why = f"its Dask worker did not bring it: {type(error).__name__}: {error}"
        store.fail(plan, why + "\n")
        return why
    if done.failure:
        return done.failure
    if store.load(plan) is None:  # the worker's disk is another one
        store.put(plan, done.result)
    return ""
