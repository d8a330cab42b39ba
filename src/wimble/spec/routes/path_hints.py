"""Derives paths from what a program did with a path that it did not know: comparisons, prefixes, patterns, look-ups.

A program without a router compares the path of each request with those that it serves. A probe sends a path of
*markers*, unknown words that the hints show again, and each hint tells one path more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec

from wimble.model.hints import (
    ComparisonHint,
    Hint,
    KeyHint,
    PatternHint,
    SplitHint,
    SubstringHint,
    TruthinessHint,
)
from wimble.model.routes import PathPart
from wimble.spec.routes.regex_paths import regex_variants, with_literal
from wimble.types import Json, TargetId

MARKER: Final = "wimbleq"
METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
MAX_SEGMENTS: Final = 7
MAX_UNKNOWN_SEGMENTS: Final = 3
"""Maximum number of segments of a path that consists of markers."""
_ANY_MARKER: Final = re.compile(rf"{MARKER}(\d+)")
_METHOD_AND_PATH: Final = re.compile(r"([A-Za-z]+)\W{1,3}?(/\S*)$")
METHOD_AND_REST: Final = re.compile(rf"({'|'.join(METHODS)})[^\w/]{{1,3}}([\w.~-]+)$", re.IGNORECASE)
_LENGTH_NAME: Final = re.compile(r"\.length$")
_LONE_PERCENT: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
"""What no path has: a program that looks for it decodes paths."""
_INDEX_NAME: Final = re.compile(r"\[?\.?\d+\]?$")


class Probe(msgspec.Struct, frozen=True):
    """A request that is tried: a path, in which markers stand for unknown segments, or a regular expression."""

    method: str
    path: str
    regex: str = ""
    """The regular expression that the path is an example of, if the program matched it; else empty."""
    example: str = ""
    """The path that is sent, which matches `regex`; empty for any such path."""

    @property
    def parts(self) -> tuple[PathPart, ...]:
        """The path as that of a route: each marker is a parameter."""
        if self.regex:
            return (PathPart(self.regex, is_regex=True),)
        escaped = re.sub(r"([:*?(){}\\])", r"\\\1", self.path)
        return (PathPart(_ANY_MARKER.sub(lambda match: f":part{match[1]}", escaped)),)

    @property
    def n_segments(self) -> int:
        return len(self.path.strip("/").split("/"))

    @property
    def is_unknown(self) -> bool:
        """Whether the path consists of markers."""
        return not self.regex and all(part.startswith(MARKER) for part in self.path.strip("/").split("/"))


def start_probe(method: str = "GET", n_segments: int = 1) -> Probe:
    return Probe(method, "".join(f"/{MARKER}{n}" for n in range(1, n_segments + 1)))


def deeper(probe: Probe) -> Probe:
    """Returns the probe with one segment more, which is unknown."""
    number = max((int(found) for found in _ANY_MARKER.findall(probe.path)), default=0) + 1
    return Probe(probe.method, f"{probe.path.rstrip('/')}/{MARKER}{number}")


def probes_from(
    hints: Iterable[Hint], sent: Probe, sent_path: str, is_look_up: Callable[[TargetId], bool] = lambda _: False
) -> Iterator[tuple[Probe, TargetId]]:
    """Yields what hints of the request for `sent_path` ask for, with the outcome that each may lead to.

    is_look_up: whether a target is an outcome of a look-up, whose keys are data rather than parts of the program. So
    are several values that lead to one outcome.
    """
    hints = list(hints)
    n_compared = Counter(hint.target for hint in hints if isinstance(hint, ComparisonHint))
    has_key = False
    for hint in hints:
        probes = _from_hint(hint, sent, sent_path)
        if sent.regex:
            is_data = n_compared[hint.target] > 1 or is_look_up(hint.target)
            probes = _within_regex(hint, sent, sent_path, is_data=is_data)
        for probe in probes:
            if probe.example and probe.regex == sent.regex and probe.method == sent.method:
                if has_key:
                    continue  # one key leads as far as the others of its table
                has_key = True
            is_usable = probe.path.startswith("/") and probe.n_segments <= MAX_SEGMENTS and probe != sent
            is_usable = is_usable and _LONE_PERCENT.search(probe.path) is None
            if is_usable and (probe.n_segments <= MAX_UNKNOWN_SEGMENTS or not probe.is_unknown):
                yield probe, hint.target


def _from_hint(hint: Hint, sent: Probe, sent_path: str) -> Iterator[Probe]:
    if isinstance(hint, ComparisonHint) and hint.wanted and hint.operator in ("identical", "equal"):
        yield from _from_comparison(hint, sent, sent_path)
    elif isinstance(hint, KeyHint):
        yield from _replaced(hint.key, hint.other, sent, sent_path)
    elif isinstance(hint, SubstringHint) and hint.wanted:
        yield from _from_substring(hint, sent, sent_path)
    elif isinstance(hint, PatternHint) and hint.wanted:
        yield from _from_pattern(hint, sent, sent_path)
    elif (isinstance(hint, SplitHint) and hint.separator == "/") or (
        isinstance(hint, TruthinessHint) and hint.wanted and _INDEX_NAME.search(hint.name)
    ):
        yield deeper(sent)


def _from_comparison(hint: ComparisonHint, sent: Probe, sent_path: str) -> Iterator[Probe]:
    left, right = hint.left, hint.right
    if _is_count(left) and _is_count(right) and _LENGTH_NAME.search(hint.name):
        probe = sent
        while probe.n_segments < sent.n_segments + right - left and probe.n_segments < MAX_SEGMENTS:
            probe = deeper(probe)
        yield probe
        return
    yield from _replaced(left, right, sent, sent_path)
    yield from _replaced(right, left, sent, sent_path)
    if {"$undefined": True} in (left, right) and _INDEX_NAME.search(hint.name):
        yield deeper(sent)


def _within_regex(hint: Hint, sent: Probe, sent_path: str, *, is_data: bool) -> Iterator[Probe]:
    """Yields the request with a segment that the program wanted to see, and with the method in front of it."""
    if isinstance(hint, KeyHint):
        pairs, is_data = [(hint.key, hint.other)], True
    elif isinstance(hint, ComparisonHint) and hint.wanted and hint.operator in ("identical", "equal"):
        pairs = [(hint.left, hint.right), (hint.right, hint.left)]
    else:
        return
    for seen, wanted in pairs:
        if not isinstance(seen, str) or not isinstance(wanted, str):
            continue
        method, own, text = sent.method, seen, wanted
        if seen.upper() == sent.method and wanted.upper() in METHODS:
            yield msgspec.structs.replace(sent, method=wanted.upper())
            continue
        both, own_both = METHOD_AND_REST.match(wanted), METHOD_AND_REST.match(seen)
        if both is not None and own_both is not None and own_both[1].upper() == sent.method:
            method, own, text = both[1].upper(), own_both[2], both[2]
        yield from _with_segment(sent, sent_path, own, text, method=method, is_data=is_data)


def _with_segment(sent: Probe, sent_path: str, own: str, wanted: str, *, method: str, is_data: bool) -> Iterator[Probe]:
    """Yields the request with another text in the segment that a program has seen as `own`."""
    segments = sent_path.strip("/").split("/")
    for index, segment in enumerate(segments):
        if not own or segment != own or not wanted or method not in METHODS:
            continue
        regex = with_literal(sent.regex, index, wanted)
        if regex is not None:
            example = "/" + "/".join((*segments[:index], wanted, *segments[index + 1 :]))
            yield Probe(method, sent.path, sent.regex if is_data else regex, example)


def _is_count(value: Json) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 20


def _replaced(seen: Json, wanted: Json, sent: Probe, sent_path: str) -> Iterator[Probe]:
    """Yields the request in which what the program saw is what it wanted to see."""
    if not isinstance(seen, str) or not isinstance(wanted, str) or not seen or not wanted:
        return
    if seen.upper() == sent.method and wanted.upper() in METHODS:
        yield Probe(wanted.upper(), sent.path, sent.regex)
        return
    both = _METHOD_AND_PATH.match(wanted)
    if both is not None and both[1].upper() in METHODS and seen.upper().startswith(sent.method) and sent_path in seen:
        yield Probe(both[1].upper(), both[2])
        return
    at = sent_path.find(seen)
    if at >= 0 and MARKER in seen:
        path = sent_path[:at] + wanted + sent_path[at + len(seen) :]
        yield Probe(sent.method, _clean(path))


def _from_substring(hint: SubstringHint, sent: Probe, sent_path: str) -> Iterator[Probe]:
    text, part = hint.text, hint.part
    if not isinstance(text, str) or not isinstance(part, str) or not part or MARKER not in text:
        return
    at = sent_path.find(text)
    if at < 0:
        return
    if hint.place == "end":
        yield Probe(sent.method, _clean(sent_path[:at] + text + part))
        return
    start = _clean(sent_path[:at] + part)
    rest = text.lstrip("/").split("/")
    if not part.endswith("/"):
        yield Probe(sent.method, start)
    yield Probe(sent.method, _clean(start.rstrip("/") + "/" + "/".join(rest)))


def _from_pattern(hint: PatternHint, sent: Probe, sent_path: str) -> Iterator[Probe]:
    if not isinstance(hint.text, str) or MARKER not in hint.text:
        return
    if sent_path.find(hint.text) == 0:
        for source in regex_variants(hint.source) or [hint.source]:
            yield Probe(sent.method, sent.path, source)


def _clean(path: str) -> str:
    return re.sub(r"/{2,}", "/", path if path.startswith("/") else f"/{path}").split("?", 1)[0]
