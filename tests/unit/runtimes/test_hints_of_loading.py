"""What may be done if a library cannot be loaded."""

from pathlib import Path

import pytest

from wimble.runtimes.runtime import HostedLibrary

LIBRARY = HostedLibrary(
    name="lib",
    version="1.0.0",
    folder=Path("/tmp/lib"),
    root=Path("/tmp/lib"),
    source=Path("/tmp/lib"),
    command=("node", "host.cjs"),
    environment={},
    example="node -e 'require(\"lib\")'",
)


@pytest.mark.parametrize(
    ("error", "hint"),
    [
        ("ReferenceError: window is not defined", "It needs a browser."),
        ("Error: Cannot find module 'other'", "Install what it needs"),
        (
            'TypeError: Unknown file extension ".ts" for /p/src/a.ts',
            "It is TypeScript, which does not run as it is here.",
        ),
        ("Error: no settings", "Load it alone: node -e"),
    ],
)
def test_the_error_tells_what_to_do(error: str, hint: str) -> None:
    assert LIBRARY.hint_of(error).startswith(hint)
