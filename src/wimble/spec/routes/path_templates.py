"""Turns paths in the notations of web frameworks into templates of OpenAPI.

An optional part gives one template with it and one without it. A parameter that the route restricts keeps its pattern.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from wimble.model.routes import PathPart
from wimble.spec.routes.regex_paths import regex_segments

MAX_TEMPLATES: Final = 8
"""Maximum number of templates of one route: each optional part doubles it."""
WILDCARD_NAME: Final = "wildcard"

_PLAIN_NAME = re.compile(r"\w+")
_BRACKET_FRAMEWORKS: Final = frozenset({"hapi", "loopback", "openapi-backend"})
"""Frameworks that write parameters as `{name}`."""
_CONSTRAINT_BRACES: Final = frozenset({"hono"})
"""Frameworks in which braces after a name hold a pattern; elsewhere they hold an optional part."""


class Template(msgspec.Struct, frozen=True):
    """A path template, and the patterns of its parameters (whole values, as in JSON Schema)."""

    path: str
    patterns: dict[str, str] = {}
    ends_in_wildcard: bool = False
    """Whether its last parameter stands for any number of segments."""

    @property
    def shape(self) -> str:
        """The template without the names of its parameters."""
        return re.sub(r"\{[^{}]*\}", "{}", self.path)


class _Piece(msgspec.Struct, frozen=True):
    """A literal text, or a parameter."""

    text: str
    is_parameter: bool = False
    pattern: str = ""
    is_wildcard: bool = False


_Pieces = tuple[_Piece, ...]


def templates_of(path: Sequence[PathPart], framework: str) -> list[Template]:
    """Returns the templates of a route; none if it has a regular expression that is no template."""
    wholes: list[_Pieces] = [()]
    for index, part in enumerate(path):
        is_last = index == len(path) - 1
        if part.is_regex:
            segments = regex_segments(part.text)
            if segments is None:
                return []
            alternatives: list[_Pieces] = [
                tuple(_Piece(text, is_parameter, pattern) for text, is_parameter, pattern in one) for one in segments
            ]
        else:
            alternatives = _Parser(part.text, framework).alternatives()
        wholes = [_joined(whole, one) for whole in wholes for one in alternatives][:MAX_TEMPLATES]
        if not is_last:
            wholes = [_without_trailing_slash(whole) for whole in wholes]
    found: dict[str, Template] = {}
    for whole in wholes:
        template = _template(whole)
        found.setdefault(template.path, template)
    return list(found.values())


def _joined(first: _Pieces, second: _Pieces) -> _Pieces:
    """Joins two parts of a path with one slash between them."""
    if not first or not second:
        return first or second
    starts_with_slash = not second[0].is_parameter and second[0].text.startswith("/")
    if first and second == (_Piece("/"),):
        return first
    ends_with_slash = not first[-1].is_parameter and first[-1].text.endswith("/")
    if ends_with_slash and starts_with_slash:
        return (*_without_trailing_slash(first), *second)
    return (*first, *second) if starts_with_slash or ends_with_slash else (*first, _Piece("/"), *second)


def _without_trailing_slash(pieces: _Pieces) -> _Pieces:
    if not pieces or pieces[-1].is_parameter or not pieces[-1].text.endswith("/"):
        return pieces
    rest = pieces[-1].text.rstrip("/")
    return (*pieces[:-1], _Piece(rest)) if rest else pieces[:-1]


def _template(pieces: _Pieces) -> Template:
    """Builds the template. Names that occur twice get a number, since names in a template are unique."""
    text, patterns, used = "", dict[str, str](), set[str]()
    for piece in pieces:
        if not piece.is_parameter:
            text += piece.text
            continue
        name = re.sub(r"[^\w.-]", "_", piece.text) or "part"
        number = 2
        while name in used:
            name = f"{piece.text}{number}"
            number += 1
        used.add(name)
        text += "{" + name + "}"
        if piece.pattern:
            patterns[name] = piece.pattern
    text = re.sub(r"/{2,}", "/", text)
    last = pieces[-1] if pieces else _Piece("")
    return Template(text if text.startswith("/") else "/" + text, patterns, last.is_wildcard)


class _Parser:
    """Reads one path; all notations with `:name` are close enough to be read by one parser."""

    def __init__(self, text: str, framework: str) -> None:
        self._text = text
        self._framework = framework
        self._at = 0

    def alternatives(self) -> list[_Pieces]:
        found = self._sequence("")
        return list(dict.fromkeys(_merged(one) for one in found))[:MAX_TEMPLATES]

    def _sequence(self, closing: str) -> list[_Pieces]:
        """Reads pieces up to `closing`, or to the end; returns each way to choose optional parts."""
        found: list[_Pieces] = [()]
        while self._at < len(self._text):
            if closing and self._text[self._at] == closing:
                self._at += 1
                break
            found = self._extended(found)[:MAX_TEMPLATES]
        return found

    def _extended(self, found: list[_Pieces]) -> list[_Pieces]:
        char = self._text[self._at]
        if char == "\\" and self._at + 1 < len(self._text):
            self._at += 2
            return self._literal(found, self._text[self._at - 1])
        if self._text.startswith("::", self._at) and self._framework == "find-my-way":
            self._at += 2
            return self._literal(found, ":")
        if char == ":" and _PLAIN_NAME.match(self._text, self._at + 1):
            return self._parameter(found)
        if char == "{":
            self._at += 1
            return self._bracketed(found) if self._framework in _BRACKET_FRAMEWORKS else self._group(found)
        if char == "*":
            return self._wildcard(found)
        if char == "(":
            return self._with_quantifier(found, "part", self._pattern())
        self._at += 1
        return self._literal(found, char)

    def _literal(self, found: list[_Pieces], char: str) -> list[_Pieces]:
        """Adds a character, which `?` makes optional."""
        longer = [(*one, _Piece(char)) for one in found]
        if self._taken("?"):
            return longer + found
        return longer

    def _parameter(self, found: list[_Pieces]) -> list[_Pieces]:
        match = _PLAIN_NAME.match(self._text, self._at + 1)
        name = match[0] if match else ""
        self._at += 1 + len(name)
        pattern = ""
        if self._text.startswith("(", self._at):
            pattern = self._pattern()
        elif self._framework in _CONSTRAINT_BRACES and self._text.startswith("{", self._at):
            pattern = self._braces()
        return self._with_quantifier(found, name, pattern)

    def _with_quantifier(self, found: list[_Pieces], name: str, pattern: str) -> list[_Pieces]:
        is_wide = pattern in (".*", ".+", "*")  # Express 4 reads `(*)` as `(.*)`
        whole = f"^(?:{pattern.removeprefix('^').removesuffix('$')})$" if pattern and not is_wide else ""
        piece = _Piece(name, is_parameter=True, pattern=whole, is_wildcard=is_wide)
        if self._taken("?"):
            return [(*one, piece) for one in found] + [_without_separator(one) for one in found]
        if self._taken("*"):
            wide = msgspec.structs.replace(piece, is_wildcard=True)
            return [(*one, wide) for one in found] + [_without_separator(one) for one in found]
        if self._taken("+"):
            piece = msgspec.structs.replace(piece, is_wildcard=True)
        return [(*one, piece) for one in found]

    def _wildcard(self, found: list[_Pieces]) -> list[_Pieces]:
        self._at += 1
        self._taken("*")
        self._taken(":")
        match = _PLAIN_NAME.match(self._text, self._at)
        name = match[0] if match else WILDCARD_NAME
        self._at += len(match[0]) if match else 0
        self._taken("?")
        return [(*one, _Piece(name, is_parameter=True, is_wildcard=True)) for one in found]

    def _group(self, found: list[_Pieces]) -> list[_Pieces]:
        """Reads an optional part `{...}`, with or without `?` after it."""
        inner = self._sequence("}")
        self._taken("?")
        return [(*one, *more) for one in found for more in inner] + found

    def _bracketed(self, found: list[_Pieces]) -> list[_Pieces]:
        """Reads `{name}`, `{name?}`, `{name*}` or `{name*2}`."""
        end = self._text.find("}", self._at)
        end = len(self._text) if end < 0 else end
        written, self._at = self._text[self._at : end], end + 1
        name, star, count = written.rstrip("?").partition("*")
        piece = _Piece(name, is_parameter=True, is_wildcard=bool(star) and not count)
        if star and count.isdigit() and 1 < int(count) <= 5:
            pieces = (piece, *(_Piece("/"), piece) * (int(count) - 1))
            return [(*one, *pieces) for one in found]
        longer = [(*one, piece) for one in found]
        return longer + [_without_separator(one) for one in found] if written.endswith("?") else longer

    def _pattern(self) -> str:
        """Reads a group in parentheses, and returns its content."""
        return self._balanced("(", ")", escape="\\")

    def _braces(self) -> str:
        return self._balanced("{", "}")

    def _balanced(self, opening: str, closing: str, escape: str = "") -> str:
        """Reads up to the closing sign that belongs to the next opening one, and returns what is between them."""
        depth, start, at = 0, self._at + 1, self._at
        while at < len(self._text):
            char = self._text[at]
            if char == escape:
                at += 1
            elif char == opening:
                depth += 1
            elif char == closing:
                depth -= 1
                if depth == 0:
                    break
            at += 1
        self._at = at + 1
        return self._text[start:at]

    def _taken(self, char: str) -> bool:
        if not self._text.startswith(char, self._at):
            return False
        self._at += 1
        return True


def _without_separator(pieces: _Pieces) -> _Pieces:
    """Removes the slash or dot in front of an optional parameter, which is left out together with it."""
    if pieces and not pieces[-1].is_parameter and pieces[-1].text in ("/", "."):
        return pieces[:-1]
    return pieces


def _merged(pieces: _Pieces) -> _Pieces:
    """Joins neighbouring literals."""
    merged: list[_Piece] = []
    for piece in pieces:
        if merged and not piece.is_parameter and not merged[-1].is_parameter:
            merged[-1] = _Piece(merged[-1].text + piece.text)
        else:
            merged.append(piece)
    return tuple(merged)
