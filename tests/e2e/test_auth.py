"""Authentication, from wimble.toml to generated tests: users log in, and no output holds what they log in with."""

from __future__ import annotations

import base64
import json
import shutil
import subprocess
import sys

import pytest

from conftest import ROOT

pytestmark = pytest.mark.e2e

ADMIN, USER, SIGNING = 'adm"in-s3cret&x', "user-s3cret-9", "signing-s3cret"
LOGIN = """
[[auth]]
name = "{name}"
[auth.login]
path = "/login"
json = {{ username = "{account}", password = "{password}" }}
token = "/data/access_token"
"""


@pytest.fixture
def guarded(project):
    (project.folder / "node_modules").symlink_to(ROOT / "agents/node/node_modules")
    project.environment |= {"ADMIN_PASSWORD": ADMIN, "USER_PASSWORD": USER, "SIGNING_KEY": SIGNING}
    configure(project, "${ADMIN_PASSWORD}")
    return project


def configure(project, password: str, more: str = "") -> None:
    admin = LOGIN.format(name="admin", account="ann", password=password)
    user = LOGIN.format(name="user", account="bob", password="${USER_PASSWORD}")
    project.add("wimble.toml", f"[run]\nmax_calls = 800\nseed = 3\n{more}{admin}{user}")


def outputs(project, result) -> dict[str, bytes]:
    folder = project.folder / "wimble-out"
    found = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return found | {"stdout": result.stdout.encode(), "stderr": result.stderr.encode()}


def assert_no_secret(project, result, *secrets: str) -> None:
    for secret in secrets:
        forms = {secret, json.dumps(secret)[1:-1], base64.b64encode(secret.encode()).decode()}
        for name, content in outputs(project, result).items():
            for form in forms:
                assert form.encode() not in content, f"{name} holds {form}"


def run_suite(project, command: list[str]) -> subprocess.CompletedProcess[str]:
    """The generated tests in a fresh checkout."""
    checkout = project.folder.parent / "checkout"
    if not checkout.exists():
        shutil.copytree(project.folder, checkout, symlinks=True)
    return subprocess.run(
        command, cwd=checkout, env=project.environment, capture_output=True, text=True, timeout=120, check=False
    )


def test_a_fault_behind_a_role_is_found_and_its_test_logs_in_or_names_the_missing_variable(guarded):
    result = guarded.run("--format", "node-test", "--", "node", "guarded.js")
    assert result.code == 1, result.stderr
    lines = (guarded.folder / "guarded.js").read_text().splitlines()
    line = next(n for n, text in enumerate(lines, 1) if "rows.missing" in text)
    # POST /login, which the document lacks, may have a fault of its own: a body that is missing.
    causes = [(finding["cause"]["file"], finding["cause"]["line"]) for finding in guarded.summary["findings"]]
    assert ("guarded.js", line) in causes
    assert all(finding["test"] for finding in guarded.summary["findings"])
    assert "${TOKEN_OF_ADMIN}" in (guarded.folder / "wimble-out/findings.json").read_text()
    tests = "".join(path.read_text() for path in (guarded.folder / "wimble-out/tests").glob("*.test.mjs"))
    assert "user: 'admin'" in tests
    assert_no_secret(guarded, result, ADMIN, USER)
    claims = base64.urlsafe_b64encode(b'{"sub":"ann"')  # how the token's second part begins
    assert claims not in b"".join(outputs(guarded, result).values())
    assert b"login of ann with ***" in outputs(guarded, result)["sut.log"]
    files = sorted(str(path.relative_to(guarded.folder)) for path in guarded.folder.glob("wimble-out/tests/*.test.mjs"))
    command = ["node", "--test", "--test-concurrency=1", *files]
    ran = run_suite(guarded, command)
    assert ran.returncode == 0, ran.stdout[-4000:]
    del guarded.environment["ADMIN_PASSWORD"]
    ran = run_suite(guarded, command)
    assert ran.returncode != 0
    assert "Set the environment variable ADMIN_PASSWORD: user 'admin' needs it." in ran.stdout


@pytest.mark.long
def test_a_pytest_suite_logs_in_too(guarded):
    result = guarded.run("--max-calls", "60", "--format", "pytest", "--", "node", "guarded.js")
    assert result.code in (0, 1), result.stderr
    successes = (guarded.folder / "wimble-out/tests/test_successes.py").read_text()
    assert 'user="admin"' in successes or "user='admin'" in successes
    assert_no_secret(guarded, result, ADMIN, USER)
    ran = run_suite(guarded, [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "wimble-out/tests"])
    assert ran.returncode == 0, ran.stdout[-4000:]


def test_a_password_in_the_file_gets_a_variable_of_its_own(guarded):
    configure(guarded, ADMIN.replace('"', '\\"'))
    result = guarded.run("--max-calls", "40", "--format", "node-test", "--", "node", "guarded.js")
    assert result.code in (0, 1), result.stderr
    assert_no_secret(guarded, result, ADMIN, USER)
    assert "${WIMBLE_ADMIN_PASSWORD}" in (guarded.folder / "wimble-out/tests/sut.cjs").read_text()


def test_tokens_that_expire_are_renewed(guarded):
    guarded.environment["LIFETIME_S"] = "2"
    result = guarded.run("--max-time", "6s", "--format", "none", "--", "node", "guarded.js")
    assert result.code == 1, result.stderr
    assert (guarded.folder / "wimble-out/sut.log").read_text().count("login of ann") > 2


def test_an_authentication_file_of_another_tool(guarded):
    guarded.add(
        "auth.yaml",
        """
authTemplate:
  loginEndpointAuth:
    verb: POST
    endpoint: /login
    contentType: application/json
    payloadUserPwd: { usernameField: username, passwordField: password }
    token: { extractFromField: /data/access_token, httpHeaderName: Authorization, headerPrefix: "Bearer " }
auth:
  - name: admin
    loginEndpointAuth:
      payloadUserPwd: { username: ann, password: "${ADMIN_PASSWORD}" }
""",
    )
    guarded.add("wimble.toml", 'auth_file = "auth.yaml"\n[run]\nmax_calls = 100\nseed = 3\n')
    result = guarded.run("--format", "none", "--", "node", "guarded.js")
    assert result.code in (0, 1), result.stderr
    assert b"login of ann with ***" in outputs(guarded, result)["sut.log"]
    assert_no_secret(guarded, result, ADMIN)


@pytest.mark.parametrize(
    ("change", "slug", "said"),
    [
        ({"ADMIN_PASSWORD": None}, "auth-variable-missing", "the environment variable ADMIN_PASSWORD is not set"),
        ({"LOGIN_STATUS": "500"}, "auth-login-failed", "answered with status 500"),
        ({"LOGIN_STATUS": "204"}, "auth-no-token", "nothing at /data/access_token"),
        ({"LIFETIME_S": "-5"}, "auth-token-expired", "has expired already"),
    ],
)
def test_logins_that_fail_are_told_before_the_search(guarded, change, slug, said):
    for name, value in change.items():
        guarded.environment.pop(name, None)
        if value is not None:
            guarded.environment[name] = value
    result = guarded.run("--", "node", "guarded.js")
    assert result.code in (2, 3)
    assert said in result.message
    assert f"#{slug})" in result.message
    assert "searching" not in result.stderr


def test_a_wrong_password_is_told_without_the_password(guarded):
    configure(guarded, "not-the-s3cret")
    result = guarded.run("--", "node", "guarded.js")
    assert result.code == 3
    assert "error: login of user 'admin' at POST /login: refused with status 401" in result.message
    assert_no_secret(guarded, result, "not-the-s3cret", USER)


def test_a_login_server_that_is_down(guarded):
    text = (guarded.folder / "wimble.toml").read_text()
    (guarded.folder / "wimble.toml").write_text(text.replace('path = "/login"', 'path = "http://127.0.0.1:9/login"'))
    result = guarded.run("--", "node", "guarded.js")
    assert result.code == 3
    assert "#auth-login-unreachable)" in result.message


def test_the_command_line_wins_over_the_file(guarded):
    configure(guarded, "${ADMIN_PASSWORD}", 'out = "elsewhere"\ncommand = ["node", "guarded.js"]\n')
    result = guarded.run("--max-calls", "50", "--seed", "9", "--format", "none")
    assert result.code in (0, 1), result.stderr
    summary = json.loads((guarded.folder / "elsewhere/summary.json").read_text())
    assert summary["seed"] == 9
    assert summary["calls"] < 100
