'use strict';

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** A number of the path. */
function key(text) {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 1) throw new Refusal(400, 'malformed id');
  return number;
}

module.exports = { Refusal, key };
