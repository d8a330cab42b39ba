"""GraphQL schemas become operations whose every sample is a valid request to that schema."""

from __future__ import annotations

from random import Random

import pytest
from graphql import OperationDefinitionNode, build_schema, parse, validate
from graphql.execution.values import get_variable_values

from wimble.engine.boot.describe import load_from_file
from wimble.errors import SchemaError
from wimble.genes import SubsetGene, iter_genes, replaced_at
from wimble.http.binding import binding_of
from wimble.http.request_building import build_request
from wimble.model.testcase import Call
from wimble.spec.graphql.graphql_schema import schema_of_sdl
from wimble.spec.graphql.input_types import scalar_gene
from wimble.spec.graphql.root_fields import load_graphql
from wimble.spec.graphql.schema_texts import DEFAULT_PATH, looks_like_sdl, mounted_at

SDL = """
scalar Date
enum Genre { NOVEL POETRY }
interface Node { id: ID! }
interface Named { name: String! }
type Author implements Node & Named { id: ID!, name: String!, age: Int, books(genre: Genre, first: Int! = 3): [Book!]! }
type House implements Named { name: String!, age: String, address(format: String!): String }
type Book implements Node { id: ID!, title: String!, published: Date, author: Author }
union Hit = Book | Author | House
input Place { city: String!, inner: Place, all: [Place!]! }
input Filter { and: [Filter!], or: [Filter!], not: Filter, genre: Genre, title: String, author: AuthorFilter }
input AuthorFilter { and: [AuthorFilter!], or: [AuthorFilter!], name: String, books: Filter }
input NewBook { title: String!, genre: Genre = NOVEL, published: Date, authorId: ID! }
type AddBookPayload { book: Book, messages: [String!] }
type Query {
  books(filter: Filter, first: Int = 10): [Book!]!
  book(id: ID!): Book
  hits(text: String!): [Hit!]!
  named: [Named!]!
  version: String!
}
type Mutation { addBook(input: NewBook!): AddBookPayload, move(bookId: ID!, to: Place!): Book!, deleteBook(id: ID!): Boolean }
type Subscription { added: Book }
"""
SCHEMA = build_schema(SDL)
SPECIFICATION = load_graphql(SCHEMA, "schema.graphql", DEFAULT_PATH)
BY_ID = {operation.id: operation for operation in SPECIFICATION.operations}


@pytest.mark.parametrize("operation", SPECIFICATION.operations, ids=lambda operation: operation.id)
def test_each_sample_and_each_mutant_is_valid(operation):
    rng = Random(1)
    n_coerced = 0
    for _ in range(40):
        gene = operation.inputs[0].template.sampled(rng)
        for path, one in [pair for pair in iter_genes(gene) if pair[1].is_mutable()][:4]:
            mutant = replaced_at(gene, path, one.mutated(rng, 0.5))
            assert validate(SCHEMA, parse(mutant.phenotype()["query"])) == []
        body = gene.phenotype()
        document = parse(body["query"])
        assert validate(SCHEMA, document) == [], body["query"]
        definition = document.definitions[0]
        assert isinstance(definition, OperationDefinitionNode)
        values = get_variable_values(SCHEMA, definition.variable_definitions or (), body["variables"])
        n_coerced += not isinstance(values, list)
    # A small share of values breaks a constraint on purpose.
    assert n_coerced > 30


def test_ids_of_operations_and_where_they_are_sent():
    assert list(BY_ID) == [
        "query books", "query book", "query hits", "query named", "query version",
        "mutation addBook", "mutation move", "mutation deleteBook",
    ]  # fmt: skip
    assert {binding_of(operation).path for operation in mounted_at(SPECIFICATION, "/api").operations} == {"/api"}
    assert BY_ID["query books"].is_safe
    assert not BY_ID["mutation addBook"].is_safe
    assert any("subscriptions are not called (added)" in warning for warning in SPECIFICATION.warnings)


def test_what_operations_make_and_need():
    assert BY_ID["mutation addBook"].resource == "book"
    assert BY_ID["mutation addBook"].provides == "new"
    assert BY_ID["mutation addBook"].needs == (("authorId", "author"),)
    assert BY_ID["query book"].needs == (("id", "book"),)
    assert BY_ID["mutation move"].needs == (("bookId", "book"),)
    assert BY_ID["mutation deleteBook"].needs == (("id", "book"),)
    assert BY_ID["mutation deleteBook"].provides == ""
    assert BY_ID["query books"].provides == "existing"


@pytest.mark.parametrize(
    ("field", "makes"),
    [
        ("propose(conferenceId: ID!, title: String!): Talk", True),
        ("submit(talkId: ID!): Talk", False),  # whatever its verb
        ("decide(input: Decision!): Talk", False),
        ("follow(input: Sequel!): Talk", True),  # may do without
        ("addReview(talkId: ID!, text: String!): Talk", False),  # makes another thing
        ("addTalk(talkId: ID!): Talk", True),
        ("logIn(name: String!): Talk", False),
        ("copy(talkId: ID!): Talk", True),
    ],
)
def test_what_makes_a_thing(field, makes):
    schema = build_schema(f"""
        type Conference {{ id: ID! }}
        type Talk {{ id: ID!, conference: Conference! }}
        input Decision {{ talkId: ID!, accept: Boolean! }}
        input Sequel {{ talkId: ID, title: String! }}
        type Query {{ talk(id: ID!): Talk }}
        type Mutation {{ {field} }}""")
    (_, mutation) = load_graphql(schema, "s", DEFAULT_PATH).operations
    assert mutation.provides == ("new" if makes else "")


CONFERENCES = """
    type Conference { id: ID!, slug: String!, title: String! }
    type Room { id: ID!, name: String!, seats: Int! }
    type Talk { id: ID!, title: String! }
    type Review { id: ID!, score: Int! }
    type Ticket { id: ID!, code: String! }
    input NewConference { slug: String!, title: String! }
    type Query {
        conference(slug: String!): Conference
        talk(id: ID!): Talk
        talks(title: String!): [Talk!]!
        ticket(code: String!): Ticket
        report(slug: String!, code: String): String!
    }
    type Mutation {
        createConference(input: NewConference!): Conference!
        addRoom(slug: String!, name: String!): Room!
        addOrganizer(slug: String!, email: String!): Conference!
        createTalk(slug: String!, title: String!): Talk!
        endorse(id: ID!): Talk!
        reviewTalk(id: ID!, score: Int!): Review!
        checkIn(code: String!): Boolean!
    }"""


@pytest.mark.parametrize(
    ("name", "needs", "provides"),
    [
        ("query conference", {"slug": "conference"}, ""),
        ("query talks", {}, "existing"),
        ("query report", {"slug": "conference", "code": "ticket"}, ""),
        ("mutation createConference", {}, "new"),
        ("mutation addRoom", {"slug": "conference"}, "new"),
        ("mutation addOrganizer", {"slug": "conference"}, ""),
        ("mutation createTalk", {"slug": "conference"}, "new"),
        ("mutation endorse", {"id": "talk"}, ""),
        ("mutation reviewTalk", {"id": "talk"}, "new"),
        ("mutation checkIn", {"code": "ticket"}, ""),
    ],
)
def test_arguments_identify_the_type_that_has_such_a_field_or_is_looked_up_by_it(name, needs, provides):
    specification = load_graphql(build_schema(CONFERENCES), "s", DEFAULT_PATH)
    (operation,) = (one for one in specification.operations if one.id == name)
    assert (dict(operation.needs), operation.provides) == (needs, provides)


def test_selections_have_the_fields_by_which_later_calls_name_a_thing():
    specification = load_graphql(build_schema(CONFERENCES), "s", DEFAULT_PATH)
    (operation,) = (one for one in specification.operations if one.id == "query ticket")
    rng = Random(1)
    texts = [operation.inputs[0].template.sampled(rng).phenotype()["query"] for _ in range(100)]
    assert sum(text.endswith(("{ id code } }", "{ code } }")) for text in texts) > 85


def test_a_request_is_a_post_with_variables():
    operation = BY_ID["query book"]
    request = build_request(Call(operation, (operation.inputs[0].template.sampled(Random(2)),)))
    assert (request.method, request.target) == ("POST", "/graphql")
    assert ("Content-Type", "application/json") in request.headers
    assert request.body.startswith(b'{"query":"query($id: ID!) { book(id: $id) {')


def test_circles_and_wide_inputs_stay_small():
    for operation in SPECIFICATION.operations:
        assert len(list(iter_genes(operation.inputs[0].template))) < 1000


def test_selections_reach_fragments_nested_arguments_and_aliases():
    rng = Random(3)
    texts = [BY_ID["query hits"].inputs[0].template.sampled(rng).phenotype()["query"] for _ in range(200)]
    assert any("... on Book" in text and "... on House" in text for text in texts)
    assert any("House_age: age" in text for text in texts), "another type under the same name"
    assert any("address(format: $" in text for text in texts)
    authors = build_schema("type A { id: ID, n(x: Int): Int } type Query { a: A }")
    (operation,) = load_graphql(authors, "s", DEFAULT_PATH).operations
    texts = [operation.inputs[0].template.sampled(rng).phenotype()["query"] for _ in range(200)]
    assert any("nAgain: n" in text for text in texts)
    assert any(text == "query { a { __typename } }" for text in texts)


@pytest.mark.parametrize(
    ("name", "is_fitting"),
    [
        ("Date", lambda v: len(v) == 10), ("DateTime", lambda v: "T" in v), ("UUID", lambda v: len(v) == 36),
        ("EmailAddress", lambda v: "@" in v), ("URL", lambda v: v.startswith("https:")), ("PositiveInt", lambda v: v >= 1),
        ("BigInt", lambda v: isinstance(v, int)), ("JSONObject", lambda v: True), ("Unheard", lambda v: True),
    ],
)  # fmt: skip
def test_custom_scalars_by_name(name, is_fitting):
    rng = Random(4)
    values = [scalar_gene(name).sampled(rng).phenotype() for _ in range(50)]
    assert sum(bool(is_fitting(value)) for value in values) >= 45


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.graphql", "type Query {\n  books: [Book!!]\n}", "line 2, column 16"),
        ("b.graphql", "type Query { books: [Book!] }", "Unknown type"),
        ("c.gql", "type Book { id: ID }", "neither a type `Query`"),
        ("d.json", '{"data": {"__schema": {"types": 3}}}', ""),
        ("e.graphql", "", ""),
    ],
)
def test_schemas_that_cannot_be_used(tmp_path, name, text, said):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(SchemaError) as caught:
        load_from_file(str(path))
    assert caught.value.slug == "graphql-schema-unusable"
    assert said in "\n".join(caught.value.lines())


def test_sdl_is_known_by_its_text():
    assert looks_like_sdl('# hello\n"""words {"""\ntype Query { a: Int }')
    assert looks_like_sdl('extend schema @link(url: "x")\ntype Query { a: Int }')
    assert not looks_like_sdl("openapi: 3.0.0\ninfo: {title: type Query}")
    assert not looks_like_sdl("type: object\nproperties: {}")


def test_directives_of_a_servers_own_need_no_definition():
    assert load_graphql(schema_of_sdl("type Query { a: Int @auth(role: ADMIN) }", "s"), "s", DEFAULT_PATH).operations


def test_what_a_login_gives_to_later_calls_is_always_selected():
    schema = build_schema(
        "type User { id: ID!, name: String } type Session { accessToken: String!, user: User! } type Payload "
        "{ session: Session, ok: Boolean } type Query { me: User } type Mutation { signIn: Session!, login: Payload! }"
    )
    by_id = {one.id: one for one in load_graphql(schema, "schema.graphql", DEFAULT_PATH).operations}
    rng = Random(1)
    for name in ("mutation signIn", "mutation login"):
        gene = by_id[name].inputs[0].template
        samples = [gene, *(gene.sampled(rng) for _ in range(40))]
        assert all("accessToken" in one.phenotype()["query"] for one in samples)
        assert any("user" not in one.phenotype()["query"] for one in samples)
        for _, one in iter_genes(gene):
            if isinstance(one, SubsetGene):
                assert one.always <= set(one.mutated(rng, 0.5).chosen)
