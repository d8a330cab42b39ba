'use strict';

const { pool } = require('./database');

async function findMember(card) {
  const { rows } = await pool.query('SELECT * FROM members WHERE card = $1', [card]);
  return rows[0];
}

async function openLoans(member) {
  const { rows } = await pool.query(
    `SELECT l.id, l.isbn, b.title, l.lent_on
       FROM loans l JOIN books b ON b.isbn = l.isbn
      WHERE l.member_id = $1 AND l.returned_on IS NULL
      ORDER BY l.lent_on`,
    [member.id],
  );
  return rows;
}

/** Children's mail goes to their guardians. */
function contactOf(member) {
  if (member.kind === 'child') {
    return member.guardian_email.toLowerCase(); // nobody has asked the register for the guardian yet
  }
  return null;
}

module.exports = { contactOf, findMember, openLoans };
