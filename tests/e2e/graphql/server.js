'use strict';
/** A small library over GraphQL, with three faults behind guards, and refusals that are none. */
const http = require('node:http');
const { buildSchema, GraphQLError } = require('graphql');
const { createHandler } = require('graphql-http/lib/use/http');

const schema = buildSchema(`
  scalar Date
  enum Genre { NOVEL POETRY SCIENCE }
  interface Named { name: String! }
  type Author implements Named { id: ID!, name: String!, books(genre: Genre): [Book!]! }
  type Publisher implements Named { name: String!, city: String }
  type Book { id: ID!, title: String!, genre: Genre, published: Date, author: Author, related: [Book!]! }
  union Hit = Book | Author
  input AddressInput { city: String, zip: String }
  input OrderInput { bookId: ID!, copies: Int! = 1, address: AddressInput!, gift: Boolean }
  type Order { id: ID!, total: Int! }
  type Query {
    books(genre: Genre, first: Int = 10): [Book!]!
    book(id: ID!): Book
    search(text: String!): [Hit!]!
    named: [Named!]!
    discount(code: String!): Int
  }
  type Mutation {
    addBook(title: String!, genre: Genre, published: Date): Book!
    placeOrder(order: OrderInput!): Order!
    lendBook(bookId: ID!, days: Int!): Book!
  }
`);

const author = { id: 'a1', name: 'Ada', __typename: 'Author', books: () => [...books.values()].slice(0, 3).map(view) };
const books = new Map();
let next = 1;

function view(book) {
  return { ...book, __typename: 'Book', author, related: () => [] };
}

function bookOf(id) {
  const book = books.get(id);
  if (book === undefined) throw new GraphQLError('no such book', { extensions: { code: 'NOT_FOUND' } });
  return book;
}

const rootValue = {
  books: ({ genre, first }) => [...books.values()].filter((book) => !genre || book.genre === genre).slice(0, first).map(view),
  book: ({ id }) => (books.has(id) ? view(books.get(id)) : null),
  search: ({ text }) => (text.length > 3 ? [author] : [...books.values()].slice(0, 3).map(view)),
  named: () => [author, { name: 'Press', city: 'Rome', __typename: 'Publisher' }],
  discount({ code }) {
    if (code === 'SUMMER-SALE') {
      const rate = undefined;
      return rate.percent; // fault: literal argument
    }
    return 0;
  },
  addBook({ title, genre, published }) {
    const book = { id: String(next++), title, genre, published };
    books.set(book.id, book);
    return view(book);
  },
  placeOrder({ order }) {
    if (order.address.zip === '90210') return { id: 'o1', total: zones[order.address.zip].fee }; // fault: nested input field
    return { id: 'o1', total: order.copies * 10 };
  },
  lendBook({ bookId, days }) {
    const book = bookOf(bookId);
    if (days > 365) return { ...view(book), title: null }; // fault: id made by a mutation, null for a non-null field
    return view(book);
  },
};

const zones = {};
const handler = createHandler({ schema, rootValue });
http.createServer((request, response) => {
  if (request.url === '/graphql') return void handler(request, response);
  response.writeHead(404).end();
}).listen(Number(process.env.PORT), '127.0.0.1');
