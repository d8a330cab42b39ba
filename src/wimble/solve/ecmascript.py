r"""Translates ECMAScript regular expressions to Python's `re`: same strings match, for all that real patterns use.

The result is meant for `re.ASCII` (so `\d`, `\w`, `\b` mean what they mean in ECMAScript). What cannot be said in Python
(nested classes of the `v` flag, unknown `\p{...}`) raises `Untranslatable`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from wimble.solve.unicode_sets import Ranges, complement, property_ranges

# ECMA-262 §22.2.2.9, WhiteSpace and LineTerminator: wider than Python's \s under re.ASCII.
_SPACE: Ranges = (
    (0x09, 0x0D), (0x20, 0x20), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x2028, 0x2029),
    (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
)  # fmt: skip
_DIGIT: Ranges = ((0x30, 0x39),)
_WORD: Ranges = ((0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A))
_SETS: dict[str, Ranges] = {
    "d": _DIGIT, "D": complement(_DIGIT), "w": _WORD, "W": complement(_WORD), "s": _SPACE, "S": complement(_SPACE),
}  # fmt: skip
_CONTROLS = {"t": "\t", "n": "\n", "r": "\r", "v": "\v", "f": "\f"}
_QUANTIFIER = re.compile(r"\{\d+(,\d*)?\}")
_HEX4 = re.compile(r"[0-9a-fA-F]{4}")
_HEX2 = re.compile(r"[0-9a-fA-F]{2}")
_OCTAL = re.compile(r"[0-3][0-7]{0,2}|[4-7][0-7]?")
_BRACED = re.compile(r"\{([^}]*)\}")
_GROUP_NAME = re.compile(r"\(\?<([^=!>][^>]*)>")
_KNOWN_FLAGS = frozenset("dgimsuvy")


class Untranslatable(ValueError):
    """The pattern cannot be said in Python's syntax."""


@lru_cache(maxsize=2048)
def compiled(source: str, flags: str = "") -> re.Pattern[str] | None:
    """The pattern for `search` (for `match` where the flags hold `y`), or None where it cannot be translated or is wrong."""
    if not _KNOWN_FLAGS.issuperset(flags):
        return None
    python_flags = re.ASCII
    for letter, flag in (("i", re.IGNORECASE), ("m", re.MULTILINE), ("s", re.DOTALL)):
        if letter in flags:
            python_flags |= flag
    try:
        return re.compile(_Translator(source, flags).translate(), python_flags)
    except (Untranslatable, re.error, OverflowError, RecursionError):
        return None


def matches(source: str, flags: str, text: str) -> bool | None:
    """Whether ECMAScript's `new RegExp(source, flags).test(text)` is true; None where we cannot tell."""
    pattern = compiled(source, flags)
    if pattern is None:
        return None
    return (pattern.match(text) if "y" in flags else pattern.search(text)) is not None


class _Translator:
    def __init__(self, source: str, flags: str) -> None:
        self.source = source
        self.flags = flags
        self.at = 0
        self.n_groups = len(re.findall(r"(?<!\\)\((?!\?)|\(\?<[^=!]", source))
        self.names: dict[str, str] = {}

    def translate(self) -> str:
        out = []
        while self.at < len(self.source):
            out.append(self._term())
        return "".join(out)

    def _term(self) -> str:
        char = self.source[self.at]
        if char == "\\":
            return self._escape_outside()
        if char == "[":
            return self._class()
        if char == "(":
            return self._group_start()
        self.at += 1
        if char == ".":
            return "(?s:.)" if "s" in self.flags else "[^\\n\\r\\u2028\\u2029]"
        if char == "$":
            return "$" if "m" in self.flags else "\\Z"
        if char == "{" and not _QUANTIFIER.match(self.source, self.at - 1):
            return "\\{"
        return char

    def _group_start(self) -> str:
        named = _GROUP_NAME.match(self.source, self.at)
        if named is None:
            self.at += 1
            return "("
        self.at = named.end()
        return f"(?P<{self._python_name(named.group(1))}>"

    def _python_name(self, name: str) -> str:
        # ECMAScript allows `$` and escapes in names; Python does not.
        return self.names.setdefault(name, f"g{len(self.names)}")

    def _escape_outside(self) -> str:
        self.at += 1
        char = self.source[self.at : self.at + 1]
        if not char:
            raise Untranslatable("pattern ends with a backslash")
        if char in "bB":
            self.at += 1
            return "\\" + char
        if char == "k" and self.source.startswith("<", self.at + 1):
            end = self.source.find(">", self.at)
            if end < 0:
                raise Untranslatable("group name without end")
            name = self._python_name(self.source[self.at + 2 : end])
            self.at = end + 1
            return f"(?P={name})"
        if char in "123456789":
            digits = re.compile(r"\d+").match(self.source, self.at)
            assert digits is not None
            if int(digits.group()) <= self.n_groups:
                self.at = digits.end()
                return f"(?:\\{digits.group()})"  # grouped, so that a digit after it does not join it
        single, ranges = self._escaped()
        return _literal(single) if ranges is None else _class_text(ranges)

    def _escaped(self) -> tuple[str, Ranges | None]:
        """The character after the backslash as (character, None) or ("", ranges of a set)."""
        char = self.source[self.at]
        self.at += 1
        if char in _SETS:
            return "", _SETS[char]
        if char in _CONTROLS:
            return _CONTROLS[char], None
        if octal := _OCTAL.match(self.source, self.at - 1):  # `\0`, and the old octal escapes
            self.at = octal.end()
            return chr(int(octal.group(), 8)), None
        if char == "c" and self.source[self.at : self.at + 1].isalpha():
            self.at += 1
            return chr(ord(self.source[self.at - 1]) % 32), None
        if char == "x" and (hex2 := _HEX2.match(self.source, self.at)):
            self.at += 2
            return chr(int(hex2.group(), 16)), None
        if char == "u":
            return self._unicode_escape(), None
        if char in "pP" and (braced := _BRACED.match(self.source, self.at)):
            ranges = property_ranges(braced.group(1))
            if ranges is None:
                raise Untranslatable(f"property {braced.group(1)}")
            self.at = braced.end()
            return "", ranges if char == "p" else complement(ranges)
        return char, None

    def _unicode_escape(self) -> str:
        # Without the `u` flag `\u{61}` would be 61 times `u`; nobody who writes it means that.
        if (braced := _BRACED.match(self.source, self.at)) and re.fullmatch(r"[0-9a-fA-F]{1,6}", braced.group(1)):
            self.at = braced.end()
            code = int(braced.group(1), 16)
            if code > 0x10FFFF:
                raise Untranslatable("code point out of range")
            return chr(code)
        hex4 = _HEX4.match(self.source, self.at)
        if hex4 is None:
            return "u"
        self.at += 4
        code = int(hex4.group(), 16)
        if 0xD800 <= code < 0xDC00 and self.source.startswith("\\u", self.at):
            low = _HEX4.match(self.source, self.at + 2)
            if low and 0xDC00 <= int(low.group(), 16) < 0xE000:
                self.at += 6
                return chr(0x10000 + ((code - 0xD800) << 10) + int(low.group(), 16) - 0xDC00)
        return chr(code)

    def _class(self) -> str:
        self.at += 1
        is_negated = self.source.startswith("^", self.at)
        self.at += is_negated
        ranges: list[tuple[int, int]] = []
        while not self.source.startswith("]", self.at):
            if self.at >= len(self.source):
                raise Untranslatable("class without end")
            ranges += self._class_range()
        self.at += 1
        if not ranges:
            return "(?s:.)" if is_negated else "(?!)"
        return _class_text(tuple(ranges), is_negated=is_negated)

    def _class_range(self) -> Ranges:
        first, first_set = self._class_atom()
        if not self.source.startswith("-", self.at) or self.source.startswith("-]", self.at):
            return first_set if first_set is not None else ((ord(first), ord(first)),)
        dash = self.at
        self.at += 1
        last, last_set = self._class_atom()
        if first_set is not None or last_set is not None:
            # `[\w-.]`: without the `u` flag the dash stands for itself
            self.at = dash + 1
            return (*(first_set if first_set is not None else ((ord(first), ord(first)),)), (0x2D, 0x2D))
        if ord(last) < ord(first):
            raise Untranslatable("class range out of order")
        return ((ord(first), ord(last)),)

    def _class_atom(self) -> tuple[str, Ranges | None]:
        char = self.source[self.at : self.at + 1]
        if not char:
            raise Untranslatable("class without end")
        self.at += 1
        if char != "\\":
            if char == "[" and "v" in self.flags:
                raise Untranslatable("nested class")
            return char, None
        if self.source.startswith("b", self.at):
            self.at += 1
            return "\b", None
        if self.at >= len(self.source):
            raise Untranslatable("pattern ends with a backslash")
        return self._escaped()


def _literal(char: str) -> str:
    return re.escape(char) if char.isascii() and char.isprintable() else f"\\U{ord(char):08x}"


def _class_text(ranges: Ranges, *, is_negated: bool = False) -> str:
    parts = (
        _literal(chr(low)) if low == high else f"{_literal(chr(low))}-{_literal(chr(high))}" for low, high in ranges
    )
    return f"[{'^' if is_negated else ''}{''.join(parts)}]"
