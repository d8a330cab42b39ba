"""`wimble describe`: writes the inferred document of an API, without tests and reports."""

from __future__ import annotations

from copy import copy
from typing import Any, Final

import click

from wimble.cli.run_command import run_command
from wimble.cli.run_settings import settings_of

DEFAULT_MAX_TIME_S: Final = 30.0
"""Half of a run's budget: the document mostly needs each operation to succeed, and few of its branches."""
SHOWN_OPTIONS: Final = frozenset(
    ["schemas", "url", "max_time", "max_calls", "seed", "output_dir", "port", "config", "command"]
)
"""Names of parameters that the help shows. The command takes the others, too, as a project file may set them."""
_WITHOUT_MEANING: Final = frozenset(["test_format"])


def _parameters() -> list[click.Parameter]:
    """Returns the parameters of `wimble run`, except those about tests."""
    found = []
    for parameter in run_command.params:
        own = copy(parameter)
        if isinstance(own, click.Option):
            own.hidden = own.name not in SHOWN_OPTIONS
            if own.name == "max_time":
                own.help = "Budget of the search, such as 30s or 5m.  [default: 30s]"
        found.append(own)
    return [parameter for parameter in found if parameter.name not in _WITHOUT_MEANING]


def _describe(**options: Any) -> None:
    from wimble.cli.execution import execute_run  # imported as late as possible: see there

    settings = settings_of(
        **options, test_format=None, default_max_time_s=DEFAULT_MAX_TIME_S, writes_only_document=True
    )
    raise SystemExit(execute_run(settings))


describe_command = click.Command(
    "describe",
    params=_parameters(),
    callback=_describe,
    help="""Starts the API with COMMAND, unchanged, and writes an OpenAPI document of what it takes and answers.

    Where the API has a document already, the differences are printed.

    \b
    wimble describe -- node server.js
    wimble describe --out docs --max-time 2m -- npm start
    wimble describe --url http://127.0.0.1:3000
    """,
)
