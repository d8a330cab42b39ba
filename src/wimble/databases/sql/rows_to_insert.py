"""Creates rows to insert, so that a command finds rows.

Each column that needs a value has a gene, and rows precede the rows that reference them.

The rows satisfy the constraints of the database: the columns' genes keep types and lengths, rows are added to the
tables that foreign keys reference, unique columns get values that no row has, and the genes' limits and
`hill_climb.py` satisfy check constraints.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from random import Random

import msgspec
from sqlglot import exp

from wimble.databases.conditions.stored_values import Value, json_value, of_type
from wimble.databases.conditions.value_distance import equal
from wimble.databases.rows.column_genes import JSON_TEXTS, Limits, gene_of, keeps_limits
from wimble.databases.rows.drawn_values import drawn
from wimble.databases.rows.new_rows import RULE_VIOLATION_PROBABILITY, NewCell, NewRow
from wimble.databases.sql.check_limits import limits_of
from wimble.databases.sql.hill_climb import distance_of, solve
from wimble.databases.sql.row_plan import Cell, Plan, PlannedRow, key_of
from wimble.databases.sql.row_request import RowRequest
from wimble.databases.sql.scope import Tables
from wimble.databases.sql.sql_statements import with_literals
from wimble.databases.sql.wanted_rows import MAX_ROWS, planned_rows
from wimble.genes import EnumGene, Gene, NullableGene, OptionalGene, StringGene
from wimble.json_texts import holds_json
from wimble.model.database import Column, ColumnRules, Database, ForeignKey, Table

MAX_COPIES = 6
"""The largest number of rows that are added for commands that need several rows of a table."""
UNSET_PROBABILITY = 0.3
"""Probability that no value is set for a column that appears in no condition, only in the result, and that may be NULL
or has a default. So commands that name all columns (Drizzle) find rows with NULL, as `SELECT *` does."""
MAX_DOCUMENTS = 3
"""The largest number of documents of existing rows that new rows may have."""


class Wanted(msgspec.Struct, frozen=True):
    """Rows for a command; each row precedes the rows that reference it."""

    rows: tuple[NewRow, ...] = ()
    renamed: tuple[tuple[Value, Value], ...] = ()
    """Operands of the command that no row can satisfy, each with its replacement."""


def _holds(gene: Gene, value: Value) -> bool:
    """Returns whether a column with this gene can hold the value, apart from formats and patterns."""
    inner = gene.gene if isinstance(gene, NullableGene) else gene
    if isinstance(inner, EnumGene):
        return value in inner.options
    new = inner.with_value(value)
    if isinstance(new, StringGene):
        return new.max_length is None or len(new.value) <= new.max_length
    return new is not None and keeps_limits(new)


def _keys_of(table: Table) -> list[tuple[str, ...]]:
    """Returns the table's keys, in lower case."""
    return [tuple(name.lower() for name in key) for key in table.keys]


def rows_wanted(request: RowRequest, rng: Random) -> Wanted:
    """Returns rows that a command would find, for a command that found none.

    The result has no rows if it is not known how to make them, or if existing rows have their keys.
    """
    plan = planned_rows(request, rng)
    if plan is None:
        return Wanted()
    completion = _Completion(plan, request.database, request.tables, rng)
    columns = list(request.statement.tree.find_all(exp.Column))
    mentioned = {
        column.name.lower() for column in columns if not _is_only_shown(column) or rng.random() >= UNSET_PROBABILITY
    }
    if not completion.complete(mentioned):
        return Wanted()
    request = msgspec.structs.replace(
        request,
        params=[completion.renamed(param) for param in request.params],
        statement=with_literals(request.statement, completion.new_literals, request.database.dialect),
    )
    distance = solve(plan, request, completion.genes)
    for _ in range(MAX_COPIES):
        if distance <= 0.0:
            break
        nearer = completion.with_one_more(distance, partial(distance_of, plan, request))
        if nearer is None:
            break
        distance = nearer
    if distance > 0.0:
        completion.satisfy(request)
    return Wanted(completion.new_rows(), completion.all_renamed()) if completion.has_unique_keys() else Wanted()


def _is_only_shown(column: exp.Column) -> bool:
    """Returns whether this occurrence of the column is part of a query's result and not of a condition."""
    parent = column.parent
    return isinstance(parent.parent if isinstance(parent, exp.Alias) else parent, exp.Select)


class _Completion:
    """Completes a plan until the database would accept its rows."""

    def __init__(self, plan: Plan, database: Database, tables: Tables, rng: Random) -> None:
        self._plan = plan
        self._database = database
        self._tables = tables
        self._rng = rng
        self.genes: dict[Cell, Gene] = {}
        self._limits: dict[int, dict[str, Limits]] = {}
        self._renamed: list[tuple[Value, Value]] = []
        self.new_literals: dict[tuple[str, Value], Value] = {}
        """(column in lower case, operand) -> its replacement."""
        self._parents: dict[int, set[int]] = {}
        """Index of a row -> indexes of the rows that must be inserted before it."""

    def complete(self, mentioned: set[str]) -> bool:
        """Adds values to the rows, and the rows that they reference. Returns False if a row cannot be made.

        mentioned: columns that always get a value.
        """
        index, n_planned = 0, len(self._plan.rows)
        while index < len(self._plan.rows):  # the loop adds parents
            table = self._plan.rows[index].table
            if len(self._plan.rows) > MAX_ROWS or not self._fill(
                index, table, mentioned if index < n_planned else set()
            ):
                return False
            self._free_keys(index, table)
            for key in table.foreign_keys:
                if not self._add_parent(index, key):
                    return False
            index += 1
        return True

    def _rename(self, column: str, operand: Value, value: Value) -> None:
        self._renamed.append((operand, value))
        if isinstance(operand, Hashable):  # a list is none of the command's literals
            self.new_literals[column, operand] = value

    def renamed(self, operand: Value) -> Value:
        """Returns the operand, or its replacement."""
        found = (new for old, new in self._renamed if type(old) is type(operand) and old == operand)
        return next(found, operand)

    def all_renamed(self) -> tuple[tuple[Value, Value], ...]:
        return tuple(self._renamed)

    def satisfy(self, request: RowRequest) -> None:
        """Takes the values of a solver (Z3) if they reduce the distance; the last attempt to satisfy the conditions."""
        # Z3 takes a moment to import, and most programs do not need it.
        from wimble.databases.sql.satisfying import Unsolved, satisfied

        plan, params = self._plan, request.params
        before = distance_of(plan, request)
        solved = satisfied(Unsolved(plan, request.database, params, self.genes, kept_params=request.kept_params))
        if solved is None:
            return
        kept = {cell: (plan.value(cell), plan.rows[cell[0]].operands.get(cell[1])) for cell in solved.cells}
        changed = [(old, new) for old, new in zip(params, solved.params, strict=True) if old != new]
        for cell, value in solved.cells.items():
            value_before, operand = kept[cell]
            is_same = equal(value, operand).value or any(old == operand for old, _ in changed)
            if not equal(value, value_before).value:
                plan.put(cell, value, operand if is_same else None)
        if distance_of(plan, msgspec.structs.replace(request, params=solved.params)) < before:
            self._renamed += changed
            return
        for cell, (value, operand) in kept.items():
            plan.put(cell, value, operand)

    def with_one_more(self, distance: float, measure: Callable[[], float]) -> float | None:
        """Adds a copy of a row that no other row references, for commands that need several rows.

        Returns the new distance. If no copy reduces `distance`, changes nothing and returns None.
        """
        pointed_to = {parent for parents in self._parents.values() for parent in parents}
        best: tuple[float, int] | None = None
        for index in range(len(self._plan.rows)):
            if index not in pointed_to and self._copy(index):
                copied = measure()
                self._plan.drop_last()
                if copied < (distance if best is None else best[0]):
                    best = (copied, index)
        if best is None or not self._copy(best[1]):
            return None
        return measure()

    def _copy(self, index: int) -> bool:
        """Adds a copy of a row that has its own keys and references the same rows.

        Returns False if a key consists only of values that are shared with other rows or given by the command.
        """
        row = self._plan.rows[index]
        shared = {name: [one for one in self._plan.linked((index, name)) if one[0] != index] for name in row.values}
        keys: set[str] = set()
        for names in _keys_of(row.table):
            own = [name for name in names if not shared.get(name) and name not in row.operands]
            if not own:
                return False
            keys.update(own)
        copy = self._plan.add(row.table)
        self._parents[copy] = set(self._parents.get(index, ()))
        for column in row.table.columns:
            name = column.name.lower()
            if (index, name) in self.genes:
                self.genes[copy, name] = self.genes[index, name]
            if name not in row.values:
                continue
            if name in keys:
                self._plan.put((copy, name), self._sampled((copy, name), column, is_key=True))
            elif shared[name]:
                self._plan.link(shared[name][0], (copy, name))
            else:
                self._plan.put((copy, name), row.values[name], row.operands.get(name))
        return True

    def has_unique_keys(self) -> bool:
        """Returns whether no existing row has a key of a planned row."""
        return not any(self._is_key_taken(row, key) for row in self._plan.rows for key in _keys_of(row.table))

    def _is_key_taken(self, row: PlannedRow, names: Sequence[str]) -> bool:
        there = self._tables.get(key_of(row.table), ())
        own = [row.values.get(name) for name in names]
        return any(
            all(equal(other.get(name), value).value for name, value in zip(names, own, strict=True)) for other in there
        )

    def _free_keys(self, index: int, table: Table) -> None:
        """Replaces an operand in a key that an existing row has, so that the command finds the new row."""
        row = self._plan.rows[index]
        foreign = {name.lower() for key in table.foreign_keys for name in key.columns}
        for key in _keys_of(table):
            free = [name for name in key if name in row.operands and name not in foreign]
            if not free or not self._is_key_taken(row, key):
                continue
            cell, operand = (index, free[0]), row.operands[free[0]]
            column = next(one for one in table.columns if one.name.lower() == free[0])
            value = self._sampled(cell, column, is_key=True)
            self._rename(free[0], operand, value)
            self._plan.put(cell, value, operand)

    # -- values ---------------------------------------------------------------------------------------------------

    def _fill(self, index: int, table: Table, mentioned: set[str]) -> bool:
        limits = self._limits[index] = limits_of(table, self._database.dialect, self._obeys)
        keys = {name for key in _keys_of(table) for name in key}
        for column in table.columns:
            name = column.name.lower()
            cell = (index, name)
            if column.is_generated:
                continue
            if column.type == "text" and not limits[name].values:
                limits[name].allow_only(self._documents_in(table, name))
            gene = gene_of(column, limits[name], self._database.dialect)
            has_wish = self._plan.has(cell)
            if gene is None:
                if has_wish or column.is_nullable or column.default is not None:
                    continue
                return False
            self.genes[cell] = gene
            is_needed = limits[name].is_not_null or (not column.is_nullable and column.default is None)
            if has_wish:
                value = of_type(column.type, self._plan.value(cell))
                operand = self._plan.rows[index].operands.get(name)
                if operand is not None and not _holds(gene, json_value(column, value)):
                    value = self._sampled(cell, column, is_key=name in keys)
                    self._rename(name, operand, value)
                self._plan.put(cell, value, operand)
            elif is_needed or name in mentioned or column.name in table.primary_key:
                self._plan.put(cell, self._sampled(cell, column, is_key=name in keys))
        return True

    def _documents_in(self, table: Table, name: str) -> tuple[str, ...]:
        """Returns documents for a column of texts that are all objects or lists in JSON; none if they are not.

        The program writes them itself, so it may well read them without a look at whether they are JSON.
        """
        texts = [text for row in self._tables.get(key_of(table), ()) if isinstance(text := row.get(name), str)]
        if not texts or not all(text.startswith(("{", "[")) and holds_json(text) for text in texts):
            return ()
        opened = {text[0] for text in texts}
        empty = [text for text in JSON_TEXTS[""] if len(opened) > 1 or text[0] in opened]
        return tuple(dict.fromkeys((*texts[:MAX_DOCUMENTS], *empty)))

    def _obeys(self, _: ColumnRules) -> bool:
        """Returns, at random, whether a column keeps its model's rules.

        It sometimes does not, since a row that the API cannot read is a fault worth finding ([WB-Advanced] §6).
        """
        return self._rng.random() >= RULE_VIOLATION_PROBABILITY

    def _sampled(self, cell: Cell, column: Column, *, is_key: bool) -> Value:
        gene = self.genes[cell]
        gene = gene.gene if isinstance(gene, NullableGene) else gene

        def value_of(one: Gene) -> Value:
            return of_type(column.type, one.phenotype())

        return value_of(drawn(gene, self._rng, lambda one: is_key and self._is_taken(cell, value_of(one))))

    def _is_taken(self, cell: Cell, value: Value) -> bool:
        table = self._plan.rows[cell[0]].table
        others = [row.get(cell[1]) for row in self._tables.get(key_of(table), ())]
        others += [row.values.get(cell[1]) for row in self._plan.rows if row.table is table]
        return any(equal(other, value).value for other in others)

    # -- foreign keys ---------------------------------------------------------------------------------------------

    def _add_parent(self, index: int, key: ForeignKey) -> bool:
        """Makes the row's foreign key reference an existing or planned row. Returns False if that is impossible."""
        target = self._database.table_called(key.target.name, key.target.schema)
        if target is None:
            return False
        pairs = [(own.lower(), theirs.lower()) for own, theirs in zip(key.columns, key.target_columns, strict=True)]
        wished = {own: self._plan.value((index, own)) for own, _ in pairs}
        if any(value is None for value in wished.values()):
            return True  # a key with NULL references no row
        if self._is_there(target, [(theirs, wished[own]) for own, theirs in pairs]):
            return True
        parent = self._planned_parent(index, target, pairs)
        if parent is None:
            parent = self._plan.add(target)
        for own, theirs in pairs:
            self._plan.link((parent, theirs), (index, own))
        if parent != index:
            self._parents.setdefault(index, set()).add(parent)
        return True

    def _is_there(self, target: Table, wanted: list[tuple[str, Value]]) -> bool:
        rows = self._tables.get(key_of(target), ())
        return any(all(equal(row.get(name), value).value for name, value in wanted) for row in rows)

    def _planned_parent(self, index: int, target: Table, pairs: list[tuple[str, str]]) -> int | None:
        """Returns a planned row that the key already references, or can reference."""
        free = None
        for other, row in enumerate(self._plan.rows):
            if row.table is not target or self._is_below(other, index):
                continue
            cells = [((index, own), (other, theirs)) for own, theirs in pairs]
            if all(theirs in self._plan.linked(own) for own, theirs in cells):
                return other
            if all(not self._plan.has(theirs) for _, theirs in cells) and other != index:
                free = other
            elif all(equal(self._plan.value(own), self._plan.value(theirs)).value for own, theirs in cells):
                return other
        return free

    def _is_below(self, row: int, ancestor: int) -> bool:
        return any(parent == ancestor or self._is_below(parent, ancestor) for parent in self._parents.get(row, ()))

    # -- the resulting rows ---------------------------------------------------------------------------------------

    def new_rows(self) -> tuple[NewRow, ...]:
        order: list[int] = []

        def visit(index: int) -> None:
            if index not in order:
                for parent in sorted(self._parents.get(index, ())):
                    visit(parent)
                order.append(index)

        for index in range(len(self._plan.rows)):
            visit(index)
        rows: dict[int, NewRow] = {}
        for index in order:
            rows[index] = self._new_row(index, rows)
        return tuple(rows.values())

    def _new_row(self, index: int, earlier: dict[int, NewRow]) -> NewRow:
        row = self._plan.rows[index]
        cells = []
        for column in row.table.columns:
            name = column.name.lower()
            gene = self.genes.get((index, name))
            if gene is None:
                continue
            if name not in row.values:
                # The database fills the column until a mutation sets a value.
                cells.append(NewCell(column, OptionalGene(gene, False)))
                continue
            new = gene.with_value(json_value(column, row.values[name]))
            if new is not None:
                cells.append(NewCell(column, new, row.operands.get(name), self._link((index, name), earlier)))
        return NewRow(row.table, tuple(cells))

    def _link(self, cell: Cell, earlier: dict[int, NewRow]) -> tuple[int, int] | None:
        linked = self._plan.linked(cell)
        for position, (index, row) in enumerate(earlier.items()):
            for number, other in enumerate(row.cells):
                if (index, other.column.name.lower()) in linked:
                    return position, number
        return None
