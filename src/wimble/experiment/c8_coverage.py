"""Measures the coverage of the plain SUT, without wimble's agent, with c8.

The coverage of every tool is measured in the same way ([WB-JS] §4.2, group C).

Node records coverage (NODE_V8_COVERAGE) while a tool, or its final suite, calls the SUT. c8 reports on all files of the
SUT, including those that were never loaded, so that the totals are the same for all tools.
"""

from __future__ import annotations

import contextlib
import subprocess
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from urllib.parse import unquote

import msgspec

from wimble.errors import UsageError
from wimble.experiment.install import C8_FILES, c8
from wimble.experiment.source_maps import forget_lost_sources

REPORT_LIMIT_S = 600.0


class Share(msgspec.Struct, frozen=True):
    """The covered part of a total."""

    covered: int
    total: int

    def __str__(self) -> str:
        return f"{self.percent:.1f} %  {self.covered:,} / {self.total:,}"

    @property
    def percent(self) -> float:
        return 100 * self.covered / self.total if self.total else 100.0


class Coverage(msgspec.Struct, frozen=True):
    """Coverage as c8 counts it.

    c8 does not know the branches of functions that never ran, so the total of branches grows with coverage.
    """

    lines: Share
    branches: Share
    n_cut_off: int = 0
    """The number of processes that were killed while they wrote their record; the coverage of these is missing."""


def recording(raw: Path, env: Mapping[str, str]) -> dict[str, str]:
    """Returns `env` with variables that make each Node process write its coverage to the folder `raw`."""
    preload = str(C8_FILES / "flush.cjs").replace("\\", "\\\\").replace('"', '\\"')
    options = f'{env.get("NODE_OPTIONS", "")} --require "{preload}"'.strip()
    return {**env, "NODE_V8_COVERAGE": str(raw), "NODE_OPTIONS": options}


def coverage_of(raw: Path, folder: Path, files: Sequence[str], reports: Path) -> Coverage:
    """Returns the coverage of `files` by all recorded processes together.

    Writes c8's summary and lcov.info to `reports`.

    files: globs in `folder`; none: all files but node_modules.

    Raises: RuntimeError, if c8 fails; UsageError, if c8 cannot be installed, or if the globs match no file.
    """
    without_map = forget_lost_sources(folder, files)
    n_cut_off = sum(not _keep_own(dump, folder, without_map) for dump in list(raw.glob("*.json")))
    if not any(raw.glob("*.json")):  # without any record, c8 reports nothing
        raw.mkdir(exist_ok=True)
        (raw / "none.json").write_text('{"result":[]}', encoding="utf-8")
    command = ["node", str(c8()), "report", "--all", "--merge-async", "--temp-directory", str(raw)]
    command += ["--reporter=json-summary", "--reporter=lcovonly", "--reports-dir", str(reports)]
    command += [f"--exclude-node-modules={'false' if files else 'true'}", *(f"--include={one}" for one in files)]
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=REPORT_LIMIT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        if done.returncode != 0:
            raise RuntimeError(f"c8 could not report: {done.stderr.strip()[-500:]}")
        total = msgspec.json.decode((reports / "coverage-summary.json").read_bytes(), type=_Summary).total
    except (OSError, subprocess.SubprocessError, msgspec.MsgspecError) as error:
        raise RuntimeError(f"c8 could not report: {error}") from error
    if not total.lines.total:
        raise UsageError(
            "nothing-measured",
            f"c8 found no file of the SUT in {folder}",
            where="measured",
            details=(f"looked for: {', '.join(files) or 'all files outside of node_modules'}",),
            hint="Name the SUT's own files with globs relative to its folder.",
        )
    return msgspec.structs.replace(total, n_cut_off=n_cut_off)


def own_loaded(raw: Path, folder: Path) -> tuple[str, ...]:
    """Returns the files of a folder that the recorded processes have loaded, relative to it, without node_modules."""
    own = f"{folder.resolve()}/"
    found: set[str] = set()
    for dump in raw.glob("*.json"):
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            content = msgspec.json.decode(dump.read_bytes(), type=_Dump)
            paths = (_path_of(msgspec.json.decode(one, type=_Script).url) for one in content.result)
            found.update(path.removeprefix(own) for path in paths if path.startswith(own))
    return tuple(sorted(path for path in found if "node_modules/" not in path))


def _path_of(url: str) -> str:
    """Returns the path of a file's URL, decoded: Node and Python do not encode the same characters."""
    return unquote(url.removeprefix("file://"))


class _Summary(msgspec.Struct):
    """The entry of c8's coverage-summary.json for all files together."""

    total: Coverage


class _Script(msgspec.Struct):
    url: str


class _Dump(msgspec.Struct):
    """A file with the coverage of one process, as Node writes it."""

    result: list[msgspec.Raw]
    cache: dict[str, msgspec.Raw] = msgspec.field(default_factory=dict, name="source-map-cache")


def _keep_own(dump: Path, folder: Path, without_map: Collection[str]) -> bool:
    """Removes scripts outside of the SUT from a record. Returns False if the process was killed while it wrote it.

    A suite starts the SUT a hundred times, and c8 would otherwise read megabytes for each start.
    """
    own = f"{folder.resolve()}/"
    try:
        content = msgspec.json.decode(dump.read_bytes(), type=_Dump)
    except msgspec.MsgspecError:
        dump.unlink()
        return False
    kept = [raw for raw in content.result if _path_of(msgspec.json.decode(raw, type=_Script).url).startswith(own)]
    if not kept:
        dump.unlink()
        return True
    cache = {url: raw for url, raw in content.cache.items() if _path_of(url).startswith(own) and url not in without_map}
    dump.write_bytes(msgspec.json.encode(_Dump(result=kept, cache=cache)))
    return True
