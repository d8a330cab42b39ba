"""`wimble explain`: prints the facts of a run about targets, such as why a target is uncovered."""

from __future__ import annotations

from pathlib import Path

import click

from wimble.cli.shared_options import out_option


@click.command("explain")
@out_option("Output folder of the run.")
@click.option("--json", "is_json", is_flag=True, help="Print JSON.")
@click.argument("target", nargs=-1, type=click.UNPROCESSED, metavar="[TARGET | FILE[:LINE]]")
def explain_command(*, output_dir: Path, is_json: bool, target: tuple[str, ...]) -> None:
    """Tells what the last run knew of TARGET: why it is uncovered, and what was tried.

    Without TARGET: the ten uncovered branches that block most code.

    \b
    wimble explain
    wimble explain src/orders.js
    wimble explain src/orders.js:31
    wimble explain 'branch src/orders.js:31:6 === true'
    """
    from wimble.cli.explain_target import explain_target  # `--help` needs nothing of what it imports

    explain_target(output_dir, " ".join(target).strip(), is_json=is_json)
