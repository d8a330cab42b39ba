"""`wimble report`: makes the report and the suite of a run that was killed."""

from __future__ import annotations

import os
from pathlib import Path

import click
from msgspec.structs import replace

from wimble.cli.shared_options import out_option
from wimble.config.project_file import read_project_file
from wimble.errors import UsageError


@click.command("report")
@out_option("Output folder of the killed run.")
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Project file with the users of the killed run. Default: wimble.toml in its folder, if there is one.",
)
def report_command(*, output_dir: Path, config: Path | None) -> None:
    """Makes the report and the suite of a run that was killed or stopped, from what it had written until then.

    The SUT is started again with the options of that run, to verify the tests.
    """
    from wimble.cli.execution import execute  # imported as late as possible: see there
    from wimble.engine.journal.killed_run import read_killed_run
    from wimble.engine.report_killed_run import report_killed_run

    output_dir = output_dir.absolute()
    config = config.absolute() if config is not None else None
    killed = read_killed_run(output_dir)
    settings = killed.settings
    try:
        os.chdir(settings.working_dir)  # paths among the options are relative to it
    except OSError as error:
        raise UsageError(
            "no-such-folder",
            f"the folder of the killed run cannot be entered: {error.strerror}",
            where=str(settings.working_dir),
        ) from error
    project_file = read_project_file(config, settings.working_dir, os.environ)
    settings = replace(settings, output_dir=output_dir, users=project_file.users, secrets=project_file.secrets)
    raise SystemExit(execute(settings, lambda stop: report_killed_run(settings, stop, killed)))
