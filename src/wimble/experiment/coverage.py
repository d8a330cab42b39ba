"""Coverage of the plain SUT, without wimble's agent, by c8: the same way for every tool (seed 000 §4.2, group C).

Node records (NODE_V8_COVERAGE) while a tool, or its final suite, calls the SUT; c8 reports on the files of the SUT, those too that were
never loaded, so that the totals of all tools agree.
"""

from __future__ import annotations

import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from wimble.experiment.install import C8_FILES, c8
from wimble.experiment.place import Place
from wimble.experiment.plan import SutPlan

REPORT_LIMIT_S = 600.0
OTHERS = ("node:", "evalmachine")


class _Script(msgspec.Struct):
    url: str


class _Dump(msgspec.Struct):
    """One file that Node wrote; V8 tells of every script of the process."""

    result: list[msgspec.Raw]
    cache: dict[str, msgspec.Raw] = msgspec.field(default_factory=dict, name="source-map-cache")


def recording(env: Mapping[str, str], folder: Path) -> dict[str, str]:
    """The environment in which Node writes its coverage into the folder."""
    preload = str(C8_FILES / "flush.cjs").replace("\\", "\\\\").replace('"', '\\"')
    options = f'{env.get("NODE_OPTIONS", "")} --require "{preload}"'.strip()
    return {**env, "NODE_V8_COVERAGE": str(folder), "NODE_OPTIONS": options}


def measure(place: Place, plan: SutPlan) -> dict[str, float]:
    """Lines and branches of the SUT, as c8 counts them, in measures. Raises: RuntimeError, when c8 fails."""
    for dump in place.recorded.glob("*.json"):
        _keep_own(dump, place.sut)
    summary = place.out / "c8"
    patterns = [f"--include={pattern}" for pattern in plan.measured]
    command = [
        "node",
        str(c8()),
        "report",
        "--temp-directory",
        str(place.recorded),
        "--reports-dir",
        str(summary),
        "--reporter",
    ]
    command += [
        "json-summary",
        "--all",
        "--merge-async",
        f"--exclude-node-modules={str(not plan.measured).lower()}",
        *patterns,
    ]
    try:
        done = subprocess.run(
            command,
            cwd=place.sut,
            capture_output=True,
            text=True,
            timeout=REPORT_LIMIT_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
        total: dict[str, Any] = msgspec.json.decode((summary / "coverage-summary.json").read_bytes())["total"]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
        raise RuntimeError(f"c8 could not report: {error}") from error
    if done.returncode != 0:
        raise RuntimeError(f"c8 could not report: {done.stderr.strip()[-500:]}")
    return {
        "c8_lines": total["lines"]["pct"],
        "c8_lines_covered": total["lines"]["covered"],
        "c8_lines_total": total["lines"]["total"],
        "c8_branches": total["branches"]["pct"],
        "c8_branches_covered": total["branches"]["covered"],
    }


def _keep_own(dump: Path, sut: Path) -> None:
    """Takes out scripts of others: a suite starts the SUT a hundred times, and c8 would read megabytes of each start."""
    own = f"{sut.resolve().as_uri()}/"
    try:
        content = msgspec.json.decode(dump.read_bytes(), type=_Dump)
    except msgspec.MsgspecError:
        dump.unlink()  # the process was killed while it wrote
        return
    kept = [raw for raw in content.result if msgspec.json.decode(raw, type=_Script).url.startswith(own)]
    if not kept:
        dump.unlink()
        return
    cache = {url: raw for url, raw in content.cache.items() if url.startswith(own)}
    dump.write_bytes(msgspec.json.encode(_Dump(result=kept, cache=cache)))
