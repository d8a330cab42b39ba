"""Which environment variables of the run a suite sets, and which it asks for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from wimble.engine.write.run_variables import RunVariables, known_variables, run_variables
from wimble.model.suite import TokenKey
from wimble.users import AuthUser

SOURCE = """
const { DB_FILE, CACHE_FILE } = process.env;
const level = process.env.LOG_LEVEL || 'info';
const key = process.env['PAYMENT_KEY'];
const upstream = process.env.UPSTREAM;
const home = process.env.HOME, shell = process.env.lower;
"""


def told(folder: Path, environment: Mapping[str, str], **known: str) -> RunVariables:
    (folder / "app.js").write_text(SOURCE)
    (folder / "words.js").write_text("export const words = ['UNRELATED'];")
    sources = [str(folder / name) for name in ("app.js", "words.js", "gone.js")]
    return run_variables(environment, sources, but=known, working_dir=str(folder), redact=lambda text: text)


def test_variables_that_the_program_reads_are_set_and_paths_in_its_folder_hold_elsewhere(tmp_path: Path) -> None:
    environment = {
        "LOG_LEVEL": "debug", "DB_FILE": str(tmp_path / "data" / "a.db"), "CACHE_FILE": "/var/cache/b", "HOME": "/root",
        "lower": "1", "UNRELATED": "x", "LOG_LEVELS": "y",
    }  # fmt: skip
    found = told(tmp_path, environment)
    assert found.values == {"CACHE_FILE": "/var/cache/b", "LOG_LEVEL": "debug"}
    assert found.paths == {"DB_FILE": "data/a.db"}
    assert found.needs == ()


@pytest.mark.parametrize(
    ("name", "value"), [("PAYMENT_KEY", "sk_test_1"), ("UPSTREAM", "https://bob:hunter2@example.com/")]
)
def test_what_may_be_a_secret_is_asked_for_and_not_written(tmp_path: Path, name: str, value: str) -> None:
    found = told(tmp_path, {name: value})
    assert not found.values
    (need,) = found.needs
    assert need.startswith(f"the environment variable {name}, ")
    assert value not in need
    (tmp_path / ".env").write_text(f"A=1\nexport {name}={value}\n")
    assert told(tmp_path, {name: value}) == RunVariables()


def test_what_the_suite_knows_already_is_left_out(tmp_path: Path) -> None:
    keys = [TokenKey(id="a", algorithm="HS256", variable="PAYMENT_KEY")]
    users = [AuthUser(name="ann", headers=(("x-level", "${LOG_LEVEL}"),))]
    known = dict.fromkeys(known_variables((), keys, users), "")
    assert told(tmp_path, {"PAYMENT_KEY": "s", "LOG_LEVEL": "debug", "DB_FILE": "x"}, **known).values == {
        "DB_FILE": "x"
    }
