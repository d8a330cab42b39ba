"""The environment variables that the run had and the program reads: a suite starts the program as the run did.

What the tests assert was seen with these values, so a suite sets them whatever its own environment says, and unsets the
variables that the run did not have. Where services are is known by the machine that runs the tests: its variables are
kept. Values that may be secrets are not written: whoever runs the suite has to set these variables.
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
    "LANG", "LANGUAGE", "LINES", "LOGNAME", "MAIL", "NODE_EXTRA_CA_CERTS", "NODE_PATH", "NO_COLOR",
    "OLDPWD", "PAGER", "PATH", "PWD", "SHELL", "SHLVL", "SSH_AUTH_SOCK", "TEMP", "TERM", "TMP", "TMPDIR", "TZ",
    "USER", "VIRTUAL_ENV", "VISUAL",
))  # fmt: skip
"""Variables of systems and shells, which every process has."""
_PREFIXES_OF_SYSTEM: Final = ("LC_", "XDG_", "npm_", "NVM_", "PYENV_", "PYTHON", "PYTEST_", "WIMBLE_")
_PLACE_NAME: Final = re.compile(
    r"(?:URL|URI|HOST|HOSTS|HOSTNAME|SERVERS?|ADDR|ADDRESS|ENDPOINTS?|ORIGIN|SOCKET|REGION|BROKERS?|PORT|PROXY|USER"
    r"|USERNAME|LOGIN)(?:_?\d+)?$",
    re.IGNORECASE,
)
"""Ends of the names of variables that say where a service is, and who logs in there."""
_READ: Final = re.compile(
    r"\benv(?:\?\.|\.|\[\s*['\"])([A-Z][A-Z0-9_]+)(?![\w$])"  # env.NAME, env['NAME']
    r"|(?<![\w$.])([A-Z][A-Z0-9]*_[A-Z0-9_]+|[A-Z]{3,})['\"]?\s*[:,}=]"  # schemas of settings, destructuring
)
"""Names that a source may read from the environment, as settings or as members of a destructured one."""
MAX_UNSET: Final = 100
_SECRET_NAME: Final = re.compile(r"PASS|PWD|SECRET|TOKEN|KEY|CREDENTIAL|AUTH|PRIVATE|SALT|SIGN|COOKIE|DSN|CERT", re.I)
_SETTING_NAME: Final = re.compile(
    r"(?:_|[a-z](?=[A-Z]))(?:NAME|HEADER|ALG|ALGORITHM|ISSUER|AUDIENCE|DOMAIN|FILE|DIR|PATH|PREFIX|SCHEME|SAME_?SITE)$",
    re.IGNORECASE,
)
"""Ends of names that tell how or where something secret is kept: `COOKIE_NAME`, `JWT_SIGN_ALG`, `CERT_FILE`."""
_SETTING_VALUE: Final = re.compile(r"(?:true|false|yes|no|on|off|none|null|undefined|\d\d?|)", re.IGNORECASE)
"""Values too short to keep anything secret: `AUTH_ENABLED=true`, `SALT_ROUNDS=10`."""
_AMOUNT: Final = re.compile(
    r"\d{1,10}(?:\.\d+)?\s?(?:ms|s|m|h|d|w|y|[km]?b|sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|weeks?|months?|years?)?",
    re.IGNORECASE,
)
_ENDS_WITH_SECRET: Final = re.compile(
    r"(?:PASS|PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PWD|SECRET|TOKEN|KEY|CREDENTIAL|AUTH|SALT|SIGNATURE|COOKIE|CERT|PIN|CODE|VALUE)S?"
    r"(?:_?\d+)?$",
    re.IGNORECASE,
)
"""Where a name ends otherwise, an amount is one: `TOKEN_TTL=3600`, `PASSWORD_MAX_AGE=90d`; `DOOR_KEY=4711` is none."""
_SECRET_VALUE: Final = re.compile(r"://[^/@\s:]*:[^/@\s]+@|-----BEGIN ")


class RunVariables(msgspec.Struct, frozen=True):
    """Environment variables of the run that the program reads."""

    values: dict[str, str] = {}
    """Those that a suite sets."""
    places: dict[str, str] = {}
    """Where services and files are: a suite sets those that its own environment does not have."""
    paths: dict[str, str] = {}
    """Such places in the folder in which the program starts, relative to it: they hold elsewhere."""
    unset: tuple[str, ...] = ()
    """Names that the run did not have, and that a suite unsets; some may be no variables of the program."""
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


def database_variables(databases: Sequence[SuiteDatabase]) -> Iterator[str]:
    """Yields the variables that say where databases are, and with which login: a suite reads them by itself."""
    for database in databases:
        login = database.home.login
        yield from (database.variable, login.server_variable, login.user_variable, login.password_variable)


def known_variables(keys: Sequence[TokenKey], users: Sequence[AuthUser]) -> Iterator[str]:
    """Yields the variables that a suite reads by itself: for the keys of its tokens, and its users."""
    yield from (key.variable for key in keys)
    yield from names_in(msgspec.json.encode(users).decode())


def run_variables(
    environment: Mapping[str, str],
    sources: Iterable[str],
    *,
    but: Collection[str],
    of_databases: Collection[str],
    working_dir: str,
    redact: Callable[[str], str],
) -> RunVariables:
    """Returns the variables of `environment` that the sources name.

    sources: paths of the program's files. but: variables that the suite sets already. of_databases: those that say
    where databases are; the suite asks for their secrets by itself. working_dir: absolute path of the folder in which
    the program starts.
    """
    candidates = [name for name in sorted(environment) if name not in but and not _is_of_system(name)]
    texts = [text for text in _texts(sources) if "env" in text]
    values: dict[str, str] = {}
    places: dict[str, str] = {}
    paths: dict[str, str] = {}
    secret: list[str] = []
    for name in sorted(_named(candidates, texts)):
        value = environment[name]
        if _is_named_secret(name, value) or _SECRET_VALUE.search(value) or redact(value) != value:
            secret.append(name)
        elif Path(value).is_absolute() and Path(value).is_relative_to(working_dir):
            paths[name] = Path(value).relative_to(working_dir).as_posix()
        elif name in of_databases or _is_place(name, value):
            places[name] = value
        else:
            values[name] = value
    unset = [name for name in sorted(_read(texts)) if name not in environment and name not in but and _is_unset(name)]
    asked = set(secret).difference(of_databases, _names_in_file(working_dir))
    return RunVariables(values, places, paths, tuple(unset[:MAX_UNSET]), tuple(sorted(asked)))


def _names_in_file(working_dir: str) -> set[str]:
    text = "\n".join(_texts([str(Path(working_dir) / ENVIRONMENT_FILE)]))
    return set(re.findall(r"^\s*(?:export\s+)?(\w+)\s*=", text, re.MULTILINE))


def _is_place(name: str, value: str) -> bool:
    """Whether the value is where something is outside of the program: `/var/data` is a place, `/api/v1` is none."""
    path = Path(value)
    depth = len(path.parts)
    is_path = path.is_absolute() and ((depth > 1 and path.is_dir()) or (depth > 2 and path.parent.is_dir()))
    return bool(_PLACE_NAME.search(name)) or "://" in value or is_path


def _is_named_secret(name: str, value: str) -> bool:
    """Whether the variable may hold a secret by its name, and its value is one that a secret may have."""
    if _SECRET_NAME.search(name) is None or _SETTING_NAME.search(name) or _SETTING_VALUE.fullmatch(value):
        return False
    return _ENDS_WITH_SECRET.search(name) is not None or _AMOUNT.fullmatch(value) is None


def _is_of_system(name: str) -> bool:
    return name in _OF_SYSTEM or name.startswith(_PREFIXES_OF_SYSTEM) or name == name.lower()


def _is_unset(name: str) -> bool:
    """Whether a suite unsets a variable that the run did not have: it says neither where a service is nor its login."""
    return not (_is_of_system(name) or _PLACE_NAME.search(name) or _SECRET_NAME.search(name))


def _named(names: list[str], texts: Sequence[str]) -> set[str]:
    """Returns the names that stand as words in a text that reads the environment."""
    if not names:
        return set()
    pattern = re.compile(rf"(?<![\w$])(?:{'|'.join(map(re.escape, names))})(?![\w$])")
    return {found for text in texts for found in pattern.findall(text)}


def _read(texts: Sequence[str]) -> set[str]:
    return {name for text in texts for pair in _READ.findall(text) for name in pair if name}


def _texts(sources: Iterable[str]) -> Iterator[str]:
    for source in sources:
        try:
            with Path(source).open(encoding="utf-8", errors="replace") as file:
                yield file.read(MAX_SOURCE_CHARS)
        except (OSError, ValueError):
            continue  # not there any more, or no path: the name of a source that a bundler has made up
