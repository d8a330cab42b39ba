'use strict';
/* eslint no-restricted-globals: off, no-restricted-syntax: off -- these texts run in threads without the agent */
/* eslint eqeqeq: off -- two of the probes are the operators == and != */
/**
 * A handle that measures nothing, used if registering a file fails: each probe does only what the user's own code did.
 */

const { LeftOperand } = require('./left-operand.cjs');

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
  rl: nothing,
  rc: nothing,
  ce: nothing,
  li: () => 1,
  lb: nothing,
  lo: nothing,
  lp: nothing,
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
  kh: second,
  nu: second,
  // The probe that observes the end of a chain stores it as its own property.
  nq: (_index, value) => {
    if (value === null || value === undefined) /** @type {any} */ (NULL_HANDLE.nq).hasEnded = true;
    return value;
  },
  // Likewise the value with which a chain goes on.
  en: (_index, value) => {
    /** @type {any} */ (NULL_HANDLE.en).value = value;
    return value === null || value === undefined;
  },
  go: () => {
    const { value } = /** @type {any} */ (NULL_HANDLE.en);
    /** @type {any} */ (NULL_HANDLE.en).value = undefined;
    return value;
  },
  mk: (value, name) => {
    const { hasEnded } = /** @type {any} */ (NULL_HANDLE.nq);
    /** @type {any} */ (NULL_HANDLE.nq).hasEnded = false;
    if (hasEnded) return undefined;
    return value === null || value === undefined ? Object.defineProperty({}, name, { get: () => value[name] }) : value;
  },
  of: second,
  om: second,
  b: (value) => value,
  uw: nothing,
  ue: nothing,
  oe: nothing,
  ae: nothing,
  ux: (_index, _before, value) => value,
  ox: (_index, _before, value) => value,
  ax: (_index, _before, value) => value,
  cm: (_index, _operator, outcome) => outcome,
  in: (_index, key, object) => key in object,
  io: (_index, value, type) => value instanceof type,
  mc: (value) => value,
  cl: (i, left) => new LeftOperand(/** @type {any} */ (NULL_HANDLE), i, left),
  kx: second,
  ko: second,
  kk: second,
  kv: second,
  xo: second,
  xi: second,
  xv: second,
  xd: nothing,
  xc: nothing,
  xl: nothing,
  xu: second,
  xw: second,
  xs: second,
  re: (value) => value,
  rs: (value) => value,
  xp: second,
  xa: second,
  ua: second,
  pt: second,
  tp: second,
  pr: second,
  kq: () => NULL_HANDLE,
  v: (value) => value,
  sp: (value) => value,
  pm: second,
  pw: () => false,
  pv: nothing,
  px: nothing,
  mr: second,
  mf: second,
  ms: (index) => index,
  br: second,
  ba: (_index, _position, value) => value,
  bx: second,
  af: second,
  am: second,
  nf: second,
  ma: second,
  mb: second,
  md: second,
  mx: second,
  my: second,
  cs: (_index, _clause, value) => value,
  n: (_index, value) => !value,
  nh: (_index, value) => !value,
  xk: nothing,
  xe: nothing,
  xf: nothing,
  xh: (value) => value,
  va: second,
  nr: (entry) => entry,
  nb: (base) => base,
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
