'use strict';
/**
 * Models of dates that are made of a year, month and day: their parts are those that they were made of, and the day of
 * the week and the milliseconds are computed of them as by the calendar.
 */

const { Date, DatePrototype, RegExp, dateTime, isDate, regExpExec } = require('../../base/intrinsics.cjs');
const {
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  PARTS_OF_TIME,
  SECOND_MS,
  computed,
  daysOf,
  divided,
  nodeOf: node,
  plain,
} = require('./date-parts.cjs');

/** @typedef {import('../shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('../shadows/shadow-nodes.cjs').Node} Node */
/** @typedef {import('../shadows/shadow-support.cjs').After} After */
/** @typedef {import('../shadows/shadow-support.cjs').Handle} Handle */
/** @typedef {import('./date-parts.cjs').Part} Part */

/**
 * Keeps what is known of a date that was made of a text `YYYY-MM-DD`, with or without a time.
 * @param {Handle} handle
 * @param {any} made
 * @param {any[]} values
 * @param {Shadow[]} shadows
 */
function madeDate(handle, made, values, shadows) {
  const ms = dateTime(made);
  if (values.length === 1 && typeof values[0] === 'string') {
    madeOfText(handle, made, values[0], shadows[0]);
    return;
  }
  if (ms !== ms || ms < -62_000_000_000_000) return;
  if (values.length === 1 && typeof values[0] === 'number') ofTime(handle, made, handle.nodes.of(ms, shadows[0]));
  else if (values.length === 3 && areNumbers(values)) {
    const ofMonth = computed(handle, '+', { value: values[1], shadow: shadows[1] }, plain(1));
    const [year, , day] = values;
    keep(handle, made, [{ value: year, shadow: shadows[0] }, ofMonth, { value: day, shadow: shadows[2] }], false);
  }
}

/** Texts of which the parts are followed. */
const DATES = '^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
/** Those of them that are tried where there was none: without days that not every month has. */
const SURE_DATES = '^[12]\\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\\d|2[0-8])';
const TIMES = 'T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d{3})?Z$';

/** @param {Handle} handle @param {any} made @param {string} text @param {Shadow} shadow */
function madeOfText(handle, made, text, shadow) {
  const { nodes } = handle;
  const ms = dateTime(made);
  const given = ms === ms && ms > -62_000_000_000_000 ? ofText(handle, text, shadow) : 0;
  const whole = nodes.of(text, shadow);
  if (given) {
    const days = keep(handle, made, given, text.length === 10);
    const time = text.length === 10 ? 0 : timeOf(handle, made, whole, text, days);
    if (time) nodes.keep(made, '#time', nodes.of(ms, time.shadow));
  }
  if (whole && whole.isSymbolic && text.length <= MAX_DATE) noteForms(handle, whole, text);
}

const MAX_DATE = 24;

/** @param {Handle} handle @param {Node} whole @param {string} text Records which form of a date the text has. */
function noteForms(handle, whole, text) {
  const isTime = regExpExec(WITH_TIME, text) !== null;
  noteForm(handle, whole, (isTime ? DATES : SURE_DATES) + TIMES, isTime);
  const isDay = !isTime && regExpExec(WITHOUT_TIME, text) !== null;
  if (!isTime) noteForm(handle, whole, `${isDay ? DATES : SURE_DATES}$`, isDay);
}

const WITH_TIME = new RegExp(DATES + TIMES);
const WITHOUT_TIME = new RegExp(`${DATES}$`);

/** @param {Handle} handle @param {Node} text @param {string} form @param {boolean} isThere */
function noteForm(handle, text, form, isThere) {
  const { nodes } = handle;
  const test = nodes.node('test', [text, nodes.text(form), nodes.text('')], isThere);
  if (test) handle.note('date', test);
}

/** Where hours, minutes, seconds and thousandths begin, how long they are, and their units. */
const TIME_PARTS = [
  { start: 11, length: 2, unit: HOUR_MS },
  { start: 14, length: 2, unit: MINUTE_MS },
  { start: 17, length: 2, unit: SECOND_MS },
  { start: 20, length: 3, unit: 1 },
];

/**
 * @param {Handle} handle
 * @param {any} made whose parts of the time are kept, as it is in UTC
 * @param {Node | 0} whole
 * @param {string} text
 * @param {Part} days
 * @returns {Part | 0} milliseconds
 */
function timeOf(handle, made, whole, text, days) {
  if (!whole) return 0;
  let time = computed(handle, '*', days, plain(DAY_MS));
  for (let index = 0; index < TIME_PARTS.length; index++) {
    const { start, length, unit } = TIME_PARTS[index];
    if (text.length < start + length) break;
    const given = numberAt(handle.nodes, whole, text, start, start + length);
    if (given === 0) return 0;
    handle.nodes.keep(made, `#${index + 4}`, given.shadow);
    time = computed(handle, '+', time, computed(handle, '*', given, plain(unit)));
  }
  return time;
}

/** @param {any[]} values @returns {boolean} whether they are numbers, the first of which is a year as it stands */
const areNumbers = ([year, month, day]) =>
  typeof year === 'number' && typeof month === 'number' && typeof day === 'number' && year >= 100;

/** @param {Handle} handle @param {any} made @param {Shadow} time its milliseconds, which may have been made of parts */
function ofTime({ nodes }, made, time) {
  if (!time) return;
  for (let index = 0; index < KEYS.length; index++) nodes.keep(made, KEYS[index], nodes.sourceOf(time, KEYS[index]));
  nodes.keep(made, '#time', time);
}

/** What is kept of a date: its year, month, day, and day of the week. */
const KEYS = ['#0', '#1', '#2', '#3', '#4', '#5', '#6', '#7', '#time'];

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

/**
 * @param {import('../shadows/shadow-nodes.cjs').Nodes} nodes
 * @param {any} whole
 * @param {string} text
 * @returns {Part[] | 0}
 */
function partsOf(nodes, whole, text) {
  /** @type {Part[]} */
  const parts = [];
  for (let number = 0; number < STARTS.length; number++) {
    const part = numberAt(nodes, whole, text, STARTS[number], number === 0 ? 4 : STARTS[number] + 2);
    if (part === 0) return 0;
    parts[number] = part;
  }
  return parts;
}

/**
 * @param {import('../shadows/shadow-nodes.cjs').Nodes} nodes
 * @param {Node} whole
 * @param {string} text
 * @param {number} start
 * @param {number} end
 * @returns {Part | 0} the number that stands there
 */
function numberAt(nodes, whole, text, start, end) {
  let piece = '';
  for (let index = start; index < end; index++) piece += text[index];
  const slice = nodes.node('slice', [whole, constant(nodes, start), constant(nodes, end)], piece);
  return slice && +piece >= 0 ? { value: +piece, shadow: nodes.node('toNumber', [slice], +piece) } : 0;
}

/** Where year, month and day begin in `YYYY-MM-DD`. */
const STARTS = [0, 5, 8];

/** @param {import('../shadows/shadow-nodes.cjs').Nodes} nodes @param {number} value */
const constant = (nodes, value) => /** @type {import('../shadows/shadow-nodes.cjs').Node} */ (nodes.constant(value));

/**
 * @param {Handle} handle
 * @param {any} made a date, or the node of its milliseconds
 * @param {Part[]} parts
 * @param {boolean} isWhole at midnight, in UTC
 * @returns {Part} days since 1970
 */
function keep(handle, made, [year, month, day], isWhole) {
  const { nodes } = handle;
  bound(handle, month, plain(12));
  bound(handle, day, lengthOfMonth(handle, year, month));
  const days = daysOf(handle, year, month, day);
  nodes.keep(made, '#0', node(handle, year));
  nodes.keep(made, '#1', node(handle, computed(handle, '-', month, plain(1))));
  nodes.keep(made, '#2', node(handle, day));
  const weekday = computed(handle, '%', computed(handle, '+', days, plain(4 + 7 * 1e5)), plain(7));
  nodes.keep(made, '#3', node(handle, weekday));
  if (isWhole) nodes.keep(made, '#time', node(handle, computed(handle, '*', days, plain(DAY_MS))));
  return days;
}

/**
 * Records that a part is from 1 to a number, or is not.
 * @param {Handle} handle
 * @param {Part} part
 * @param {Part} most
 */
function bound(handle, part, most) {
  const [low, value] = [node(handle, plain(1)), node(handle, part)];
  const above = handle.nodes.node('<=', [low, value], 1 <= part.value);
  const below = handle.nodes.node('<=', [value, node(handle, most)], part.value <= most.value);
  if (above) handle.note('date', above);
  if (below) handle.note('date', below);
}

/** @param {Handle} handle @param {Part} year @param {Part} month from 1 @returns {Part} the number of its days */
function lengthOfMonth(handle, year, month) {
  const following = daysOf(handle, year, computed(handle, '+', month, plain(1)), plain(1));
  return computed(handle, '-', following, daysOf(handle, year, month, plain(1)));
}

/** @param {string} key @returns {After} */
const part =
  (key) =>
  (handle, { self, result }) => {
    if (!isDate(self)) return 0;
    const kept = handle.nodes.member(self, key, result);
    const time = kept ? 0 : knownTime(handle, self);
    return time ? handle.nodes.of(result, PARTS_OF_TIME[key](handle, time).shadow) : kept;
  };

/** @type {After} */
const milliseconds = ({ nodes }, { self, result }) => (isDate(self) ? nodes.member(self, '#time', result) : 0);

/** @param {Handle} handle @param {any} date @returns {Part | 0} its milliseconds, if they are an expression */
function knownTime({ nodes }, date) {
  const ms = dateTime(date);
  const shadow = nodes.has(date) ? nodes.member(date, '#time', ms) : 0;
  return shadow ? { value: ms, shadow } : 0;
}

/**
 * @param {string} key of the part
 * @param {number} unit
 * @returns {After} of a method that sets a part to another number
 */
const setter =
  (key, unit) =>
  (handle, { self, values, shadows, result }) => {
    if (!isDate(self) || values.length !== 1 || typeof values[0] !== 'number') return 0;
    const { nodes } = handle;
    const old = nodes.has(self) ? nodes.sourceOf(self, '#time') : undefined;
    if (!old) return forgotten(nodes, self);
    const before = { value: /** @type {number} */ (old.value), shadow: old };
    const kept = nodes.sourceOf(self, key);
    const known = kept && { value: /** @type {number} */ (kept.value), shadow: kept };
    const present = known || PARTS_OF_TIME[key](handle, before);
    const moved = computed(handle, '-', { value: values[0], shadow: shadows[0] }, present);
    const time = computed(handle, '+', before, computed(handle, '*', moved, plain(unit)));
    forgotten(nodes, self);
    nodes.keep(self, '#time', nodes.of(result, time.shadow));
    return nodes.of(result, time.shadow);
  };

/** @param {'#0' | '#1'} key @returns {After} of a method that sets the year or the month */
const dateSetter =
  (key) =>
  (handle, { self, values, shadows, result }) => {
    if (!isDate(self) || values.length !== 1 || typeof values[0] !== 'number') return 0;
    const { nodes } = handle;
    const old = nodes.has(self) ? nodes.sourceOf(self, '#time') : undefined;
    forgotten(nodes, self);
    if (!old || result !== result) return 0;
    const before = { value: /** @type {number} */ (old.value), shadow: old };
    const given = { value: values[0], shadow: shadows[0] };
    const year = key === '#0' ? given : PARTS_OF_TIME['#0'](handle, before);
    const month = key === '#1' ? given : PARTS_OF_TIME['#1'](handle, before);
    const days = daysOf(handle, year, computed(handle, '+', month, plain(1)), PARTS_OF_TIME['#2'](handle, before));
    const moved = computed(handle, '-', days, divided(handle, before, DAY_MS));
    const time = computed(handle, '+', before, computed(handle, '*', moved, plain(DAY_MS)));
    nodes.keep(self, '#time', nodes.of(result, time.shadow));
    return nodes.of(result, time.shadow);
  };

/** @type {After} */
function setTime({ nodes }, { self, shadows, result }) {
  if (!isDate(self)) return 0;
  forgotten(nodes, self);
  nodes.keep(self, '#time', nodes.of(result, shadows[0]));
  return nodes.of(result, shadows[0]);
}

/** @param {import('../shadows/shadow-nodes.cjs').Nodes} nodes @param {object} date @returns {0} */
function forgotten(nodes, date) {
  if (nodes.has(date)) for (let index = 0; index < KEYS.length; index++) nodes.keep(date, KEYS[index], 0);
  return 0;
}

/** How `toISOString` writes a date: what stands before each part, and its digits. */
const ISO = [
  { before: '', key: '#0', width: 4, added: 0 },
  { before: '-', key: '#1', width: 2, added: 1 },
  { before: '-', key: '#2', width: 2, added: 0 },
  { before: 'T', key: '#4', width: 2, added: 0 },
  { before: ':', key: '#5', width: 2, added: 0 },
  { before: ':', key: '#6', width: 2, added: 0 },
  { before: '.', key: '#7', width: 3, added: 0 },
];

/** @type {After} */
function isoText(handle, { self, result }) {
  const time = isDate(self) ? knownTime(handle, self) : 0;
  if (!time || typeof result !== 'string' || result.length !== 24) return 0;
  const { nodes } = handle;
  let whole = '';
  /** @type {Shadow} */
  let shadow = 0;
  for (let index = 0; index < ISO.length; index++) {
    const { before, key, width, added } = ISO[index];
    const number = computed(handle, '+', PARTS_OF_TIME[key](handle, time), plain(added));
    const digits = handle.text(number.value, number.shadow);
    const text = nodes.lifted(digits, handle.s);
    let padded = digits;
    while (padded.length < width) padded = `0${padded}`;
    const padding = text && nodes.node('padStart', [text, constant(nodes, width), nodes.text('0')], padded);
    whole = handle.b('+', whole, shadow, before, 0);
    whole = handle.b('+', whole, handle.s, padded, padding);
    shadow = handle.s;
  }
  handle.b('+', whole, shadow, 'Z', 0);
  return nodes.of(result, handle.s);
}

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
  const isLikely = typeof values[0] === 'string' && values[0].length === 10 && result === result;
  const parts = isLikely ? ofText(handle, values[0], shadows[0]) : 0;
  if (!parts) {
    const whole = nodes.of(values[0], shadows[0]);
    if (whole && whole.isSymbolic && typeof values[0] === 'string') noteForms(handle, whole, values[0]);
    return 0;
  }
  const [year, month, day] = parts;
  const ms = nodes.of(result, computed(handle, '*', daysOf(handle, year, month, day), plain(DAY_MS)).shadow);
  if (ms) keep(handle, ms, parts, false);
  return ms;
}

/** @type {[unknown, After][]} */
const DATE_MODELS = [
  [DatePrototype.getTime, milliseconds],
  [DatePrototype.valueOf, milliseconds],
  [Date.UTC, utc],
  [Date.parse, parsed],
  [DatePrototype.setTime, setTime],
  [DatePrototype.toISOString, isoText],
];
/** Names after `get` and `getUTC`, by part. */
const NAMES = ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'];
/** Parts that can be set by adding to the milliseconds. @type {Record<string, number>} */
const UNITS = { Date: DAY_MS, Hours: HOUR_MS, Minutes: MINUTE_MS, Seconds: SECOND_MS, Milliseconds: 1 };
for (let index = 0; index < NAMES.length; index++) {
  for (const zone of ['', 'UTC']) {
    const [name, methods] = [`${zone}${NAMES[index]}`, /** @type {any} */ (DatePrototype)];
    DATE_MODELS.push([methods[`get${name}`], part(`#${index}`)]);
    const unit = UNITS[NAMES[index]];
    if (unit !== undefined) DATE_MODELS.push([methods[`set${name}`], setter(`#${index}`, unit)]);
    else if (index < 2) DATE_MODELS.push([methods[`set${name}`], dateSetter(index === 0 ? '#0' : '#1')]);
  }
}

module.exports = { DATE_MODELS, madeDate };
