'use strict';
/**
 * Settles what examples mean by names of the package: `RRule.WEEKLY` is the number that it exports there, and
 * `new Schema(...)` is what its constructor makes. Calls with other names cannot be repeated and are left out.
 */

const { isPlain } = require('./example-values.cjs');

const MAX_CHARS = 3_000;
const LOST = Symbol('lost');

/**
 * @param {any[]} calls as example-calls.cjs reads them
 * @param {{ exported: any, operations: readonly { about: any }[], encoded: (value: any) => any }} library what the
 *   package exports, its operations, and how values are written
 * @returns {any[]}
 */
function settledCalls(calls, { exported, operations, encoded }) {
  const names = { exported, operations: operations.map(({ about }) => about), encoded };
  const found = [];
  for (const call of calls) {
    const values = (call.arguments || []).map((/** @type {any} */ one) => settled(one, names));
    if (!values.includes(LOST)) found.push({ ...call, arguments: values });
  }
  return found;
}

/** @typedef {{ exported: any, operations: any[], encoded: (value: any) => any }} Names */

/** @param {any} value @param {Names} names @returns {any} */
function settled(value, names) {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    return withoutLost(value.map((one) => settled(one, names)));
  }
  if (typeof value.$constant === 'string') return constant(value.$constant, names);
  if (Array.isArray(value.$made)) return made(value.$made, names);
  /** @type {Record<string, any>} */
  const members = {};
  for (const [key, one] of Object.entries(value)) {
    const member = settled(one, names);
    if (member !== LOST) members[key] = member;
  }
  return Object.keys(members).length === 0 && Object.keys(value).length > 0 ? LOST : members;
}

/** @param {any[]} items @returns {any} the others; LOST if there are none */
function withoutLost(items) {
  const kept = items.filter((one) => one !== LOST);
  return kept.length === 0 && items.length > 0 ? LOST : kept;
}

/** @param {string} name with dots @param {Names} names */
function constant(name, { exported, encoded }) {
  for (const root of [exported, exported?.default]) {
    let value = root;
    for (const part of name.split('.')) value = value === undefined || value === null ? undefined : value[part];
    if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue;
    const told = encoded(value);
    return told.is_whole === false || !isPlain(told.value) || isLong(told.value) ? LOST : told.value;
  }
  return LOST;
}

/** @param {any[]} held a name, and arguments @param {Names} names */
function made([written, ...values], names) {
  const isNew = written.startsWith('new ');
  const name = isNew ? written.slice('new '.length) : written;
  const able = names.operations.filter((one) => one.kind === (isNew ? 'constructor' : 'function'));
  const operation =
    able.find((one) => one.path.join('.') === name) ||
    able.find((one) => name === '' && one.path.length === 1 && one.path[0] === 'default') ||
    able.find((one) => one.class_name === name && name !== '');
  const given = values.map((one) => settled(one, names));
  return operation === undefined || given.includes(LOST) ? LOST : { $made: [operation.name, ...given] };
}

/** @param {any} value @returns {boolean} whether it is a list or an object that is too long for an argument */
const isLong = (value) => typeof value === 'object' && value !== null && JSON.stringify(value).length > MAX_CHARS;

module.exports = { settledCalls };
