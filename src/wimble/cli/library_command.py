"""`wimble library`: tests a library instead of an API."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from wimble.cli.option_types import Duration
from wimble.cli.run_settings import DEFAULT_MAX_TIME_S, SEED_LIMIT
from wimble.cli.shared_options import max_calls_option, out_option, seed_option, start_timeout_option, strategy_option
from wimble.settings import LIBRARY_CALL_TIMEOUT_S, LIBRARY_TEST_FORMATS, NO_TESTS, Settings


@click.command("library")
@click.option(
    "--max-time", "--time", "max_time", type=Duration(), metavar="TIME",
    help="Budget of the search, such as 60s or 5m.  [default: 60s]",
)  # fmt: skip
@max_calls_option
@seed_option
@strategy_option
@click.option("--only", multiple=True, metavar="KIND:VALUE", help="Functions to call: operation:NAME; may be repeated.")
@click.option(
    "--format",
    "test_format",
    type=click.Choice([*LIBRARY_TEST_FORMATS, NO_TESTS]),
    default="node-test",
    show_default=True,
    help="Format of the tests, or `none`: faults only.",
)
@out_option()
@click.option(
    "--include", multiple=True, metavar="PACKAGE", help="Package beside the library to look into; may be repeated."
)
@click.option(
    "--call-timeout",
    type=Duration(),
    default=f"{LIBRARY_CALL_TIMEOUT_S:g}s",
    show_default=True,
    metavar="TIME",
    help="How long one call may take.",
)
@start_timeout_option("How long loading may take.")
@click.option(
    "--allow-writes", is_flag=True, help="Let the library write files anywhere, and start processes. Use with care."
)
@click.option("--verbose", is_flag=True, help="Print more details.")
@click.argument("library", metavar="PACKAGE|FOLDER")
def library_command(
    *,
    max_time: float | None,
    max_calls: int | None,
    seed: int | None,
    strategy: str,
    only: tuple[str, ...],
    test_format: str,
    output_dir: Path,
    include: tuple[str, ...],
    call_timeout: float,
    start_timeout: float,
    allow_writes: bool,
    verbose: bool,
    library: str,
) -> None:
    """Calls what a library exports, in a process without a network that writes to a scratch folder only.

    \b
    wimble library minimist@1.2.8
    wimble library --time 5m --format jest ./packages/parser
    """
    from wimble.cli.execution import execute_run  # imported as late as possible: see there

    settings = Settings(
        library=library,
        may_write=allow_writes,
        working_dir=Path.cwd(),
        only=only,
        output_dir=output_dir.absolute(),
        max_time_s=max_time if max_time is not None or max_calls is not None else DEFAULT_MAX_TIME_S,
        max_calls=max_calls,
        seed=seed if seed is not None else secrets.randbelow(SEED_LIMIT),
        strategy=strategy,
        test_format=test_format,
        include=include,
        start_timeout_s=start_timeout,
        call_timeout_s=call_timeout,
        verbose=verbose,
    )
    raise SystemExit(execute_run(settings))
