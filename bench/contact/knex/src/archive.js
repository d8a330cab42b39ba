'use strict';

const { extname } = require('node:path');

const files = new Map();

/** Notes the receipt of an expense by its kind of file. */
async function archive(expense) {
  await Promise.resolve();
  const kind = extname(expense.receipt).slice(1);
  files.set(kind, (files.get(kind) ?? 0) + 1);
}

module.exports = { archive };
