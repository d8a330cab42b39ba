"""Media types that the program's texts name, for contents that are answered alike in all usual ones.

`express.text({ type: 'text/csv' })`, `addContentTypeParser('application/x-foo+json')` and a comparison of the header
all have the name as a text of the program, so each of these names is tried as the type of a content.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Final

import msgspec

from wimble.genes import StringGene
from wimble.genes.taint_markers import made_up_name
from wimble.model.learned_input import LearnedInput
from wimble.model.observation import Observation
from wimble.model.operation import Operation
from wimble.model.source_constants import Constant
from wimble.model.testcase import Call
from wimble.search.learned.content_forms import UNREAD, FormTrial, entry_of, form_sent, is_turned_away
from wimble.search.learned.members import undeclared_content, value_of_input, with_input
from wimble.types import OperationId

MAX_NAMES: Final = 12
"""Maximum number of names of the program that are tried for an operation."""
USUAL_NAMES: Final = (
    "application/octet-stream",
    "text/csv",
    "application/vnd.api+json",
    "application/yaml",
    "image/png",
)
"""Tried if the program says that it takes another type, and may test for it by a pattern."""
MULTIPART: Final = "multipart/form-data"
"""As a name, it lacks the boundary. A program that looks for that itself may fail."""
CONTENT_TYPE: Final = LearnedInput(location="header", path=("content-type",))
N_LINES: Final = 3
_NAME: Final = re.compile(r"(?:application|text|image|audio|video|font|model|message)/[\w.+*-]+|\*?/?\*?\+(?:json|xml)")
_FORM_NAMES: Final = (
    (re.compile(r"ndjson|jsonl|json-seq|stream\+json"), "application/x-ndjson"),
    (re.compile(r"json$"), "application/json"),
    (re.compile(r"xml$"), "application/xml"),
)
_TEXT: Final = "text/plain"
_EXAMPLES: Final = {
    "image/*": "image/png", "text/*": "text/csv", "audio/*": "audio/mpeg", "video/*": "video/mp4",
    "application/*": "application/octet-stream",
}  # fmt: skip


class NamedTrial(msgspec.Struct, frozen=True):
    """A content of a form that is sent under another name."""

    name: str
    content: FormTrial


class NamedMediaTypes:
    """The trials of all operations, and what came of them."""

    def __init__(self, texts: Sequence[Constant], rng: Random) -> None:
        """texts: those of the program; it may load more later."""
        self._texts = texts
        self._rng = rng
        self._tried: set[OperationId] = set()
        self._usual: dict[OperationId, tuple[str, str]] = {}
        self._found: dict[OperationId, set[str]] = {}
        self._multipart: set[OperationId] = set()

    def has_tried(self, operation: Operation) -> bool:
        """Whether `trials` has yielded those of the operation."""
        return operation.id in self._tried

    def trials(self, operation: Operation, usual: tuple[str, str] | None) -> Iterator[NamedTrial]:
        """Yields the trials of an operation, once. usual: how contents in all usual types are answered, if alike."""
        content = undeclared_content(operation)
        if usual is None or content is None or self.has_tried(operation):
            return
        self._tried.add(operation.id)
        self._usual[operation.id] = usual
        names = list(dict.fromkeys(_names_in(self._texts)))[:MAX_NAMES]
        if usual[0] == UNREAD:
            names = list(dict.fromkeys((*names, *USUAL_NAMES)))
        for name in names:
            if name not in content.media_types:
                yield NamedTrial(name, self._content(form_named(name, content.media_types), content.media_types))

    def _content(self, form: int, media_types: Sequence[str]) -> FormTrial:
        if media_types[form] == _TEXT:
            return FormTrial(form, n_lines=N_LINES)
        root = {"application/xml": ("root",), "application/x-ndjson": ("0",)}.get(media_types[form], ())
        return FormTrial(form, (LearnedInput(location="body", path=(*root, made_up_name(self._rng))),))

    def is_multipart_anew(self, call: Call) -> bool:
        """Whether a call sends the first form with several parts of its operation."""
        content, form = undeclared_content(call.operation), form_sent(call)
        if content is None or form is None or call.operation.id in self._multipart or name_sent(call) is not None:
            return False
        is_multipart = content.media_types[form] == MULTIPART
        if is_multipart:
            self._multipart.add(call.operation.id)
        return is_multipart

    def observe(self, call: Call, observation: Observation) -> str | None:
        """Returns the name that a call has sent, if its answer shows for the first time that the program takes it."""
        usual = self._usual.get(call.operation.id)
        if usual is None or is_turned_away(observation) or not observation.is_answered:
            return None
        name = name_sent(call)
        found = self._found.setdefault(call.operation.id, set())
        entry = entry_of(observation)
        if name is None or name in found or entry == usual or entry[0] == UNREAD:
            return None
        found.add(name)
        return name


def name_sent(call: Call) -> str | None:
    """Returns the media type that a call gives its content in place of that of its form."""
    value = value_of_input(call, CONTENT_TYPE)
    return value if isinstance(value, str) else None


def with_name(call: Call, name: str) -> Call:
    """Returns the call with a media type for its content."""
    return with_input(call, CONTENT_TYPE, StringGene(name)) or call


def form_named(name: str, media_types: Sequence[str]) -> int:
    """Returns the form in which a content of this media type is written."""
    wanted = next((form for pattern, form in _FORM_NAMES if pattern.search(name)), _TEXT)
    return media_types.index(wanted)


def _names_in(texts: Iterable[Constant]) -> Iterator[str]:
    for text in texts:
        name = text.partition(";")[0].strip().lower() if isinstance(text, str) and len(text) < 100 else ""
        if _NAME.fullmatch(name):
            name = _EXAMPLES.get(name, name)
            yield f"application/vnd.api{name[name.index('+') :]}" if "*" in name or name.startswith("+") else name
