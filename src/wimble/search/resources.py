"""How operations hang together: which one creates, or lists, what another one's input names. Read off paths and names.

Static: built once from the operations. What responses really look like is learnt in `bindings.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

import msgspec

from wimble.model.operation import Operation
from wimble.search.links import DeclaredLinks

Template: TypeAlias = tuple[str, ...]
"""Path segments, lower case and singular, each parameter as `{}`; so `/pet/{id}` and `/pets/{petId}` agree."""

CREATING_SEGMENTS = frozenset({"create", "new", "add", "register", "signup"})
"""Literal segments behind a collection that make a POST a creator: `POST /users/register`."""
_ID_SUFFIX = re.compile(r"^(?P<stem>.+?)[_-]?(?:id|Id|ID|uuid|Uuid|UUID|key|Key|slug|Slug)$")
_WHOLE_PARAMETER = re.compile(r"^\{([^{}]+)\}$")


def singular(word: str) -> str:
    """A cheap English singular, lower case; only has to map the same noun to the same text."""
    word = word.lower()
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def plain_name(name: str) -> str:
    """A field's name without case and separators: `user_id`, `userId` and `User-ID` are one."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def named_resource(name: str) -> str | None:
    """`bookId`, `book_id`, `book-uuid` -> `book`; None for a name that points at no resource, such as `id`."""
    match = _ID_SUFFIX.match(name)
    return singular(match["stem"].split(".")[-1]) if match else None


def template_of(path: str) -> Template:
    return tuple("{}" if "{" in part else singular(part) for part in path.split("/") if part)


def own_template(operation: Operation) -> Template:
    """Of operations whose path says nothing (GraphQL): one template for each resource."""
    return ("", operation.resource) if operation.resource else template_of(operation.path)


class PathBinding(msgspec.Struct, frozen=True, kw_only=True):
    """One path parameter that names a resource."""

    input_index: int
    name: str
    """The parameter's."""
    resource: str
    """Singular noun of the collection: `book`."""
    scope: Template
    """The collection's template: what comes before the parameter."""
    creators: tuple[Operation, ...]
    """Operations that create such a resource, best first."""
    lists: tuple[Operation, ...]
    """Operations that list such resources."""


class Resources:
    """Relations between the operations of one API."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._by_template: dict[Template, list[Operation]] = {}
        self._by_noun: dict[str, list[Operation]] = {}
        self.links = DeclaredLinks(operations)
        for operation in operations:
            template = own_template(operation)
            self._by_template.setdefault(template, []).append(operation)
            if operation.resource:
                if operation.provides:
                    # What creates comes before what only shows.
                    place = 0 if operation.provides == "new" else len(self._by_noun.get(operation.resource, ()))
                    self._by_noun.setdefault(operation.resource, []).insert(place, operation)
            elif operation.method == "POST" and template and template[-1] != "{}":
                self._by_noun.setdefault(self._noun(template), []).append(operation)
        self._bindings = {id(operation): self._bind(operation) for operation in operations}

    def bindings(self, operation: Operation) -> tuple[PathBinding, ...]:
        """The path parameters of the operation that name resources, outermost first."""
        return self._bindings.get(id(operation), ())

    def siblings(self, operation: Operation) -> tuple[Operation, ...]:
        """All operations on the same path, the operation itself included."""
        return tuple(self._by_template.get(own_template(operation), ()))

    def below(self, operation: Operation) -> tuple[Operation, ...]:
        """Operations on the operation's path and one segment below it: what can be done with one resource."""
        template = own_template(operation)
        found = list(self._by_template.get(template, ()))
        for other, operations in self._by_template.items():
            if len(other) == len(template) + 1 and other[: len(template)] == template:
                found += operations
        return tuple(found)

    def collection(self, operation: Operation) -> tuple[Operation, ...]:
        """Operations on the collection that an operation on one resource belongs to."""
        template = own_template(operation)
        return tuple(self._by_template.get(template[:-1], ())) if template and template[-1] == "{}" else ()

    def noun(self, operation: Operation) -> str:
        """What the operation deals in: the last literal segment of its path, singular."""
        return operation.resource or self._noun(template_of(operation.path))

    def creators_of(self, noun: str) -> tuple[Operation, ...]:
        """Operations that create what an input such as `bookId` (noun `book`) points at."""
        return tuple(self._by_noun.get(noun, ()))

    @staticmethod
    def _noun(template: Template) -> str:
        literals = [part for part in template if part != "{}" and part not in CREATING_SEGMENTS]
        return literals[-1] if literals else ""

    def _bind(self, operation: Operation) -> tuple[PathBinding, ...]:
        index_of = {given.name: index for index, given in enumerate(operation.inputs) if given.location == "path"}
        template = template_of(operation.path)
        found = []
        for position, part in enumerate(part for part in operation.path.split("/") if part):
            whole = _WHOLE_PARAMETER.match(part)
            if whole is None or whole[1] not in index_of:
                continue
            scope = template[:position]
            noun = self._noun(scope) or named_resource(whole[1]) or ""
            found.append(
                PathBinding(
                    input_index=index_of[whole[1]],
                    name=whole[1],
                    resource=noun,
                    scope=scope,
                    creators=self._creators(operation, scope, noun, whole[1], index_of[whole[1]]),
                    lists=tuple(
                        o for o in self._by_template.get(scope, ()) if o.method == "GET" and o is not operation
                    ),
                )
            )
        return tuple(found)

    def _creators(
        self, operation: Operation, scope: Template, noun: str, name: str, input_index: int
    ) -> tuple[Operation, ...]:
        linked = self.links.producers(operation, input_index)
        found = [o for o in self._by_template.get(scope, ()) if o.method == "POST"]
        for segment in sorted(CREATING_SEGMENTS):
            found += [o for o in self._by_template.get((*scope, segment), ()) if o.method == "POST"]
        if not found:
            found += self._by_noun.get(named_resource(name) or noun, ())
        # An upsert on the resource's own path; its identity is shared by copying the value.
        if not found:
            found += [o for o in self._by_template.get((*scope, "{}"), ()) if o.method == "PUT"]
        unique: list[Operation] = []
        for creator in (*linked, *found):
            if creator is not operation and creator not in unique:
                unique.append(creator)
        return tuple(unique)
