"""Schemathesis, a black-box tool: `st fuzz` on the plain SUT.

It writes no suites, so its coverage is that of all its calls.
"""

from __future__ import annotations

import contextlib
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from wimble.agent.processes.launch import ProcessTree, check_command
from wimble.agent.processes.sut_log import SutLog
from wimble.config.project_file import ProjectFile
from wimble.engine.boot.describe import is_on_sut, is_url
from wimble.engine.boot.served_documents import ServedDocuments
from wimble.errors import SchemaError, TargetError
from wimble.execute.http.address import Address
from wimble.execute.http.fetching import fetch_document
from wimble.execute.sut.startup import probe
from wimble.experiment import install
from wimble.experiment.c8_coverage import recording
from wimble.experiment.experiment_plan import RunPlan
from wimble.experiment.tool import Outcome, project_of
from wimble.experiment.work_place import Place
from wimble.http.http_messages import HttpResponse
from wimble.runtimes.known_runtimes import RUNTIMES
from wimble.spec.loading.document_text import load_text

START_LIMIT_S = 60.0
AFTER_BUDGET_S = 120.0
"""Time limit beyond the budget, since Schemathesis finishes its last phase after its time is used up."""
HOSTS = ("127.0.0.1", "::1")


class Schemathesis:
    """Runs Schemathesis with the credentials of the project file's first user."""

    counts_calls = False

    def install(self) -> None:
        install.schemathesis()

    def run(self, plan: RunPlan, place: Place) -> Outcome:
        assert plan.max_time_s is not None, "checked when the file was read"
        place.out.mkdir(parents=True, exist_ok=True)
        with _plain_sut(plan, place) as address:
            what = _document(plan, address)
            line = [
                str(install.schemathesis()),
                "fuzz",
                "--max-time",
                f"{plan.max_time_s:.0f}",
                "--continue-on-failure",
            ]
            user = _first_user(project_of(plan, place))
            line += ["--seed", str(plan.seed), *(user or ()), *what]
            with (place.out / "schemathesis.txt").open("wb") as log:
                done = subprocess.run(
                    line,
                    cwd=place.out,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    timeout=plan.max_time_s + AFTER_BUDGET_S,
                    check=False,
                )
        if done.returncode not in (0, 1):  # 1: it has found faults
            said = (place.out / "schemathesis.txt").read_text(encoding="utf-8", errors="replace")
            raise RuntimeError(f"Schemathesis answered {done.returncode}: {said.strip()[-500:]}")
        return Outcome(notes=("called without credentials",) if user is None else ())

    def replay(self, plan: RunPlan, place: Place) -> tuple[str, ...]:
        return ()


def _first_user(project: ProjectFile) -> list[str] | None:
    """Returns the arguments with the credentials of the file's first user; none if the file has no users.

    None if the user has to log in, or has credentials outside of headers.
    """
    if not project.users:
        return []
    user, secrets = project.users[0], project.secrets
    if user.login is not None or user.query or user.cookies:
        return None
    arguments = [part for name, value in user.headers for part in ("--header", f"{name}: {secrets.expand(value)}")]
    if user.basic is not None:
        arguments += ["--auth", ":".join(map(secrets.expand, user.basic))]
    # With credentials, the check `ignored_auth` ends the whole session of Schemathesis 4.32 early (`dictionary changed
    # size during iteration`).
    return [*arguments, "--exclude-checks", "ignored_auth"]


@contextlib.contextmanager
def _plain_sut(plan: RunPlan, place: Place) -> Iterator[Address]:
    """Runs the SUT without the agent, with its coverage recorded, during the block.

    Raises: WimbleError, if the SUT does not start.
    """
    check_command(plan.sut.command, place.sut, RUNTIMES.values())
    tree = ProcessTree(plan.sut.command, place.sut, recording(place.recorded, place.env), SutLog(place.out / "sut.log"))
    try:
        yield _await_answer(tree, place.port)
    finally:
        tree.stop()


def _await_answer(tree: ProcessTree, port: int) -> Address:
    deadline_s = time.monotonic() + START_LIMIT_S
    while time.monotonic() < deadline_s and tree.exit_status is None:
        for host in HOSTS:
            address = Address(host, port, is_https=False)
            if probe(address, 1.0):
                return address
        time.sleep(0.05)
    raise TargetError(
        "no-server",
        f"nothing answers on port {port}, which the SUT was told to take",
        details=tree.last_lines(8),
        hint="Name the environment variable that it takes its port from: port_variable.",
    )


def _document(plan: RunPlan, address: Address) -> list[str]:
    """Returns Schemathesis' arguments that name the API description. Raises: SchemaError, if none is found."""
    schema = plan.sut.schema
    if schema is not None and is_on_sut(schema):
        return [address.url + schema]
    if schema is not None and not is_url(schema):
        document = load_text(Path(schema).read_bytes(), schema)
        return [schema, "--url", address.url + base_path(document)]
    if schema is not None:
        return [address.url + urlsplit(schema).path]

    def fetch(path: str) -> HttpResponse | None:
        return fetch_document(address, path, "*/*")

    found = ServedDocuments(fetch, address.url).look()
    if not found:
        raise SchemaError("schema-not-found", f"no OpenAPI document was found on {address.url}", hint="Give `schema`.")
    return [found[0].source]


def base_path(document: Any) -> str:
    """Returns the path of the document's first server, which the URL for `--url` must contain."""
    if not isinstance(document, dict):
        return ""
    servers = document.get("servers")
    url = servers[0].get("url") if isinstance(servers, list) and servers and isinstance(servers[0], dict) else None
    path = urlsplit(str(url)).path if url else str(document.get("basePath") or "")
    return path.rstrip("/")
