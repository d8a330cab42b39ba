"""The project file knows each option of `wimble run`, under the name of its flag."""

import click

from wimble.cli.run_command import run_command
from wimble.config.project_file import OPTIONS


def test_each_option_of_run_can_have_a_default_in_the_file():
    flags = {p.opts[-1].removeprefix("--").replace("-", "_") for p in run_command.params if isinstance(p, click.Option)}
    assert flags - {"config"} | {"command"} == set(OPTIONS)
