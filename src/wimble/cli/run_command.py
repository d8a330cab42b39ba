"""`wimble run`: converts its options to settings, runs the engine, and passes its events to the consumers."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final, get_args

import click

from wimble.cli.option_types import Count, Duration, HostAndPort
from wimble.cli.run_settings import settings_of
from wimble.cli.shared_options import max_calls_option, out_option, seed_option, start_timeout_option, strategy_option
from wimble.config.project_file import ProjectFile, read_project_file
from wimble.settings import NO_TESTS, TEST_FORMATS, RecordedChoice

_PARAMETERS: Final = {
    "allow_host": "allow_hosts",
    "format": "test_format",
    "mock": "mocks",
    "out": "output_dir",
    "overlay": "overlays",
    "schema": "schemas",
    "service_schema": "service_schemas",
}
"""Option in the project file -> parameter of the command, where the names differ."""


def _take_project_file(context: click.Context, _: click.Parameter, path: Path | None) -> ProjectFile:
    """Reads the project file and makes its `[run]` the defaults of the command's options."""
    found = read_project_file(path, Path.cwd(), os.environ)
    context.default_map = {_PARAMETERS.get(name, name): value for name, value in found.options.items()}
    return found


@click.command("run", context_settings={"ignore_unknown_options": False})
@click.option(
    "--schema",
    "schemas",
    multiple=True,
    metavar="FILE|URL",
    help=(
        "OpenAPI document or GraphQL schema, or a path on the SUT that serves it; may be repeated. `none`: only routes "
        "of the program. Default: looked for on the SUT, then in the project."
    ),
)
@click.option(
    "--overlay",
    "overlays",
    multiple=True,
    metavar="FILE",
    help="OpenAPI Overlay: corrections to the document; may be repeated.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="KIND:VALUE",
    help="Operations to call: path:/api*, method:GET, tag:NAME, operation:ID, '!tag:NAME'; may be repeated.",
)
@click.option("--url", metavar="URL", help="Base URL of a server that already runs: black-box, no COMMAND.")
@click.option(
    "--max-time", type=Duration(), metavar="TIME", help="Budget of the search, such as 60s or 5m.  [default: 60s]"
)
@max_calls_option
@seed_option
@strategy_option
@click.option(
    "--format",
    "test_format",
    type=click.Choice([*TEST_FORMATS, NO_TESTS]),
    help="Format of the tests, or `none`: faults only. Default: chosen by the project.",
)
@out_option()
@click.option(
    "--include",
    multiple=True,
    metavar="PATH",
    help="Folder or package beside the SUT's own files to look into; may be repeated.",
)
@click.option("--port", type=Count(1, 65535), metavar="N", help="Port of the API, where the SUT listens on several.")
@start_timeout_option("How long the SUT may take to start.")
@click.option(
    "--return-timeout",
    type=Duration(),
    default="10s",
    show_default=True,
    metavar="TIME",
    help="How long a server at --url may be unavailable after it has stopped.",
)
@click.option(
    "--call-timeout",
    type=Duration(),
    metavar="TIME",
    help="How long one call may take. Default: a twelfth of the budget, 2s to 10s.",
)
@click.option(
    "--reset",
    metavar="COMMAND|URL",
    help="Command or URL that restores the state before tests; run before each test that needs it.",
)
@click.option(
    "--allow-remote-database",
    is_flag=True,
    help="Reset and fill databases on other machines, too.",
)
@click.option(
    "--allow-host",
    "allow_hosts",
    multiple=True,
    type=HostAndPort(),
    metavar="HOST[:PORT]",
    help="Machine that the SUT may connect to. All others are mocked; may be repeated.",
)
@click.option(
    "--mock",
    "mocks",
    multiple=True,
    type=HostAndPort(needs_port=True),
    metavar="HOST:PORT",
    help="Service on this machine to mock as well, such as localhost:4000; may be repeated.",
)
@click.option(
    "--may-name-hosts",
    multiple=True,
    metavar="OPERATION",
    help="Operation whose inputs may name hosts that the API calls, such as 'POST /webhooks'; may be repeated.",
)
@click.option(
    "--service-schema",
    "service_schemas",
    multiple=True,
    metavar="[ORIGIN=]FILE",
    help="OpenAPI document of a service that the API calls; may be repeated. Default: looked for in the project.",
)
@click.option(
    "--recorded",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    metavar="PATH",
    help="HAR file, or folder of them, with answers of services to start from; may be repeated.",
)
@click.option(
    "--recorded-choice",
    type=click.Choice(get_args(RecordedChoice)),
    default="closest",
    show_default=True,
    help="Recorded answers that are tried for a request: those to similar requests, to exactly this one, or any.",
)
@click.option(
    "--harvest",
    multiple=True,
    type=HostAndPort(),
    metavar="HOST[:PORT]",
    help="Send the API's GET requests to this real service, too, and record its answers; may be repeated.",
)
@click.option("--verbose", is_flag=True, help="Print more details.")
@click.option(
    "--config",
    type=click.Path(path_type=Path, dir_okay=False),
    callback=_take_project_file,
    is_eager=True,
    metavar="FILE",
    help="Defaults of these options, and users to log in as. Default: wimble.toml, if there is one.",
)
@click.argument("command", nargs=-1, type=click.UNPROCESSED, metavar="-- COMMAND...")
def run_command(**options: Any) -> None:
    """Starts the API with COMMAND, unchanged, and searches it for faults.

    \b
    wimble run -- node server.js
    wimble run --max-time 5m --schema openapi.yaml -- npm start
    wimble run --url http://127.0.0.1:3000
    """
    from wimble.cli.execution import execute_run  # imported as late as possible: see there

    settings = settings_of(**options)
    raise SystemExit(execute_run(settings))
