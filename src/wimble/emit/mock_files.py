"""The files with which a suite answers the SUT's requests to other services.

The mock server and the redirecting preload are made of the modules that do the same during the search, each bundled
into one file, so that a suite needs no package.
"""

from __future__ import annotations

import datetime
import json
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from wimble.emit.runtime_texts import filled, runtime_text
from wimble.model.external import host_and_port, is_certificate_fault
from wimble.model.setup_kinds.answer import Answer
from wimble.model.suite import Suite
from wimble.runtimes.known_runtimes import RUNTIMES

VALID: Final = datetime.timedelta(days=30 * 365)
"""Suites are kept for years; only the SUT under test trusts their certificates."""
WITH_TLS: Final = ("https:", "smtp:")
"""Beginnings of origins that have certificates; clients of mail turn to TLS where they can."""
_REQUIRED = re.compile(r"require\('(\.[^']+)'\)")
_SERVER: Final = ("mocks", ("mock-server.cjs",))
_REDIRECTION: Final = (
    "src",
    tuple(f"external/{name}.cjs" for name in ("children", "service-rules", "trust", "names", "datagrams", "connects")),
)


def has_mocks(suite: Suite) -> bool:
    """Whether a test of the suite plans an answer."""
    return any(test.test_case.setup_of(Answer) for test in suite.tests)


def mock_files(suite: Suite) -> dict[str, str]:
    """Returns the files, name -> text; nothing for a suite without planned answers."""
    if not has_mocks(suite):
        return {}
    return {
        "mocks.cjs": runtime_text("mocks.cjs"),
        "mock-server.cjs": filled("mock-server.cjs", _bundle(*_SERVER), "modules"),
        "redirect-services.cjs": filled("redirect-services.cjs", _bundle(*_REDIRECTION), "modules"),
        "mock-certificates.json": _certificates(suite),
    }


def _certificates(suite: Suite) -> str:
    """Returns the certificates of the services that tests name, with their key."""
    from wimble.agent.mocks.certificates import Authority  # imported when it is needed, since that takes 0.1 s

    authority = Authority(valid=VALID)
    planned = {
        (host_and_port(answer.origin)[0], answer.outcome)
        for test in suite.tests
        for _, answer in test.test_case.setup_of(Answer)
        if answer.origin.startswith(WITH_TLS)
    }
    described = {
        "authority": authority.certificate,
        "key": authority.leaf_key,
        "hosts": {host: authority.issue(host) for host in sorted({host for host, _ in planned})},
        "faulty": {
            f"{host} {outcome}": authority.issue(host, outcome)
            for host, outcome in sorted(planned)
            if is_certificate_fault(outcome)
        },
    }
    return json.dumps(described, indent=2) + "\n"


def _bundle(room: str, entries: tuple[str, ...]) -> list[str]:
    """Returns the lines of a table of modules, and of the function `load` that runs one of them once."""
    (runtime, *_) = RUNTIMES.values()
    folder = runtime.loading.folder() / room
    lines = ["const modules = {"]
    for name, text in _modules(folder, entries):
        lines += [f"'{name}'(module, require) {{", *text.splitlines(), "},", ""]
    return [
        *lines[:-1],
        "};",
        "const loaded = {};",
        "",
        "/** A module of this file, by its name. */",
        "function load(name) {",
        "  if (loaded[name]) return loaded[name].exports;",
        "  const module = (loaded[name] = { exports: {} });",
        "  const folder = name.split('/').slice(0, -1);",
        "  // Jest 24 knows no module whose name begins with `node:`.",
        "  const outside = (wanted) => require(wanted.replace(/^node:/, ''));",
        "  const find = (wanted) => (wanted.startsWith('.') ? load(resolved(folder, wanted)) : outside(wanted));",
        "  modules[name](module, find);",
        "  return module.exports;",
        "}",
        "",
        "function resolved(folder, wanted) {",
        "  const parts = [...folder];",
        "  for (const part of wanted.split('/')) part === '..' ? parts.pop() : part === '.' || parts.push(part);",
        "  return parts.join('/');",
        "}",
    ]


def _modules(folder: Path, entries: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Yields (name, text) of the modules and of those that they require, each once."""
    waiting, seen = list(entries), set(entries)
    while waiting:
        name = waiting.pop(0)
        text = (folder / name).read_text(encoding="utf-8")
        yield name, text
        for required in _REQUIRED.findall(text):
            other = posixpath.normpath(posixpath.join(posixpath.dirname(name), required))
            if other not in seen:
                seen.add(other)
                waiting.append(other)
