'use strict';

function refuse(status, message) {
  return Object.assign(new Error(message), { status });
}

/** Ids are whole numbers that the database has room for. */
function id(req, res, next, value) {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1 || number > 2147483647) return next(refuse(400, 'malformed id'));
  req.params.id = number;
  next();
}

module.exports = { id, refuse };
