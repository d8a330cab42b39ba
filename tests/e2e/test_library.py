"""A folder with a library: its faults, and tests that pass on the plain library."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from runners import runner_packages
from wimble.cli.main import wimble

LONG = pytest.mark.long
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
exports.dated = (text) => {
  const date = new Date(text); if (Number.isNaN(date.getTime())) { throw new RangeError('Invalid time value'); }
  return date.getTime();
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
    # What it refuses is no fault, also in the engine's own words.
    assert not any(operation in ("shout", "dated") for _, operation in found)
    assert (folder / "precious").read_text() == "kept"
    assert (out / "tests" / "processes.test.cjs").exists()
    files = sorted((out / "tests").glob("*.test.cjs"))
    assert files
    done = subprocess.run(
        ["node", "--test", *map(str, files)], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout


VALUES = """
class Range { constructor() { this.from = 1; this.to = [new Date(0), undefined, null]; } }
exports.range = () => new Range();
exports.parts = (text) => ({ text, numbers: [NaN, -0, 1e21, 5n], when: new Date(86400000), found: /a+/gi });
exports.bare = () => Object.assign(Object.create(null), { a: { b: [] } });
exports.sets = () => [new Map([['a', 1]]), new Set(['x']), Buffer.from('hi')];
exports.nothing = () => {};
exports.later = async (text) => {
  if (text === '') throw new RangeError('empty');
  return [text];
};
exports.checked = (text) => {
  if (typeof text !== 'string') throw Object.assign(new TypeError(`no text: ${typeof text}`), { name: 'CheckError' });
  if (text.length > 3) throw 'long';
  return new Error('an error as value');
};
exports.Counter = class Counter {
  constructor(start = 0) { this.count = start; }
  add(step = 1) { this.count += step; return this; }
};
"""


@pytest.mark.parametrize(("test_format", "is_module"), [("jest", False), ("vitest", True)])
@LONG
def test_the_tests_pass_with_the_runners_from_npm(tmp_path: Path, test_format: str, is_module: bool) -> None:
    folder, out = tmp_path / "lib", tmp_path / "out"
    folder.mkdir()
    kind = "module" if is_module else "commonjs"
    (folder / "package.json").write_text(json.dumps({"name": "lib", "version": "1.0.0", "type": kind}))
    (folder / "values.js").write_text(re.sub(r"^exports\.(\w+) =", r"export const \1 =", VALUES, flags=re.M))
    (folder / "index.js").write_text("export * from './values.js';" if is_module else VALUES)
    options = ["--max-calls", "200", "--seed", "1", "--format", test_format, "--out", str(out)]
    with pytest.raises(SystemExit) as ended:
        wimble.main(["library", str(folder), *options], standalone_mode=False)
    assert ended.value.code == 0
    summary = json.loads((out / "summary.json").read_text())
    assert summary["operations"]["reached_2xx"] == 9
    assert summary["lines"]["total"] > 8, "what an ES module imports is instrumented as well"
    packages = runner_packages(test_format)
    (out / "tests" / "node_modules").symlink_to(packages)
    written = str(out / "tests")
    command = {
        "jest": ["node", str(packages / "jest/bin/jest.js"), "--rootDir", written, "--testMatch", "**/*.test.[cm]js"],
        "vitest": ["node", str(packages / "vitest/vitest.mjs"), "run", "--root", written],
    }[test_format]
    ran = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, (ran.stdout + ran.stderr)[-4000:]
    assert f" {len(summary['tests'])} passed" in ran.stdout + ran.stderr


ASKED_TWICE = """
const hex = /^[0-9a-f]{2,}/g;
exports.isHex = (text) => hex.test(text);
const found = [];
exports.words = (text) => { for (const word of text.split(' ')) found.push(word); return found; };
let last = 0;
exports.mark = (text) => `${text}-${++last}`;
exports.made = (kind) => new kind();
exports.noise = (text) => (Math.random() < 0.5 ? text + '!' : text);
exports.parse = (text) => Object.fromEntries(text.split('&').map((part) => part.split('=')).filter((two) => two[1]));
exports.stringify = (data) => Object.entries(data).map(([key, value]) => `${key}=${value.replace('%', '')}`).join('&');
"""
ASKED_TWICE_TYPES = """
export declare function isHex(text: string): boolean;
export declare function words(text: string): string[];
export declare function mark(text: string): string;
export declare function made(kind: { new (): object }): object;
export declare function noise(text: string): string;
export declare function parse(text: string): Record<string, string>;
export declare function stringify(data: Record<string, string>): string;
"""


def test_answers_that_change_from_call_to_call_and_lost_values_are_found(tmp_path: Path) -> None:
    folder, out = tmp_path / "lib", tmp_path / "out"
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "lib", "version": "1.0.0", "types": "index.d.ts"}')
    (folder / "index.js").write_text(ASKED_TWICE)
    (folder / "index.d.ts").write_text(ASKED_TWICE_TYPES)
    (folder / "README.md").write_text(
        "```js\nconst lib = require('lib');\nlib.isHex('beef');\n"
        "lib.parse('a=1');\nlib.parse('b=2&c=3');\nlib.parse('d=x');\nlib.parse('e=y');\nlib.parse('f=5%');\n```\n"
    )
    options = ["--max-calls", "150", "--seed", "1", "--format", "none", "--out", str(out)]
    with pytest.raises(SystemExit):
        wimble.main(["library", str(folder), *options], standalone_mode=False)
    findings = json.loads((out / "summary.json").read_text())["findings"]
    assert {(one["oracle"], one["operation"]) for one in findings} == {
        ("called-twice", "isHex"),
        ("called-twice", "words"),
        ("round-trip", "parse"),
    }


POLLUTABLE = """
exports.put = (target, path, value) => {
  const names = path.split('.');
  const last = names.pop();
  let held = target;
  for (const name of names) held = held[name] = held[name] || {};
  held[last] = value;
  return target;
};
exports.putSafely = (target, path, value) => (/__proto__|constructor/.test(path) ? target : exports.put(target, path, value));
exports.read = (text) => {
  const found = {};
  let section = found;
  for (const line of text.split('\\n')) {
    const [, name] = /^\\[(.+)\\]$/.exec(line) || [];
    if (name) section = found[name] = found[name] || {};
    else if (line.includes('=')) section[line.split('=')[0].trim()] = line.split('=')[1].trim();
  }
  return found;
};
exports.merge = (target, source) => {
  for (const name of Object.keys(source)) if (name !== '__proto__') target[name] = source[name];
  return target;
};
"""


def test_names_and_texts_that_lead_to_the_prototype_of_all_objects_are_tried(tmp_path: Path) -> None:
    folder, out = tmp_path / "lib", tmp_path / "out"
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "lib", "version": "1.0.0"}')
    (folder / "index.js").write_text(POLLUTABLE)
    with pytest.raises(SystemExit):
        wimble.main(
            ["library", str(folder), "--max-calls", "60", "--seed", "1", "--out", str(out)], standalone_mode=False
        )
    findings = json.loads((out / "summary.json").read_text())["findings"]
    polluting = [one for one in findings if one["oracle"] == "prototype-pollution"]
    assert {one["operation"] for one in polluting} == {"put", "read"}
    text = (out / "tests" / "faults.test.cjs").read_text()
    assert len(re.findall(r"delete (?:Object|String)\.prototype\['", text)) >= 2
    ran = subprocess.run(["node", "--test", str(out / "tests")], capture_output=True, text=True, check=False)
    assert "# fail 0" in ran.stdout, ran.stdout[-3000:]


def test_ctrl_c_after_the_search_ends_the_run_with_its_tests(tmp_path: Path) -> None:
    folder, out = tmp_path / "lib", tmp_path / "out"
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "lib", "version": "1.0.0"}')
    (folder / "index.js").write_text("exports.shout = (text) => (text.length > 3 ? text.toUpperCase() : `${text}!`);")
    command = ["library", str(folder), "--max-calls", "60", "--seed", "1", "--out", str(out)]
    process = subprocess.Popen([sys.executable, "-m", "wimble", *command], stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    said = []
    for line in process.stderr:
        said.append(line.strip())
        if said[-1].startswith("minimising"):
            process.send_signal(signal.SIGINT)
    process.stderr.close()
    assert process.wait(timeout=60) == 0
    assert any(line.startswith("verifying") for line in said)
    assert not {"reading again what was written", "making calls again", "measuring longer texts"} & set(said)
    assert list((out / "tests").glob("*.test.cjs"))


@pytest.mark.parametrize(
    ("library", "code", "said"),
    [
        ("setTimeout(() => process.exit(0), 20); exports.a = (text) => text.length;", 3, "without any call"),
        ("Promise.reject(new Error('later')); exports.a = (text) => text.length;", 3, "without any call"),
        (
            "require('http').createServer().listen(0); setInterval(() => {}, 5); exports.a = (text) => text.length;",
            0,
            "",
        ),
        ("exports.a = (text) => { setTimeout(() => null.x, 0); return text.length; };", 1, "a ends the process"),
        ("exports.soon = (then) => { process.nextTick(() => then(1)); }; exports.a = (text) => text + 1;", 0, ""),
        ("console.log('hello'); exports.a = (text) => { console.log(text); return text.length; };", 0, ""),
        ("exports.a = (text) => document.createElement(text);", 0, ""),
    ],
    ids=[
        "timer-at-load",
        "rejection-at-load",
        "server-at-load",
        "timer-of-a-call",
        "callback-of-nothing",
        "prints",
        "browser",
    ],
)
def test_what_a_library_does_beside_its_calls(tmp_path: Path, library: str, code: int, said: str) -> None:
    folder = tmp_path / "lib"
    folder.mkdir()
    (folder / "package.json").write_text('{"name": "lib", "version": "1.0.0"}')
    (folder / "index.js").write_text(library)
    command = ["library", str(folder), "--max-calls", "6", "--seed", "1", "--out", str(tmp_path / "out")]
    ran = subprocess.run(
        [sys.executable, "-m", "wimble", *command], capture_output=True, text=True, timeout=180, check=False
    )
    assert ran.returncode == code, ran.stdout + ran.stderr
    assert said in ran.stdout + ran.stderr
    written = sorted(map(str, (tmp_path / "out").glob("tests/*.test.cjs")))
    assert any("processes" in one for one in written) == (code == 1), "a fault that ends the process has a test"
    if written:
        ran = subprocess.run(["node", "--test", *written], capture_output=True, text=True, timeout=60, check=False)
        assert ran.returncode == 0, ran.stdout[-3000:]
