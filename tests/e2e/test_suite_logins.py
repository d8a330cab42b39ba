"""Suites log in to a database as the API does, wherever that has its user and its password from, and never say the
password."""

from __future__ import annotations

import random
import subprocess

import pytest

from conftest import free_port
from database_servers import FIXTURE

LONG = pytest.mark.long
pytestmark = pytest.mark.e2e

BY_URL = "connectionString: process.env.DATABASE_URL"
BY_PARTS = "host: process.env.SHELF_HOST, port: process.env.SHELF_PORT, database: process.env.SHELF_NAME, user: process.env.SHELF_USER, password: process.env.SHELF_PASSWORD"
BY_OTHER_URL = "connectionString: process.env.SERVER_URL.replace(/postgres$/, process.env.SHELF_NAME)"


@pytest.mark.parametrize(
    "given",
    [
        "variables",
        "file",
        pytest.param("url of another database", marks=LONG),
        pytest.param("url in the file", marks=LONG),
    ],
)
def test_suites_log_in_as_the_api_does(project, packages, postgres, given):
    name, password = f"shelf_{random.getrandbits(32):x}", f"p4ss {random.getrandbits(32):x}"
    postgres.make_user(name, password)
    postgres.run("postgres", f"CREATE DATABASE {name} OWNER {name}")
    server = f"postgres://{name}:{password.replace(' ', '%20')}@127.0.0.1:{postgres.port}"
    parts = {
        "SHELF_HOST": "127.0.0.1",
        "SHELF_PORT": str(postgres.port),
        "SHELF_NAME": name,
        "SHELF_USER": name,
        "SHELF_PASSWORD": password,
    }
    config, variables = {
        "variables": (BY_PARTS, parts),
        "file": (BY_PARTS, parts),
        "url of another database": (BY_OTHER_URL, {"SERVER_URL": f"{server}/postgres", "SHELF_NAME": name}),
        "url in the file": (BY_URL, {"DATABASE_URL": f"{server}/{name}"}),
    }[given]
    text = (FIXTURE / "members.js").read_text().replace(BY_URL, config)
    if given.endswith("file"):
        (project.folder / ".env").write_text("".join(f'{key}="{value}"\n' for key, value in variables.items()))
        text = f"process.loadEnvFile('.env');\n{text}"
    else:
        project.environment |= variables
    project.add("members.js", text)
    (project.folder / "node_modules").symlink_to(packages)
    project.environment |= {"PORT": str(free_port())}

    result = project.run("--max-calls", "80", "--seed", "1", "--", "node", "members.js")

    assert result.code == 1, result.stderr
    written = {path: path.read_bytes() for path in (project.folder / "wimble-out").rglob("*") if path.is_file()}
    assert any(b"database.insert(" in content for content in written.values())
    assert [path for path, content in written.items() if password.encode() in content] == []
    ran = subprocess.run(
        ["node", "--test", *(str(path) for path in written if path.name.endswith(".test.mjs"))],
        cwd=project.folder, env=project.environment, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout[-4000:]
