"""The commands of wimble, each imported when it is called: `wimble --help` needs none of them."""

from __future__ import annotations

from importlib import import_module
from typing import Final, NamedTuple

import click


class CommandRow(NamedTuple):
    """One command."""

    module: str
    attribute: str
    summary: str
    """One line for the list of commands."""


COMMANDS: Final = {
    "completion": CommandRow(
        "wimble.cli.completion_command", "completion_command", "Prints a script for completion in bash, zsh or fish."
    ),
    "describe": CommandRow(
        "wimble.cli.describe_command",
        "describe_command",
        "Writes an OpenAPI document of what an API takes and answers.",
    ),
    "experiment": CommandRow(
        "wimble.cli.experiment_command", "experiment_command", "Compares settings over many SUTs and seeds."
    ),
    "explain": CommandRow("wimble.cli.explain_command", "explain_command", "Tells why a line or branch is uncovered."),
    "init": CommandRow("wimble.cli.init_command", "init_command", "Writes a commented wimble.toml for the project."),
    "library": CommandRow(
        "wimble.cli.library_command", "library_command", "Searches a library for faults, and writes tests for it."
    ),
    "report": CommandRow("wimble.cli.report_command", "report_command", "Makes the report of a run that was killed."),
    "run": CommandRow("wimble.cli.run_command", "run_command", "Starts an API and searches it for faults."),
}


class CommandTable(click.Group):
    """A group whose commands are the rows of `COMMANDS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        row = COMMANDS.get(cmd_name)
        if row is None:
            return None
        command: click.Command = getattr(import_module(row.module), row.attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, row.summary) for name, row in COMMANDS.items()])
