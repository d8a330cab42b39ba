"""The environment variables that the run had and the program reads: a suite starts the program as the run did.

Values that may be secrets are not written: whoever runs the suite has to set these variables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from wimble.model.suite import SuiteDatabase, TokenKey
from wimble.users import AuthUser, names_in

ENVIRONMENT_FILE: Final = ".env"
"""Programs read it by themselves: a variable that it sets need not be set for the suite."""
MAX_SOURCE_CHARS: Final = 2_000_000
"""Of a longer file, the rest is not read: it is bundled code of packages."""
_OF_SYSTEM: Final = frozenset((
    "CI", "COLORTERM", "COLUMNS", "DISPLAY", "EDITOR", "FORCE_COLOR", "HOME", "HOSTNAME", "INIT_CWD",
    "LANG", "LANGUAGE", "LINES", "LOGNAME", "MAIL", "NODE_PATH", "NO_COLOR", "OLDPWD",
    "PAGER", "PATH", "PWD", "SHELL", "SHLVL", "SSH_AUTH_SOCK", "TEMP", "TERM", "TMP", "TMPDIR", "TZ",
    "USER", "VIRTUAL_ENV", "VISUAL",
))  # fmt: skip
"""Variables of systems and shells, which every process has."""
_PREFIXES_OF_SYSTEM: Final = ("LC_", "XDG_", "npm_", "NVM_", "PYENV_", "PYTHON", "PYTEST_", "WIMBLE_")
_SECRET_NAME: Final = re.compile(r"PASS|PWD|SECRET|TOKEN|KEY|CREDENTIAL|AUTH|PRIVATE|SALT|SIGN|COOKIE|DSN|CERT", re.I)
_SECRET_VALUE: Final = re.compile(r"://[^/@\s:]*:[^/@\s]+@|-----BEGIN ")


class RunVariables(msgspec.Struct, frozen=True):
    """Environment variables of the run that the program reads."""

    values: dict[str, str] = {}
    """Those that a suite sets, unless its own environment has them."""
    paths: dict[str, str] = {}
    """The same with paths in the folder in which the program starts, relative to it: they hold elsewhere."""
    secret: tuple[str, ...] = ()
    """The names of those whose values are not written."""

    @property
    def needs(self) -> tuple[str, ...]:
        """A sentence for each variable that has to be given to the suite."""
        return tuple(
            f"the environment variable {name}, which the program reads and the run had: its value may be a secret, so "
            "it is not written"
            for name in self.secret
        )


def known_variables(
    databases: Sequence[SuiteDatabase], keys: Sequence[TokenKey], users: Sequence[AuthUser]
) -> Iterator[str]:
    """Yields the variables that a suite reads by itself: for its databases, the keys of its tokens, and its users."""
    for database in databases:
        login = database.home.login
        yield from (database.variable, login.server_variable, login.user_variable, login.password_variable)
    yield from (key.variable for key in keys)
    yield from names_in(msgspec.json.encode(users).decode())


def run_variables(
    environment: Mapping[str, str],
    sources: Iterable[str],
    *,
    but: Collection[str],
    working_dir: str,
    redact: Callable[[str], str],
) -> RunVariables:
    """Returns the variables of `environment` that the sources name.

    sources: paths of the program's files. but: variables that the suite knows already. working_dir: absolute path of
    the folder in which the program starts.
    """
    candidates = [name for name in sorted(environment) if name not in but and not _is_of_system(name)]
    values: dict[str, str] = {}
    paths: dict[str, str] = {}
    secret: list[str] = []
    in_file = "\n".join(_texts([str(Path(working_dir) / ENVIRONMENT_FILE)]))
    for name in sorted(_named(candidates, sources)):
        value = environment[name]
        if _SECRET_NAME.search(name) or _SECRET_VALUE.search(value) or redact(value) != value:
            if re.search(rf"^\s*(?:export\s+)?{re.escape(name)}\s*=", in_file, re.MULTILINE) is None:
                secret.append(name)
        elif Path(value).is_absolute() and Path(value).is_relative_to(working_dir):
            paths[name] = Path(value).relative_to(working_dir).as_posix()
        else:
            values[name] = value
    return RunVariables(values, paths, tuple(secret))


def _is_of_system(name: str) -> bool:
    return name in _OF_SYSTEM or name.startswith(_PREFIXES_OF_SYSTEM) or name == name.lower()


def _named(names: list[str], sources: Iterable[str]) -> set[str]:
    """Returns the names that stand as words in a source that reads the environment."""
    if not names:
        return set()
    pattern = re.compile(rf"(?<![\w$])(?:{'|'.join(map(re.escape, names))})(?![\w$])")
    return {found for text in _texts(sources) if "env" in text for found in pattern.findall(text)}


def _texts(sources: Iterable[str]) -> Iterator[str]:
    for source in sources:
        try:
            with Path(source).open(encoding="utf-8", errors="replace") as file:
                yield file.read(MAX_SOURCE_CHARS)
        except (OSError, ValueError):
            continue  # not there any more, or no path: the name of a source that a bundler has made up
