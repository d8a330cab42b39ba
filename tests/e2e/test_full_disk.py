"""The disk of the output folder is full, or nearly: that is said, and what was found is printed."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from conftest import Result, wimble_command

pytestmark = pytest.mark.e2e

CHATTY = """
const line = 'x'.repeat(2000);
const http = require('node:http');
const emit = http.Server.prototype.emit;
http.Server.prototype.emit = function (...all) { console.log(line); return emit.apply(this, all); };
require('./shop.js');
"""


def run_on_disk(project, size: str, *arguments: str, before: str = "true") -> Result:
    """Runs wimble with `--out disk/out` on a file system of that size, which ends with it. before: a shell command."""
    (project.folder / "disk").mkdir()
    command = shlex.join(wimble_command("run", "--out", "disk/out", *arguments))
    script = f"mount -t tmpfs -o size={size} none disk && {{ {before}; }} && {command}; code=$?; ls -R disk; exit $code"
    allowed = subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True)
    if allowed.returncode != 0:
        pytest.skip("this system lets nobody mount a file system")
    done = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script],
        cwd=project.folder, env=project.environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    return Result(done, project.folder)


def named_files(text: str, folder: Path) -> set[str]:
    """The paths below the output folder that the closing lines name."""
    closing = text.partition("\nseed")[2].partition("\ndisk:")[0]
    return set(re.findall(r"disk/out/(\S+\.\w+)", closing.replace(f"{folder}/", "")))


def test_a_small_disk_has_a_small_log_and_no_missing_file_is_named(project):
    project.add("chatty.js", CHATTY)
    result = run_on_disk(project, "300k", "--max-calls", "1500", "--seed", "1", "--", "node", "chatty.js")
    assert result.code == 1, result.stderr + result.stdout
    assert "faults found" in result.stdout
    assert "ENOSPC" not in result.stdout
    listing = result.stdout.partition("\ndisk:")[2]
    named = named_files(result.stdout, project.folder)
    assert named, "something is there"
    assert all(Path(name).name in listing for name in named), (named, listing)


@pytest.mark.parametrize(
    ("when", "is_found"),
    [("[ -s disk/out/sut.log ]", False), ("grep -qs type...fault disk/out/journal.jsonl", True)],
    ids=["while starting", "while searching"],
)
def test_a_disk_that_fills_up_is_called_full_and_what_was_found_is_printed(project, when, is_found):
    filler = f"while ! {when}; do sleep 0.05; done; cat /dev/zero > disk/full.lock"
    project.add("chatty.js", CHATTY.replace("require('./shop.js');", "console.log('up');\nrequire('./shop.js');"))
    result = run_on_disk(
        project, "2m", "--max-time", "60s", "--seed", "1", "--", "node", "chatty.js", before=f"({filler}) & true"
    )
    said = result.stderr + result.stdout
    assert "the disk is full" in said, said
    assert "index.html" not in named_files(result.stdout, project.folder)
    assert "run the command by itself" not in said, "it is not the command's fault"
    if is_found:
        assert result.code == 1, said[-9000:]
        assert "\nF1 " in result.stdout, "what was found is printed"
    else:
        assert result.code == 3


def test_a_disk_without_any_room_is_refused(project):
    result = run_on_disk(
        project, "300k", "--", "node", "shop.js", before="(mkdir disk/out; cat /dev/zero > disk/full 2>/dev/null; true)"
    )
    assert result.code == 2
    assert "cannot be written: No space left on device" in result.message
