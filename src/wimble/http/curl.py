"""Writes a request as a curl command for any POSIX shell, exact for all bytes."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Final
from urllib.parse import quote

from wimble.http.http_messages import HttpRequest
from wimble.users import TOKEN, AuthUser

_SENT_BY_CURL: Final = frozenset({("accept", "*/*")})
"""Headers that curl sends by itself; names in lower case."""
_FORMATS: Final = {ord("\r"): "\\r", ord("\n"): "\\n", ord("\\"): "\\\\", ord("%"): "%%"}
"""What a format string of printf has for these bytes."""


def curl_command(
    request: HttpRequest,
    base_url: str,
    users: Sequence[AuthUser] = (),
    headers: Sequence[tuple[str, str]] = (),
    *,
    stand_ins: Sequence[tuple[str, str]] = (),
) -> str:
    """Returns a command that sends `request` to the SUT at `base_url` (scheme, host, port) and prints the whole answer.

    headers: those that every request to the SUT has. stand_ins: texts of the request, and what stands for each of them
    in the command: a word of the shell, quoted as it has to be.

    The command takes the credentials of the request's user from shell variables. A body that a command line cannot
    contain (NUL, bytes that are not UTF-8) is piped in from `printf`.
    """
    words = ["curl", "-sS", "-i"]
    if base_url.startswith("https:"):
        words.append("-k")  # test servers often have self-signed certificates
    if request.method == "HEAD":
        words.append("--head")  # -X HEAD would wait for a body
    elif request.method != ("GET" if request.body is None else "POST"):
        words += ["-X", request.method]
    url = base_url.rstrip("/") + request.target
    if any(char in request.target for char in "[]{}"):
        words.append("--globoff")
    if "/." in request.target:
        words.append("--path-as-is")
    user = next((user for user in users if user.name == request.user), None)
    query = "" if user is None else _query_credentials(user, "&" if "?" in request.target else "?")
    command = [
        f"{shlex.join(words)} {_quoted(url, stand_ins)}{query}",
        *(
            f"-H {_header(name, value, stand_ins)}"
            for name, value in (*headers, *request.headers)
            if (name.lower(), value) not in _SENT_BY_CURL
        ),
    ]
    if user is not None:
        command += _credentials(user)
    if request.body is None:
        return " ".join(command)
    if not any(name.lower() == "content-type" for name, _ in request.headers):
        command.append("-H Content-Type:")  # otherwise curl adds one
    text = _command_line_text(request.body)
    if text is not None:
        # --data-raw treats a leading @ as an ordinary character.
        return " ".join([*command, f"--data-raw {_quoted(text, stand_ins)}"])
    return f"printf '{_format_string(request.body)}' | {' '.join([*command, '--data-binary @-'])}"


def at_once_commands(commands: Sequence[str], at_once: int | None) -> list[str]:
    """Returns the commands such that a shell runs the one at index `at_once` at the same time as the next one."""
    if at_once is None or at_once + 1 >= len(commands):
        return list(commands)
    first, second = commands[at_once : at_once + 2]
    return [*commands[:at_once], f"{first} &", f"{second}; wait", *commands[at_once + 2 :]]


def _quoted(text: str, stand_ins: Sequence[tuple[str, str]]) -> str:
    """Returns a word of the shell with this text, with stand-ins in place of what they stand for."""
    for inner, word in stand_ins:
        before, found, after = text.partition(inner)
        if found and inner:
            sides = (_quoted(side, stand_ins) if side else "" for side in (before, after))
            return word.join(sides)
    return shlex.quote(text)


def _header(name: str, value: str, stand_ins: Sequence[tuple[str, str]]) -> str:
    # curl drops an empty header, unless a semicolon follows its name.
    text = f"{name}: {value}" if value.strip() else f"{name};"
    if text.isascii() and text.isprintable():
        return _quoted(text, stand_ins)
    return f"\"$(printf '{_format_string(text.encode('latin-1', 'replace'))}')\""


def _credentials(user: AuthUser) -> list[str]:
    """Returns arguments that add the user's credentials, as variables such as `$ADMIN_PASSWORD`."""
    words = [f"-H {_with_variables(f'{name}: {value}', user)}" for name, value in user.headers]
    if user.basic is not None:
        words.append(f"-u {_with_variables(':'.join(user.basic), user)}")
    cookies = [f"{name}={value}" for name, value in user.cookies]
    if user.login is not None and user.login.cookies:
        cookies.append("${" + _token_variable(user).replace("TOKEN", "COOKIES", 1) + "}")
    if cookies:
        words.append(f"-b {_with_variables('; '.join(cookies), user)}")
    return words


def _query_credentials(user: AuthUser, separator: str) -> str:
    pairs = "&".join(f"{quote(name, safe='')}={value}" for name, value in user.query)
    return _with_variables(separator + pairs, user) if pairs else ""


def _token_variable(user: AuthUser) -> str:
    return "TOKEN_OF_" + re.sub(r"[^A-Z0-9]+", "_", user.name.upper()).strip("_")


def _with_variables(text: str, user: AuthUser) -> str:
    """Returns the text in double quotes, in which the shell expands variables."""
    safe = re.sub(r'[\\"`]', lambda match: "\\" + match[0], text)
    return '"' + safe.replace(TOKEN, "${" + _token_variable(user) + "}") + '"'


def _format_string(data: bytes) -> str:
    """Returns a format string for printf that outputs exactly `data`, without quotes. What people can read stays so."""
    text = "".join(_FORMATS.get(byte) or (chr(byte) if _is_plain(byte) else f"\\{byte:03o}") for byte in data)
    return f"\\055{text[1:]}" if text.startswith("-") else text  # which printf would take for an option


def _is_plain(byte: int) -> bool:
    return ord(" ") <= byte <= ord("~") and byte != ord("'")


def _command_line_text(body: bytes) -> str | None:
    """Returns the body as text, or None if a command line cannot contain it."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if all(char.isprintable() or char in "\n\t" for char in text) else None
