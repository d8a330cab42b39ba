"""Kinds of errors that services name in their answers, and of which client libraries make classes: `card_error` becomes
a `StripeCardError`.

A condition of the program names the class, and the library compares the kind where nobody looks. So the words of the
class are tried at the places of an error's kind in answers that are refusals. Other libraries choose the class by the
status, of which its words tell, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wimble.feedback.answers.answer_places import place_at
from wimble.model.hints import ComparisonHint, Hint, KeyHint
from wimble.model.setup_kinds.answer import BODILESS, BODY, FIRST_FAILURE, Answer
from wimble.model.testcase import TestCase
from wimble.types import Json

TEXT: Final = "error-message"
_CLASS: Final = re.compile(r"(?:[A-Z]+[a-z0-9]+){2,8}")
"""The name of a class: at least two words."""
_CODE: Final = re.compile(r"[A-Za-z][\w.-]{2,60}")
_WORD: Final = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z][a-z0-9]*")
_ENDS: Final = ("Error", "Exception", "Failure")
_KIND: Final = re.compile(r"^(?:type|kind|code|name|error|reason|category)$", re.IGNORECASE)
"""How members are called that say which kind of error it is."""
_STATUSES: Final = (
    (re.compile("authentication|unauthori[sz]ed|login"), 401),
    (re.compile("card|payment|quota"), 402),
    (re.compile("permission|forbidden|access_denied"), 403),
    (re.compile("not_found|missing|no_such"), 404),
    (re.compile("conflict|idempotency|already|duplicate|precondition"), 409),
    (re.compile("unprocessable|validation"), 422),
    (re.compile("rate_limit|too_many|throttl"), 429),
    (re.compile("unavailable|overloaded"), 503),
    (re.compile("internal|server"), 500),
    (re.compile("bad_request|invalid"), 400),
)
"""Words of classes of errors, and the statuses for which clients make them; the first one counts."""
MAX_WORDS_LEFT_OUT: Final = 2
"""Words at the beginning of a class that name the library: `Stripe`, `GoogleAds`."""
MAX_PLACES: Final = 4
"""Members of one answer that are tried."""


def kinds_named(hint: Hint) -> tuple[str, ...]:
    """Returns what a service may call the kind of an error whose class a condition names, the most likely one first."""
    match hint:
        case ComparisonHint(operator="identical" | "equal", wanted=True, left=left, right=right):
            names = (right, left)
        case KeyHint(other=other):
            names = (other, None)
        case _:
            return ()
    classes = [name for name in names if isinstance(name, str) and _CLASS.fullmatch(name) and name.endswith(_ENDS)]
    return tuple(dict.fromkeys(kind for name in classes[:1] for kind in _kinds(name)))


def _kinds(name: str) -> Iterator[str]:
    words = [word.lower() for word in _WORD.findall(name)]
    for left_out in range(1, min(MAX_WORDS_LEFT_OUT, len(words) - 2) + 1):
        yield "_".join(words[left_out:])
    yield "_".join(words)


def code_named(hint: Hint) -> tuple[str, ...]:
    """Returns the code that a condition expects of an error (`error.code === 'restricted_resource'`), of which a client
    may take over only those that it knows: so what it has made of another one tells no place.
    """
    if not isinstance(hint, ComparisonHint) or hint.operator not in ("identical", "equal") or not hint.wanted:
        return ()
    is_kind = "." in hint.name and _KIND.match(hint.name.rpartition(".")[2])
    code = hint.right if isinstance(hint.right, str) else ""
    return (code,) if is_kind and _CODE.fullmatch(code) and isinstance(hint.left, str) else ()


def refusal_named(hint: Hint) -> tuple[int, Json] | None:
    """Returns the status and the body for which a client may make the class of errors that a condition names."""
    kinds = kinds_named(hint)
    status = next((status for words, status in _STATUSES if kinds and words.search(kinds[-1])), None)
    return None if status is None else (status, {"error": {"type": kinds[0], "code": kinds[0], "message": TEXT}})


def with_kind(test_case: TestCase, number: int, kind: str) -> Iterator[TestCase]:
    """Yields the test case in which an answer that is a refusal names that kind of error: where it names one, or else
    where most services do.
    """
    answer = test_case.setup[number]
    if not isinstance(answer, Answer) or answer.outcome != "answer" or answer.status in BODILESS:
        return
    if answer.form != "json" or answer.status < FIRST_FAILURE:
        return
    paths = [path for path in _scalars(answer.genes[BODY].phenotype()) if _KIND.match(path[-1])]
    for path in paths[:MAX_PLACES] or [("error", "type")]:
        place = place_at(test_case, number, path, kind)
        if place is not None:
            yield test_case.with_gene(*place)


def _scalars(body: object, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yields the paths of the texts and numbers in objects of a body."""
    if isinstance(body, dict):
        for name, member in body.items():
            if isinstance(member, (str, int)):
                yield (*above, name)
            else:
                yield from _scalars(member, (*above, name))
