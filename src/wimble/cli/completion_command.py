"""`wimble completion`: prints the script with which a shell completes commands and options of wimble."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

SHELLS = ("bash", "zsh", "fish")
VARIABLE = "_WIMBLE_COMPLETE"
"""The environment variable with which the script asks wimble for completions."""


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
def completion_command(*, shell: str) -> None:
    """Prints the script that makes SHELL complete commands and options.

    \b
    wimble completion bash >> ~/.bashrc
    wimble completion zsh >> ~/.zshrc
    wimble completion fish > ~/.config/fish/completions/wimble.fish
    """
    root = click.get_current_context().find_root().command
    completion = get_completion_class(shell)
    assert completion is not None  # click knows all of SHELLS
    # `source()` would check the version of the first bash on the PATH, which need not be the one that reads the script.
    script = completion(root, {}, "wimble", VARIABLE)
    click.echo(script.source_template % script.source_vars())
