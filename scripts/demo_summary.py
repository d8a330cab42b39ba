"""Says in a few lines what the demo found: reads summary.json, as any other program could."""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main(output_dir: Path) -> None:
    summary = json.loads((output_dir / "summary.json").read_text(encoding="utf-8"))
    findings = summary["findings"]
    where = output_dir.resolve().relative_to(ROOT)  # where `make` runs
    lines = [
        "",
        (
            f"wimble found {len(findings)} faults in {summary['calls']:,} calls, and all {len(summary['tests'])} "
            "tests it wrote pass:"
        ),
        "",
        *(f"  {finding['id']:>4}  {finding['title']}{_place(finding['cause'])}" for finding in findings),
        "",
        f"  report  {where / 'report' / 'index.html'}",
        f"  tests   {where / 'tests'}",
        f"  bugs    {where.parent / 'README.md'} lists those that were put in",
        "",
    ]
    sys.stdout.write("\n".join(lines))


def _place(cause: dict[str, object]) -> str:
    return f"  ({cause['file']}:{cause['line']})" if cause["file"] else ""


if __name__ == "__main__":
    main(Path(sys.argv[1]))
