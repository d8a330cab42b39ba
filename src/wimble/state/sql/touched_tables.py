"""Determines, from the text of a command, the tables that it may have changed.

No table is overlooked. A command that contains a writing word may have changed each table that its text names, each
table that views and functions in its text name, each table that foreign keys cascade to, and each table that a trigger
names. A table too many only costs one more read, so commands are not parsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from wimble.model.database import Table, TableName
from wimble.state.catalogue import Catalogue

WRITING: Final = frozenset(
    [
        "insert",
        "update",
        "delete",
        "merge",
        "replace",
        "truncate",
        "copy",
        "call",
        "do",
        "execute",
        "import",
        "load",
        "nextval",
        "setval",
        "attach",
        "detach",
        "restore",
    ]
)
"""Words of commands that may change rows."""
DEFINING: Final = frozenset(["create", "alter", "drop", "rename"])
"""First words of commands that may change the schema."""
OPAQUE: Final = frozenset({"execute"})
"""Words of commands that run another command, whose text is not known."""
MAX_REMEMBERED: Final = 5000

_WORD = re.compile(r"\w+")
_COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)


class Touched:
    """Finds the tables that commands on one database may have changed, with a cache by text."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._known: dict[str, frozenset[TableName]] = {}
        self._tables = [table for table in catalogue.database.tables if not table.is_view]
        self._everything = frozenset(table.name for table in self._tables)
        self._by_word: dict[str, set[TableName]] = {}
        self._odd: list[tuple[str, TableName]] = []
        for table in self._tables:
            self._add(table.name.name, table.name)
        for sequence in catalogue.sequences:
            if sequence.table is not None:
                self._add(sequence.words, sequence.table)
        self._bodies = {name.lower(): body for name, body in catalogue.bodies.items()}

    def _add(self, text: str, name: TableName) -> None:
        if _WORD.fullmatch(text):
            self._by_word.setdefault(text.lower(), set()).add(name)
        else:
            self._odd.append((text.lower(), name))

    @property
    def everything(self) -> frozenset[TableName]:
        """All tables, without views."""
        return self._everything

    def by(self, text: str) -> frozenset[TableName]:
        """Returns the tables that a command may have changed; all tables for an empty text, an unknown command."""
        known = self._known.get(text)
        if known is None:
            known = self._found(text)
            if len(self._known) < MAX_REMEMBERED:
                self._known[text] = known
        return known

    def _found(self, text: str) -> frozenset[TableName]:
        plain = _COMMENT.sub(" ", text).lower()
        words = set(_WORD.findall(plain))
        if not words:
            return self._everything if not text else frozenset()
        found: set[TableName] = set()
        is_opaque = False
        read_bodies: set[str] = set()
        texts = [(plain, words)]
        is_writing = bool(words & WRITING)
        while texts:
            body, of_body = texts.pop()
            is_writing = is_writing or bool(of_body & WRITING)
            is_opaque = is_opaque or bool(of_body & OPAQUE)
            found |= self._named(body, of_body)
            for name in of_body & self._bodies.keys() - read_bodies:
                read_bodies.add(name)
                inner = _COMMENT.sub(" ", self._bodies[name]).lower()
                texts.append((inner, set(_WORD.findall(inner))))
        if not is_writing:
            return frozenset()
        if is_opaque:
            return self._everything
        return self._with_followers(found, is_truncated="truncate" in words)

    def _named(self, text: str, words: Iterable[str]) -> set[TableName]:
        found: set[TableName] = set()
        for word in words:
            found |= self._by_word.get(word, set())
        if self._odd:
            bare = text.replace('""', '"').replace("``", "`")  # quotes within names are doubled
            found.update(name for odd, name in self._odd if odd in bare)
        return found

    def _with_followers(self, found: set[TableName], *, is_truncated: bool) -> frozenset[TableName]:
        """Returns the tables, and those that cascades, truncation and triggers may change together with them."""
        catalogue = self._catalogue
        open_ones = list(found)
        while open_ones:
            name = open_ones.pop()
            more = set(catalogue.followers.get(name, ()))
            if is_truncated:
                more |= {one.name for one in self._tables if any(key.target == name for key in one.foreign_keys)}
            trigger = catalogue.triggers.get(name)
            if trigger is not None:
                text = trigger.lower()
                words = set(_WORD.findall(text))
                if words & OPAQUE or words & self._bodies.keys():
                    return self._everything
                more |= self._named(text, words)
            open_ones += more - found
            found |= more
        return frozenset(found)


def is_defining(text: str) -> bool:
    """Returns whether a command may have changed the schema."""
    words = _WORD.findall(_COMMENT.sub(" ", text[:200]).lower())
    return bool(words) and words[0] in DEFINING


def parents_first(tables: Iterable[Table]) -> list[Table]:
    """Returns the tables in an order in which rows can be inserted, except that a cycle of foreign keys is cut."""
    by_name = {table.name: table for table in tables}
    ordered: dict[TableName, Table] = {}
    on_the_way: set[TableName] = set()

    def visit(table: Table) -> None:
        if table.name in ordered or table.name in on_the_way:
            return
        on_the_way.add(table.name)
        for key in table.foreign_keys:
            if key.target in by_name:
                visit(by_name[key.target])
        ordered[table.name] = table

    for name in sorted(by_name):
        visit(by_name[name])
    return list(ordered.values())
