"""The files of a suite that answer in the place of services load in each version of the runners."""

from __future__ import annotations

import subprocess
from pathlib import Path

from msgspec.structs import replace
from suite_samples import answer, json_request, one_call, suite_of

from wimble.emit.mock_files import mock_files
from wimble.model.setup_kinds.answer import new_answer

IN_JEST_24 = """
const fs = require('fs');
const known = (name) => {
  if (name.startsWith('node:')) throw new Error(`Cannot find module '${name}'`);
  return require(name);
};
const module_ = { exports: {} };
new Function('require', 'module', fs.readFileSync(process.argv[1], 'utf8'))(known, module_);
console.log(typeof module_.exports);
"""


OTHER_PROTOCOL = """
const Module = require('module');
const load = Module._load;
let given;
const server = class {
  constructor(options) {
    given = options;
    this.listener = require('net').createServer();
  }
  plan() {}
};
Module._load = (name, ...rest) => (name.endsWith('mock-server.cjs') ? { MockServer: server } : load(name, ...rest));
const mocks = require(process.argv[1]);
mocks.listen().then(() => {
  mocks.begin();
  given.onUnmockable({ host: 'scales.example', port: 4001, reason: 'the client speaks no HTTP' });
  mocks.check();
  given.onRequest({ method: 'GET', origin: 'https://a.example:443', target: '/', matched: null });
  try {
    mocks.check();
  } catch (error) {
    console.log(error.message);
  }
  process.exit();
});
"""


def test_what_no_mock_can_serve_fails_no_test_since_it_was_refused_when_the_test_was_made(tmp_path: Path) -> None:
    test = one_call("a", json_request("GET", "/a", {}), answer(200, {}))
    planned = (new_answer("http://stock.example", "GET", "/a", body={}),)
    test = replace(test, test_case=replace(test.test_case, setup=planned))
    for name, text in mock_files(suite_of([test], tmp_path, 1)).items():
        (tmp_path / name).write_text(text)

    ran = subprocess.run(
        ["node", "-e", OTHER_PROTOCOL, str(tmp_path / "mocks.cjs")], capture_output=True, text=True, check=False
    )

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "The SUT sent what the test does not expect:\n  GET https://a.example/\n"


def test_the_mock_server_needs_no_prefix_of_modules_which_jest_24_does_not_know(tmp_path: Path) -> None:
    test = one_call("a", json_request("GET", "/a", {}), answer(200, {}))
    planned = (new_answer("http://stock.example", "GET", "/a", body={}),)
    test = replace(test, test_case=replace(test.test_case, setup=planned))
    file = tmp_path / "mock-server.cjs"
    file.write_text(mock_files(suite_of([test], tmp_path, 1))["mock-server.cjs"])

    ran = subprocess.run(["node", "-e", IN_JEST_24, str(file)], capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stderr
    assert ran.stdout == "object\n"
