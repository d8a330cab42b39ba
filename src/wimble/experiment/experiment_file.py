"""Reads experiment files (TOML), documented in docs/experiments.md.

Errors show their place and the nearest valid word.
"""

from __future__ import annotations

import difflib
import os
import re
import tomllib
from collections.abc import Collection
from pathlib import Path
from typing import Any

from wimble.config.durations import seconds_of
from wimble.config.project_file import read_project_file
from wimble.config.toml_tables import Table
from wimble.errors import UsageError
from wimble.experiment.experiment_plan import Experiment, SettingPlan, SutPlan
from wimble.experiment.library_suts import library_suts
from wimble.experiment.tools import TOOLS
from wimble.search.strategies import STRATEGIES
from wimble.techniques import TECHNIQUES

ROOT_KEYS = ("name", "repetitions", "seeds", "max_time", "max_calls", "packages", "modules", "sut", "setting")
SUT_KEYS = (
    "name", "folder", "command", "schema", "include", "measured", "env", "port_variable", "users", "prepare",
)  # fmt: skip
SETTING_KEYS = ("name", "tool", "strategy", "without")
DEFAULT_REPETITIONS = 5
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._ -]*")
"""Names of experiments, SUTs and settings, which are also names of folders."""


def read_experiment(path: Path) -> Experiment:
    """Returns the experiment that a file describes. Raises: UsageError."""
    try:
        text = path.read_text(encoding="utf-8")
        values = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError("config-unreadable", f"cannot be read: {reason}", where=str(path)) from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError("config-not-toml", f"is not TOML: {error}", where=str(path)) from error
    root = Table(values, path, "", text)
    root.only(ROOT_KEYS)
    max_time_s = _seconds(root)
    max_calls = _positive(root, "max_calls")
    if max_time_s is None and max_calls is None:
        raise root.missing("the budget is missing", hint='Give max_time = "3m", or max_calls = 2000.')
    settings = tuple(_setting(table) for table in _tables(root, "setting"))
    _check_budget(root, settings, max_calls)
    suts = library_suts(root, _texts(root, "packages"), _texts(root, "modules"))
    if not suts or "sut" in root.values:
        suts = (*suts, *(_sut(table) for table in _tables(root, "sut")))
    if any(sut.library for sut in suts) and any(setting.tool != "wimble" for setting in settings):
        raise root.error("libraries are tested by wimble alone", "setting")
    for key, names in (("sut", [sut.name for sut in suts]), ("setting", [setting.name for setting in settings])):
        for name in names:
            if names.count(name) > 1:
                raise root.error(f"two of them are called {name!r}", key)
    name = root.text_of("name", path.stem)
    _check_name(root, name)
    return Experiment(
        name=name, suts=suts, settings=settings, seeds=_seeds(root), max_time_s=max_time_s, max_calls=max_calls
    )


def _seconds(root: Table) -> float | None:
    text = root.get("max_time", str)
    try:
        return None if text is None else seconds_of(text)
    except ValueError as error:
        raise root.error(str(error), "max_time") from error


def _positive(table: Table, key: str) -> int | None:
    value: int | None = table.get(key, int)
    if value is not None and value < 1:
        raise table.error(f"a number from 1 is expected, found {value}", key)
    return value


def _seeds(root: Table) -> tuple[int, ...]:
    """Returns the `seeds` of the file, or 1 to `repetitions`."""
    seeds = root.get("seeds", list)
    repetitions = _positive(root, "repetitions")
    if seeds is None:
        return tuple(range(1, (repetitions or DEFAULT_REPETITIONS) + 1))
    if repetitions is not None:
        raise root.error("either `seeds` or `repetitions` is expected, found both", "seeds")
    is_fine = seeds and all(isinstance(seed, int) and not isinstance(seed, bool) and seed >= 0 for seed in seeds)
    if not is_fine or len(set(seeds)) < len(seeds):
        raise root.error("an array of different whole numbers from 0 is expected", "seeds")
    return tuple(seeds)


def _tables(root: Table, key: str) -> list[Table]:
    values = root.get(key, list)
    if not values:
        raise root.missing(f"there is no [[{key}]]", hint=f"Add one or more tables [[{key}]].")
    return [Table(value, root.file, f"{key}[{index}]", root.text) for index, value in enumerate(values)]


def _sut(table: Table) -> SutPlan:
    table.only(SUT_KEYS)
    name = _name(table)
    here = table.file.absolute().parent
    folder = (here / table.text_of("folder")).resolve()
    if not folder.is_dir():
        raise table.error(f"there is no folder {folder}", "folder", hint="Paths are relative to the experiment file.")
    command = _texts(table, "command")
    if not command:
        raise table.missing("`command` is missing", hint='Such as command = ["node", "server.js"].')
    schema = table.get("schema", str)
    if schema is not None and not re.match(r"https?://", schema):
        schema = str(folder / schema)
    users = table.get("users", str)
    if users is not None:
        users = str(folder / users)
        read_project_file(Path(users), folder, os.environ)  # reports errors in it before the first run
    return SutPlan(
        name=name,
        folder=str(folder),
        command=command,
        schema=schema,
        include=_texts(table, "include"),
        measured=_texts(table, "measured"),
        env=table.pairs("env"),
        port_variable=table.text_of("port_variable", "PORT"),
        users=users or "",
        prepare=table.text_of("prepare", ""),
    )


def _setting(table: Table) -> SettingPlan:
    table.only(SETTING_KEYS)
    name = _name(table)
    tool = _one_of(table, "tool", "wimble", TOOLS)
    strategy = _one_of(table, "strategy", "mio", STRATEGIES)
    without = _texts(table, "without")
    for technique in without:
        _check_known(table, "without", technique, TECHNIQUES, "technique")
    if tool != "wimble" and ("strategy" in table.values or without):
        raise table.error("`strategy` and `without` are for wimble alone", "tool")
    return SettingPlan(name=name, tool=tool, strategy=strategy, without=without)


def _check_budget(root: Table, settings: tuple[SettingPlan, ...], max_calls: int | None) -> None:
    for index, setting in enumerate(settings):
        if max_calls is not None and not TOOLS[setting.tool].counts_calls:
            what = f"setting[{index}]: {setting.tool} cannot be given a number of calls"
            raise root.error(what, "max_calls", hint="Use max_time alone where it takes part.")


def _name(table: Table) -> str:
    name = table.text_of("name")
    _check_name(table, name)
    return name


def _check_name(table: Table, name: str) -> None:
    if not NAME.fullmatch(name):
        raise table.error(f"{name!r} cannot be a folder's name", "name", hint="Use letters, digits, spaces and ._-")


def _one_of(table: Table, key: str, default: str, known: Collection[str]) -> str:
    value = table.text_of(key, default)
    _check_known(table, key, value, known, key)
    return value


def _check_known(table: Table, key: str, value: str, known: Collection[str], kind: str) -> None:
    if value not in known:
        near = difflib.get_close_matches(value, known, n=1, cutoff=0.5)
        hint = f"Did you mean {near[0]!r}?" if near else f"Known are: {', '.join(known)}"
        raise table.error(f"there is no {kind} {value!r}", key, hint=hint)


def _texts(table: Table, key: str) -> tuple[str, ...]:
    values: list[Any] = table.get(key, list, [])
    if not all(isinstance(value, str) for value in values):
        raise table.error("an array of texts is expected", key)
    return tuple(values)
