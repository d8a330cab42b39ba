"""Line and branch coverage of a Node server without the agent, by V8 and c8: the same for every tool, whoever sends the requests.

Start the server, or what starts it, with `recording(raw)` in its environment; when all is over, `coverage(raw, ...)` reads it.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tools import REPOSITORY

C8_DIR = REPOSITORY / "bench" / "c8"
REPORT_LIMIT_S = 300


class Share(NamedTuple):
    covered: int
    total: int

    def __str__(self) -> str:
        return f"{self.percent:.1f} %  {self.covered:,} / {self.total:,}"

    @property
    def percent(self) -> float:
        return 100 * self.covered / self.total if self.total else 100.0


class Coverage(NamedTuple):
    lines: Share
    branches: Share


def recording(raw: Path) -> dict[str, str]:
    """The environment with which each Node process leaves what ran in the folder `raw`."""
    return {"NODE_V8_COVERAGE": str(raw), "NODE_OPTIONS": f"--require={C8_DIR / 'flush.cjs'}"}


def coverage(raw: Path, folder: Path, files: Sequence[str]) -> Coverage:
    """What the recorded processes covered together of `files` (globs) in `folder`, files included that none of them loaded."""
    report = raw.with_name(raw.name + "-report")
    line = [str(C8_DIR / "node_modules/.bin/c8"), "report", "--all", "--temp-directory", str(raw)]
    line += ["--reporter=json-summary", "--reports-dir", str(report)]
    line += [f"--include={pattern}" for pattern in files]
    subprocess.run(line, cwd=folder, check=True, timeout=REPORT_LIMIT_S)
    total = json.loads((report / "coverage-summary.json").read_text(encoding="utf-8"))["total"]
    return Coverage(*(Share(total[kind]["covered"], total[kind]["total"]) for kind in ("lines", "branches")))
