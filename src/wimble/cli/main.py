"""The entry point of the command line: its commands, messages of errors, and exit codes."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Sequence

import click

from wimble import __version__
from wimble.cli.command_table import CommandTable
from wimble.errors import ExitCode, WimbleError


@click.command(cls=CommandTable, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="wimble")
def wimble() -> None:
    """Finds faults in Web APIs, with the line that caused them, and writes tests that run by themselves."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line. Each error ends the process with an exit code and a message on stderr."""
    try:
        wimble.main(args=list(arguments) if arguments is not None else None, standalone_mode=False)
        code = ExitCode.OK
    except WimbleError as error:
        _say(error.lines())
        code = error.exit_code
    except click.exceptions.Exit as error:
        sys.exit(error.exit_code)
    except click.ClickException as error:
        _say(_usage_lines(error))
        code = ExitCode.USAGE
    except (KeyboardInterrupt, click.Abort):
        _say(["stopped before anything was found"])
        code = ExitCode.TARGET
    except Exception:
        traceback.print_exc()
        _say(
            [
                f"error: this is a bug of wimble {__version__}, not of your API",
                "  Please report it with the lines above and the command that you ran.",
            ]
        )
        code = ExitCode.INTERNAL
    sys.exit(code)


def _usage_lines(error: click.ClickException) -> list[str]:
    where = ""
    message = error.format_message()
    is_missing = isinstance(error, click.MissingParameter)  # its own message is empty
    if isinstance(error, click.BadParameter) and error.param is not None and not is_missing:
        where = error.param.opts[-1] if error.param.opts else ""
        message = error.message
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = "wimble run"
    if context is not None:
        command = "wimble" if context.parent is None else f"wimble {context.info_name}"
    hint = f"Run `{command} --help` for what there is."
    return [f"error: {where}: {message}" if where else f"error: {message}", f"  {hint}"]


def _say(lines: Sequence[str]) -> None:
    for line in lines:
        click.echo(line, err=True)
