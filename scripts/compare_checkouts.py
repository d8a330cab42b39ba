"""Compares what two checkouts of wimble find: the same seed has to give the same targets, findings and tests.

    scripts/compare_checkouts.py BASE OTHER [--only bookshop guards library] [--seeds 1 2]

Each run has a budget in calls, so it is repeatable, and a network of its own (`unshare -n`). Results are kept in
`.bench/compare/` of the checkout, by commit. The library needs PostgreSQL: `scripts/with-databases.sh` starts one.
Exits with 1 where anything differs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

CALLS = {"examples/bookshop": 1200, "bench/guards": 2000, "examples/library": 1000}
"""Folder of a SUT, and the budget of its search."""
SHARES_DATABASE = ("examples/library",)
VARYING = ("seconds", "calls_per_s", "command", "url", "wimble_version", "phases", "agent")
"""Fields of summary.json that tell of the machine or the checkout, not of the search."""
LENGTHS = ("content-length", "etag")
"""Headers that depend on the length of the checkout's path, which stands in stacks."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", type=Path)
    parser.add_argument("other", type=Path)
    parser.add_argument("--only", nargs="*", choices=[Path(folder).name for folder in CALLS], default=None)
    parser.add_argument("--seeds", nargs="*", type=int, default=[1, 2])
    options = parser.parse_args()
    folders = [folder for folder in CALLS if options.only is None or Path(folder).name in options.only]
    n_different = 0
    for folder in folders:
        for seed in options.seeds:
            # The library's runs share one database, so one comes after the other.
            with ThreadPoolExecutor(1 if folder in SHARES_DATABASE else 2) as pool:
                runs = [pool.submit(outcome, one.resolve(), folder, seed) for one in (options.base, options.other)]
                base, other = (run.result() for run in runs)
            differences = list(iter_differences(base, other))
            n_different += bool(differences)
            print(f"{folder}, seed {seed}: {'DIFFERENT' if differences else 'the same'} ({counts(other)})", flush=True)
            for difference in differences[:20]:
                print(f"  {difference}")
    return 1 if n_different else 0


def outcome(checkout: Path, folder: str, seed: int) -> dict[str, Any]:
    """What a run finds, without what varies from run to run. Raises: SystemExit, where wimble failed."""
    commit = subprocess.run(
        ["git", "-C", checkout, "describe", "--always", "--dirty"], check=True, capture_output=True, text=True
    ).stdout.strip()
    kept = checkout / ".bench" / "compare" / f"{commit}-{Path(folder).name}-{seed}-{CALLS[folder]}.json"
    if kept.exists() and not commit.endswith("-dirty"):
        return dict(json.loads(kept.read_text(encoding="utf-8")))
    out = checkout / ".bench" / "compare" / "out" / f"{Path(folder).name}-{seed}"
    shutil.rmtree(out, ignore_errors=True)
    command = [
        "unshare",
        "-n",
        "sh",
        "-c",
        'ip link set lo up && exec "$@"',
        "sh",
        sys.executable,
        "-m",
        "wimble",
        "run",
    ]
    command += ["--seed", str(seed), "--max-calls", str(CALLS[folder]), "--format", "node-test"]
    command += ["--out", str(out), "--", "node", "server.js"]
    environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
    ran = subprocess.run(command, cwd=checkout / folder, env=environment, capture_output=True, text=True)
    if ran.returncode not in (0, 1):
        output = ran.stdout[-2000:] + ran.stderr[-4000:]
        raise SystemExit(f"{checkout}: wimble failed on {folder} ({ran.returncode}):\n{output}")
    found = reduced(out, checkout)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(json.dumps(found), encoding="utf-8")
    return found


def reduced(out: Path, checkout: Path) -> dict[str, Any]:
    """summary.json, the findings in full, and a digest of each test file."""
    summary = json.loads((out / "summary.json").read_text(encoding="utf-8"))
    for point in summary.get("curve", []):
        point.pop("seconds", None)
    found: dict[str, Any] = {name: value for name, value in summary.items() if name not in VARYING}
    findings = json.loads((out / "findings.json").read_text(encoding="utf-8")).get("findings")
    for call in (call for finding in findings for call in finding.get("calls", ())):
        headers = call.get("response_headers", ())
        call["response_headers"] = [header for header in headers if header[0].lower() not in LENGTHS]
    found["findings in full"] = findings
    for file in sorted((out / "tests").rglob("*.test.*")):
        text = plain(file.read_text(encoding="utf-8"), checkout)
        found[f"tests/{file.name}"] = hashlib.sha256(text.encode()).hexdigest()
    return dict(json.loads(plain(json.dumps(found), checkout)))


def plain(text: str, checkout: Path) -> str:
    """Text without the checkout's folder, dates of responses, and times in seconds."""
    text = re.sub(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT", "DATE", text)
    text = re.sub(r'"found_after_s": [\d.]+', '"found_after_s": 0', text)
    return text.replace(str(checkout), "CHECKOUT")


def iter_differences(base: Any, other: Any, place: str = "") -> Iterator[str]:
    """Yields one line for each value that differs."""
    if isinstance(base, dict) and isinstance(other, dict):
        for name in {**base, **other}:
            if name not in base or name not in other:
                yield f"{place}.{name}: only in {'OTHER' if name in other else 'BASE'}"
            else:
                yield from iter_differences(base[name], other[name], f"{place}.{name}")
    elif isinstance(base, list) and isinstance(other, list) and len(base) == len(other):
        for number, (one, another) in enumerate(zip(base, other, strict=True)):
            yield from iter_differences(one, another, f"{place}[{number}]")
    elif base != other:
        yield f"{place}: {str(base)[:150]} -> {str(other)[:150]}"


def counts(found: dict[str, Any]) -> str:
    return f"{found['targets']['covered']} targets, {len(found['findings'])} findings"


if __name__ == "__main__":
    sys.exit(main())
