"""Bad input gets a clear answer, before anything is started where that is possible."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys

import pytest

from runners import runner_command

pytestmark = pytest.mark.e2e


def test_a_command_that_does_not_exist_is_named(project, snapshot):
    result = project.run("--", "nodee", "shop.js")
    assert result.code == 2
    assert result.message == snapshot


def test_a_missing_command_is_explained(project, snapshot):
    result = project.run()
    assert result.code == 2
    assert result.message == snapshot


def test_sut_that_exits_at_once_shows_its_last_output(project, snapshot):
    project.add("broken.js", "console.error('config.yml is missing'); process.exit(4);")
    result = project.run("--", "node", "broken.js")
    assert result.code == 3
    assert "config.yml is missing" in result.message
    assert result.message == snapshot


def test_sut_with_a_syntax_error_shows_it(project):
    project.add("broken.js", "const a = ;\n")
    result = project.run("--", "node", "broken.js")
    assert result.code == 3
    assert "SyntaxError" in result.message
    assert "broken.js:1" in result.message


def test_no_server_listens(project, snapshot):
    project.add("idle.js", "setInterval(() => {}, 1000);")
    result = project.run("--start-timeout", "2s", "--", "node", "idle.js")
    assert result.code == 3
    assert result.message == snapshot


def test_not_node_at_all(project, snapshot):
    result = project.run(
        "--start-timeout", "4s", "--", sys.executable, "-m", "http.server", str(project.port), "--bind", "127.0.0.1"
    )
    assert result.code == 3
    assert "--url" in result.message
    assert result.message.replace(sys.executable, "<python>") == snapshot
    assert project.is_port_free()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("missing.json", None),
        ("broken.json", '{"openapi": "3.0.3", "paths": {'),
        ("prose.yaml", "just some words\n"),
        ("other.json", '{"name": "a package", "version": "1.0.0"}'),
        ("empty.json", '{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {}}'),
        ("version.json", '{"openapi": "7.0.0", "info": {}, "paths": {"/a": {"get": {}}}}'),
    ],
)
def test_schema_that_cannot_be_used(project, snapshot, name, content):
    if content is not None:
        project.add(name, content)
    result = project.run("--schema", name, "--", "node", "shop.js")
    assert result.code == 2
    assert result.message == snapshot
    assert not (project.folder / "wimble-out" / "sut.log").exists(), "nothing was started"


def test_schema_server_unreachable(project):
    result = project.run("--schema", "http://127.0.0.1:1/openapi.json", "--", "node", "shop.js")
    assert result.code == 2
    assert "cannot be fetched" in result.message
    assert project.is_port_free(), "the SUT was stopped"


def test_a_schema_may_be_a_path_on_the_sut(project):
    project.add(
        "served.js",
        """
const document = { openapi: '3.0.3', info: { title: 't', version: '1' }, paths: { '/things': { get: { responses: { 200: { description: 'ok' } } } } } };
require('http').createServer((request, response) => {
  response.statusCode = ['/v7/things.json', '/things'].includes(request.url) ? 200 : 404;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(request.url === '/v7/things.json' ? document : []));
}).listen(process.env.PORT, '127.0.0.1');
""",
    )
    result = project.run("--max-calls", "20", "--schema", "/v7/things.json", "--", "node", "served.js")
    assert result.code == 0
    assert project.summary["operations"]["reached_2xx"] == 2, "/things, and the document itself"
    result = project.run("--schema", "/v8/things.json", "--", "node", "served.js")
    assert result.code == 2
    assert "/v8/things.json answers 404" in result.message


@pytest.mark.parametrize("format_name", ["node-test", pytest.param("pytest", marks=pytest.mark.long)])
def test_starts_wait_for_the_path_of_the_schema(project, format_name):
    """Some frameworks listen before their routes are there."""
    project.add(
        "late.js",
        """
const document = { openapi: '3.0.3', info: { title: 't', version: '1' }, paths: { '/things': { get: { responses: { 200: { description: 'ok' } } } } } };
let isMounted = false;
setTimeout(() => { isMounted = true; }, 700);
require('http').createServer((request, response) => {
  response.statusCode = !isMounted ? 404 : request.url === '/things' ? 500 : 200;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(request.url === '/v7/things.json' ? document : []));
}).listen(process.env.PORT, '127.0.0.1');
""",
    )
    result = project.run(
        "--max-calls", "20", "--schema", "/v7/things.json", "--format", format_name, "--", "node", "late.js"
    )
    assert result.code == 1, result.stderr
    (finding,) = project.summary["findings"]
    assert finding["status"] == 500 and finding["test"]
    ran = subprocess.run(
        runner_command(format_name, project.folder / "wimble-out" / "tests"),
        cwd=project.folder, env=project.environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr


def test_a_schema_that_is_missing_from_its_folder_is_no_path_on_the_sut(project):
    result = project.run("--schema", str(project.folder / "openapi.yml"), "--", "node", "shop.js")
    assert result.code == 2
    assert "openapi.yml cannot be read" in result.message


def test_no_schema_anywhere(project, snapshot):
    project.add(
        "bare.js",
        "require('http').createServer((q, r) => r.writeHead(404).end()).listen(process.env.PORT, '127.0.0.1')",
    )
    result = project.run("--", "node", "bare.js")
    assert result.code == 2
    assert "--schema" in result.message
    assert result.message == snapshot


def test_a_url_that_nothing_serves_is_named(project):
    result = project.run("--url", "http://127.0.0.1:1")
    assert result.code == 3
    assert "127.0.0.1" in result.message


@pytest.mark.parametrize(
    "arguments",
    [
        ("--seed", "x"),
        ("--seed", "-1"),
        ("--max-time", "0s"),
        ("--max-time", "0"),
        ("--max-time", "10"),
        ("--max-time", "soon"),
        ("--max-calls", "0"),
        ("--strategy", "mia"),
        ("--port", "99999"),
        ("--maxtime", "10s"),
        ("--url", "ftp://example.org"),
    ],
)
def test_an_option_that_cannot_be_used_is_explained(project, snapshot, arguments):
    command = () if "--url" in arguments else ("--", "node", "shop.js")
    result = project.run(*arguments, *command)
    assert result.code == 2
    assert result.message == snapshot


def test_a_command_and_a_url_together_are_refused(project):
    result = project.run("--url", "http://127.0.0.1:3000", "--", "node", "shop.js")
    assert result.code == 2
    assert "both" in result.message


def test_output_folder_that_is_not_ours(project, snapshot):
    project.add("thesis/chapter.txt", "years of work")
    result = project.run("--out", "thesis", "--", "node", "shop.js")
    assert result.code == 2
    assert result.message == snapshot
    assert [path.name for path in (project.folder / "thesis").iterdir()] == ["chapter.txt"]


@pytest.mark.skipif(sys.platform != "linux", reason="needs a place that refuses even root")
def test_output_folder_that_cannot_be_written(project, snapshot):
    result = project.run("--out", "/proc/wimble", "--", "node", "shop.js")
    assert result.code == 2
    assert result.message == snapshot


def test_node_that_is_too_old(project, snapshot):
    old = project.add("bin/node", "#!/bin/sh\necho v18.19.0\n")
    old.chmod(old.stat().st_mode | stat.S_IXUSR)
    project.environment["PATH"] = f"{old.parent}:/usr/bin:/bin"
    result = project.run("--", "node", "shop.js")
    assert result.code in (2, 3)
    assert "v18.19.0" in result.stderr
    assert "20" in result.message


@pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm")
def test_npm_script_that_does_not_exist(project):
    project.add("package.json", '{"name": "p", "version": "1.0.0", "scripts": {"start": "node shop.js"}}')
    result = project.run("--", "npm", "run", "serve")
    assert result.code == 3
    assert "serve" in result.message
