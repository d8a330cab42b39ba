"""Solves for parts of a text instead of its characters, and puts the parts back.

A text that is split, matched, parsed or decoded is mostly used through its parts. Each part takes the place of an input
in the path ("lifted"): what a pattern has captured, a member of a JSON text, the number that a text was converted to.
With new values for the parts, the traced text is written anew: the part is replaced, the number printed, the bytes
encoded. What the text as a whole has to satisfy is checked afterwards, by computing all conditions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final
from urllib.parse import quote, unquote

import msgspec

from wimble.solve.accepted_sizes import with_accepted_sizes
from wimble.solve.known_of_parts import READS_NUMBER, has_fixed_width, with_known_of_parts
from wimble.solve.path_conditions import (
    CONSTANT,
    INPUT_PREFIX,
    Expression,
    NoValue,
    Path,
    Scalar,
)
from wimble.solve.patterns.regex import matching_string
from wimble.solve.patterns.utf16 import from_units
from wimble.solve.terms.character_terms import BYTES_PREFIX
from wimble.solve.values.computed_encodings import COMPONENT_SAFE, URI_SAFE
from wimble.solve.values.computed_numbers import DIGITS, to_fixed, to_number, to_text
from wimble.solve.values.computed_patterns import match_at, pieces
from wimble.solve.values.node_values import OPERATIONS, table_entries

PART_PREFIX: Final = "#"
MAX_SEPARATED: Final = 64
"""Parts that a text is given."""
Inverse = Callable[[Any, Sequence[Any], Any], Any]
"""(value of the first argument, values of the others, new value of the node) -> new value of the first argument."""


def _split(text: str, rest: Sequence[Any], value: str) -> str:
    separator, number = rest
    parts = text.split(separator)
    parts[int(number)] = value
    return str(separator.join(parts))


def _split_by_pattern(text: str, rest: Sequence[Any], value: str) -> str:
    source, flags, number = rest
    return _with_span(text, _spans_of_pieces(text, source, flags)[int(number)], value)


def _with_span(text: str, span: tuple[int, int], value: str) -> str:
    return text[: span[0]] + value + text[span[1] :]


def _spans_of_pieces(text: str, source: str, flags: str) -> list[tuple[int, int]]:
    start, spans = 0, list[tuple[int, int]]()
    for piece in pieces(text, source, flags):
        at = text.index(piece, start) if piece else start
        spans.append((at, at + len(piece)))
        following = match_at(text, source, flags.replace("y", ""), at + len(piece))
        start = len(text) if following is None else following.end()
    return spans


def _separated(text: str, rest: Sequence[Any], value: float) -> str:
    """Returns a text of so many parts."""
    return _of_so_many(text.split(rest[0]), str(rest[0]), int(value))


def _separated_by_pattern(text: str, rest: Sequence[Any], value: float) -> str:
    separator = matching_string(rest[0], rest[1], Random(0))
    if separator is None:
        raise NoValue("a separator")
    return _of_so_many(pieces(text, rest[0], rest[1]), separator, int(value))


def _of_so_many(parts: Sequence[str], separator: str, count: int) -> str:
    if not 0 < count <= MAX_SEPARATED:
        raise NoValue("many parts")
    added = [parts[-1]] * (count - len(parts)) if parts else [""] * count
    return separator.join([*parts[:count], *added])


def _matching(text: str, rest: Sequence[Any], value: float) -> str:
    """Returns a text with so many matches."""
    source, flags = rest[0], rest[1].replace("y", "")
    matches = OPERATIONS["matches"]
    if not 0 <= value <= MAX_SEPARATED:
        raise NoValue("many matches")
    rng = Random(0)
    while (count := matches(text, source, flags)) < value:
        one = matching_string(source, flags, rng) or ""
        longer = [made for made in (text + one, f"{text} {one}") if matches(made, source, flags) > count]
        if not longer:
            raise NoValue("no further match")
        text = longer[0]
    while matches(text, source, flags) > value:
        last = match_at(text, source, flags.replace("g", ""), 0)
        if last is None or not last.group():
            raise NoValue("fewer matches")
        text = text[: last.start()] + text[last.end() :]
    return text


def _captured(text: str, rest: Sequence[Any], value: str) -> str:
    source, flags, group, *start = rest
    found = match_at(text, source, flags, start[0] if start else 0)
    if found is None or found.start(int(group)) < 0:
        raise NoValue("no capture")
    return text[: found.start(int(group))] + value + text[found.end(int(group)) :]


def _sliced(text: str, rest: Sequence[Any], value: str) -> str:
    start = int(rest[0]) if rest else 0
    end = int(rest[1]) if len(rest) > 1 else len(text)
    if start < 0 or (end != len(text) and len(value) != end - start):
        raise NoValue("a slice of another length")
    return text[:start] + value + text[end:]


def _member(text: str, rest: Sequence[Any], value: Scalar) -> str:
    whole = json.loads(text)
    *steps, last = (step.replace("~1", "/").replace("~0", "~") for step in rest[0].split("/")[1:])
    at = whole
    for step in steps:
        at = at[int(step) if isinstance(at, list) else step]
    at[int(last) if isinstance(at, list) else last] = from_units(value) if isinstance(value, str) else value
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":"))


def _parameter(text: str, rest: Sequence[Any], value: str) -> str:
    pairs, n_before = text.split("&"), 0
    for number, pair in enumerate(pairs):
        key, equals, _ = pair.partition("=")
        if unquote(key.removeprefix("?").replace("+", " ")) == rest[0]:
            n_before += 1
            if len(rest) > 1 and n_before <= rest[1]:
                continue
            pairs[number] = f"{key}{equals or '='}{quote(value, safe='')}"
            return "&".join(pairs)
    raise NoValue("no such parameter")


_URL_PARTS: Final = {"protocol": 0, "host": 2, "pathname": 3, "search": 4, "hash": 5}


def _url_part(text: str, rest: Sequence[Any], value: str) -> str:
    found = re.fullmatch(r"(\w+:)(//)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", text.strip())
    if found is None:
        raise NoValue("not a plain URL")
    pieces = [piece or "" for piece in found.groups()]
    host, _, port = pieces[2].partition(":")
    if rest[0] in ("hostname", "port"):
        host, port = (value, port) if rest[0] == "hostname" else (host, value)
        pieces[2] = f"{host}:{port}" if port else host
    else:
        pieces[_URL_PARTS[rest[0]]] = value
    return "".join(pieces)


def _printed(text: str, rest: Sequence[Any], value: float) -> str:
    """Prints a number in the radix in which it was read, with as many digits as before where it had leading zeros."""
    printed = to_text(value, (rest[0] if rest else 0) or 10)
    return printed.zfill(len(text)) if text.startswith("0") and text.isalnum() else printed


def _printed_before(text: str, rest: Sequence[Any], value: float) -> str:
    """Prints a number in the place of the one that a text begins with."""
    blank = text[: len(text) - len(text.lstrip())]
    digits = DIGITS[: int(rest[0] if rest else 0) or 10]
    pattern = rf"[+-]?(?:0[xX])?[{digits}]*" if rest else r"[+-]?[0-9]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?"
    found = re.match(pattern, text[len(blank) :], re.IGNORECASE)
    number = found.group() if found else ""
    return blank + _printed(number, rest, value) + text[len(blank) + len(number) :]


def _parsed(_: float, rest: Sequence[Any], value: str) -> float:
    return float(int(value, int(rest[0]))) if rest and rest[0] != 10 else to_number(value)


def _fixed(_: float, rest: Sequence[Any], value: str) -> float:
    number = to_number(value)
    if to_fixed(number, rest[0]) != value:
        raise NoValue("not a result of toFixed")
    return number


def _key_of(_: Scalar, rest: Sequence[Any], value: Scalar) -> Scalar:
    """Returns the first key under which a table has the value."""
    for key, other in table_entries(rest[0]):
        if other == value:
            return key
    raise NoValue("not in the table")


def _same(_: Any, rest: Sequence[Any], value: Any) -> Any:
    return value


def _by(op: str) -> Inverse:
    return lambda _, rest, value: OPERATIONS[op](value)


PARTS: Final[Mapping[str, Inverse]] = {
    "part": _split,
    "partBetween": _split_by_pattern,
    "capture": _captured,
    "jsonMember": _member,
    "parameter": _parameter,
    "urlPart": _url_part,
    "slice": _sliced,
    "substring": _sliced,
}
"""Operations of which several can be undone on one text, as long as their parts do not overlap."""
WHOLES: Final[Mapping[str, Inverse]] = {
    "chosen": _key_of,
    "normalize": _same,
    "fromUtf8": _same,
    "trim": _same,
    "trimStart": _same,
    "trimEnd": _same,
    "toLowerCase": _same,
    "toUpperCase": _same,
    "replaceMatches": _same,
    "replaceAll": _same,
    "replace": _same,
    "padStart": _same,
    "padEnd": _same,
    "toText": _parsed,
    "toRadix": _parsed,
    "toFixed": _fixed,
    "fromBase64": _by("toBase64"),
    "toBase64": _by("fromBase64"),
    "toBase64Url": _by("fromBase64"),
    "fromHex": _by("toHex"),
    "toHex": _by("fromHex"),
    "encodeURIComponent": _by("decodeURIComponent"),
    "encodeURI": _by("decodeURIComponent"),
    "decodeURIComponent": lambda _, rest, value: quote(value, safe=COMPONENT_SAFE),
    "decodeURI": lambda _, rest, value: quote(value, safe=URI_SAFE),
}
NUMBERS: Final[Mapping[str, Inverse]] = {
    "parts": _separated,
    "partsBetween": _separated_by_pattern,
    "matches": _matching,
    "toNumber": _printed,
    "parseInt": _printed_before,
    "parseFloat": _printed_before,
}
COUNTED: Final[Mapping[str, str]] = {"parts": "part", "partsBetween": "partBetween"}
"""Numbers of parts -> the operation that takes one of them."""
_INVERSES: Final = {**PARTS, **WHOLES, **NUMBERS}


class Lifted(msgspec.Struct):
    """A question about parts."""

    path: Path
    """The last condition is the asked one. Its inputs are parts, and inputs that have none."""
    original: Path
    parts: Mapping[str, int]
    """Nodes of the original path by the place of the part."""

    def restored(self, values: Mapping[str, Scalar]) -> dict[str, Scalar]:
        """Returns values for the original inputs. Raises: NoValue, ValueError, TypeError, KeyError."""
        nodes = self.original.nodes
        current: list[Any] = [node.value for node in nodes]
        changed: dict[str, Scalar] = {}
        for place, value in values.items():
            if place not in self.parts:
                changed[place] = value
                continue
            index = self.parts[place]
            if value == current[index]:
                continue
            while not nodes[index].place:
                node = nodes[index]
                rest = [current[arg] for arg in node.args[1:]]
                value = _INVERSES[node.op](current[node.args[0]], rest, value)
                current[index] = value
                index = node.args[0]
                if node.op in READS_NUMBER and has_fixed_width(self.original, index):
                    value = value.zfill(len(current[index]))
            current[index] = changed[nodes[index].place] = _plain(value)
        return changed


def _plain(value: Any) -> Scalar:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if not isinstance(value, (str, int, float)):
        raise NoValue("not a scalar")
    return value


def lifted(path: Path, *, to_numbers: bool) -> Lifted | None:
    """Returns the question with parts as inputs; None if the asked condition has none.

    to_numbers: the number that a text is converted to is an input, and not the text.
    """
    ops = {**PARTS, **WHOLES, **(NUMBERS if to_numbers else {})}
    users: dict[int, list[int]] = {}
    for number in path.reachable([entry.node for entry in path.entries]):
        for arg in path.nodes[number].args:
            users.setdefault(arg, []).append(number)
    undone = _undone(path, ops, users)
    tops = [index for index in sorted(undone) if not any(user in undone for user in users.get(index, ()))]
    cut = {index: f"{BYTES_PREFIX if path.nodes[index].op in _DECODING else PART_PREFIX}{index}" for index in tops}
    lost = {_base(path, index) for index in tops}
    nodes = tuple(
        Expression(f"{INPUT_PREFIX}{cut[number]}", (), node.value) if number in cut else node
        for number, node in enumerate(path.nodes)
    )
    changed = Path(nodes, path.entries)
    kept = [one for one in path.entries if lost.isdisjoint(changed.reachable([one.node]))]
    asked = path.entries[-1]
    has_parts = not set(cut).isdisjoint(changed.reachable([asked.node]))
    if not kept or kept[-1] is not asked or not has_parts:
        return None
    made = with_known_of_parts(Path(nodes, tuple(kept)), path, tuple(cut))
    found = Lifted(made, path, {place: at for at, place in cut.items()})
    form = [one for one in path.entries[:-1] if one not in kept]
    numbers = {place: index for place, index in found.parts.items() if path.nodes[index].op in READS_NUMBER}
    if form and numbers:
        found.path = with_accepted_sizes(made, numbers, path.only(form), found.restored)
    return found


def _undone(path: Path, ops: Mapping[str, Inverse], users: Mapping[int, Sequence[int]]) -> set[int]:
    """Returns the nodes that can be written back to an input."""
    found: set[int] = set()
    for number, node in enumerate(path.nodes):
        if node.op not in ops or not node.args:
            continue
        first = node.args[0]
        is_reached = bool(path.nodes[first].place) or first in found
        others = all(path.nodes[arg].op == CONSTANT for arg in node.args[1:])
        is_shared = node.op not in PARTS and any(
            user != number and not _is_about_form(path, user) and not _is_counted(path, user, number)
            for user in users.get(first, ())
        )
        if is_reached and others and not is_shared:
            found.add(number)
    # A part that is cut further down on another way would be two inputs at once.
    return {number for number in found if not _is_mixed(path, number, found, users)}


def _is_counted(path: Path, part: int, count: int) -> bool:
    """Whether a node is one of the parts whose number the other node is: with more parts, it is still there."""
    one, of = path.nodes[part], path.nodes[count]
    n_rest = len(of.args) - 1
    rests = [[path.nodes[arg].value for arg in node.args[1 : 1 + n_rest]] for node in (one, of)]
    return COUNTED.get(of.op) == one.op and rests[0] == rests[1]


def _is_mixed(path: Path, number: int, found: set[int], users: Mapping[int, Sequence[int]]) -> bool:
    """Whether a node on the way to the input is used as a whole as well, outside of conditions on its form."""
    at = path.nodes[number].args[0]
    while at in found:
        if any(user not in found and not _is_about_form(path, user) for user in users.get(at, ())):
            return True
        at = path.nodes[at].args[0]
    return False


_DECODING: Final = frozenset(("fromBase64", "fromHex"))
_ABOUT_FORM: Final = frozenset(
    ("parts", "partsBetween", "test", "isKey", "foundAt", "captured", "isNaN", "matches", "length")
)


def _is_about_form(path: Path, index: int) -> bool:
    """Whether the value of a node says what form its argument has, as its equality with a constant does."""
    node = path.nodes[index]
    is_equality = node.op == "===" and any(path.nodes[arg].op == CONSTANT for arg in node.args)
    return is_equality or node.op in _ABOUT_FORM


def _base(path: Path, index: int) -> int:
    while path.nodes[index].args:
        index = path.nodes[index].args[0]
    return index
