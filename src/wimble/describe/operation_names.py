"""Names of operations and components, from verbs and paths: `listBooks`, `List books`, `Book`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

import msgspec

from wimble.describe.shapes import Shape
from wimble.http.binding import HttpBinding
from wimble.model.resource_names import CREATING_WORDS, singular

_VERSION: Final = re.compile(r"v?\d+(?:\.\d+)*$|api$|rest$", re.IGNORECASE)
_ENDING: Final = re.compile(r"\.[a-z]{2,4}$")
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_VERBS: Final = {"GET": "get", "POST": "create", "PUT": "replace", "PATCH": "update", "DELETE": "delete"}
_OTHER_VERBS: Final = {"HEAD": "check", "OPTIONS": "ask options of", "TRACE": "trace"}
ACTIONS: Final = frozenset(
    [
        "accept", "activate", "add", "apply", "approve", "archive", "assign", "batch", "block", "cancel", "capture",
        "charge", "check", "checkout", "clear", "clone", "close", "complete", "confirm", "copy", "count", "create",
        "deactivate", "disable", "download", "duplicate", "enable", "enrol", "evaluate", "execute", "export",
        "filter", "find", "finish", "generate", "import", "invite", "join", "leave", "like", "lock", "login",
        "logout", "merge", "move", "notify", "open", "pay", "preview", "process", "publish", "purchase", "query",
        "recover", "refresh", "refund", "register", "reject", "release", "remove", "rename", "renew", "reopen",
        "replay", "reset", "resend", "restart", "restore", "resume", "return", "revoke", "run", "search", "send",
        "share", "ship", "sign", "signin", "signout", "signup", "start", "stop", "submit", "subscribe", "suspend",
        "swap", "sync", "test", "transfer", "trigger", "unblock", "unlike", "unlock", "unpublish", "unsubscribe",
        "update", "upload", "validate", "verify", "vote", "withdraw",
    ]
)  # fmt: skip
"""Last parts of paths that say what is done, rather than what it is done to."""


PLURAL_ACTIONS: Final = frozenset(
    ["count", "export", "filter", "find", "generate", "import", "query", "search", "sync"]
)
"""Actions on many of a collection, unless the path names one of them."""
ENTRANCES: Final = {
    "login": "log in", "logout": "log out", "signin": "sign in", "signout": "sign out", "signup": "sign up",
    "register": "register",
}  # fmt: skip
"""Actions of a user on the API, whatever collection their paths name."""


class OperationName(msgspec.Struct, frozen=True):
    """The names of one operation."""

    ids: tuple[str, ...]
    """Identifiers, the shortest first."""
    summary: str
    tag: str
    """The collection that it belongs to; empty for the root."""
    resource: str
    """The name of what it handles, as that of a component: `Book`; empty if it is not known."""
    is_many: bool
    """Whether it answers several of them."""


class _Phrase(msgspec.Struct, frozen=True):
    """The action of an operation, in words."""

    verb: list[str]
    noun: list[str]
    article: str = ""


def words_of(text: str) -> list[str]:
    """Returns the words of an identifier in lower case: `createdAt`, `created-at` and `created_at` are equal."""
    return [word.lower() for word in _WORD.findall(text)]


def pascal(words: Iterable[str]) -> str:
    """Returns `BookOrder` for `book` and `order`."""
    return "".join(word[:1].upper() + word[1:] for word in words)


def literal_parts(path: str) -> list[str]:
    """Returns the parts of a path that contain no parameter, without prefixes (`api`, `v1`) and endings (`.json`)."""
    parts = [_ENDING.sub("", part) or part for part in path.split("/") if part and "{" not in part]
    while len(parts) > 1 and _VERSION.match(parts[0]):
        parts = parts[1:]
    return parts


def name_of(binding: HttpBinding, answers: Sequence[Shape]) -> OperationName:
    """Returns the names of an operation; those that a document gives come first.

    answers: shapes of its successful answers, which tell a list from one resource.
    """
    parts = literal_parts(binding.path)
    segments = [part for part in binding.path.split("/") if part]
    is_item = bool(segments) and "{" in segments[-1]
    phrase = _phrase(binding, parts, segments, answers, is_item=is_item)
    noun = phrase.noun or ([] if phrase.verb[0] in ENTRANCES else ["root"])
    text = f"{' '.join(_spoken(phrase.verb))} {phrase.article}{' '.join(noun)}".strip()
    owners = [_singular(words_of(part)) for part in parts[:-1]]
    ids = [_camel([*phrase.verb, *noun])]
    ids += [
        _camel([*phrase.verb, *chain.from_iterable(owners[-n_owners:]), *noun])
        for n_owners in range(1, len(owners) + 1)
    ]
    ids.append(_camel([*phrase.verb, *_place_words(binding.path)]))
    tag = binding.tags[0] if binding.tags else " ".join(words_of(parts[0])) if parts else ""
    return OperationName(
        ids=(binding.operation_id,) if binding.operation_id else tuple(ids),
        summary=binding.summary or text[:1].upper() + text[1:],
        tag=tag,
        is_many=phrase.verb[0] == "list" or phrase.verb[0] in PLURAL_ACTIONS,
        resource=pascal(phrase.noun if phrase.verb == ["get"] and not is_item else _singular(phrase.noun)),
    )


def _phrase(
    binding: HttpBinding, parts: list[str], segments: list[str], answers: Sequence[Shape], *, is_item: bool
) -> _Phrase:
    last = words_of(parts[-1]) if parts else []
    action = "".join(last) if "".join(last) in ENTRANCES else last[0] if last else ""
    if last and not is_item and (action in ACTIONS or parts[-1].lower() in CREATING_WORDS):
        return _action_phrase(action, last, parts, segments)
    if last == ["me"]:
        last = ["current", *(_singular(words_of(parts[-2])) if len(parts) > 1 else ["user"])]
    return _plain_phrase(binding.method, last, answers, is_item=is_item)


def _action_phrase(action: str, last: list[str], parts: list[str], segments: list[str]) -> _Phrase:
    """Returns the phrase of a path that ends with an action, such as `/orders/{id}/cancel`."""
    if action in ENTRANCES:
        return _Phrase([action], [])
    noun = words_of(parts[-2]) if len(parts) > 1 else []
    if not noun:
        return _Phrase([action], last[1:])
    is_one = "{" in segments[-2]
    if action in PLURAL_ACTIONS and not is_one:
        return _Phrase(last, noun)
    noun = _singular(noun)
    return _Phrase(last, noun, _article(noun))


def _plain_phrase(method: str, noun: list[str], answers: Sequence[Shape], *, is_item: bool) -> _Phrase:
    one = _singular(noun)
    if method == "GET" and not is_item:
        is_plural = one != noun
        is_list = any(shape.n_lists for shape in answers) or (is_plural and not any(map(_is_one, answers)))
        return _Phrase(["list"], noun) if is_list else _Phrase(["get"], noun, "" if is_plural else "the ")
    if method == "POST" and is_item:
        return _Phrase(["post", "to"], one, _article(one))
    verb = [_VERBS[method]] if method in _VERBS else words_of(_OTHER_VERBS.get(method, method))
    if is_item or method == "POST":
        return _Phrase(verb, one, _article(one))
    return _Phrase(verb, noun, "" if one != noun else "the ")


def _spoken(verb: list[str]) -> list[str]:
    return [ENTRANCES.get(word, word) for word in verb]


def _article(noun: Sequence[str]) -> str:
    if not noun:
        return ""
    return "an " if noun[0][0] in "aeio" else "a "


def _is_one(shape: Shape) -> bool:
    """Whether the answers are one resource, rather than a list in an envelope."""
    return shape.n_objects > 0 and not any(member.n_lists for member in shape.members.values())


def _singular(words: Sequence[str]) -> list[str]:
    return [*words[:-1], singular(words[-1])] if words else []


def _camel(words: Sequence[str]) -> str:
    name = pascal(words)
    return name[:1].lower() + name[1:]


def _place_words(path: str) -> list[str]:
    """Returns words for the whole path, such as `users by id books` for `/users/{id}/books`."""
    words: list[str] = []
    for part in path.split("/"):
        words += ["by", *words_of(part)] if "{" in part else words_of(part)
    return words


def unique_ids(names: Sequence[OperationName], paths: Sequence[str]) -> list[str]:
    """Returns an id for each operation. Of those with equal names, the one with the shortest path has the shortest."""
    order = sorted(range(len(names)), key=lambda index: (paths[index].count("/"), index))
    found: dict[int, str] = {}
    taken: set[str] = set()
    for index in order:
        ids = names[index].ids
        free = next((one for one in ids if one not in taken), "")
        number = 2
        while not free:
            candidate = f"{ids[-1]}{number}"
            free, number = candidate if candidate not in taken else "", number + 1
        taken.add(free)
        found[index] = free
    return [found[index] for index in range(len(names))]
