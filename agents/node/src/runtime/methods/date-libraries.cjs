'use strict';
/**
 * Functions of moment, Day.js, date-fns and Luxon that read a date from a text: whether the text is one, in the format
 * that the call names if it does.
 */

const { dateTime, indexOf, isDate, isProxy, slice } = require('../../base/intrinsics.cjs');
const { isPlainArray, ownData } = require('../../base/data-properties.cjs');
const { exampleQuestion, formatQuestion } = require('./text-formats.cjs');
const { replacement } = require('./replacement.cjs');

/** @typedef {import('./replacement.cjs').Call} Call */
/** @typedef {import('./replacement.cjs').Replacement} Replacement */

/** Letters of formats, as often as they are repeated -> their part of Wednesday, 2024-01-31, 12:30:15. */
const USUAL = {
  __proto__: /** @type {any} */ (null),
  MMMM: 'January', MMM: 'Jan', MM: '01', M: '1', HH: '12', H: '12', hh: '12', h: '12', kk: '12', k: '12', mm: '30', m: '30', ss: '15', s: '15', SSS: '000',
  SS: '00', S: '0', X: '1706704215', x: '1706704215000', Q: '1',
}; // prettier-ignore
/** Those of moment and Day.js. @type {Record<string, string>} */
const OF_MOMENT = {
  ...USUAL, __proto__: /** @type {any} */ (null), YYYY: '2024', YY: '24', Y: '2024', DDDD: '031', DDD: '31', DD: '31', D: '31', Do: '31st', dddd: 'Wednesday', ddd: 'Wed',
  dd: 'We', d: '3', E: '3', e: '3', A: 'PM', a: 'pm', Z: '+00:00', ZZ: '+0000', GGGG: '2024', gggg: '2024', WW: '05', W: '5', ww: '05', w: '5',
}; // prettier-ignore
/** Those of Unicode (UTS 35), which date-fns and Luxon use. @type {Record<string, string>} */
const OF_UNICODE = {
  ...USUAL, __proto__: /** @type {any} */ (null), yyyy: '2024', yyy: '2024', yy: '24', y: '2024', LLLL: 'January', LLL: 'Jan', LL: '01', L: '1', dd: '31', d: '31', do: '31st', EEEE: 'Wednesday',
  EEE: 'Wed', EE: 'Wed', E: 'Wed', cccc: 'Wednesday', ccc: 'Wed', DDD: '031', D: '31', ooo: '031', o: '31', a: 'PM', aa: 'PM', Z: '+0', ZZ: '+00:00', ZZZ: '+0000',
  xxx: '+00:00', xx: '+0000', XXX: 'Z', XX: 'Z', X: 'Z', t: '1706704215', T: '1706704215000',
}; // prettier-ignore
const MAX_FORMAT = 60;

/**
 * Returns a text in a format.
 * @param {string} format
 * @param {Record<string, string>} letters
 */
function dateIn(format, letters) {
  let made = '';
  for (let at = 0; at < format.length;) {
    const letter = format[at];
    const end = letter === '[' ? ']' : letter === "'" && letters === OF_UNICODE ? "'" : '';
    const closing = end === '' ? -1 : indexOf(format, end, at + 1);
    if (closing >= 0) {
      made += slice(format, at + 1, closing);
      at = closing + 1;
      continue;
    }
    let next = at + 1;
    while (next < format.length && format[next] === letter) next++;
    if (slice(format, at, next + 1) in letters) next++; // the `o` of `Do`
    const part = slice(format, at, next);
    made += part in letters ? letters[part] : part;
    at = next;
  }
  return made;
}

/** @param {unknown} value @returns {boolean | null} */
function isValid(value) {
  if (typeof value !== 'object' || value === null || isProxy(value)) return null;
  if (isDate(value)) return dateTime(/** @type {Date} */ (value)) === dateTime(/** @type {Date} */ (value));
  const date = ownData(value, '_d') ?? ownData(value, '$d');
  if (typeof date === 'object' && date !== null && !isProxy(date)) return isDate(date) ? isValid(date) : null;
  const invalid = ownData(value, 'invalid'); // of Luxon
  return invalid === undefined ? null : invalid === null;
}

/** @param {Call} call */
const outcome = ({ first, result }) => (typeof first === 'string' ? isValid(result) : null);

/** @param {Call} call @returns {string} empty: it names none */
function formatNamed({ second }) {
  const format = isPlainArray(second) ? ownData(second, 0) : second;
  return typeof format === 'string' && format.length <= MAX_FORMAT ? format : '';
}

/**
 * Returns the replacement of a function of a text, and maybe a format.
 * @param {string} usual format of the protocol, of texts whose call names none
 * @param {Record<string, string>} letters
 */
function dateQuestion(usual, letters) {
  const plain = formatQuestion(usual, outcome);
  /** @param {Call} call */
  const question = (call) => {
    const format = formatNamed(call);
    return format === '' ? plain : exampleQuestion(dateIn(format, letters));
  };
  return replacement({
    outcome,
    missed: (call, isDate_) => question(call).missed(call, isDate_),
    hints: (call, isDate_, hints) => question(call).hints(call, isDate_, hints),
  });
}

const ofMoment = dateQuestion('date', OF_MOMENT);
const ofUnicode = dateQuestion('iso-date', OF_UNICODE);

/** Package -> name of an export, or of the file that exports one -> replacement. */
const DATE_LIBRARIES = {
  moment: { __proto__: /** @type {any} */ (null), moment: ofMoment, utc: ofMoment },
  'moment-timezone': { __proto__: /** @type {any} */ (null), index: ofMoment },
  dayjs: { __proto__: /** @type {any} */ (null), 'dayjs.min': ofMoment, dayjs: ofMoment },
  'date-fns': { __proto__: /** @type {any} */ (null), parseISO: ofUnicode, parse: ofUnicode },
};
/** Functions of Luxon's DateTime. @type {Record<string, Replacement>} */
const OF_LUXON = { __proto__: /** @type {any} */ (null), fromISO: ofUnicode, fromFormat: ofUnicode };

module.exports = { DATE_LIBRARIES, OF_LUXON };
