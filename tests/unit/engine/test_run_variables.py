"""Which environment variables of the run a suite sets, and which it asks for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from wimble.engine.write.run_variables import RunVariables, known_variables, run_variables
from wimble.engine.write.token_keys import key_needs
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
    return run_variables(
        environment, sources, but=known, of_databases=(), working_dir=str(folder), redact=lambda text: text
    )


def test_variables_that_the_program_reads_are_set_and_paths_in_its_folder_hold_elsewhere(tmp_path: Path) -> None:
    environment = {
        "LOG_LEVEL": "debug", "DB_FILE": str(tmp_path / "data" / "a.db"), "CACHE_FILE": "/var/cache/b", "HOME": "/root",
        "lower": "1", "UNRELATED": "x", "LOG_LEVELS": "y",
    }  # fmt: skip
    found = told(tmp_path, environment)
    assert found.values == {"LOG_LEVEL": "debug"}
    assert found.places == {"CACHE_FILE": "/var/cache/b"}
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
    assert not told(tmp_path, {name: value}).needs


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TOKEN_TTL", "3600"), ("TOKEN_TTL", "15 minutes"), ("PASSWORD_MAX_AGE", "90d"), ("SALT", "10"),
        ("AUTH_ENABLED", "true"), ("AUTH", "off"), ("COOKIE_NAME", "sid"), ("jwtSignAlg", "HS256"), ("KEY_FILE", "/k"),
    ],
)  # fmt: skip
def test_settings_of_what_is_secret_are_none(tmp_path: Path, name: str, value: str) -> None:
    assert settings_of(tmp_path, name, value).values == {name: value}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DOOR_KEY", "4711"), ("PASSWORD", "3600"), ("API_TOKENS", "100"), ("TOKEN_TTL", "hunter2"), ("DBPASS", "1234"),
        ("COOKIE_SECRET_2", "1234"), ("SECRET_NAME_SALT", "abc"),
    ],
)  # fmt: skip
def test_numbers_may_be_secrets_and_names_of_settings_have_other_values(tmp_path: Path, name: str, value: str) -> None:
    assert settings_of(tmp_path, name, value).secret == (name,)


def test_secrets_that_sign_tokens_are_asked_for_once() -> None:
    keys = [
        TokenKey(id=id, algorithm="HS256", variable=variable) for id, variable in (("a", "S"), ("b", "S"), ("c", ""))
    ]
    assert key_needs(keys) == ("the environment variable S: the secret with which the API signs tokens",)


def test_what_the_run_did_not_have_is_unset_but_for_places_and_logins(tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text("""
        const { PAGE_SIZE = 3, API_URL, DB_USER, NODE_ENV } = process.env;
        if (env?.DEBUG_SQL || env['TRACE'] || env.API_KEY || process.env.LOADER) start();
        export const config = cleanEnv(env, { SHOP_DB: str({ default: './shop.db' }), LOG_LEVEL: str() });
    """)
    environment = {"LOG_LEVEL": "info"}
    found = run_variables(
        environment, [str(tmp_path / "app.js")], but={"LOADER"}, of_databases=(), working_dir=str(tmp_path), redact=str
    )
    assert found.unset == ("DEBUG_SQL", "NODE_ENV", "PAGE_SIZE", "SHOP_DB", "TRACE")


def test_places_of_databases_are_kept_and_their_passwords_asked_for_elsewhere(tmp_path: Path) -> None:
    (tmp_path / "app.js").write_text("connect(process.env.STORE, process.env.DB_PASSWORD)")
    found = run_variables(
        {"STORE": "shop.db", "DB_PASSWORD": "hunter2"}, [str(tmp_path / "app.js")],
        but=(), of_databases=("STORE", "DB_PASSWORD"), working_dir=str(tmp_path), redact=str,
    )  # fmt: skip
    assert found == RunVariables(places={"STORE": "shop.db"})


@pytest.mark.parametrize(
    ("value", "is_place"), [("/api", False), ("/var/cache/a", True), ("/", False), ("amqp://b", True)]
)
def test_prefixes_of_paths_are_no_places(tmp_path: Path, value: str, is_place: bool) -> None:
    (tmp_path / "app.js").write_text("mount(process.env.PREFIX)")
    found = run_variables(
        {"PREFIX": value}, [str(tmp_path / "app.js")], but=(), of_databases=(), working_dir=str(tmp_path), redact=str
    )
    assert bool(found.places) == is_place
    assert bool(found.values) != is_place


def settings_of(folder: Path, name: str, value: str) -> RunVariables:
    (folder / "app.js").write_text(f"use(process.env.{name})")
    found = run_variables(
        {name: value}, [str(folder / "app.js")], but=(), of_databases=(), working_dir=str(folder), redact=str
    )
    assert len(found.values) + len(found.secret) == 1
    return found


def test_what_the_suite_knows_already_is_left_out(tmp_path: Path) -> None:
    keys = [TokenKey(id="a", algorithm="HS256", variable="PAYMENT_KEY")]
    users = [AuthUser(name="ann", headers=(("x-level", "${LOG_LEVEL}"),))]
    known = dict.fromkeys(known_variables(keys, users), "")
    assert told(tmp_path, {"PAYMENT_KEY": "s", "LOG_LEVEL": "debug", "DB_FILE": "x"}, **known).values == {
        "DB_FILE": "x"
    }
