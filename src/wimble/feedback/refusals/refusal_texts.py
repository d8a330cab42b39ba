"""Extracts from the text of a refusal values that the input may need.

It recognises English phrases that validators and programmers use: `must be one of [A, B]`, `at least 3`, `should match
^..$`, `e.g. DE-1`. A phrase that is misread costs a few calls only, so recognition is generous: the SUT's answers show
which values are right.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Final

from wimble.feedback.refusals.refusals import Refusal
from wimble.genes.string_formats import FORMATS
from wimble.genes.taint_markers import taint_marker
from wimble.solve.patterns.regex import matching_string
from wimble.solve.text_literals import dated, is_date_pattern
from wimble.types import ABSENT, Absent, Json

MAX_VALUES: Final = 12
"""Maximum number of values from one refusal."""
MAX_VALUE_CHARS: Final = 60
MAX_LENGTH: Final = 4_000
DRAWN: Final = 2
"""Number of values that are drawn for a format or an expression."""

_QUOTED: Final = re.compile(r"\"([^\"]*)\"|'([^']*)'|`([^`]*)`|[“„]([^“”]*)[”“]|‘([^‘’]*)’")
_IN_BRACKETS: Final = re.compile(r"[\[({<]([^\[\](){}<>]{1,400})[\])}>]")
_LISTED: Final = re.compile(
    r"\b(?:one of|any of|allowed|valid (?:values|options|choices)|options|supported|possible|accepted|permitted|"
    r"choices?|choose|either|(?<!or )equals?(?: to)?|did you mean|e\.g\.?|for example|examples?|such as|instead|"
    r"formats?|starts? with|begins? with|prefix(?:ed by)?|ends? with|contains?|includes?)(?!\w)",
    re.IGNORECASE,
)
_NAMED_LIST: Final = re.compile(r"^[^:,\"'`\[({]*:\s*")
"""The text before the values, such as `... of the following values: `."""
_EXPECTED: Final = re.compile(
    r"\b(?:must|should|expected|expecting|needs? to|has to|want(?:ed|s)?|is not)\b", re.IGNORECASE
)
_SEPARATOR: Final = re.compile(r"\s*(?:,|\||/|\bor\b|\band\b)\s*")
_WORD: Final = re.compile(r"[\w.+:@#$%&=-]+")

_NUMBER: Final = r"(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)"
_COMPARED: Final = tuple(
    (re.compile(pattern.replace("N", _NUMBER), re.IGNORECASE), steps)
    for pattern, steps in (
        (r"between N (?:and|to|-) N", (0,)),
        (r"(?:range|from) \D{0,20}?N ?(?:-|to|and|\.\.\.?) ?N", (0,)),
        (
            (
                r"(?:>=|at least|no less than|not be less than|minimum(?: [a-z]+){0,3}|min\.?|greater than or equal to|"
                r"(?:more|higher) than or equal to)[:= ]*N"
            ),
            (0, 1),
        ),
        (
            (
                r"(?:<=|at most|no more than|not (?:be )?(?:more|greater|longer|exceed)(?: than)?|"
                r"maximum(?: [a-z]+){0,3}|max\.?|(?:less|lower) than or equal to|up to)[:= ]*N"
            ),
            (0, -1),
        ),
        (r"(?:>|greater than|more than|above|larger than|bigger than|over|exceed) ?N", (1,)),
        (r"(?:<|less than|below|under|smaller than|fewer than) ?N", (-1,)),
        (r"multiple of N", (0,)),
        (r"(?:exactly|(?<!or )equal to|equals?|must be|==?) ?N", (0,)),
    )
)  # fmt: skip
_LENGTH: Final = re.compile(
    r"\b(?:characters?|chars?|long|longer|shorter|length|digits?|letters?|symbols?)\b", re.IGNORECASE
)
_DIGITS: Final = re.compile(r"\bdigits?\b", re.IGNORECASE)
_EXPRESSION: Final = re.compile(
    r"\b(?:patterns?|reg(?:ular )?ex(?:p|pression)?s?|match(?:es|ing)?|format)\b\s*"
    r"(?:the\b|required\b|expected\b|pattern\b|regex\b|[:=])*\s*"
    r"(?:\"(?P<a>.+)\"|'(?P<b>.+)'|`(?P<c>.+)`|/(?P<d>.+)/[a-z]*|(?P<e>\^\S+))",
    re.IGNORECASE,
)
_LOOKS_LIKE_EXPRESSION: Final = re.compile(r"[\\^$\[*+{(|]")
_DATE_PATTERN: Final = re.compile(r"\b[YyMmDdHhSs]{1,4}(?:['T]*[-/.: T]+['T]*[YyMmDdHhSs]{2,4}){1,5}\b")
_MISSING: Final = re.compile(
    r"required|missing|mandatory|"
    r"must (?:be (?:present|provided|given|set|specified)|exist|not be (?:empty|blank|null))|"
    r"can(?:'|no)t be (?:empty|blank|null)|not (?:be )?(?:provided|specified|given)|should not be empty|is empty|"
    r"please (?:provide|enter)",
    re.IGNORECASE,
)
_SURPLUS: Final = re.compile(
    r"(?:is|are) not (?:allowed|permitted|expected)(?! (?:to be empty|values?))|additional propert|should not exist|"
    r"(?:unknown|unexpected|unrecogni[sz]ed|extra|unsupported|forbidden) "
    r"(?:field|key|propert|param|argument|attribute|member|input)",
    re.IGNORECASE,
)

_KINDS: Final[tuple[tuple[re.Pattern[str], str, tuple[Json, ...]], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), kind, values)
    for pattern, kind, values in (
        (r"e-?mail", "email", ()),
        (r"\bu?uid\b|\bguid\b", "uuid", ()),
        (r"\bur[il]\b|\blink\b", "uri", ()),
        (r"iso.?8601|rfc.?3339|date-?time|timestamp", "date-time", ()),
        (r"\bdate\b", "date", ()),
        (r"ipv6", "ipv6", ()),
        (r"ipv4|\bip\b", "ipv4", ()),
        (r"host ?name|\bdomain\b|fqdn", "hostname", ()),
        (r"base ?64", "byte", ()),
        (r"phone|mobile", "", ("+4930123456", "+12025550123")),
        (r"credit ?card|card number|luhn", "", ("4111111111111111",)),
        (r"\biban\b", "", ("DE89370400440532013000",)),
        (r"iso.?4217|currency code", "", ("EUR", "USD")),
        (r"iso.?3166|country code", "", ("DE", "DEU")),
        (r"hex(?:adecimal)? ?colou?r", "", ("#a0b1c2",)),
        (r"hex(?:adecimal)?\b|object ?id", "", ("5f43a1b2c3d4e5f60718293a",)),
        (r"\bpostal|\bzip", "", ("12345", "10115")),
        (r"\blatitude", "", (52.5,)),
        (r"\blongitude", "", (13.4,)),
        (r"\bsemver|semantic version", "", ("1.2.3",)),
        (r"lower ?case", "", ("abcd",)),
        (r"upper ?case", "", ("ABCD",)),
        (r"non-?negative", "", (0, 1)),
        (r"positive", "", (1, 7)),
        (r"negative", "", (-1, -7)),
        (r"\bint(?:eger)?\b|whole number", "", (1, 7)),
        (r"\bnumber|numeric|float|decimal|double", "", (1, 7.5)),
        (r"bool(?:ean)?\b", "", (True, False)),
        (r"\barray|\blist\b", "", ([],)),
        (r"\bjson\b", "", ("{}",)),
    )
)  # fmt: skip

_LIST_FACTS: Final = frozenset(
    ("options", "allowedvalues", "allowed", "enum", "values", "choices", "valids", "expected", "enumvalues")
)
_OTHER_INPUT: Final = re.compile(r"ref:\S+")
"""What joi calls the value of another input: `"endsAt" must be greater than "ref:startsAt"`."""
_LOW_FACTS: Final = frozenset(("ge", "minimum", "min", "min_length", "minlength", "limit_value", "limit"))
_HIGH_FACTS: Final = frozenset(("le", "maximum", "max", "max_length", "maxlength"))


def values_wanted(refusal: Refusal, rng: Random) -> list[Json | Absent]:
    """Returns values for the input, likely ones first; ABSENT if it has to be left out.

    If the result is empty, the input has to be present, or nothing is known.
    """
    found: list[Json | Absent] = []
    for value in _iter_values(refusal, rng):
        if not any(type(value) is type(other) and value == other for other in found):
            found.append(value)
        if len(found) >= MAX_VALUES:
            break
    return found


def is_missing(refusal: Refusal) -> bool:
    """Whether the refusal says that the input is missing or empty."""
    return bool(_MISSING.search(refusal.text))


def quoted_words(text: str) -> list[str]:
    """Returns the non-empty texts in quotes of any kind."""
    return [next(part for part in parts if part) for parts in _QUOTED.findall(text) if any(parts)]


def _iter_values(refusal: Refusal, rng: Random) -> Iterator[Json | Absent]:
    yield from _of_facts(refusal, rng)
    # The input's name is no value: `"kind" must be "a"`, `email is required`.
    text = refusal.text
    for name in refusal.field[-1:]:
        text = re.sub(rf"(?<![\w-]){re.escape(name)}(?![\w-])", "it", text, count=1)
        text = text.replace("'it'", "it").replace('"it"', "it").replace("`it`", "it")
    if _SURPLUS.search(text):
        yield ABSENT
        return
    expression = _EXPRESSION.search(text)
    if expression is not None:
        source = next(part for part in expression.groups() if part)
        if _LOOKS_LIKE_EXPRESSION.search(source):
            yield from _matching(source, rng)
            text = text[: expression.start()] + text[expression.end() :]
    for pattern in _DATE_PATTERN.findall(text):
        readable = pattern.replace("'", "").replace("hh", "HH")
        if is_date_pattern(readable) or is_date_pattern(readable.replace("T", " ")):
            yield dated(readable, rng)
    yield from _listed(text)
    yield from _numbers(text, rng)
    yield from _of_kind(text, rng)


def _of_facts(refusal: Refusal, rng: Random) -> Iterator[Json]:
    facts = {key.lower(): value for key, value in refusal.facts}
    is_length = "length" in refusal.text or "character" in refusal.text or facts.get("type") in ("string", "string.min")
    for key, value in facts.items():
        if key in _LIST_FACTS and isinstance(value, list):
            yield from (item for item in value if isinstance(item, (str, int, float)))
        elif key in _LOW_FACTS | _HIGH_FACTS | {"gt", "lt"} and isinstance(value, (int, float)):
            step = {"gt": 1, "lt": -1}.get(key, 0)
            yield _text_of_length(int(value), rng) if is_length or "length" in key else value + step
            if not is_length and step == 0:
                yield value + (1 if key in _LOW_FACTS else -1)
        elif key in ("pattern", "regex") and isinstance(value, str):
            yield from _matching(value.strip("/"), rng)
        elif key in ("format", "validation") and isinstance(value, str):
            yield from _of_kind(value, rng)


def _matching(source: str, rng: Random) -> Iterator[str]:
    for _ in range(DRAWN):
        drawn = matching_string(source, "", rng)
        if drawn is not None:
            yield drawn


def _listed(text: str) -> Iterator[Json]:
    """Yields the values after `one of` and the like: in quotes, in brackets, or as a plain enumeration."""
    cue = _LISTED.search(text)
    expected = _EXPECTED.search(text)
    starts = [found.end() for found in (cue, expected) if found is not None]
    rest = text[min(starts) :] if starts else text
    words = quoted_words(rest)
    for brackets in _IN_BRACKETS.findall(rest):
        if not quoted_words(brackets):
            words += _SEPARATOR.split(brackets)
    if not words and cue is not None:
        row = _NAMED_LIST.sub("", text[cue.end() :]) if ":" in text[cue.end() :] else text[cue.end() :]
        parts = [part.strip().strip(".!") for part in _SEPARATOR.split(row)]
        # In prose, the first word is taken: `DE-1234 in the box`.
        words = [first.group().rstrip(".:") for part in parts if (first := _WORD.match(part))]
        if len(parts) == 1 and re.search(r"[\d_A-Z-]", words[0] if words else "") is None:
            words = []
    for word in words:
        text_value = word.strip()
        if text_value and len(text_value) <= MAX_VALUE_CHARS and not _OTHER_INPUT.fullmatch(text_value):
            yield text_value
            if re.fullmatch(_NUMBER, text_value):
                yield _number(text_value)


def _numbers(text: str, rng: Random) -> Iterator[Json]:
    is_length = _LENGTH.search(text) is not None
    for pattern, steps in _COMPARED:
        for found in pattern.finditer(text):
            for number in found.groups():
                for step in steps:
                    value = _number(number) + step
                    if not is_length:
                        yield value
                        continue
                    length = int(value)
                    yield (
                        "7" * min(max(0, length), MAX_LENGTH) if _DIGITS.search(text) else _text_of_length(length, rng)
                    )
    if is_length and (counted := re.search(r"\b(\d{1,4})[ -](?:characters?|chars?|digits?|letters?)", text)):
        length = int(counted[1])
        yield "7" * length if _DIGITS.search(text) else _text_of_length(length, rng)


def _of_kind(text: str, rng: Random) -> Iterator[Json]:
    for pattern, kind, values in _KINDS:
        if pattern.search(text):
            yield from values
            if kind:
                yield from (FORMATS[kind].draw(rng) for _ in range(DRAWN))


def _text_of_length(length: int, rng: Random) -> str:
    return taint_marker(rng, min(max(0, length), MAX_LENGTH))


def _number(text: str) -> int | float:
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)
