r"""ECMAScript regular expressions: matching, and the parse trees from which strings are generated.

Expressions are translated to Python's `re`. For the constructs that real patterns use, the translation matches the same
strings, and strings are generated from its parse tree. It is compiled with `re.ASCII`, so that `\d`, `\w` and `\b` mean
the same as in ECMAScript. An ECMAScript engine matches patterns that `re` cannot compile (look-behind of variable
length, sets of strings).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

import regress

from wimble.solve.patterns.unicode_sets import Ranges, complement, set_ranges
from wimble.solve.patterns.utf16 import to_units

# ECMA-262 §22.2.2.9, WhiteSpace and LineTerminator: more characters than Python's \s under re.ASCII.
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
_STRINGS_IN_SET = re.compile(r"\\q\{([^}]*)\}")
_OF_STRINGS = re.compile(r"Emoji_Keycap|RGI_|Basic_Emoji")
"""Properties that contain strings of several characters."""
_GROUP_NAME = re.compile(r"\(\?<([^=!>][^>]*)>")
_KNOWN_FLAGS = frozenset("dgimsuvy")


class Untranslatable(ValueError):
    """The pattern cannot be expressed in Python's syntax."""


@lru_cache(maxsize=2048)
def translated(source: str, flags: str = "") -> tuple[str, int, bool] | None:
    """Returns (source, flags, is_exact) for Python's `re`; None if the source is invalid or cannot be translated.

    is_exact: whether the translation matches the same strings.
    """
    if not _KNOWN_FLAGS.issuperset(flags):
        return None
    python_flags = int(re.ASCII)
    for letter, flag in (("i", re.IGNORECASE), ("m", re.MULTILINE), ("s", re.DOTALL)):
        if letter in flags:
            python_flags |= flag
    translator = _Translator(source, flags)
    try:
        text = translator.translate()
    except (Untranslatable, RecursionError):
        return None
    return text, python_flags, translator.is_exact


@lru_cache(maxsize=2048)
def compiled(source: str, flags: str = "") -> re.Pattern[str] | None:
    """Returns the pattern for `search`, or for `match` with the flag `y`.

    None if the pattern is invalid, or if `re` cannot express it exactly.
    """
    translation = translated(source, flags)
    if translation is None or not translation[2]:
        return None
    text = _BACK_REFERENCE.sub(lambda found: f"(?({found[1] or found[2]}){found[0]})", translation[0])
    try:
        return re.compile(text, translation[1])
    except (re.error, OverflowError, RecursionError):
        return None


_BACK_REFERENCE = re.compile(r"\(\?:\\(\d+)\)|\(\?P=(\w+)\)")
"""As `_Translator` writes them. One to a group that has not taken part matches the empty text in ECMAScript only."""


@lru_cache(maxsize=2048)
def parsed(source: str, flags: str = "") -> Any | None:
    """Returns the parse tree from which strings are generated, or None.

    The translation may be inexact, so each generated string has to be matched.
    """
    translation = translated(source, flags)
    if translation is None:
        return None
    # The parser behind `re`, which rstr uses as well. It accepts more patterns than `re` can compile.
    import re._parser as parser  # type: ignore[import-not-found]

    try:
        return parser.parse(translation[0], translation[1] & ~re.UNICODE)
    except (re.error, OverflowError, RecursionError):
        return None


@lru_cache(maxsize=512)
def _engine(source: str, flags: str) -> regress.Regex | None:
    try:
        return regress.Regex(source, "".join(flag for flag in flags if flag in "imsuv"))
    except regress.RegressError:
        return None


def matches(source: str, flags: str, text: str) -> bool | None:
    """Returns the result of `new RegExp(source, flags).test(text)`; None if it cannot be determined."""
    pattern = compiled(source, flags)
    if pattern is not None:
        subject = text if _is_unicode(flags) else to_units(text)
        return (pattern.match(subject) if "y" in flags else pattern.search(subject)) is not None
    engine = _engine(source, flags) if _KNOWN_FLAGS.issuperset(flags) else None
    if engine is None:
        return None
    try:
        found = engine.find(text)
    except UnicodeEncodeError:
        return None
    return found is not None and ("y" not in flags or found.range().start == 0)


def _is_unicode(flags: str) -> bool:
    return "u" in flags or "v" in flags


class _Translator:
    def __init__(self, source: str, flags: str) -> None:
        self.source = source if _is_unicode(flags) else to_units(source)
        self.flags = flags
        self.is_exact = True
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
                return f"(?:\\{digits.group()})"  # grouped, so that a following digit does not become a part of it
        single, ranges = self._escaped()
        return _literal(single) if ranges is None else _class_text(ranges)

    def _escaped(self) -> tuple[str, Ranges | None]:
        """Reads the escape after a backslash. Returns (character, None), or ("", ranges of a set)."""
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
            ranges = None if _OF_STRINGS.search(braced.group()) else set_ranges(f"\\p{braced.group()}", "u")
            if ranges is None:
                raise Untranslatable(f"property {braced.group(1)}")
            self.at = braced.end()
            return "", ranges if char == "p" else complement(ranges)
        return char, None

    def _unicode_escape(self) -> str:
        # Without the `u` flag `\u{61}` would be 61 times `u`, which no author means.
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

    def _set(self) -> str:
        r"""Translates a class with the flag `v`, which may contain sets.

        Of strings in it (`\q{abc|d}`), only single characters are kept.
        """
        end, depth = self.at, 0
        while end < len(self.source):
            depth += {"[": 1, "]": -1}.get(self.source[end], 0)
            end += 2 if self.source[end] == "\\" else 1
            if depth == 0:
                break
        text = self.source[self.at : end]
        self.at = end
        if _OF_STRINGS.search(text):
            raise Untranslatable("a set of strings")
        plain = _STRINGS_IN_SET.sub(lambda found: "".join(_single_characters(found.group(1))), text)
        self.is_exact = self.is_exact and plain == text
        ranges = set_ranges(plain, "v")
        if ranges is None:
            raise Untranslatable("not a set")
        return _class_text(ranges) if ranges else "(?!)"

    def _class(self) -> str:
        if "v" in self.flags:
            return self._set()
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
            # `[\w-.]`: without the flag `u`, the dash is literal
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
            return char, None
        if self.source.startswith("b", self.at):
            self.at += 1
            return "\b", None
        if self.at >= len(self.source):
            raise Untranslatable("pattern ends with a backslash")
        return self._escaped()


def _single_characters(alternatives: str) -> list[str]:
    return [one if one.isalnum() else f"\\{one}" for one in alternatives.split("|") if len(one) == 1]


def _literal(char: str) -> str:
    return re.escape(char) if char.isascii() and char.isprintable() else f"\\U{ord(char):08x}"


def _class_text(ranges: Ranges, *, is_negated: bool = False) -> str:
    parts = (
        _literal(chr(low)) if low == high else f"{_literal(chr(low))}-{_literal(chr(high))}" for low, high in ranges
    )
    return f"[{'^' if is_negated else ''}{''.join(parts)}]"
