"""Converts the options of `wimble run`, which other commands share, to settings."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

import click
from click.core import ParameterSource

from wimble.config.project_file import ProjectFile
from wimble.errors import UsageError
from wimble.settings import RecordedChoice, Settings, default_call_timeout_s
from wimble.spec.operation_filters import parsed_filter

DEFAULT_MAX_TIME_S = 60.0
SEED_LIMIT = 2**32
"""The upper limit of a drawn seed, which has at most 10 digits so that it can be typed by hand."""


def settings_of(
    *,
    schemas: tuple[str, ...],
    overlays: tuple[str, ...],
    only: tuple[str, ...],
    url: str | None,
    max_time: float | None,
    max_calls: int | None,
    seed: int | None,
    strategy: str,
    test_format: str | None,
    output_dir: Path,
    include: tuple[str, ...],
    port: int | None,
    start_timeout: float,
    return_timeout: float,
    call_timeout: float | None,
    reset: str | None,
    allow_remote_database: bool,
    allow_hosts: tuple[str, ...],
    mocks: tuple[str, ...],
    may_name_hosts: tuple[str, ...],
    service_schemas: tuple[str, ...],
    recorded: tuple[Path, ...],
    recorded_choice: RecordedChoice,
    harvest: tuple[str, ...],
    verbose: bool,
    config: ProjectFile,
    command: tuple[str, ...],
    default_max_time_s: float = DEFAULT_MAX_TIME_S,
    writes_only_document: bool = False,
) -> Settings:
    """Returns the settings of a run. The parameters are the options of the command that runs.

    default_max_time_s: the budget if none is given.

    Raises: UsageError, if they do not fit together.
    """
    source = click.get_current_context().get_parameter_source
    if url and command and source("url") != source("command"):  # one is from the file: the command line has priority
        command, url = ((), url) if source("url") is ParameterSource.COMMANDLINE else (command, None)
    _check_sut_choice(command, url)
    for text in only:
        parsed_filter(text)
    budget_s = max_time if max_time is not None or max_calls is not None else default_max_time_s
    return Settings(
        command=command,
        working_dir=Path.cwd(),
        url=url,
        schemas=schemas,
        overlays=overlays,
        only=only,
        output_dir=output_dir.absolute(),
        max_time_s=budget_s,
        max_calls=max_calls,
        seed=seed if seed is not None else secrets.randbelow(SEED_LIMIT),
        strategy=strategy,
        test_format=test_format,
        include=include,
        port=port,
        start_timeout_s=start_timeout,
        return_timeout_s=return_timeout,
        call_timeout_s=call_timeout if call_timeout is not None else default_call_timeout_s(budget_s),
        reset=reset,
        allow_remote_database=allow_remote_database,
        allowed_hosts=allow_hosts,
        mocked_hosts=mocks,
        may_name_hosts=may_name_hosts,
        service_schemas=service_schemas,
        recorded=recorded,
        recorded_choice=recorded_choice,
        harvested_hosts=harvest,
        verbose=verbose,
        writes_only_document=writes_only_document,
        users=config.users,
        secrets=config.secrets,
    )


def _check_sut_choice(command: Sequence[str], url: str | None) -> None:
    """Checks that exactly one of `command` and `url` is given, and the URL's scheme. Raises: UsageError."""
    if command and url:
        raise UsageError(
            "command-and-url",
            "both a COMMAND and --url were given",
            hint="Give the COMMAND that starts the API, or --url of one that already runs.",
        )
    if not command and not url:
        raise UsageError(
            "nothing-to-run",
            "no COMMAND was given",
            hint="Put what starts your API behind `--`: wimble run -- node server.js",
        )
    if url and (urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname):
        raise UsageError(
            "bad-url", f"{url!r} is not an http or https address", where="--url", hint="Such as http://127.0.0.1:3000"
        )
