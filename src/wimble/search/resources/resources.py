"""Relations between operations: which one creates, or lists, the resource that an input of another one names.

They follow from places and names, and change only when operations join. `bindings.py` learns the shapes of responses.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Final

import msgspec

from wimble.model.operation import Operation, Subject
from wimble.model.resource_names import CREATING_WORDS, ONE, Place, named_nouns, named_resource, noun_of, plain_name
from wimble.search.resources.declared_links import DeclaredLinks

USUAL_NAMES: Final = frozenset(
    [
        *("date", "day", "id", "index", "key", "kind", "language", "name", "number", "slug", "state", "status"),
        *("text", "time", "title", "type", "uuid", "value", "version", "year"),
    ]
)
"""Plain names of subjects that inputs of other operations have for other things."""


class SubjectBinding(msgspec.Struct, frozen=True, kw_only=True):
    """One subject of an operation, with the operations that lead to it."""

    input_index: int
    name: str
    """The input's name."""
    resource: str
    """Singular noun of the collection: `book`."""
    scope: Place
    """The place of the collection."""
    creators: tuple[Operation, ...]
    """Operations that create such a resource, best first."""
    lists: tuple[Operation, ...]
    """Operations that list such resources."""


class Resources:
    """Relations between the operations of one API."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self._by_place: dict[Place, list[Operation]] = {}
        self._by_noun: dict[str, list[Operation]] = {}
        """By plain name: `giftCardId` names what `POST /gift-cards` makes."""
        self._operations: tuple[Operation, ...] = ()
        self.join(operations)

    def join(self, operations: Sequence[Operation]) -> None:
        """Adds operations, and relates all to each other anew."""
        self._operations = (*self._operations, *operations)
        self.links = DeclaredLinks(self._operations)
        for operation in operations:
            place = operation.place
            self._by_place.setdefault(place, []).append(operation)
            if operation.resource:
                if operation.provides:
                    # Operations that create a resource come before those that only show it.
                    same = self._by_noun.setdefault(plain_name(operation.resource), [])
                    same.insert(0 if operation.provides == "new" else len(same), operation)
            elif operation.effect == "create" and place and place[-1] != ONE:
                self._by_noun.setdefault(plain_name(noun_of(place)), []).append(operation)
        self._bindings = {id(operation): self._bind(operation) for operation in self._operations}
        self._named = self._by_names()
        self._producers: dict[int, tuple[Operation, ...]] = {}

    def producers(self, operation: Operation) -> tuple[Operation, ...]:
        """Returns the operations that create what this one needs, and what they need, nearest first."""
        known = self._producers.get(id(operation))
        if known is None:
            found: dict[int, Operation] = {id(operation): operation}
            waiting = deque([operation])
            while waiting:
                one = waiting.popleft()
                makers = [maker for binding in self.bindings(one) for maker in binding.creators]
                makers += [maker for _, noun in one.needs for maker in self.creators_of(noun)]
                waiting.extend(maker for maker in makers if id(maker) not in found)
                found |= {id(maker): maker for maker in makers if id(maker) not in found}
            known = self._producers[id(operation)] = tuple(found.values())[1:]
        return known

    def bindings(self, operation: Operation) -> tuple[SubjectBinding, ...]:
        """Returns the subjects of the operation, outermost first."""
        return self._bindings.get(id(operation), ())

    def siblings(self, operation: Operation) -> tuple[Operation, ...]:
        """Returns all operations on the same place, including the operation itself."""
        return tuple(self._by_place.get(operation.place, ()))

    def below(self, operation: Operation) -> tuple[Operation, ...]:
        """Returns operations on the operation's place and one step below it: what can be done with one resource."""
        place = operation.place
        found = list(self._by_place.get(place, ()))
        for other, operations in self._by_place.items():
            if len(other) == len(place) + 1 and other[: len(place)] == place:
                found += operations
        return tuple(found)

    def collection(self, operation: Operation) -> tuple[Operation, ...]:
        """Returns operations on the collection to which the operation's resource belongs.

        Returns none if the operation's place is not one resource.
        """
        place = operation.place
        return tuple(self._by_place.get(place[:-1], ())) if place and place[-1] == ONE else ()

    def noun(self, operation: Operation) -> str:
        """Returns the resource of the operation: the last noun of its place."""
        return operation.resource or noun_of(operation.place)

    def creators_of(self, noun: str) -> tuple[Operation, ...]:
        """Returns operations that create the resource that an input such as `bookId` (noun `book`) names."""
        return tuple(self._by_noun.get(plain_name(noun), ()))

    def noun_named(self, name: str) -> str | None:
        """Returns the noun of the resource that an input such as `bookId` names, as a plain name; None if none.

        The words before the noun tell the part that the resource plays: `fromAddressId` names an address, unless
        something makes from-addresses.
        """
        nouns = named_nouns(name)
        return next((noun for noun in nouns if noun in self._by_noun), named_resource(name))

    def named(self, name: str) -> SubjectBinding | None:
        """Returns the subject that a field of that name most likely names, and that operations create: `plate`, if
        vehicles are at `/vehicles/{plate}`. Names such as `bookId` say what they name, and are none of these.
        """
        return self._named.get(plain_name(name))

    def _by_names(self) -> dict[str, SubjectBinding]:
        """Returns the subjects whose names say what they are, by plain name; without those of several collections."""
        found: dict[str, SubjectBinding] = {}
        scopes: dict[str, set[Place]] = {}
        for operation in self._operations:
            for binding in self._bindings[id(operation)]:
                name = plain_name(binding.name)
                if binding.creators and name not in USUAL_NAMES and named_resource(binding.name) is None:
                    scopes.setdefault(name, set()).add(binding.scope)
                    known = found.get(name)
                    # An operation is not its own creator, so others may know more.
                    if known is None or len(binding.creators) > len(known.creators):
                        found[name] = binding
        return {name: binding for name, binding in found.items() if len(scopes[name]) == 1}

    def _bind(self, operation: Operation) -> tuple[SubjectBinding, ...]:
        return tuple(
            SubjectBinding(
                input_index=subject.input_index,
                name=subject.name,
                resource=subject.resource,
                scope=subject.scope,
                creators=self._creators(operation, subject),
                lists=tuple(
                    o for o in self._by_place.get(subject.scope, ()) if o.effect == "read" and o is not operation
                ),
            )
            for subject in operation.subjects
        )

    def _creators(self, operation: Operation, subject: Subject) -> tuple[Operation, ...]:
        scope = subject.scope
        linked = self.links.producers(operation, subject.input_index)
        found = [o for o in self._by_place.get(scope, ()) if o.effect == "create"]
        for word in sorted(CREATING_WORDS):
            found += [o for o in self._by_place.get((*scope, word), ()) if o.effect == "create"]
        if not found:
            found += self.creators_of(self.noun_named(subject.name) or subject.resource)
        # An upsert on the resource's own place: both calls then get the same value for the identity.
        if not found:
            found += [o for o in self._by_place.get((*scope, ONE), ()) if o.effect == "replace"]
        unique: list[Operation] = []
        for creator in (*linked, *found):
            if creator is not operation and creator not in unique:
                unique.append(creator)
        return tuple(unique)
