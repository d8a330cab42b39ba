"""The main path: a real server in, faults and tests that run by themselves out."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess

import psutil
import pytest

from conftest import free_port
from runners import runner_command
from waiting import wait_until

LONG = pytest.mark.long
pytestmark = pytest.mark.e2e


def run_generated_tests(project) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        runner_command("node-test", project.folder / "wimble-out" / "tests"),
        cwd=project.folder, env=project.environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_faults_are_found_with_their_line_and_the_tests_pass(project):
    result = project.run("--max-calls", "4000", "--seed", "1", "--format", "node-test", "--", "node", "shop.js")
    assert result.code == 1, result.stderr
    causes = {(f["cause"]["file"], f["cause"]["line"]) for f in project.summary["findings"]}
    lines = (project.folder / "shop.js").read_text().splitlines()
    expected = {
        next(n for n, text in enumerate(lines, 1) if mark in text)
        for mark in ("discount.amount", "no such level", "response.end(")
    }
    assert {("shop.js", line) for line in expected} <= causes
    assert all(finding["test"] for finding in project.summary["findings"])
    assert project.summary["stopped_by"] == "calls"
    ran = run_generated_tests(project)
    assert ran.returncode == 0, ran.stdout[-4000:]
    assert project.is_port_free()


def test_the_same_seed_gives_the_same_findings_targets_and_tests(project):
    seen = []
    for _ in range(2):
        project.run("--max-calls", "600", "--seed", "7", "--format", "node-test", "--", "node", "shop.js")
        summary = project.summary
        tests = {
            path.name: path.read_text() for path in sorted((project.folder / "wimble-out" / "tests").glob("*.test.*"))
        }
        stable = {key: summary[key] for key in ("findings", "targets", "lines", "branches", "tests", "needed_budget")}
        seen.append((stable, tests))
    assert seen[0] == seen[1]


@pytest.mark.parametrize(
    ("how", "options"),
    [
        ("npm start", ["--max-calls", "1500", "--format", "none"]),
        pytest.param(
            "sh start.sh", ["--max-calls", "100", "--format", "node-test"], marks=LONG
        ),  # with many starts, each of which has to end
        ("node cluster.js", ["--max-calls", "1500", "--format", "none"]),
    ],
    ids=["npm start", "sh start.sh", "node cluster.js"],
)
def test_any_command_that_ends_up_in_node(project, how, options):
    project.add("package.json", '{"name": "p", "version": "1.0.0", "scripts": {"start": "node shop.js"}}')
    project.add("start.sh", "#!/bin/sh\necho starting\nnode shop.js\n")
    project.add(
        "cluster.js",
        "const cluster = require('node:cluster');\n"
        "if (cluster.isPrimary) { cluster.fork(); cluster.fork(); } else { require('./shop.js'); }\n",
    )
    result = project.run(*options, "--seed", "1", "--", *how.split())
    assert result.code == 1, result.stderr
    assert any(f["cause"]["file"] == "shop.js" for f in project.summary["findings"])
    assert project.summary["lines"]["covered"] > 10
    assert project.is_port_free(), "the whole tree was stopped"


def test_a_server_of_es_modules_is_searched_like_another(project):
    text = (
        (project.folder / "shop.js")
        .read_text()
        .replace("const http = require('node:http');", "import http from 'node:http';")
    )
    project.add("shop.mjs", text)
    result = project.run("--max-calls", "2000", "--seed", "1", "--format", "none", "--", "node", "shop.mjs")
    assert result.code == 1, result.stderr
    assert any(f["cause"]["file"] == "shop.mjs" for f in project.summary["findings"])


def test_a_run_that_is_to_write_no_tests_ends_after_the_search(project):
    result = project.run("--max-calls", "100", "--seed", "1", "--format", "none", "--", "node", "shop.js")
    assert result.code == 1, result.stderr
    assert not any(phase in result.stderr for phase in ("minimis", "verif", "racing"))
    assert "running the calls of the faults once more" in result.stderr
    assert project.summary["tests"] == []
    assert not (project.folder / "wimble-out" / "tests").exists()
    findings = json.loads((project.folder / "wimble-out" / "findings.json").read_text())["findings"]
    assert findings
    assert {(one["test"], one["note"]) for one in findings} == {(None, "no tests were asked for (--format none)")}
    assert (project.folder / "wimble-out" / "report" / "index.html").exists()


def test_black_box_run_against_a_server_that_is_there(project):
    server = subprocess.Popen(["node", "shop.js"], cwd=project.folder, env=project.environment)
    try:
        wait_until(lambda: not project.is_port_free())
        result = project.run("--max-calls", "500", "--seed", "1", "--url", f"http://127.0.0.1:{project.port}")
        assert result.code in (0, 1), result.stderr
        assert project.summary["operations"]["reached_2xx"] >= 2
        assert server.poll() is None, "the server is the user's, not ours to stop"
    finally:
        server.kill()
        server.wait()


def test_a_sut_that_exits_in_a_request_is_restarted_and_the_search_goes_on(project):
    project.add(
        "exits.js",
        (project.folder / "shop.js").read_text().replace("throw new Error('no such level');", "process.exit(7);"),
    )
    result = project.run("--max-calls", "1000", "--seed", "1", "--format", "none", "--", "node", "exits.js")
    assert result.code == 1, result.stderr
    died = [f for f in project.summary["findings"] if f["oracle"] == "process-died"]
    assert died
    assert died[0]["cause"]["file"] == "exits.js"
    assert any(f["oracle"] == "server-error" for f in project.summary["findings"])
    assert project.summary["calls"] >= 1000


def test_a_sut_that_prints_what_looks_like_messages_of_ours_disturbs_nothing(project):
    noise = (
        "const fake = JSON.stringify({ type: 'result', seq: 1, targets: [1, 0, 1], hints: [] });\n"
        "const head = Buffer.alloc(4); head.writeUInt32LE(fake.length);\n"
        "setInterval(() => { process.stdout.write(head); process.stdout.write(fake); process.stderr.write(fake); }, 5).unref();\n"
    )
    project.add("noisy.js", (project.folder / "shop.js").read_text() + noise)
    result = project.run("--max-calls", "1500", "--seed", "1", "--format", "none", "--", "node", "noisy.js")
    assert result.code == 1, result.stderr
    assert '"type":"result"' in (project.folder / "wimble-out" / "sut.log").read_text(errors="replace")


def runs_program(process: subprocess.Popen[str], name: str) -> bool:
    for child in psutil.Process(process.pid).children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if name in child.cmdline():
                return True
    return False


def wait_for_line(process: subprocess.Popen[str], word: str) -> list[str]:
    lines = []
    for line in process.stderr:
        lines.append(line)
        if word in line:
            return lines
    raise AssertionError("".join(lines))


@pytest.mark.parametrize("phase", ["searching", pytest.param("minimis", marks=LONG), "verif"])
def test_ctrl_c_in_each_phase_keeps_what_was_found(project, phase):
    budget = ["--max-time", "60s"] if phase == "searching" else ["--max-calls", "600"]
    process = project.start(*budget, "--seed", "1", "--format", "node-test", "--", "node", "shop.js")
    try:
        wait_for_line(process, phase)
        if phase == "searching":
            wait_for_line(process, "finding after")
        os.kill(process.pid, signal.SIGINT)
        if phase == "minimis":
            os.kill(process.pid, signal.SIGTERM)  # at once, so that nothing is verified
        said, rest = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 1, rest
    assert project.summary["findings"]
    assert (project.folder / "wimble-out" / "report" / "index.html").exists()
    assert project.wimble("explain").code == 0
    if phase == "searching":
        assert project.summary["stopped_by"] == "interrupt"
        assert "unfinished the suite was cut short; wimble report --out wimble-out" in said
        assert not project.summary["tests"] or run_generated_tests(project).returncode == 0
    if phase == "minimis":
        assert "unfinished the suite was cut short; wimble report --out wimble-out" in said
        assert project.wimble("report").code == 1
        assert all(finding["test"] for finding in project.summary["findings"])
        assert run_generated_tests(project).returncode == 0
        assert not (project.folder / "wimble-out" / "journal.jsonl").exists(), "it is done"
    assert project.is_port_free()


def test_ctrl_c_while_the_sut_starts(project):
    project.add("slow.js", "setTimeout(() => require('./shop.js'), 30000);")
    process = project.start("--", "node", "slow.js")
    wait_for_line(process, "starting")
    wait_until(lambda: runs_program(process, "slow.js"))
    os.kill(process.pid, signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 3


def test_the_api_is_told_from_the_metrics_server_beside_it(project):
    metrics = free_port()
    project.add(
        "server.js", f"require('node:http').createServer((q, r) => r.end('up 1')).listen({metrics});\n"
        "setTimeout(() => require('./shop.js'), 300);\n"
    )  # fmt: skip
    result = project.run("--max-calls", "200", "--seed", "1", "--format", "none", "--", "node", "server.js")
    assert result.code == 1, result.stderr
    assert f":{project.port} answers" in result.stderr
    assert project.summary["operations"]["reached_2xx"] > 1
    assert not project.summary["warnings"]


def test_explain_tells_why_a_branch_stays_uncovered(project):
    guard = "if (process.env.NOBODY_SETS_THIS === 'yes') {\n    items.clear();\n    return [200, {}];\n  }"
    shop = (project.folder / "shop.js").read_text()
    start = "function answer(request, body) {\n"
    assert start in shop
    project.add("odd.js", shop.replace(start, f"{start}  {guard}\n"))
    project.run("--max-calls", "600", "--seed", "1", "--format", "none", "--", "node", "odd.js")
    lines = (project.folder / "odd.js").read_text().splitlines()
    line = next(n for n, text in enumerate(lines, 1) if "NOBODY_SETS_THIS" in text)
    whole, one = project.wimble("explain"), project.wimble("explain", f"odd.js:{line}")
    assert (whole.code, one.code) == (0, 0), whole.stderr + one.stderr
    assert f"odd.js:{line}:" in whole.stdout
    assert "comes from the environment" in one.stdout
    assert "blocks        2 statements" in one.stdout
    unknown = project.wimble("explain", "od.js")
    assert unknown.code == 2
    assert "nearest: odd.js" in unknown.stderr
