"""Infers, from names and types, the resource of each field of Query or Mutation, and which inputs identify one."""

from __future__ import annotations

import re

from graphql import (
    GraphQLField,
    GraphQLInputObjectType,
    GraphQLNamedType,
    GraphQLSchema,
    get_named_type,
    is_leaf_type,
)
from graphql.type import GraphQLNonNull

from wimble.spec.graphql.natural_keys import NaturalKeys
from wimble.spec.graphql.selections import IDENTIFIERS, fields_of

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_REFERENCE = re.compile(r"^(?P<stem>.+?)_?(?:Ids?|IDs?|ids?|Uuid|UUID|uuid|Key|key|Slug|slug)$")
_CHANGES = frozenset(
    [
        "update",
        "edit",
        "modify",
        "change",
        "set",
        "delete",
        "remove",
        "destroy",
        "drop",
        "archive",
        "restore",
        "publish",
        "unpublish",
        "cancel",
        "close",
        "move",
        "rename",
        "assign",
        "unassign",
        "approve",
        "reject",
        "patch",
        "replace",
        "upsert",
        "login",
        "logout",
        "signin",
        "like",
        "unlike",
    ]
)
_MAKES = frozenset(
    [
        *(
            "add",
            "build",
            "clone",
            "copy",
            "create",
            "duplicate",
            "fork",
            "generate",
            "import",
            "insert",
            "make",
            "new",
        ),
        *("register", "remix", "reply", "repost"),
    ]
)
"""First words of mutations that may make a thing out of another one of its kind, such as a copy or an answer."""
_MAX_DEPTH = 3


def words_of(name: str) -> list[str]:
    """Returns the words of a name in camelCase or snake_case, in lower case."""
    return [word.lower() for word in _WORD.findall(name)]


class Relations:
    """The relations between the fields of one schema."""

    def __init__(self, schema: GraphQLSchema) -> None:
        self._keys = NaturalKeys(schema)
        mutations = schema.mutation_type.fields if schema.mutation_type else {}
        self._made = {
            self.noun(name, field) for name, field in mutations.items() if (words_of(name) or [""])[0] in _MAKES
        }
        """Resources that a mutation makes whose name says so."""

    def noun(self, name: str, field: GraphQLField) -> str:
        """Returns the resource of a field, in lower case.

        It is the type of the answer if that type has an identifier, else the type of a field in the answer (a payload),
        else a type's name that the field's name ends with, else the name of the answer's type or of the field.
        """
        kind = get_named_type(field.type)
        if _has_identity(kind):
            return kind.name.lower()
        for inner in fields_of(kind).values():
            below = get_named_type(inner.type)
            if _has_identity(below):
                return below.name.lower()
        return self._known(words_of(name)) or (kind.name.lower() if not is_leaf_type(kind) else name.lower())

    def is_creator(self, name: str, field: GraphQLField) -> bool:
        """Whether a mutation returns something new, by its name and arguments.

        Its answer is an object, its name does not begin with a verb of change, and it requires no identifier of such
        an object: `submit(talkId: ID!): Talk` changes the talk. What requires the identifier of another thing
        (`review(id: ID!): Review`) makes one only if nothing else says that it does.
        """
        first, *others = words_of(name) or [""]
        changes = first in _CHANGES or first + "".join(others[:1]) in _CHANGES  # `logIn` is written as two words, too
        own = self.noun(name, field)
        if changes or is_leaf_type(get_named_type(field.type)) or self._is_about_one(name, own, field):
            return False
        return not self._requires(own, field) or self._says_it_makes(name, own)

    def _says_it_makes(self, name: str, own: str) -> bool:
        """Whether the field's name says that it makes such a resource: `copy`, `addTalk`."""
        first, *others = words_of(name) or [""]
        return first in _MAKES and (not others or self._known(others) == own)

    def _requires(self, noun: str, field: GraphQLField) -> bool:
        """Whether a required argument, or a required member of one, identifies such a resource."""
        found: dict[str, str] = {}
        for argument, given in field.args.items():
            if isinstance(given.type, GraphQLNonNull):
                self._collect(argument, get_named_type(given.type), "", found, 0, are_all_wanted=False)
        return noun in found.values()

    def needs(self, name: str, field: GraphQLField, *, is_creator: bool) -> tuple[tuple[str, str], ...]:
        """Returns (name of an input, the resource that it identifies), including members of input objects.

        A creator's own identifier is left out.
        """
        found: dict[str, str] = {}
        own = self.noun(name, field)
        subject = self._subject(name, own)
        for argument, given in field.args.items():
            self._collect(argument, get_named_type(given.type), subject, found, 0)
        made = own if is_creator else ""
        return tuple((argument, noun) for argument, noun in found.items() if noun != made)

    def _subject(self, name: str, own: str) -> str:
        """Returns the resource that an identifier among a field's own arguments is about: of `reviewProposal(id: ID!):
        Review`, the proposal.
        """
        return self._known(words_of(name)[1:]) or own

    def _collect(
        self,
        name: str,
        kind: GraphQLNamedType,
        own: str,
        found: dict[str, str],
        depth: int,
        *,
        are_all_wanted: bool = True,
    ) -> None:
        """are_all_wanted: whether optional members of input objects count, too."""
        if isinstance(kind, GraphQLInputObjectType):
            for inner, field in kind.fields.items() if depth < _MAX_DEPTH else ():
                if are_all_wanted or isinstance(field.type, GraphQLNonNull):
                    below = get_named_type(field.type)
                    self._collect(inner, below, own, found, depth + 1, are_all_wanted=are_all_wanted)
            return
        if not is_leaf_type(kind):
            return
        if name.lower() in IDENTIFIERS or name.lower() == "ids":
            noun = self._keys.identified(name, own)
        else:
            reference = _REFERENCE.match(name)
            noun = self._known(words_of(reference["stem"])) if reference else ""
            if not noun and kind.name == "ID":
                noun = self._known(words_of(name)) or own
            if not noun and not self._keys.has(own, name):
                noun = self._keys.looked_up(name)
        if noun:
            found.setdefault(name, noun)

    def _known(self, words: list[str]) -> str:
        """Returns the longest name of a type that the words end with, in singular or plural; "" if none."""
        for start in range(len(words)):
            text = "".join(words[start:])
            for candidate in (text, text.removesuffix("s"), text.removesuffix("es"), text.removesuffix("ies") + "y"):
                if candidate in self._keys.nouns:
                    return candidate
        return ""

    def _is_about_one(self, name: str, own: str, field: GraphQLField) -> bool:
        """Whether a required argument identifies the resource that is answered, or one that something else makes."""
        subject = self._subject(name, own)
        identified = [
            self._keys.identified(argument, subject)
            for argument, given in field.args.items()
            if argument.lower() in IDENTIFIERS and isinstance(given.type, GraphQLNonNull)
        ]
        is_made_elsewhere = own in self._made and not self._says_it_makes(name, own)
        return own in identified or bool(identified and is_made_elsewhere)


def _has_identity(kind: GraphQLNamedType) -> bool:
    return any(name.lower() in IDENTIFIERS for name in fields_of(kind))
