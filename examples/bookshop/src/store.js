'use strict';

const { notFound } = require('./http');
const { integerFromText } = require('./validate');

const SUPPLIERS = [
  { id: 'north', name: 'Northern Books', email: 'orders@northern.example' },
  { id: 'harbour', name: 'Harbour Press', email: 'desk@harbour.example' },
];

const BOOKS = [
  { kind: 'paper', title: 'The Lighthouse Clock', subtitle: 'A mystery', author: 'Ada Brandt', price: 1490, stock: 12, pages: 320, supplier: 'north' },
  { kind: 'paper', title: 'Salt and Iron', subtitle: 'Harbour towns of the north', author: 'Jonas Reed', price: 2250, stock: 3, pages: 412, supplier: 'harbour' },
  { kind: 'ebook', title: 'Small Gardens', author: 'Mina Okoye', price: 990, stock: 500, pages: 180, supplier: 'north' },
  // Signed copies that a customer sold to us: nobody to order more from.
  { kind: 'paper', title: 'Letters from Vale', author: 'T. H. Marlow', price: 8900, stock: 2, pages: 96 },
];

const CUSTOMERS = [
  { name: 'Lena Fischer', email: 'lena@fischer.example' },
  { name: 'Omar Haddad', email: 'omar@haddad.example' },
  // What is sold in the shop itself is booked on this one.
  { name: 'Counter' },
];

const SALES = [
  { date: '2024-03-01', amount: 3740 },
  { date: '2024-03-02', amount: 990 },
  { date: '2024-03-05', amount: 8900 },
];

/** Everything the shop knows, in memory, fresh at each start. */
class Table {
  #rows = new Map();
  #name;

  constructor(name, rows = []) {
    this.#name = name;
    rows.forEach((row) => this.add(row));
  }

  add(row) {
    const stored = { id: this.#rows.size + 1, ...row };
    this.#rows.set(stored.id, stored);
    return stored;
  }

  all() {
    return [...this.#rows.values()];
  }

  find(id) {
    const row = this.#rows.get(id);
    if (!row) {
      throw notFound(`${this.#name} ${id} does not exist`);
    }
    return row;
  }

  findByText(text) {
    return this.find(integerFromText(text, 'id', 1, 999_999_999));
  }
}

function createStore() {
  return {
    books: new Table('book', BOOKS),
    customers: new Table('customer', CUSTOMERS),
    orders: new Table('order'),
    suppliers: SUPPLIERS,
    sales: [...SALES],
  };
}

module.exports = { createStore };
