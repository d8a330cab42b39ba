"""A folder with a library: its faults, and tests that pass on the plain library."""

import json
import subprocess
from pathlib import Path

import pytest

from wimble.cli.main import wimble

pytestmark = pytest.mark.e2e

LIBRARY = """
'use strict';
const fs = require('node:fs');
exports.shout = (text, options = {}) => {
  if (typeof text !== 'string') throw new TypeError('expected a string');
  if (options.wipe) fs.rmSync(options.wipe === true ? `${__dirname}/precious` : 'none', { force: true });
  return options.twice ? text.toUpperCase() + text : text.toUpperCase();
};
exports.Point = class Point {
  constructor(x) {
    this.x = x;
  }
  plus(other) {
    return new Point(this.x + other.x.value);
  }
};
exports.loops = (text) => {
  while (text.length > 3) text += '!';
  return text;
};
"""


def test_a_library_is_called_and_its_tests_pass(tmp_path: Path) -> None:
    folder, out = tmp_path / "lib", tmp_path / "out"
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "lib", "version": "1.0.0"}')
    (folder / "index.js").write_text(LIBRARY)
    (folder / "precious").write_text("kept")
    options = ["--max-calls", "120", "--seed", "1", "--call-timeout", "1s", "--out", str(out)]
    with pytest.raises(SystemExit):
        wimble.main(["library", str(folder), *options], standalone_mode=False)
    summary = json.loads((out / "summary.json").read_text())
    found = {(one["oracle"], one["operation"]) for one in summary["findings"]}
    assert ("hangs", "loops") in found
    assert not any(operation == "shout" for _, operation in found)  # what it refuses is no fault
    assert (folder / "precious").read_text() == "kept"
    files = sorted((out / "tests").glob("*.test.cjs"))
    assert files
    done = subprocess.run(
        ["node", "--test", *map(str, files)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout
