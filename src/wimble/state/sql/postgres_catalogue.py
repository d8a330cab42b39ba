"""Reads a PostgreSQL database's schema from its catalogue (PostgreSQL 10 and later)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from wimble.model.database import (
    Column,
    ColumnType,
    Database,
    Dialect,
    ForeignKey,
    Row,
    Table,
    TableName,
    UniqueKey,
)
from wimble.state.catalogue import Catalogue, Sequence
from wimble.state.proxied_database import RunQuery, rows_of

OWN = """n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%'"""
"""A condition on `pg_namespace n` that excludes the server's own schemas."""

TABLES = f"""
SELECT c.oid::text, CASE WHEN pg_table_is_visible(c.oid) THEN '' ELSE n.nspname END, c.relname, c.relkind::text,
       has_table_privilege(c.oid, 'SELECT') AND (
           c.relkind NOT IN ('r', 'p') OR has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE')),
       CASE WHEN c.relkind IN ('v', 'm') THEN pg_get_viewdef(c.oid) END
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm') AND NOT c.relispartition AND {OWN}
  AND has_schema_privilege(n.oid, 'USAGE')
  AND NOT EXISTS (SELECT FROM pg_depend d
                   WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
ORDER BY n.nspname, c.relname"""

COLUMNS = f"""
SELECT a.attrelid::text, a.attname, format_type(a.atttypid, a.atttypmod), b.typname, b.typtype::text,
       b.typcategory::text,
       CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END, NOT (a.attnotnull OR t.typnotnull),
       pg_get_expr(d.adbin, d.adrelid), a.attidentity::text, a.attgenerated::text, e.typname, e.typtype::text,
       b.oid::text, t.oid::text
FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
JOIN pg_type t ON t.oid = a.atttypid
JOIN pg_type b ON b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END
LEFT JOIN pg_type e ON e.oid = b.typelem AND b.typcategory = 'A'
LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'v', 'm') AND {OWN}
ORDER BY a.attrelid, a.attnum"""

KEYS = f"""
SELECT i.indrelid::text, i.indisprimary,
       to_json(ARRAY(SELECT a.attname FROM unnest(i.indkey[0:i.indnkeyatts - 1]) WITH ORDINALITY k(n, at)
             JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.n ORDER BY k.at))
FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE i.indisunique AND i.indpred IS NULL AND i.indexprs IS NULL AND {OWN}"""

CONSTRAINTS = f"""
SELECT k.conrelid::text, k.contype::text, k.confrelid::text, k.confdeltype::text, k.confupdtype::text,
       pg_get_constraintdef(k.oid), pg_get_expr(k.conbin, k.conrelid),
       (SELECT json_agg(a.attname ORDER BY u.at) FROM unnest(k.conkey) WITH ORDINALITY u(n, at)
        JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = u.n),
       (SELECT json_agg(a.attname ORDER BY u.at) FROM unnest(k.confkey) WITH ORDINALITY u(n, at)
        JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = u.n),
       k.contypid::text
FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace
WHERE k.contype IN ('f', 'c') AND {OWN}"""

ENUMS = "SELECT enumtypid::text, enumlabel FROM pg_enum ORDER BY enumtypid, enumsortorder"

SEQUENCES = f"""
SELECT CASE WHEN pg_table_is_visible(c.oid) THEN '' ELSE n.nspname END, c.relname, d.refobjid::text, a.attname
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
LEFT JOIN pg_depend d ON d.classid = 'pg_class'::regclass AND d.objid = c.oid
 AND d.deptype IN ('a', 'i') AND d.refobjsubid > 0
LEFT JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
WHERE c.relkind = 'S' AND {OWN}
  AND CASE WHEN c.relkind = 'S' THEN has_sequence_privilege(c.oid, 'SELECT, UPDATE') END"""

FUNCTIONS = f"""
SELECT p.proname, p.prosrc FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
WHERE {OWN} AND NOT EXISTS (SELECT FROM pg_depend d
                              WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')"""

TRIGGERS = f"""
SELECT t.tgrelid::text, p.prosrc FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
JOIN pg_class c ON c.oid = t.tgrelid
JOIN pg_namespace n ON n.oid = c.relnamespace WHERE NOT t.tgisinternal AND {OWN}"""

POWERFUL = "SELECT rolsuper FROM pg_roles WHERE rolname = current_user"

NO_ACTION = ("a", "r")
"""Codes of foreign keys' actions that change nothing: NO ACTION, RESTRICT."""

TYPES: dict[str, ColumnType] = {
    "int2": "integer", "int4": "integer", "int8": "integer", "oid": "integer",
    "numeric": "decimal", "float4": "float", "float8": "float", "bool": "boolean",
    "text": "text", "varchar": "text", "bpchar": "text", "name": "text", "citext": "text",
    "uuid": "uuid", "date": "date", "time": "time", "timetz": "time",
    "timestamp": "timestamp", "timestamptz": "timestamp", "interval": "interval",
    "json": "json", "jsonb": "json", "bytea": "bytes",
}  # fmt: skip
BITS = {"int2": 16, "int4": 32, "oid": 32, "int8": 64}


class _Constraints:
    """The checks and foreign keys of tables, by the oid of their table."""

    def __init__(self, rows: Iterable[Row], names: dict[str, TableName]) -> None:
        self.of_domains: dict[str, list[str]] = defaultdict(list)
        """Checks by the oid of their domain."""
        self.checks: dict[str, list[str]] = defaultdict(list)
        self.foreign: dict[str, list[ForeignKey]] = defaultdict(list)
        self.followers: dict[TableName, list[TableName]] = defaultdict(list)
        for child, kind, parent, on_delete, on_update, text, expression, columns, targets, domain in rows:
            if kind == "c" and domain != "0":
                self.of_domains[domain].append(_check_of(text))
            elif kind == "c":
                self.checks[child].append(expression)
            elif child in names and parent in names:
                follows = on_delete not in NO_ACTION
                self.foreign[child].append(ForeignKey(tuple(columns), names[parent], tuple(targets), follows))
                if follows or on_update not in NO_ACTION:
                    self.followers[names[parent]].append(names[child])


class _Keys:
    """The primary and unique keys of tables, by the oid of their table."""

    def __init__(self, rows: Iterable[Row]) -> None:
        self.primary: dict[str, tuple[str, ...]] = {}
        self.unique: dict[str, list[UniqueKey]] = defaultdict(list)
        for oid, is_primary, key in rows:
            if is_primary:
                self.primary[oid] = tuple(key)
            else:
                self.unique[oid].append(UniqueKey(tuple(key)))


def read_postgres(run_query: RunQuery, database: str, name: str, dialect: Dialect = "postgres") -> Catalogue:
    """Returns the catalogue of the database. Raises: Refused."""
    tables = rows_of(run_query, TABLES)
    names = {oid: TableName(table, schema) for oid, schema, table, *_ in tables}
    enums: dict[str, list[str]] = defaultdict(list)
    for oid, label in rows_of(run_query, ENUMS):
        enums[oid].append(label)
    sequences = rows_of(run_query, SEQUENCES)
    owned = {(table, column): _bare(schema, sequence) for schema, sequence, table, column in sequences if table}
    constraints = _Constraints(rows_of(run_query, CONSTRAINTS), names)
    columns_of: dict[str, list[Column]] = defaultdict(list)
    for row in rows_of(run_query, COLUMNS):
        oid, column, domain = row[0], row[1], row[14]
        constraints.checks[oid] += [_of_column(check, column) for check in constraints.of_domains.get(domain, ())]
        columns_of[oid].append(_column(row, tuple(enums.get(row[13], ())), owned.get((oid, column), "")))
    keys = _Keys(rows_of(run_query, KEYS))
    triggers = _triggers(rows_of(run_query, TRIGGERS), names)
    known = tuple(
        Table(
            name=names[oid],
            columns=tuple(columns_of[oid]),
            primary_key=keys.primary.get(oid, ()),
            unique=tuple(keys.unique[oid]),
            foreign_keys=tuple(constraints.foreign[oid]),
            checks=tuple(constraints.checks[oid]),
            is_view=kind in ("v", "m"),
        )
        for oid, _, _, kind, *_ in tables
    )
    return Catalogue(
        database=Database(id=database, dialect=dialect, name=name, tables=known),
        bodies={function: body or "" for function, body in rows_of(run_query, FUNCTIONS)}
        | {table: body for _, _, table, _, _, body in tables if body},
        triggers=triggers,
        followers={parent: tuple(children) for parent, children in constraints.followers.items()},
        sequences=tuple(
            Sequence(name=_quoted(schema, sequence), words=sequence, table=names.get(table) if table else None)
            for schema, sequence, table, _ in sequences
        ),
        is_all_powerful=rows_of(run_query, POWERFUL) == ((True,),),
        unreadable=tuple(names[oid] for oid, _, _, _, is_ours, _ in tables if not is_ours),
    )


def _triggers(rows: Iterable[Row], names: dict[str, TableName]) -> dict[TableName, str]:
    """Returns the texts of the triggers by table, joined."""
    triggers: dict[TableName, str] = {}
    for oid, body in rows:
        if oid in names:
            triggers[names[oid]] = triggers.get(names[oid], "") + "\n" + body
    return triggers


def _column(row: tuple[Any, ...], enum_values: tuple[str, ...], sequence: str) -> Column:
    (
        _,
        name,
        shown,
        base,
        kind,
        category,
        modifier,
        is_nullable,
        default,
        identity,
        generated,
        element,
        element_kind,
        *_,
    ) = row
    column_type = _type(base, kind, category)
    length = modifier - 4 if base in ("varchar", "bpchar") and modifier >= 4 else None
    precision = scale = None
    if base == "numeric" and modifier >= 4:
        precision, scale = (modifier - 4) >> 16 & 0xFFFF, (modifier - 4) & 0x7FF
    elif column_type in ("time", "timestamp"):
        precision = modifier if modifier >= 0 else 6
    is_serial = bool(sequence) and default is not None and default.startswith("nextval(")
    return Column(
        name=name,
        type_name=shown,
        type=column_type,
        length=length,
        precision=precision,
        scale=scale,
        bits=BITS.get(base),
        is_unsigned=base == "oid",
        has_time_zone=base in ("timestamptz", "timetz"),
        is_nullable=is_nullable,
        default=None if generated else default,
        is_generated=bool(generated),
        is_identity=bool(identity) or is_serial,
        sequence=sequence,
        enum_values=enum_values,
        element=_type(element, element_kind, "") if element else None,
    )


def _type(base: str, kind: str, category: str) -> ColumnType:
    if kind == "e":
        return "enum"
    return "array" if category == "A" else TYPES.get(base, "other")


def _check_of(definition: str) -> str:
    """Returns the expression of a definition: `(VALUE > 0)` for `CHECK ((VALUE > 0))`."""
    inner = definition.removeprefix("CHECK ").removesuffix(" NOT VALID")
    return inner[1:-1] if inner.startswith("(") and inner.endswith(")") else inner


def _of_column(check: str, column: str) -> str:
    return check.replace("VALUE", _quoted("", column))


def _bare(schema: str, name: str) -> str:
    return f"{schema}.{name}" if schema else name


def _quoted(schema: str, name: str) -> str:
    parts = [part for part in (schema, name) if part]
    return ".".join('"' + part.replace('"', '""') + '"' for part in parts)
