'use strict';
/** A handle that measures nothing: each probe does only what the user's own code did. For when registering a file fails. */

const nothing = () => {};
const second = (/** @type {unknown} */ _index, /** @type {any} */ value) => value;

/** Every probe of PROBES.md by name. @type {Record<string, (...args: any[]) => any>} */
const NULL_HANDLE = Object.freeze({
  s: nothing,
  c: nothing,
  x: nothing,
  g: nothing,
  qe: nothing,
  fe: nothing,
  fc: nothing,
  ce: nothing,
  li: () => 1,
  lo: nothing,
  fr: second,
  r: second,
  t: second,
  k: second,
  qc: second,
  sw: second,
  al: second,
  alh: second,
  ar: second,
  arh: second,
  ol: second,
  olh: second,
  or: second,
  orh: second,
  mc: (value) => value,
  kx: second,
  ko: second,
  kk: second,
  kv: second,
  kq: () => NULL_HANDLE,
  v: (value) => value,
  mr: second,
  ma: second,
  mx: second,
  cs: (_index, _clause, value) => value,
  n: (_index, value) => !value,
  nh: (_index, value) => !value,
  eq3: (_index, left, right) => left === right,
  ne3: (_index, left, right) => left !== right,
  eq2: (_index, left, right) => left == right,
  ne2: (_index, left, right) => left != right,
  lt: (_index, left, right) => left < right,
  le: (_index, left, right) => left <= right,
  gt: (_index, left, right) => left > right,
  ge: (_index, left, right) => left >= right,
});

module.exports = { NULL_HANDLE };
