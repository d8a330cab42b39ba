"""The helper files of a suite, with the settings of the SUT."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec

from wimble.emit.database_setup import database_settings, helper_file
from wimble.emit.javascript import js_string, js_value
from wimble.emit.mock_files import has_mocks, mock_files
from wimble.emit.python_source import py_value
from wimble.emit.runtime_texts import filled, runtime_text
from wimble.emit.source_text import relative_path
from wimble.model.suite import Suite
from wimble.own_keys import OWN_KEYS, key_id, private_key
from wimble.types import Json

NODE_PARTS: Final = ("sut-http.cjs", "sut-left-files.cjs", "sut-process.cjs", "sut-tokens.cjs", "sut-users.cjs")
"""The files that `sut.cjs` consists of, beside itself."""
PYTHON_PARTS: Final = ("sut_http.py", "sut_process.py", "sut_tokens.py", "sut_users.py")
"""The files that `sut.py` consists of, beside itself."""


def node_runtime(suite: Suite, output_dir: Path) -> dict[str, str]:
    """Returns the helpers of a JavaScript suite, name -> text: `sut.cjs`, its parts, those of databases, a preload.

    The preload reports the port; it is needed if the port changes from start to start.
    """
    start = suite.start
    settings = [
        f"const COMMAND = {js_value(list(start.command))};",
        f"const WORKING_DIR = path.resolve(__dirname, {js_string(_working_dir(suite, output_dir))});",
        f"const BASE_URL = {js_string(start.base_url)};",
        f"const IS_PORT_FIXED = {'true' if start.is_port_fixed else 'false'};",
        f"const PORT_VARIABLES = {js_value(dict(start.port_variables))};",
        f"const VARIABLES = {js_value(dict(start.variables))};",
        f"const PLACE_VARIABLES = {js_value(dict(start.place_variables))};",
        f"const PATH_VARIABLES = {js_value(dict(start.path_variables))};",
        f"const OTHER_PORT = {js_value(list(_other_port(suite)))};",
        f"const START_TIMEOUT_MS = {round(start.start_timeout_s * 1000):_};",
        f"const READY_PATHS = {js_value(list(start.ready_paths))};",
        f"const READY_ANSWERS = {js_value(_ready_answers(suite))};",
        f"const HEADERS = {js_value([list(header) for header in start.headers])};",
        f"const RESET = {js_string(start.reset)};",
        f"const DATA_FILES = {js_value(list(start.data_files))};",
        f"const USERS = {js_value(_recipes(suite))};",
        f"const HAS_MOCKS = {'true' if has_mocks(suite) else 'false'};",
        f"const KEYS = {js_value(_keys(suite))};",
    ]
    parts = {name: runtime_text(name) for name in NODE_PARTS}
    others = {**parts, **_preload(suite), **_database(suite, output_dir), **mock_files(suite)}
    return {"sut.cjs": filled("sut.cjs", settings), **others}


def _database(suite: Suite, output_dir: Path) -> dict[str, str]:
    """Returns `database.cjs` and the helpers for the drivers; nothing for a suite without databases."""
    if not suite.databases:
        return {}
    settings = database_settings(suite.databases, _working_dir(suite, output_dir), suite.start.working_dir)
    helpers = {file: runtime_text(file) for file in map(helper_file, suite.databases)}
    return {"database.cjs": filled("database.cjs", settings), **helpers}


def python_runtime(suite: Suite, output_dir: Path) -> dict[str, str]:
    """Returns the helpers of a Python suite, name -> text: `sut.py` and its parts, those of databases, the preload."""
    start = suite.start
    settings = [
        f"COMMAND: list[str] = {list(start.command)!r}",
        f"WORKING_DIR = (Path(__file__).parent / {_working_dir(suite, output_dir)!r}).resolve()",
        f"BASE_URL = {start.base_url!r}",
        f"IS_PORT_FIXED = {start.is_port_fixed}",
        f"PORT_VARIABLES: dict[str, str | None] = {py_value(dict(start.port_variables))}",
        f"VARIABLES: dict[str, str | None] = {py_value(dict(start.variables))}",
        f"PLACE_VARIABLES: dict[str, str] = {py_value(dict(start.place_variables))}",
        f"PATH_VARIABLES: dict[str, str] = {py_value(dict(start.path_variables))}",
        f"OTHER_PORT: list[str] = {py_value(list(_other_port(suite)))}",
        f"START_TIMEOUT_S = {start.start_timeout_s}",
        f"READY_PATHS: list[str] = {py_value(list(start.ready_paths))}",
        f"READY_ANSWERS: list[dict[str, Any]] = {py_value(_ready_answers(suite))}",
        f"HEADERS: list[list[str]] = {py_value([list(header) for header in start.headers])}",
        f"RESET = {start.reset!r}",
        f"DATA_FILES: list[str] = {py_value(list(start.data_files))}",
        f"USERS: list[dict[str, Any]] = {py_value(_recipes(suite))}",
        f"HAS_MOCKS = {has_mocks(suite)}",
        f"KEYS: dict[str, dict[str, Any]] = {py_value(_keys(suite))}",
    ]
    own = {name: runtime_text(name) for name in PYTHON_PARTS}
    if suite.databases:
        own["database.py"] = runtime_text("database.py")
    if has_mocks(suite):
        own["mocks.py"] = runtime_text("mocks.py")
    own |= {**_database(suite, output_dir), **mock_files(suite)}
    return {"sut.py": filled("sut.py", settings), **_preload(suite), **own}


def _other_port(suite: Suite) -> list[str]:
    """Returns the variables by which tests may have the SUT listen on another port, if its own is taken.

    There are none if it has data outside of its process: what has taken the port may be using the same data.
    """
    start = suite.start
    if not start.is_port_fixed or suite.databases or start.data_files or start.reset:
        return []
    port = str(urlsplit(start.base_url).port)
    return [name for name, value in start.port_variables.items() if value == port]


def _recipes(suite: Suite) -> Json:
    """Returns the users as plain JSON. Their recipes contain no secrets."""
    plain: Json = msgspec.json.decode(msgspec.json.encode(suite.users))
    return plain


def _ready_answers(suite: Suite) -> Json:
    return [
        {"target": one.target, "status": one.status, "type": one.content_type, "unlike": one.unlike}
        for one in suite.start.ready_answers
    ]


def _keys(suite: Suite) -> Json:
    """Returns how tests read the secrets with which they sign tokens."""
    return {
        key.id: {
            "algorithm": key.algorithm,
            "variable": key.variable,
            "place": msgspec.structs.asdict(key.place) if key.place else None,
        }
        if key.id not in OWN_KEYS
        else {"algorithm": key.id, "kid": key_id(key.id), "private": private_key(key.id)}
        for key in suite.keys
    }


def _preload(suite: Suite) -> dict[str, str]:
    needs_it = suite.start.command and not suite.start.is_port_fixed
    return {"report-port.cjs": runtime_text("report-port.cjs")} if needs_it else {}


def _working_dir(suite: Suite, output_dir: Path) -> str:
    if not suite.start.working_dir:
        return "."
    return relative_path(Path(suite.start.working_dir), output_dir.absolute())
