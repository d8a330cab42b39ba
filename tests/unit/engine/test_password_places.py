"""A password is found where it stands in the project, and the suite's helper finds it there again."""

from __future__ import annotations

import json
import subprocess
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

from wimble.emit.database_setup import database_settings, password_needs
from wimble.engine.write.password_places import find_password
from wimble.model.database import DatabaseHome, DatabaseLogin
from wimble.model.suite import SuiteDatabase

DATABASE = "mysql:127.0.0.1:3306/shop"
PASSWORD = "p@ss w0rd"
DIGEST = sha256(f"{DATABASE} {PASSWORD}".encode()).hexdigest()
READ = """
const fs = require('fs');
const text = fs.readFileSync(process.argv[1], 'utf8');
const WORKING_DIR = process.argv[2];
const { readFileSync } = fs;
const path = require('path');
const start = text.indexOf('function passwordAt');
eval(text.slice(start, text.indexOf('\\n}\\n', start) + 3) + 'globalThis.passwordAt = passwordAt;');
process.stdout.write(passwordAt(JSON.parse(process.argv[3])));
"""
LOGIN = DatabaseLogin(user="root", password_digest=DIGEST)
HOME = DatabaseHome(id=DATABASE, driver="mysql", host="127.0.0.1", port=3306, name="shop", login=LOGIN)


def read_by_helper(folder: Path, place: object) -> str:
    helper = str(files("wimble.emit") / "runtime" / "database.cjs")
    command = ["node", "-e", READ, helper, str(folder), json.dumps(msgspec.to_builtins(place))]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("ormconfig.js", "module.exports = {\n  username: 'root',\n  password: 'p@ss w0rd',\n};\n"),
        ("config/config.json", '{"test": {"password": "no"}, "dev":\n {"user": "root", "password": "p@ss w0rd"}}'),
        ("src/db.ts", "const c = { password: process.env['DB_PASS'] || `p@ss w0rd`, port: 3 };"),
        ("models/index.js", "new Sequelize('shop', 'root', 'p@ss w0rd', { dialect: 'mysql' });"),
        ("server.js", "connect('mysql://root:p%40ss%20w0rd@127.0.0.1/shop?x=1');"),
        ("settings.yml", "a:\n  password: 'other'\nb:\n  password: \"p@ss w0rd\"\n"),
    ],
)
def test_where_it_stands(tmp_path: Path, file: str, text: str) -> None:
    path = tmp_path / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)
    place = find_password(tmp_path, DATABASE, DIGEST)
    assert place is not None
    assert place.file == file
    assert PASSWORD not in place.before
    assert read_by_helper(tmp_path, place) == PASSWORD


def test_a_value_without_quotes(tmp_path: Path) -> None:
    (tmp_path / "app.properties").write_text("db.user = root\ndb.password = s3cret\n")
    place = find_password(tmp_path, DATABASE, sha256(f"{DATABASE} s3cret".encode()).hexdigest())
    assert place is not None
    assert read_by_helper(tmp_path, place) == "s3cret"
    (tmp_path / "app.properties").write_text("db.user = root\ndb.password = changed\n")
    assert read_by_helper(tmp_path, place) == "changed"


def test_what_is_not_there_is_needed(tmp_path: Path) -> None:
    (tmp_path / "server.js").write_text("connect({ password: readSecret() });")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "config.js").write_text(f"password: '{PASSWORD}'")
    assert find_password(tmp_path, DATABASE, DIGEST) is None
    database = SuiteDatabase(home=HOME, tables=())
    (need,) = password_needs([database])
    assert need.startswith(f"the environment variable WIMBLE_DATABASE_PASSWORD: the password of root for {DATABASE}")
    assert "ownPassword: 'WIMBLE_DATABASE_PASSWORD'" in "\n".join(database_settings([database], ".", "/srv"))
    assert password_needs([msgspec.structs.replace(database, variable="URL")]) == ()


def test_a_second_database_has_a_variable_of_its_own() -> None:
    other = msgspec.structs.replace(HOME, id="mysql:127.0.0.1:3306/log")
    databases = [SuiteDatabase(home=home, tables=()) for home in (HOME, other)]
    assert ["WIMBLE_DATABASE_PASSWORD:" in need for need in password_needs(databases)] == [True, False]
    assert "WIMBLE_DATABASE_PASSWORD_2:" in password_needs(databases)[1]


def test_no_password_is_no_need() -> None:
    open_to_all = msgspec.structs.replace(HOME, login=DatabaseLogin(user="root"))
    assert password_needs([SuiteDatabase(home=open_to_all, tables=())]) == ()
