"""`wimble experiment`: executes the runs without a result, then prints tables and writes plots from all results."""

from __future__ import annotations

from pathlib import Path

import click

from wimble.cli.option_types import Count


@click.command("experiment")
@click.option(
    "--out",
    "folder",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the results.  [default: wimble-experiments/NAME]",
)
@click.option("--workers", type=Count(1, 1024), metavar="N", help="Runs at a time.  [default: one per two cores]")
@click.option(
    "--scheduler",
    metavar="ADDRESS",
    help="Dask scheduler to use, such as tcp://host:8786, instead of this machine alone.",
)
@click.option("--tables-only", is_flag=True, help="Run nothing: tables and plots of what is there.")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE")
def experiment_command(
    *, folder: Path | None, workers: int | None, scheduler: str | None, tables_only: bool, file: Path
) -> None:
    """Runs the experiment that FILE describes: SUTs x settings x seeds, and compares the settings.

    What is done is not run again: start it anew to go on after Ctrl-C.

    \b
    wimble experiment bench/experiments/small.toml
    wimble experiment apis.toml --workers 4 --out results
    """
    from wimble.cli.experiment_runs import execute_experiment  # `--help` needs nothing of what it imports

    code = execute_experiment(folder=folder, workers=workers, scheduler=scheduler, tables_only=tables_only, file=file)
    raise SystemExit(code)
