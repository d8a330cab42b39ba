'use strict';
/** Hints of the protocol in a short notation for assertions: a JavaScript operator, or a word, between two values. */

const COMPARISONS = {
  identical: '===',
  equal: '==',
  less: '<',
  'less-or-equal': '<=',
  greater: '>',
  'greater-or-equal': '>=',
};
const PLACES = { start: 'startsWith', end: 'endsWith', anywhere: 'includes' };
const UNDEFINED = { $undefined: true };

/** Kind of hint -> operator, left and right value. @type {Record<string, (hint: any) => [string, unknown, unknown]>} */
const KINDS = {
  comparison: ({ operator, left, right }) => [COMPARISONS[operator], left, right],
  substring: ({ place, text, part }) => [PLACES[place], text, part],
  pattern: ({ text, source }) => ['regex', text, source],
  format: ({ value, format }) => ['format', value, format],
  truthiness: ({ value }) => ['truthy', value, null],
  key: ({ key, other }) => ['key', key, other],
  table: ({ key, holds, keys }) => [holds, key, keys],
  split: ({ text, separator }) => ['split', text, separator],
  group: ({ text, source }) => ['groups', text, source],
  list: ({ value }) => ['list', value, null],
  input: ({ location, path, held }) => [location, path, held],
  schema: ({ requirement }) => REQUIREMENTS[requirement.kind](requirement),
};
/** @type {typeof KINDS} */
const REQUIREMENTS = {
  comparison: ({ operator, value }) => [COMPARISONS[operator], UNDEFINED, value],
  substring: ({ place, part }) => [PLACES[place], UNDEFINED, part],
  pattern: ({ source }) => ['regex', UNDEFINED, source],
  format: ({ format }) => ['format', UNDEFINED, format],
  presence: () => ['there', UNDEFINED, null],
  length: ({ length }) => ['length', UNDEFINED, length],
  type: ({ type }) => ['type', UNDEFINED, type],
};

/** @param {any} hint */
function inShort(hint) {
  const [operator, left, right] = KINDS[hint.kind](hint);
  const { kind, target, call, wanted = true, name, path, requirement } = hint;
  const { flags = '' } = requirement ?? hint;
  return { kind, target, call, operator, left, right, wanted, flags, name, path };
}

/** What the recorder has kept in this evaluation. @param {{ hints: { text: string }[] }} recorder */
const keptHints = (recorder) => recorder.hints.map((raw) => inShort(JSON.parse(raw.text)));

module.exports = { inShort, keptHints };
