"""A small schema, as SQLite makes it and as the core reads it."""

import sqlite3

from wimble.model.database import Column, Database, ForeignKey, Table, TableName, UniqueKey

DDL = """
create table author (
  id integer primary key, name text not null unique, email varchar(40) check (length(email) >= 3), country text default 'NO'
);
create table book (
  id integer primary key, author_id integer not null references author (id), title varchar(20) not null,
  price decimal(8,2) not null check (price > 0 and price < 1000), status text not null check (status in ('draft', 'out', 'gone')),
  published date, pages integer check (pages between 1 and 5000), sold integer not null default 0, meta json,
  shelf text generated always as ('shelf ' || status), check (sold <= pages or sold = 0)
);
create table review (
  id integer primary key, book_id integer not null references book (id), stars integer not null check (stars >= 1 and stars <= 5),
  text text, by_name text references author (name)
);
"""

AUTHOR = Table(
    name=TableName("author"),
    columns=(
        Column(name="id", type_name="INTEGER", type="integer", bits=64, is_nullable=False, is_identity=True),
        Column(name="name", type_name="TEXT", type="text", is_nullable=False),
        Column(name="email", type_name="varchar(40)", type="text", length=40),
        Column(name="country", type_name="TEXT", type="text", default="'NO'"),
    ),
    primary_key=("id",),
    unique=(UniqueKey(("name",)),),
    checks=("length(email) >= 3",),
)
BOOK = Table(
    name=TableName("book"),
    columns=(
        Column(name="id", type_name="INTEGER", type="integer", bits=64, is_nullable=False, is_identity=True),
        Column(name="author_id", type_name="INTEGER", type="integer", bits=64, is_nullable=False),
        Column(name="title", type_name="varchar(20)", type="text", length=20, is_nullable=False),
        Column(name="price", type_name="decimal(8,2)", type="decimal", precision=8, scale=2, is_nullable=False),
        Column(name="status", type_name="TEXT", type="text", is_nullable=False),
        Column(name="published", type_name="date", type="date"),
        Column(name="pages", type_name="INTEGER", type="integer", bits=64),
        Column(name="sold", type_name="INTEGER", type="integer", bits=64, is_nullable=False, default="0"),
        Column(name="meta", type_name="json", type="json"),
        Column(name="shelf", type_name="TEXT", type="text", is_generated=True),
    ),
    primary_key=("id",),
    foreign_keys=(ForeignKey(("author_id",), TableName("author"), ("id",)),),
    checks=(
        "price > 0 and price < 1000",
        "status in ('draft', 'out', 'gone')",
        "pages between 1 and 5000",
        "sold <= pages or sold = 0",
    ),
)
REVIEW = Table(
    name=TableName("review"),
    columns=(
        Column(name="id", type_name="INTEGER", type="integer", bits=64, is_nullable=False, is_identity=True),
        Column(name="book_id", type_name="INTEGER", type="integer", bits=64, is_nullable=False),
        Column(name="stars", type_name="INTEGER", type="integer", bits=64, is_nullable=False),
        Column(name="text", type_name="TEXT", type="text"),
        Column(name="by_name", type_name="TEXT", type="text"),
    ),
    primary_key=("id",),
    foreign_keys=(
        ForeignKey(("book_id",), TableName("book"), ("id",)),
        ForeignKey(("by_name",), TableName("author"), ("name",)),
    ),
    checks=("stars >= 1 and stars <= 5",),
)
SHOP = Database(id="shop", dialect="sqlite", tables=(AUTHOR, BOOK, REVIEW))
EMPTY = {"author": (), "book": (), "review": ()}


def connected() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.execute("pragma foreign_keys = on")
    connection.executescript(DDL)
    return connection
