'use strict';
/**
 * Models of dates that are made of a year, month and day: their parts are those that they were made of, and the day of
 * the week and the milliseconds are computed of them as by the calendar.
 */

const { Date, DatePrototype, dateTime, floor, isDate } = require('../base/intrinsics.cjs');

/** @typedef {import('./shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./model-support.cjs').After} After */
/** @typedef {import('./model-support.cjs').Handle} Handle */
/** @typedef {{value: number, shadow: Shadow}} Part */

const DAY_MS = 86_400_000;
const EPOCH = 719_468;
const UTC_PARTS = [DatePrototype.getUTCFullYear, DatePrototype.getUTCMonth, DatePrototype.getUTCDate];

/** @param {Handle} handle @param {string} operator @param {Part} one @param {Part} other @returns {Part} */
function computed(handle, operator, one, other) {
  const value = handle.b(operator, one.value, one.shadow, other.value, other.shadow);
  return { value, shadow: handle.s };
}

/** @param {number} value @returns {Part} */
const plain = (value) => ({ value, shadow: 0 });

/** @param {Handle} handle @param {Part} one @param {number} by @returns {Part} `Math.floor(one / by)` */
function divided(handle, one, by) {
  const quotient = computed(handle, '/', one, plain(by));
  const value = floor(quotient.value);
  const exact = handle.nodes.of(quotient.value, quotient.shadow);
  return { value, shadow: exact && handle.nodes.node('floor', [exact], value) };
}

/**
 * @param {Handle} handle
 * @param {Part} year
 * @param {Part} month from 1
 * @param {Part} day
 * @returns {Part} days since 1970 (H. Hinnant, days_from_civil)
 */
function daysOf(handle, year, month, day) {
  const isEarly = month.value <= 2;
  const early = handle.nodes.node('<=', [node(handle, month), node(handle, plain(2))], isEarly);
  if (early) handle.note('date', early);
  const shifted = isEarly ? computed(handle, '-', year, plain(1)) : year;
  const moved = computed(handle, isEarly ? '+' : '-', month, plain(isEarly ? 9 : 3));
  const ofYear = divided(handle, computed(handle, '+', computed(handle, '*', moved, plain(153)), plain(2)), 5);
  let days = computed(handle, '+', computed(handle, '*', shifted, plain(365)), divided(handle, shifted, 4));
  days = computed(handle, '-', days, divided(handle, shifted, 100));
  days = computed(handle, '+', days, divided(handle, shifted, 400));
  days = computed(handle, '+', computed(handle, '+', days, ofYear), day);
  return computed(handle, '-', days, plain(EPOCH + 1));
}

/** @param {Handle} handle @param {Part} part */
const node = (handle, part) => /** @type {any} */ (handle.nodes.lifted(part.value, part.shadow));

/**
 * Keeps what is known of a date that was made of a text `YYYY-MM-DD`, with or without a time.
 * @param {Handle} handle
 * @param {any} made
 * @param {any[]} values
 * @param {Shadow[]} shadows
 */
function madeDate(handle, made, values, shadows) {
  const ms = dateTime(made);
  if (ms !== ms || ms < -62_000_000_000_000) return;
  const given = values.length === 1 && typeof values[0] === 'string' ? ofText(handle, values[0], shadows[0]) : 0;
  if (given) keep(handle, made, given, values[0].length === 10);
  else if (values.length === 1 && typeof values[0] === 'number') ofTime(handle, made, handle.nodes.of(ms, shadows[0]));
  else if (values.length === 3 && areNumbers(values)) {
    const ofMonth = computed(handle, '+', { value: values[1], shadow: shadows[1] }, plain(1));
    const [year, , day] = values;
    keep(handle, made, [{ value: year, shadow: shadows[0] }, ofMonth, { value: day, shadow: shadows[2] }], false);
  }
}

/** @param {any[]} values @returns {boolean} whether they are numbers, the first of which is a year as it stands */
const areNumbers = ([year, month, day]) =>
  typeof year === 'number' && typeof month === 'number' && typeof day === 'number' && year >= 100;

/** @param {Handle} handle @param {any} made @param {Shadow} time its milliseconds, which may have been made of parts */
function ofTime({ nodes }, made, time) {
  if (!time) return;
  nodes.keep(made, '#time', time);
  for (let index = 0; index < KEYS.length; index++) nodes.keep(made, KEYS[index], nodes.sourceOf(time, KEYS[index]));
}

/** What is kept of a date: its year, month, day, and day of the week. */
const KEYS = ['#0', '#1', '#2', '#3'];

/** @param {Handle} handle @param {string} text @param {Shadow} shadow @returns {Part[] | 0} year, month, day */
function ofText(handle, text, shadow) {
  const { nodes } = handle;
  const whole = nodes.of(text, shadow);
  if (!whole || !whole.isSymbolic || text.length < 10 || text[4] !== '-' || text[7] !== '-') return 0;
  for (let number = 1; number < STARTS.length; number++) {
    const dash = nodes.node('charAt', [whole, constant(nodes, STARTS[number] - 1)], '-');
    const isThere = dash && nodes.node('===', [dash, nodes.text('-')], true);
    if (isThere) handle.note('date', isThere);
  }
  return partsOf(nodes, whole, text);
}

/** @param {import('./shadow-nodes.cjs').Nodes} nodes @param {any} whole @param {string} text @returns {Part[] | 0} */
function partsOf(nodes, whole, text) {
  /** @type {Part[]} */
  const parts = [];
  for (let number = 0; number < STARTS.length; number++) {
    const [start, end] = [STARTS[number], number === 0 ? 4 : STARTS[number] + 2];
    let piece = '';
    for (let index = start; index < end; index++) piece += text[index];
    const slice = nodes.node('slice', [whole, constant(nodes, start), constant(nodes, end)], piece);
    if (!slice || !(+piece >= 0)) return 0;
    parts[number] = { value: +piece, shadow: nodes.node('toNumber', [slice], +piece) };
  }
  return parts;
}

/** Where year, month and day begin in `YYYY-MM-DD`. */
const STARTS = [0, 5, 8];

/** @param {import('./shadow-nodes.cjs').Nodes} nodes @param {number} value */
const constant = (nodes, value) => /** @type {import('./shadow-nodes.cjs').Node} */ (nodes.constant(value));

/**
 * @param {Handle} handle
 * @param {any} made a date, or the node of its milliseconds
 * @param {Part[]} parts
 * @param {boolean} isWhole at midnight, in UTC
 */
function keep(handle, made, [year, month, day], isWhole) {
  const { nodes } = handle;
  bound(handle, month, 12);
  bound(handle, day, 28);
  const days = daysOf(handle, year, month, day);
  nodes.keep(made, '#0', node(handle, year));
  nodes.keep(made, '#1', node(handle, computed(handle, '-', month, plain(1))));
  nodes.keep(made, '#2', node(handle, day));
  const weekday = computed(handle, '%', computed(handle, '+', days, plain(4 + 7 * 1e5)), plain(7));
  nodes.keep(made, '#3', node(handle, weekday));
  if (isWhole) nodes.keep(made, '#time', node(handle, computed(handle, '*', days, plain(DAY_MS))));
}

/** Records that a part is from 1 to a number, or is not. @param {Handle} handle @param {Part} part @param {number} most */
function bound(handle, part, most) {
  const [low, high] = [plain(1), plain(most)];
  const above = handle.nodes.node('<=', [node(handle, low), node(handle, part)], 1 <= part.value);
  const below = handle.nodes.node('<=', [node(handle, part), node(handle, high)], part.value <= most);
  if (above) handle.note('date', above);
  if (below && part.value <= most) handle.note('date', below);
}

/** @param {string} key @returns {After} */
const part =
  (key) =>
  ({ nodes }, { self, result }) =>
    isDate(self) ? nodes.member(self, key, result) : 0;

/** @type {After} */
function utc(handle, { values, shadows, result }) {
  if (values.length !== 3 || !areNumbers(values)) return 0;
  const given = (/** @type {number} */ index) => ({ value: values[index], shadow: shadows[index] });
  const [year, month, day] = [given(0), given(1), given(2)];
  const ofMonth = computed(handle, '+', month, plain(1));
  const days = daysOf(handle, year, ofMonth, day);
  const ms = handle.nodes.of(result, computed(handle, '*', days, plain(DAY_MS)).shadow);
  if (ms) keep(handle, ms, [year, ofMonth, day], false);
  return ms;
}

/** @type {After} */
function parsed(handle, { values, shadows, result }) {
  const { nodes } = handle;
  const parts = typeof values[0] === 'string' && values[0].length === 10 ? ofText(handle, values[0], shadows[0]) : 0;
  if (!parts || result !== result) return 0;
  const [year, month, day] = parts;
  const ms = nodes.of(result, computed(handle, '*', daysOf(handle, year, month, day), plain(DAY_MS)).shadow);
  if (ms) keep(handle, ms, parts, false);
  return ms;
}

/** @type {[unknown, After][]} */
const DATE_MODELS = [
  [DatePrototype.getTime, part('#time')],
  [DatePrototype.valueOf, part('#time')],
  [Date.UTC, utc],
  [Date.parse, parsed],
  [DatePrototype.getUTCDay, part('#3')],
  [DatePrototype.getDay, part('#3')],
  [DatePrototype.getFullYear, part('#0')],
  [DatePrototype.getMonth, part('#1')],
  [DatePrototype.getDate, part('#2')],
];
for (let index = 0; index < UTC_PARTS.length; index++) DATE_MODELS.push([UTC_PARTS[index], part(`#${index}`)]);

module.exports = { DATE_MODELS, madeDate };
