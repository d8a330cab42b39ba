'use strict';
/**
 * Errors of schema libraries (zod, joi, yup, ajv): which member is wrong, and which requirement it violates. The
 * libraries' code has no probes, but their errors are as informative as comparisons.
 *
 * Law: only own data properties of errors are read, a bounded number of them; no getter runs.
 */

const {
  WeakSet,
  ceil,
  isArray,
  isProxy,
  lastIndexOf,
  slice,
  weakSetAdd,
  weakSetHas,
} = require('../../base/intrinsics.cjs');
const { isPlainArray, ownData } = require('../../base/data-properties.cjs');
const { regexParts } = require('../methods/string-methods.cjs');
const { addHint } = require('../calls/recorder.cjs');
const { missedPattern } = require('./zod-patterns.cjs');
const { requirement, schema } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');

/** Members of one document for which hints are recorded. */
const MAX_ISSUES = 8;
/** Elements of a list that may be issues. */
const MAX_LOOKED_AT = 20;
/** Values of an enumeration for which hints are recorded. */
const MAX_VALUES = 5;
/** Hints of one target. */
const MAX_HINTS = 24;
const MAX_PATH_PARTS = 12;
/** Depth of nested unions that are read. */
const MAX_UNIONS = 3;
/** Alternatives of a union that are compared. */
const MAX_ARMS = 10;
/** Members that one issue names. */
const MAX_NAMES = 5;

/** Names under which errors store their list of issues. */
const LISTS = ['issues', 'details', 'inner', 'errors'];
/** Names under which issues store the requirements of a member, besides the issue itself. */
const PARAMETERS = ['context', 'params'];
/** Names of lists of allowed values. */
const ALLOWED = ['values', 'valids', 'resolved', 'options', 'allowedValues'];
/**
 * Names under which issues refer to members outside of the path, the kind of issue (empty: any), and whether the
 * members have to exist.
 * @type {[kind: string, name: string, isWanted: boolean][]}
 */
const NAMED = [
  ['', 'missingProperty', true],
  ['', 'additionalProperty', false],
  ['', 'unevaluatedProperty', false],
  ['unrecognized_keys', 'keys', false],
  ['object.missing', 'peers', true],
  ['object.and', 'missing', true],
  ['object.with', 'peer', true],
  ['object.without', 'peer', false],
  ['object.xor', 'present', false],
  ['object.oxor', 'present', false],
  ['object.nand', 'mainWithLabel', false],
];
/**
 * Parameters with a text that the value has to begin with, end with, or contain.
 * @type {[name: string, place: import('../calls/hint-kinds.cjs').Place][]}
 */
const AFFIXES = [
  ['prefix', 'start'],
  ['startsWith', 'start'],
  ['suffix', 'end'],
  ['endsWith', 'end'],
  ['includes', 'anywhere'],
];
/** Parameters with a number that the value has to be a multiple of. */
const MULTIPLES = ['divisor', 'multipleOf', 'multiple'];
/** Limits, with the comparison that a number has to meet. @type {[name: string, operator: Operator][]} */
const LIMITS = [
  ['minimum', 'greater-or-equal'],
  ['maximum', 'less-or-equal'],
  ['min', 'greater-or-equal'],
  ['max', 'less-or-equal'],
  ['more', 'greater'],
  ['less', 'less'],
];
/**
 * Words for a limit in the name of an issue (`number.min`, `minLength`), with the comparison.
 * @type {Record<string, Operator | 'length'>}
 */
const NAMED_LIMITS = {
  __proto__: /** @type {any} */ (null),
  'number.min': 'greater-or-equal',
  'number.max': 'less-or-equal',
  'number.greater': 'greater',
  'number.less': 'less',
  'string.min': 'length',
  'string.max': 'length',
  'string.length': 'length',
  'array.min': 'length',
  'array.max': 'length',
  'array.length': 'length',
  minimum: 'greater-or-equal',
  maximum: 'less-or-equal',
  exclusiveMinimum: 'greater',
  exclusiveMaximum: 'less',
  minLength: 'length',
  maxLength: 'length',
  minItems: 'length',
  maxItems: 'length',
};
/** Names of formats in libraries -> their names in hints. @type {Record<string, string>} */
const FORMATS = {
  __proto__: /** @type {any} */ (null),
  email: 'email',
  url: 'url',
  uri: 'url',
  uuid: 'uuid',
  guid: 'uuid',
  date: 'iso-date',
  isoDate: 'iso-date',
  datetime: 'iso-datetime',
  'date-time': 'iso-datetime',
  ip: 'ip',
  ipv4: 'ipv4',
  ipv6: 'ipv6',
  hostname: 'hostname',
  base64: 'base64',
  hex: 'hex',
  jwt: 'jwt',
  alphanum: 'alphanumeric',
  lowercase: 'lowercase',
  uppercase: 'uppercase',
  base: 'iso-date',
};
/** @typedef {import('../calls/hint-kinds.cjs').Operator} Operator */
/** Takes a requirement, as JSON (hint-kinds.cjs). @typedef {(requirement: string) => void} Add */

/** Names of types in libraries -> an example. @type {Record<string, unknown>} */
const EXAMPLES = {
  __proto__: /** @type {any} */ (null),
  string: 'abc',
  number: 1,
  int: 1,
  integer: 1,
  boolean: true,
  date: '2024-01-01',
};

/** Errors that have been read. */
const read = new WeakSet();

/** @param {object} error */
function wasRead(error) {
  return weakSetHas(read, error);
}

/**
 * Records hints about the members that a library found wrong; none if the object is not an error of such a library.
 * @param {number} target global id of the target that would be reached without the error
 * @param {object} error any object, hostile ones too
 * @returns {number} the number of issues
 */
function hintIssues(target, error) {
  if (isProxy(error)) return 0;
  weakSetAdd(read, error);
  if (isArray(error)) return hintList(target, error, '', 0);
  for (let at = 0; at < LISTS.length; at++) {
    const issues = ownData(error, LISTS[at]);
    const hinted = isPlainArray(issues) ? hintList(target, issues, '', 0) : 0;
    if (hinted > 0) return hinted;
  }
  return hintIssue(target, error, '', 0) ? 1 : 0;
}

/**
 * @param {number} target
 * @param {unknown[]} issues an array without traps
 * @param {string} before the path of the member that they are about
 * @param {number} depth of nested unions
 * @returns {number} how many were issues
 */
function hintList(target, issues, before, depth) {
  let hinted = 0;
  for (let index = 0; index < issues.length && index < MAX_LOOKED_AT && hinted < MAX_ISSUES; index++) {
    const issue = ownData(issues, index);
    if (typeof issue === 'object' && issue !== null && !isProxy(issue) && hintIssue(target, issue, before, depth)) {
      hinted++;
    }
  }
  return hinted;
}

/**
 * @param {number} target
 * @param {object} issue
 * @param {string} before
 * @param {number} depth
 * @returns {boolean} whether it was an issue
 */
function hintIssue(target, issue, before, depth) {
  const path = joined(before, pathOf(issue));
  const kind = ownData(issue, 'code') ?? ownData(issue, 'type') ?? ownData(issue, 'keyword');
  if (typeof kind !== 'string') return false;
  const owner = parametersOf(issue);
  if (hintUnion(target, issue, path, depth) || hintNamed(target, kind, owner, path)) return true;
  if (path === '') return false;
  /** @type {Add} */
  const add = (required) => hintMember(target, path, required);
  if (
    !addAffix(issue, add) &&
    !addMultiple(owner, add) &&
    !addAllowed(owner, add) &&
    !addPattern(issue, owner, add) &&
    !addLimit(kind, owner, add) &&
    !addFormat(kind, owner, add)
  ) {
    addExample(kind, owner, add);
  }
  return true;
}

/**
 * @param {number} target
 * @param {string} path
 * @param {string} required JSON
 */
function hintMember(target, path, required) {
  addHint(target, schema(path, required), MAX_HINTS);
}

/**
 * Reads the issues of a union: those of the alternative that the document is closest to (zod: lists of issues, or
 * errors that contain them).
 * @param {number} target
 * @param {object} issue
 * @param {string} path
 * @param {number} depth
 */
function hintUnion(target, issue, path, depth) {
  const lists = ownData(issue, 'errors');
  const errors = ownData(issue, 'unionErrors');
  const arms = isPlainArray(lists) ? lists : isPlainArray(errors) ? errors : null;
  if (arms === null || depth === MAX_UNIONS) return false;
  const closest = closestArm(arms, arms === lists);
  // In lists of issues, paths begin at the union; in errors, they begin at the top of the document.
  return closest !== null && hintList(target, closest, arms === lists ? path : '', depth + 1) > 0;
}

/**
 * @param {unknown[]} arms of a union
 * @param {boolean} areLists whether they are lists of issues, or errors that contain them
 * @returns {unknown[] | null} the shortest list of issues
 */
function closestArm(arms, areLists) {
  /** @type {unknown[] | null} */
  let closest = null;
  for (let index = 0; index < arms.length && index < MAX_ARMS; index++) {
    const arm = ownData(arms, index);
    const isError = !areLists && typeof arm === 'object' && arm !== null && !isProxy(arm);
    const found = isError ? ownData(arm, 'issues') : arm;
    if (isPlainArray(found) && (closest === null || found.length < closest.length)) closest = found;
  }
  return closest;
}

/**
 * Records hints of members that are named outside of the path: those that have to exist, and those that must not.
 * @param {number} target
 * @param {string} kind
 * @param {object} owner
 * @param {string} path of the object with these members
 */
function hintNamed(target, kind, owner, path) {
  let named = 0;
  for (let at = 0; at < NAMED.length; at++) {
    const { 0: kinds, 1: name, 2: isWanted } = NAMED[at];
    if (kinds !== '' && kinds !== kind) continue;
    const value = ownData(owner, name);
    const names = isPlainArray(value) ? value : [value];
    for (let index = 0; index < names.length && index < MAX_NAMES; index++) {
      const member = ownData(names, index);
      if (typeof member !== 'string') continue;
      named++;
      hintMember(target, joined(path, member), isWanted ? requirement.presence() : identicalTo(undefined));
    }
  }
  return named > 0;
}

/** @param {string} before @param {string} path */
function joined(before, path) {
  return before === '' || path === '' ? before + path : before + '.' + path;
}

/** @param {object} issue */
function parametersOf(issue) {
  for (let at = 0; at < PARAMETERS.length; at++) {
    const value = ownData(issue, PARAMETERS[at]);
    if (typeof value === 'object' && value !== null && !isProxy(value)) return value;
  }
  return issue;
}

/**
 * @param {object} issue
 * @returns {string} of the member, its parts with dots between them
 */
function pathOf(issue) {
  const path = ownData(issue, 'path') ?? ownData(issue, 'instancePath') ?? ownData(issue, 'dataPath');
  if (typeof path === 'string') return path;
  if (!isPlainArray(path)) return '';
  let text = '';
  for (let at = 0; at < path.length && at < MAX_PATH_PARTS; at++) {
    const part = ownData(path, at);
    if (typeof part !== 'string' && typeof part !== 'number') return '';
    text += (at === 0 ? '' : '.') + part;
  }
  return text;
}

/** @param {object} issue @param {Add} add */
function addAffix(issue, add) {
  const validation = ownData(issue, 'validation');
  const owner = typeof validation === 'object' && validation !== null && !isProxy(validation) ? validation : issue;
  for (let at = 0; at < AFFIXES.length; at++) {
    const text = ownData(owner, AFFIXES[at][0]);
    if (typeof text !== 'string') continue;
    add(requirement.containing(AFFIXES[at][1], scalarText(text)));
    return true;
  }
  return false;
}

/** @param {object} owner @param {Add} add */
function addMultiple(owner, add) {
  for (let at = 0; at < MULTIPLES.length; at++) {
    const step = ownData(owner, MULTIPLES[at]);
    if (typeof step !== 'number' || !(step > 0)) continue;
    const value = ownData(owner, 'value') ?? ownData(owner, 'input');
    // The next multiple above the value, which respects a lower limit.
    add(identicalTo(typeof value === 'number' ? ceil(value / step) * step : step));
    return true;
  }
  return false;
}

/** @param {object} owner @param {Add} add */
function addAllowed(owner, add) {
  for (let at = 0; at < ALLOWED.length; at++) {
    const values = ownData(owner, ALLOWED[at]);
    if (!isPlainArray(values)) continue;
    for (let index = 0; index < values.length && index < MAX_VALUES; index++) add(identicalTo(ownData(values, index)));
    return true;
  }
  const only = ownData(owner, 'allowedValue');
  if (only !== undefined) add(identicalTo(only));
  return only !== undefined;
}

/** @param {object} issue @param {object} owner @param {Add} add */
function addPattern(issue, owner, add) {
  const regex = regexParts(ownData(owner, 'regex'));
  const pattern = ownData(owner, 'pattern');
  if (ownData(issue, 'type') === 'url' || ownData(issue, 'type') === 'email') return false;
  const missed =
    regex === null && ownData(issue, 'validation') === 'regex' ? missedPattern(ownData(issue, 'path')) : regex;
  if (missed !== null) add(requirement.pattern(scalarText(missed.source), missed.flags));
  else if (typeof pattern !== 'string') return false;
  // zod writes the pattern with slashes; patterns of formats are easier to satisfy as formats.
  else if (pattern[0] !== '/') add(requirement.pattern(scalarText(pattern), ''));
  else if (ownData(owner, 'format') === 'regex') {
    const end = lastIndexOf(pattern, '/');
    add(requirement.pattern(scalarText(slice(pattern, 1, end)), slice(pattern, end + 1)));
  } else return false;
  return true;
}

/** @param {string} kind @param {object} owner @param {Add} add */
function addLimit(kind, owner, add) {
  const named = NAMED_LIMITS[kind];
  const limit = ownData(owner, 'limit');
  if (named !== undefined && limit !== undefined) {
    add(limited(named, limit));
    return true;
  }
  for (let at = 0; at < LIMITS.length; at++) {
    const value = ownData(owner, LIMITS[at][0]);
    if (typeof value !== 'number') continue;
    const isStrict = ownData(owner, 'inclusive') === false;
    add(limited(isCounted(owner) ? 'length' : isStrict ? strict(LIMITS[at][1]) : LIMITS[at][1], value));
    return true;
  }
  return false;
}

/**
 * @param {Operator | 'length'} operator
 * @param {unknown} limit
 */
function limited(operator, limit) {
  const text = scalarText(limit);
  return operator === 'length' ? requirement.length(text) : requirement.comparison(operator, text);
}

/** @param {Operator} operator @returns {Operator} without equality */
function strict(operator) {
  return operator === 'greater-or-equal' ? 'greater' : operator === 'less-or-equal' ? 'less' : operator;
}

/** @param {unknown} value */
const identicalTo = (value) => requirement.comparison('identical', scalarText(value));

/** @param {object} owner whether its limit is one of a length */
function isCounted(owner) {
  const what = ownData(owner, 'origin') ?? ownData(owner, 'type');
  if (typeof what === 'string') return what === 'string' || what === 'array' || what === 'set';
  const value = ownData(owner, 'value');
  return typeof value === 'string' || isArray(value);
}

/** @param {string} kind @param {object} owner @param {Add} add */
function addFormat(kind, owner, add) {
  const named = ownData(owner, 'format') ?? ownData(owner, 'validation');
  const name = typeof named === 'string' ? named : slice(kind, lastIndexOf(kind, '.') + 1);
  if (FORMATS[name] === undefined || (name === 'base' && kind !== 'date.base')) return false;
  add(requirement.format(FORMATS[name]));
  return true;
}

/** @param {string} kind @param {object} owner @param {Add} add */
function addExample(kind, owner, add) {
  if (kind === 'any.unknown' || kind === 'object.unknown') return add(identicalTo(undefined));
  const typed = ownData(owner, 'expected') ?? ownData(owner, 'type');
  const type =
    typeof typed === 'string' ? typed : slice(kind, 0, lastIndexOf(kind, '.') < 0 ? 0 : lastIndexOf(kind, '.'));
  if (type === 'object' || type === 'array') return add(requirement.type(type));
  if (kind !== 'invalid_literal' && EXAMPLES[type] !== undefined) return add(identicalTo(EXAMPLES[type]));
  return add(kind === 'invalid_literal' ? identicalTo(typed) : requirement.presence());
}

module.exports = { hintIssues, wasRead };
