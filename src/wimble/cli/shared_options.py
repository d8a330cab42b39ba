"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import click

from wimble.cli.option_types import Count, Duration
from wimble.settings import STRATEGY_NAMES

Option: TypeAlias = Callable[[Any], Any]
"""Adds an option to a command."""

max_calls_option = click.option(
    "--max-calls", type=Count(1), metavar="N", help="Budget of the search in calls; repeatable with --seed."
)
seed_option = click.option(
    "--seed", type=Count(0), metavar="N", help="Seed of all randomness. Default: drawn, and printed."
)
strategy_option = click.option(
    "--strategy", type=click.Choice(STRATEGY_NAMES), default="mio", show_default=True, help="How to search."
)


def out_option(what: str = "Output folder.") -> Option:
    """what: the folder's help."""
    return click.option(
        "--out",
        "output_dir",
        type=click.Path(path_type=Path),
        default=Path("wimble-out"),
        show_default=True,
        metavar="DIR",
        help=what,
    )


def start_timeout_option(what: str) -> Option:
    """what: what is waited for."""
    return click.option("--start-timeout", type=Duration(), default="60s", show_default=True, metavar="TIME", help=what)
