"""`wimble init`: writes a commented `wimble.toml` with what it finds in the project."""

from __future__ import annotations

import json
from pathlib import Path

import click

from wimble.config.project_file import FILE_NAME
from wimble.errors import OutputError, UsageError
from wimble.runtimes.known_runtimes import RUNTIMES
from wimble.spec.loading.discovery import find_schema_files

MAX_DOCUMENTS = 5

TEMPLATE = """\
# Defaults for `wimble run`, which then needs no arguments. The command line has priority.
# All keys: docs/reference/configuration.md

[run]
{command}

{schema}

# max_time = "5m"              # budget of the search
# format = "jest"              # format of the tests: node-test, jest, vitest, pytest; or none
# port = 3000                  # port of the API, if the program listens on several
# reset = "npm run db:reset"   # brings back the first state, for databases that wimble does not know
# only = ["!path:/admin*"]     # operations to call

# A user; there may be several. Secrets come from the environment.
# [[auth]]
# name = "admin"
# bearer = "${{ADMIN_TOKEN}}"
"""


@click.command("init")
def init_command() -> None:
    """Writes a commented wimble.toml with the start command and the API description that the project has."""
    folder = Path.cwd()
    file = folder / FILE_NAME
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(project_file_text(folder))
    except FileExistsError as error:
        raise UsageError(
            "config-exists", f"{FILE_NAME} exists already", where=str(folder), hint="Change it, or remove it first."
        ) from error
    except OSError as error:
        raise OutputError("output-not-writable", f"cannot be written: {error.strerror}", where=str(file)) from error
    click.echo(f"{FILE_NAME} is written; look at `command` in it, then: wimble run")


def project_file_text(folder: Path) -> str:
    """Returns the text of a project file for the project in `folder`."""
    commands = (runtime.projects.start_command(folder) for runtime in RUNTIMES.values())
    command = next((found for found in commands if found), ())
    documents = [path.relative_to(folder).as_posix() for path in find_schema_files(folder)[:MAX_DOCUMENTS]]
    command_line = (
        f"command = {json.dumps(list(command))}"
        if command
        else '# command = ["node", "server.js"]   # what starts the API; nothing was found in the project'
    )
    schema_lines = [
        "# Without `schema`, the documents that the API serves are used, else files such as openapi.yaml.",
        *(
            [f"# schema = {json.dumps(documents)}   # found in the project"]
            if documents
            else ['# schema = "openapi.yaml"   # a file, a URL, or a path on the API; several: an array']
        ),
    ]
    return TEMPLATE.format(command=command_line, schema="\n".join(schema_lines))
