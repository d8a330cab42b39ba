"""Headers that the program reads of an answer of a service, and that the answer does not have, are added to it.

The names of objects tell that a header is read, not of which message. So each answer that the program got in that test
case has the header once, with values as that header has them. A header that is compared, or whose truth is asked, is
known by the name of the operand (`headers['last-modified']`), or by that of a member (`response.LastModified`).

An answer with an entity tag or a time of change may be kept. Then the call is repeated, and told that nothing has
changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

from wimble.genes.taint_markers import taint_marker
from wimble.model.evaluation import Evaluation
from wimble.model.external import ExternalRequest, shown_origin
from wimble.model.hints import UNDEFINED, ComparisonHint, Hint, InputHint, TruthinessHint
from wimble.model.setup import MAX_SETUP
from wimble.model.setup_kinds.answer import Answer, answer_to, new_answer, with_header
from wimble.model.testcase import TestCase
from wimble.search.generators.newest_first import NewestFirst

_FORMS: Final = {
    "link": ('<{origin}{path}?page=2>; rel="next"',),
    "location": ("{origin}/moved", "/moved", "https://moved.example/moved"),
    "content-location": ("{origin}/moved",),
    "etag": ('"{marker}"',),
    "last-modified": ("Wed, 01 Jan 2025 00:00:00 GMT",),
    "expires": ("Wed, 01 Jan 2025 00:00:00 GMT",),
    "date": ("Wed, 01 Jan 2025 00:00:00 GMT",),
    "retry-after": ("1", "Wed, 01 Jan 2025 00:00:00 GMT"),
    "content-disposition": ('attachment; filename="{marker}.txt"',),
    "content-range": ("bytes 0-1/{number}",),
    "cache-control": ("max-age=60", "no-store"),
    "set-cookie": ("{marker}={marker}; Path=/",),
    "www-authenticate": ('Bearer realm="{marker}"',),
}
"""Values of headers that have a syntax (RFC 9110, 8288, 6265, 6266)."""
_OF_MEMBERS: Final = {name.replace("-", ""): name for name in _FORMS if "-" in name or name == "etag"}
"""How members are called in which client libraries hand out headers (`ETag`, `lastModified`), in lower case -> the
header. Members of one word, such as `date`, are rather those of a body."""
_OF_METADATA: Final = re.compile(r"(?:^|\.)[mM]etadata\.([\w-]+)$")
"""The path of an operand that is in the metadata of an object in a store."""
METADATA: Final = "metadata:"
"""Begins what stands for a header of metadata, which has the prefix of its store."""
_STORES: Final = {"x-amz-": "x-amz-meta-", "x-goog-": "x-goog-meta-", "x-ms-": "x-ms-meta-"}
"""How headers of requests to stores begin (S3, Google Cloud Storage, Azure), and those of metadata in their answers."""
UNCHANGED: Final = 304
REVALIDATED: Final = frozenset({"etag", "last-modified"})
"""Headers of answers that clients keep: a further request names their values, and may be answered 304."""
_OTHERS: Final = ("{marker}", "0", "{number}", "true")
"""Values of all other headers."""
_OF_OPERAND: Final = re.compile(r"^(?!req\b|request\b)(?:.*\.)?headers\.([\w-]+)$")
"""The path of an operand that is a header, other than one of the API's own request."""


class AnswerHeaders(NewestFirst):
    """Proposes the test cases of missing headers, the newest first."""

    learns_from = "hints"

    def _collect(self, evaluation: Evaluation) -> None:
        for hint in evaluation.hints:
            if name := _header_of(hint):
                # The last one is proposed first.
                self._waiting.extend(reversed(list(self._trials(name, hint, evaluation))))

    def _trials(self, name: str, hint: Hint, evaluation: Evaluation) -> Iterator[TestCase]:
        test_case = evaluation.test_case
        if not 0 <= hint.call < len(test_case.calls):
            return
        operation = test_case.calls[hint.call].operation.id
        for request in evaluation.interactions_of(ExternalRequest):
            number, answer = request.answered_by, answer_to(request, test_case)
            header = _in_store(name, request)
            if number is None or answer is None or request.call != hint.call or not header:
                continue
            key = (operation, *answer.place, answer.status, answer.form, header)
            if key in self._known or header in answer.headers(test_case):
                continue
            self._known.add(key)
            made = [
                test_case.with_action(number, with_header(answer, header, self._value(form, request)))
                for form in _FORMS.get(header, _OTHERS)
            ]
            yield from made
            if header in REVALIDATED and answer.occurrence is None:
                yield from _asked_again(made[0], hint.call, number)

    def _value(self, form: str, request: ExternalRequest) -> str:
        return form.format(
            origin=shown_origin(request.origin),
            path=request.path,
            marker=taint_marker(self._rng),
            number=self._rng.randrange(1_000, 10_000),
        )


def _asked_again(test_case: TestCase, call: int, number: int) -> Iterator[TestCase]:
    """Yields the test case with the same call once more, which is told that nothing has changed."""
    answer = test_case.setup[number]
    if not isinstance(answer, Answer) or len(test_case.setup) >= MAX_SETUP or call != len(test_case.calls) - 1:
        return
    first = msgspec.structs.replace(answer, occurrence=0)
    unchanged = new_answer(answer.origin, answer.method, answer.path, status=UNCHANGED)
    setup = test_case.with_action(number, first).setup
    yield TestCase((*test_case.calls, test_case.calls[call]), (*setup, unchanged))


def _in_store(name: str, request: ExternalRequest) -> str:
    """Returns the name of the header in answers to a request; empty if the request is to no store that has it."""
    if not name.startswith(METADATA):
        return name
    sent = (own.lower() for own, _ in request.headers)
    prefixes = (meta for one in sent for prefix, meta in _STORES.items() if one.startswith(prefix))
    prefix = next(prefixes, "")
    return prefix + name.removeprefix(METADATA) if prefix else ""


def _header_of(hint: Hint) -> str:
    """Returns the name of the header that was read and is not there, in lower case; empty if it was none."""
    match hint:
        case InputHint(location="header"):
            return hint.path[0].lower()
        case InputHint(location="", path=(name,)):  # of an object that is no input: a client library has made it
            return _OF_MEMBERS.get(name.replace("_", "").lower(), "")
        case ComparisonHint() | TruthinessHint() if UNDEFINED in hint.operands:
            if found := _OF_METADATA.search(hint.name):
                return METADATA + found[1].lower()
            found = _OF_OPERAND.search(hint.name)
            return found[1].lower() if found else ""
        case _:
            return ""
