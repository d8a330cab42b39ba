"""The files of a suite answer the SUT, and programs that are not Node too, which the SUT starts."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from namespaces import run_in_namespace
from wimble.emit.mock_files import mock_files
from wimble.model.setup_kinds.answer import new_answer
from wimble.model.suite import Suite, SutStart, VerifiedTest
from wimble.model.testcase import TestCase

pytestmark = pytest.mark.e2e

SUT = """
const { spawnSync } = require('node:child_process');
const get = 'import sys, urllib.request as u; print(u.urlopen(sys.argv[1]).read().decode())';
for (const url of ['https://prices.example/v1', 'http://away.example/v1']) {
  const { stdout, stderr } = spawnSync(process.env.PYTHON, ['-c', get, url], { encoding: 'utf8' });
  console.log(JSON.stringify(stdout.trim() || /\\d\\d\\d: [A-Z].*/.exec(stderr)?.[0] || stderr));
}
"""
TEST = """
const { execFile } = require('node:child_process');
const mocks = require('./mocks.cjs');
(async () => {
  await mocks.listen();
  mocks.begin();
  mocks.on('https://prices.example').get('/v1').reply(200, '7');
  mocks.on('http://away.example').get('/v1').refuse();
  const env = { ...process.env, ...mocks.variables({}) };
  execFile(process.execPath, [__dirname + '/sut.cjs'], { env }, (error, out, err) => {
    console.log(JSON.stringify({ out: out.trim().split('\\n').map((line) => JSON.parse(line)), err }));
    mocks.check();
    mocks.end();
  });
})();
"""
SUT_OF_HEADERS = """
require('node:http').get('http://quota.example/v1', ({ headers: { date, connection, 'keep-alive': kept, ...others } }) => {
  console.log(JSON.stringify(others));
  process.exit();
});
"""
TEST_OF_HEADERS = TEST.replace(
    "mocks.on('https://prices.example').get('/v1').reply(200, '7');",
    "mocks.on('http://quota.example').get('/v1').reply(200, undefined, { 'content-type': '', 'x-remaining': '' });",
)
SUT_THAT_IS_LATE = """
const { get } = require('node:http');
let left = 2;
for (const path of ['/v1/7?page=2', '/v2']) {
  get('http://late.example' + path, ({ statusCode }) => {
    if (--left > 0) return;
    console.log(statusCode);
    process.exit();
  });
}
"""
TEST_AFTER_ANOTHER = """
const { execFile } = require('node:child_process');
const mocks = require('./mocks.cjs');
(async () => {
  await mocks.listen();
  mocks.begin();
  mocks.on('http://late.example').get('/v1/*').reply(200, {});
  mocks.pause();
  mocks.begin();
  const env = { ...process.env, ...mocks.variables({}) };
  execFile(process.execPath, [__dirname + '/sut.cjs'], { env }, (error, out) => {
    try {
      mocks.check();
    } catch ({ message }) {
      console.log(JSON.stringify([Number(out), message.split('\\n').slice(1)]));
    }
    mocks.end();
  });
})();
"""
RUN = "import subprocess, sys; sys.exit(subprocess.run(['node', sys.argv[1]]).returncode)"


def test_a_program_gets_the_answers_of_a_test_and_its_failures(tmp_path: Path) -> None:
    assert printed_in_suite(tmp_path, SUT, TEST) == {"out": ["7", "502: Bad Gateway"], "err": ""}


def test_a_header_without_a_value_is_sent(tmp_path: Path) -> None:
    found = printed_in_suite(tmp_path, SUT_OF_HEADERS, TEST_OF_HEADERS)
    assert found == {"out": [{"x-remaining": "", "content-length": "0"}], "err": ""}


def test_what_the_test_before_expects_may_arrive_late(tmp_path: Path) -> None:
    printed = printed_in_suite(tmp_path, SUT_THAT_IS_LATE, TEST_AFTER_ANOTHER)
    assert printed == [404, ["  GET http://late.example/v2"]]


def printed_in_suite(tmp_path: Path, sut: str, source: str) -> object:
    """Returns what the source prints beside the files of a suite with mocks, and of the SUT."""
    answer = new_answer("https://prices.example:443", "GET", "/v1", body="7", form="text")
    test = VerifiedTest(name="pays", kind="success", test_case=TestCase((), (answer,)), calls=())
    start = SutStart(command=("node", "sut.cjs"), working_dir=str(tmp_path), base_url="http://127.0.0.1:1")
    suite = Suite(tests=(test,), start=start, seed=1, title="Prices")
    files = {**mock_files(suite), "sut.cjs": sut, "test.cjs": source, "run.py": RUN}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    printed = run_in_namespace(tmp_path / "run.py", str(tmp_path / "test.cjs"), PYTHON=sys.executable)
    found: object = json.loads(printed)
    return found
