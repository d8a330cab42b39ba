'use strict';
/**
 * The names of the validators of the package `validator`, which Sequelize and class-validator have adopted, as rules
 * for a column.
 */

const {
  ObjectKeys,
  assign,
  hasOwn,
  isArray,
  isRegExp,
  regExpSource,
  slice,
  startsWith,
} = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');

/** @typedef {import('./seen-models.cjs').Rules} Rules */

/** @type {Rules} */
const URL_RULES = { format: 'url' };
/** @type {Rules} */
const UUID_RULES = { format: 'uuid' };
/** @type {Rules} */
const DATE_TIME_RULES = { format: 'date-time' };
/** @type {Rules} */
const DIGIT_RULES = { pattern: '^[0-9]+$' };
/** @type {Rules} */
const PHONE_RULES = { pattern: '^\\+1202555[0-9]{4}$' };

/** Validators without arguments, by their names without `is`. @type {Record<string, Rules>} */
const FIXED = {
  Email: { format: 'email' },
  Url: URL_RULES,
  URL: URL_RULES,
  FQDN: { format: 'hostname' },
  Fqdn: { format: 'hostname' },
  UUID: UUID_RULES,
  Uuid: UUID_RULES,
  UUIDv4: UUID_RULES,
  IP: { format: 'ipv4' },
  Ip: { format: 'ipv4' },
  IPv4: { format: 'ipv4' },
  IPv6: { format: 'ipv6' },
  ISO8601: DATE_TIME_RULES,
  Iso8601: DATE_TIME_RULES,
  RFC3339: DATE_TIME_RULES,
  DateString: DATE_TIME_RULES,
  JSON: { is_json: true },
  Json: { is_json: true },
  Alpha: { pattern: '^[a-zA-Z]+$' },
  Alphanumeric: { pattern: '^[a-zA-Z0-9]+$' },
  Numeric: DIGIT_RULES,
  NumberString: DIGIT_RULES,
  Lowercase: { pattern: '^[a-z]+$' },
  Uppercase: { pattern: '^[A-Z]+$' },
  Hexadecimal: { pattern: '^[0-9a-f]+$' },
  HexColor: { pattern: '^#[0-9a-f]{6}$' },
  Slug: { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
  SemVer: { pattern: '^[0-9]\\.[0-9]\\.[0-9]$' },
  MongoId: { pattern: '^[0-9a-f]{24}$' },
  MobilePhone: PHONE_RULES,
  PhoneNumber: PHONE_RULES,
  ISO4217CurrencyCode: { values: ['EUR', 'USD', 'JPY'] },
  ISO31661Alpha2: { values: ['NO', 'US', 'JP'] },
  ISO31661Alpha3: { values: ['NOR', 'USA', 'JPN'] },
  Port: { low: 1, high: 65_535 },
  Latitude: { low: -90, high: 90 },
  Longitude: { low: -180, high: 180 },
  Positive: { low: 1 },
  Negative: { high: -1 },
  NotEmpty: { min_length: 1 },
  notEmpty: { min_length: 1 },
  Defined: { not_null: true },
  notNull: { not_null: true },
};

/** Those with arguments. @type {Record<string, (rules: Rules, args: any[]) => void>} */
const WITH_ARGUMENTS = {
  min: (rules, args) => addNumber(rules, 'low', args[0]),
  max: (rules, args) => addNumber(rules, 'high', args[0]),
  len: addLengths,
  Length: addLengths,
  minLength: (rules, args) => addNumber(rules, 'min_length', args[0]),
  maxLength: (rules, args) => addNumber(rules, 'max_length', args[0]),
  In: (rules, args) => addValues(rules, args[0]),
  Enum: (rules, args) => addValues(rules, args[0]),
  equals: (rules, args) => addValues(rules, args),
  is: addPattern,
  regex: addPattern,
  matches: addPattern,
};

/**
 * @param {Rules} rules what is known, added to
 * @param {string} name of a validator: `isEmail`, `len`, ...
 * @param {any[]} args
 */
function addValidator(rules, name, args) {
  const short = name.length > 2 && startsWith(name, 'is') ? slice(name, 2) : name;
  if (hasOwn(FIXED, short)) assign(rules, FIXED[short]);
  else if (hasOwn(WITH_ARGUMENTS, short)) WITH_ARGUMENTS[short](rules, args);
}

/**
 * @param {Rules} rules
 * @param {any[]} args
 */
function addLengths(rules, args) {
  addNumber(rules, 'min_length', args[0]);
  addNumber(rules, 'max_length', args[1]);
}

/**
 * @param {any} rules
 * @param {string} name
 * @param {unknown} value
 */
function addNumber(rules, name, value) {
  if (typeof value === 'number') rules[name] = value;
}

/**
 * @param {Rules} rules
 * @param {unknown} values an array, or the object into which TypeScript compiles an enum
 */
function addValues(rules, values) {
  const found = isArray(values) ? scalars(values) : enumValues(values);
  if (found.length > 0) rules.values = found;
}

/** @param {any[]} list */
function scalars(list) {
  const found = [];
  for (let index = 0; index < list.length; index++) {
    const value = list[index];
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      found[found.length] = value;
    }
  }
  return found;
}

/** @param {any} members the reverse entries from numbers to names are omitted */
function enumValues(members) {
  const found = [];
  if (typeof members !== 'object' || members === null) return [];
  const names = ObjectKeys(members);
  for (let index = 0; index < names.length; index++) {
    const value = readData(members, names[index]);
    const isBack = typeof value === 'string' && typeof readData(members, value) === 'number';
    if (!isBack) found[found.length] = value;
  }
  return scalars(found);
}

/**
 * @param {Rules} rules
 * @param {any[]} args a pattern, or a list of its source and flags; flags only allow more texts, so they are omitted
 */
function addPattern(rules, args) {
  const pattern = isArray(args[0]) ? args[0][0] : args[0];
  if (typeof pattern === 'string') rules.pattern = pattern;
  else if (isRegExp(pattern)) rules.pattern = regExpSource(pattern);
}

module.exports = { addValidator, addValues };
