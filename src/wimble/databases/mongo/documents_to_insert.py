"""Creates documents to insert, so that a command finds one.

Each field that the command's filter names, or that the collection requires, gets a gene. The genes keep the
validator's types, lengths, limits, patterns and enumerations; unique fields get values that no document has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

import msgspec

from wimble.databases.mongo.collection_schema import column_type, columns_of_documents
from wimble.databases.mongo.document_values import MISSING, Value, held_by_genes, plain
from wimble.databases.mongo.mongo_statements import DocumentStatement
from wimble.databases.mongo.wanted_documents import PlannedDocument, Wish, planned_document
from wimble.databases.rows.column_genes import Limits, gene_of, limits_of_model
from wimble.databases.rows.drawn_values import drawn
from wimble.databases.rows.new_rows import RULE_VIOLATION_PROBABILITY, NewCell, NewRow
from wimble.genes import AnyGene, ArrayGene, ConstantGene, Gene, ObjectGene, OptionalGene, StringGene
from wimble.model.database import Column, Table, TableName

ID: Final = Column(name="_id", type_name="objectId", type="objectid", is_nullable=False)
OBJECT_ID_PATTERN: Final = "^[0-9a-f]{24}$"


def document_wanted(
    statement: DocumentStatement, table: Table | None, documents: Sequence[Value], rng: Random, optional_share: float
) -> NewRow | None:
    """Returns a document that a command would find, for a command that found none; None if none can be made.

    table: the collection's schema, as far as it is known. documents: the documents of the collection.
    optional_share: the probability that a field that the command does not name is present.
    """
    planned = planned_document(statement.condition, rng)
    if planned is None:
        return None
    known = {column.name: column for column in columns_of_documents(documents)}
    known |= {column.name: column for column in (table.columns if table is not None else (ID,))}
    columns = {"_id": known.get("_id", ID), **known}
    unique = {name for key in (table.unique if table is not None else ()) for name in key.columns} | {"_id"}
    cells = []
    wishes = {_with_places(path, columns, wish): wish for path, wish in _single_wishes(planned.wishes)}
    for name, column in _fields(columns, wishes, planned).items():
        share = None if name in planned.mentioned else optional_share
        taken = documents if name in unique else ()
        cell = _cell(column, wishes.get(name), rng, taken=taken, optional_share=share)
        if cell is not None:
            cells.append(cell)
    if "_id" in wishes and wishes["_id"].value is None:
        return None  # a reference that is not set finds no document, and no driver stores one under null
    return NewRow(table or Table(name=TableName(statement.collection), columns=(ID,)), tuple(cells))


def document_copied(table: Table, document: Mapping[str, Value], is_fixed: Callable[[str], bool]) -> NewRow:
    """Returns a document with the same values. Known fields that it lacks may be added by a mutation.

    is_fixed: whether the field of that name keeps its value.
    """
    known = {"_id": ID, **{column.name: column for column in table.columns}}
    cells = []
    for name, value in document.items():
        if not name.startswith("__"):
            column = known.get(name) or Column(name=name, type_name="", type=column_type(value))
            held = held_by_genes(value)
            gene = None if is_fixed(name) else field_gene(column).with_value(held)
            cells.append(NewCell(column, gene or ConstantGene(held)))
    for name, column in known.items():
        if "." not in name and name not in document and not any(_is_around(name, one) for one in known):
            cells.append(NewCell(column, OptionalGene(field_gene(column), False)))
    return NewRow(msgspec.structs.replace(table, primary_key=("_id",)), tuple(cells))


MAX_ELEMENTS: Final = 3
"""Maximum number of elements of a list that nothing asks for."""
_EXTENDED: Final[dict[str, tuple[str, Gene]]] = {
    "objectid": ("$oid", StringGene(pattern=OBJECT_ID_PATTERN)),
    "timestamp": ("$date", StringGene(format="date-time")),
}


def _single_wishes(wishes: dict[str, Wish]) -> Iterator[tuple[str, Wish]]:
    """Yields the wishes by path.

    The fields of a document in a list get one path each, so that each field can have a gene and a link.
    """
    for path, wish in wishes.items():
        if not wish.parts:
            yield path, wish
        for inner, part in _single_wishes(wish.parts):
            yield f"{path}.0.{inner}", part


def _with_places(path: str, columns: dict[str, Column], wish: Wish) -> str:
    """Returns the path with an index after each list: `items.sku` becomes `items.0.sku` if `items` is a list."""
    parts = path.split(".")
    for number in range(1, len(parts) + 1):
        column = columns.get(".".join(parts[:number]))
        is_inside = number < len(parts) and not parts[number].isdigit()
        is_element = number == len(parts) and not isinstance(wish.value, list) and wish.value is not MISSING
        if column is not None and column.type == "array" and (is_inside or is_element):
            return ".".join([*parts[:number], "0", *parts[number:]])
    return path


def _fields(columns: dict[str, Column], wishes: dict[str, Wish], planned: PlannedDocument) -> dict[str, Column]:
    """Returns all fields of the document.

    These are the wished and mentioned fields, and the known fields of the collection that neither contain one of them
    nor are part of one.
    """
    asked = [*wishes, *planned.mentioned]
    fields = {
        name: column
        for name, column in columns.items()
        if name in asked
        or (not any(_is_around(name, one) or _is_around(one, name) for one in asked) and _has_place(name, asked))
    }
    for name in asked:
        if name not in fields:
            value = wishes[name].value if name in wishes else "a"
            fields[name] = Column(name=name, type_name="", type=column_type(value))
    return fields


def _has_place(name: str, asked: list[str]) -> bool:
    """Returns whether the document that the field belongs to exists.

    A document in a list exists only if `asked` contains one of its fields.
    """
    before, place, _ = name.rpartition(".0.")
    return not place or any(one.startswith(before + place) for one in asked)


def _is_around(outer: str, inner: str) -> bool:
    return inner.startswith(outer + ".")


def _cell(
    column: Column, wish: Wish | None, rng: Random, *, taken: Sequence[Value], optional_share: float | None
) -> NewCell | None:
    """Returns the cell of a field; None for a field that is left out.

    taken: documents whose value of the field must not be repeated. optional_share: the probability that a field that
    may be missing is present; None: it is always present.
    """
    # Sometimes the value breaks the model's rules (but never the database's own), since a document that the API cannot
    # read is a fault worth finding ([WB-Advanced] §6). What the model requires is never missing: the API writes no such
    # document, and that a member of its answer is missing then would be no fault.
    is_of_model = column.rules is not None and not column.type_name and column.type != "array"
    is_unruly = is_of_model and rng.random() < RULE_VIOLATION_PROBABILITY
    gene = field_gene(msgspec.structs.replace(column, rules=None) if is_unruly else column)
    if wish is not None:
        if wish.value is MISSING:
            return None
        held = held_by_genes(wish.value)
        new = gene.with_value(held) or AnyGene().with_value(held)
        return None if new is None else NewCell(column, new, plain(wish.operand))
    is_present = not column.is_nullable or optional_share is None or rng.random() < optional_share
    new = drawn(gene, rng, lambda one: _is_taken(column, one, taken)) if is_present else gene
    is_optional = column.is_nullable and optional_share is not None
    return NewCell(column, OptionalGene(new, is_present) if is_optional else new)


def _is_taken(column: Column, gene: Gene, documents: Sequence[Value]) -> bool:
    value = gene.phenotype()
    return any(plain(document.get(column.name)) == value for document in documents)


def field_gene(column: Column) -> Gene:
    """Returns a gene for the field, which is not sampled yet."""
    if column.type == "objectid":
        return StringGene(pattern=OBJECT_ID_PATTERN)
    if column.type == "array":
        return _list_gene(column)
    limits = limits_of_model(column.rules) if column.rules is not None else Limits()
    return gene_of(msgspec.structs.replace(column, is_nullable=False), limits, "mongo") or AnyGene()


def _list_gene(column: Column) -> Gene:
    """Returns a gene for a list. Its elements are in Extended JSON.

    Of documents and lists in it a model says more elsewhere, or nothing; so it has elements only where one is asked
    for.
    """
    element = column.element
    inner: Gene = AnyGene()
    if element in _EXTENDED:
        inner = ObjectGene((_EXTENDED[element],))
    elif element is not None:
        inner = field_gene(Column(name="", type_name="", type=element))
    is_described = element in ("json", "array") or (element is None and column.rules is not None)
    most = 0 if is_described else MAX_ELEMENTS
    return ArrayGene(element=inner, max_items=most)
