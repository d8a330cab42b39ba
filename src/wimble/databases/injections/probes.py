"""Probes: values of an input that would be syntax at its position in a command.

A probe has a mark before and a mark after its syntax. If the marks lie within one literal, name or comment of the
command, the syntax between them was escaped; otherwise the input has become syntax.
"""

from __future__ import annotations

import re
from random import Random
from typing import Final, TypeAlias

import msgspec

from wimble.genes.taint_markers import taint_marker
from wimble.types import Json

HEAD: Final = "\ue000"
TAIL: Final = "\ue001"
"""Private characters of Unicode, which stand for the marks in templates."""
Template: TypeAlias = Json
"""A value that contains HEAD and TAIL."""

PARAMETER: Final = "parameter"
"""Name of the position of an input that is no part of the command's text."""

_MARK_START: Final = "zq"
_MARK_LENGTHS: Final = (1, 5)
"""Least and usual number of random characters in a mark."""
_MARK = re.compile(r"zq[a-z][a-z0-9]{0,4}")


class Position(msgspec.Struct, frozen=True):
    """The position of an input in a command, and the probes for it."""

    name: str
    """What the input is part of: `text`, `name`, `number`, `comment`, `parameter`, ..."""
    templates: tuple[Template, ...]
    """In the order in which they are tried."""


def probe(template: Template, rng: Random, max_length: int | None = None) -> Json:
    """Returns the value of a template with new marks.

    max_length: of the input, which the program may check; the marks are shorter if that helps.
    """
    least, usual = _MARK_LENGTHS
    room = usual
    if max_length is not None and isinstance(template, str):
        n_marks = template.count(HEAD) + template.count(TAIL)
        n_others = len(template) - n_marks + n_marks * len(_MARK_START)
        room = (max_length - n_others) // max(1, n_marks)
    length = min(usual, max(least, room))
    return _replaced(template, _new_mark(rng, length), _new_mark(rng, length))


def has_mark(text: str) -> bool:
    """Whether a text contains a mark of a probe: hardly a text of the program does so by chance."""
    return _MARK.search(text) is not None


def is_mark(text: str) -> bool:
    """Whether a text is a mark of a probe, and nothing else."""
    return _MARK.fullmatch(text) is not None


def first_mark(text: str) -> str:
    """Returns the first mark in a text that has one."""
    found = _MARK.search(text)
    assert found is not None
    return found[0]


def _new_mark(rng: Random, length: int) -> str:
    return _MARK_START + taint_marker(rng, length)


def _replaced(template: Template, head: str, tail: str) -> Json:
    if isinstance(template, str):
        return template.replace(HEAD, head).replace(TAIL, tail)
    if isinstance(template, dict):
        return {_replaced(key, head, tail): _replaced(value, head, tail) for key, value in template.items()}
    return [_replaced(item, head, tail) for item in template] if isinstance(template, list) else template
