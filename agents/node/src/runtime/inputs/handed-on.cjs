'use strict';
/**
 * The input that a function was called with last, in which call, and by which statement: until that function has bound
 * its parameters, no other statement begins.
 */

/** @type {{ value: unknown, record: unknown, statement: number }} */
const handedOn = { value: undefined, record: null, statement: -1 };

module.exports = { handedOn };
