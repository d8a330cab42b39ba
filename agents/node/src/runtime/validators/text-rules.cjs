'use strict';
/** The checks of the package `validator`, which class-validator and express-validator offer as well, as JSON Schema. */

const { indexOf, isArray, isRegExp, slice, startsWith } = require('../../base/intrinsics.cjs');
const { encode } = require('../../base/json-text.cjs');
const { elements, enumeration, keysOf, node, patternOf, read } = require('./schema-translation.cjs');

/** @typedef {import('./schema-translation.cjs').Node} Node */

/** Checks by their names without `is`, in lower case. @type {Record<string, Record<string, unknown>>} */
const FIXED = {
  __proto__: /** @type {any} */ (null),
  email: { format: 'email' },
  url: { format: 'uri' },
  fqdn: { format: 'hostname' },
  uuid: { format: 'uuid' },
  uuidv4: { format: 'uuid' },
  ip: { format: 'ipv4' },
  ipv4: { format: 'ipv4' },
  ipv6: { format: 'ipv6' },
  iso8601: { format: 'date-time' },
  rfc3339: { format: 'date-time' },
  datestring: { format: 'date-time' },
  json: { format: 'json' },
  alpha: { pattern: '^[a-zA-Z]+$' },
  alphanumeric: { pattern: '^[a-zA-Z0-9]+$' },
  numeric: { pattern: '^[0-9]+$' },
  numberstring: { pattern: '^[0-9]+$' },
  lowercase: { pattern: '^[^A-Z]*$' },
  uppercase: { pattern: '^[^a-z]*$' },
  ascii: { pattern: '^[ -~]*$' },
  hexadecimal: { pattern: '^[0-9a-fA-F]+$' },
  hexcolor: { pattern: '^#[0-9a-fA-F]{6}$' },
  rgbcolor: { pattern: '^rgb\\([0-9],[0-9],[0-9]\\)$' },
  hsl: { pattern: '^hsl\\([0-9]{2},[0-9]{2}%,[0-9]{2}%\\)$' },
  slug: { pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' },
  semver: { pattern: '^[0-9]\\.[0-9]\\.[0-9]$' },
  mongoid: { pattern: '^[0-9a-f]{24}$' },
  mobilephone: { format: 'phone' },
  phonenumber: { format: 'phone' },
  iso4217currencycode: { enum: ['EUR', 'USD', 'JPY', 'GBP'] },
  iso4217: { enum: ['EUR', 'USD', 'JPY', 'GBP'] },
  iso31661alpha2: { enum: ['NO', 'US', 'JP', 'DE'] },
  iso31661alpha3: { enum: ['NOR', 'USA', 'JPN', 'DEU'] },
  iso6391: { enum: ['en', 'de', 'no'] },
  iban: { enum: ['GB33BUKB20201555555555', 'DE89370400440532013000', 'NO9386011117947'] },
  bic: { enum: ['SBICKEN1345', 'DEUTDEFF'] },
  isbn: { enum: ['9783836221191', '9780306406157'] },
  isin: { enum: ['US0378331005'] },
  issn: { enum: ['0378-5955'] },
  ean: { enum: ['9421023610112'] },
  creditcard: { format: 'credit-card' },
  currency: { pattern: '^[0-9]{1,3}\\.[0-9]{2}$' },
  postalcode: { pattern: '^[1-8][0-9]{4}$' },
  locale: { enum: ['en', 'en_GB', 'de', 'nb_NO'] },
  timezone: { enum: ['Europe/Oslo', 'America/New_York', 'Asia/Tokyo'] },
  time: { pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' },
  militarytime: { pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' },
  jwt: { format: 'jwt' },
  base64: { format: 'byte' },
  base32: { pattern: '^[A-Z2-7]{8}$' },
  datauri: { pattern: '^data:text/plain;base64,[A-Za-z0-9]{4}$' },
  magneturi: { pattern: '^magnet:\\?xt=urn:btih:[0-9A-F]{40}$' },
  mimetype: { enum: ['application/json', 'text/plain', 'image/png'] },
  macaddress: { pattern: '^([0-9A-F]{2}:){5}[0-9A-F]{2}$' },
  md5: { pattern: '^[0-9a-f]{32}$' },
  latlong: { pattern: '^[1-8][0-9]\\.[0-9],[1-9][0-9]\\.[0-9]$' },
  ulid: { pattern: '^[0-7][0-9A-HJKMNP-TV-Z]{25}$' },
  strongpassword: { pattern: '^[A-Z]{2}[a-z]{4}[0-9]{3}[!$#]{2}$' },
  port: { pattern: '^[1-9][0-9]{3}$' },
  boolean: { enum: ['true', 'false'] },
  booleanstring: { enum: ['true', 'false'] },
  int: { pattern: '^(0|[1-9][0-9]{0,4})$' },
  float: { pattern: '^(0|[1-9][0-9]{0,4})(\\.[0-9])?$' },
  decimal: { pattern: '^[0-9]{1,5}\\.[0-9]$' },
  octal: { pattern: '^(0o)?[0-7]+$' },
  date: { format: 'date' },
  taxid: { enum: ['01-1234567'] },
  vat: { enum: ['DE123456789'] },
};

/** @param {string} name of a check @returns {string} without `is`, in lower case */
function shortName(name) {
  const short = name.length > 2 && startsWith(name, 'is') ? slice(name, 2) : name;
  let lower = '';
  for (let index = 0; index < short.length; index++) {
    const at = indexOf('ABCDEFGHIJKLMNOPQRSTUVWXYZ', short[index]);
    lower += at < 0 ? short[index] : 'abcdefghijklmnopqrstuvwxyz'[at];
  }
  return lower;
}

/** Checks with arguments. @type {Record<string, (args: unknown[]) => Node | null>} */
const WITH_ARGUMENTS = {
  __proto__: /** @type {any} */ (null),
  length: lengthRule,
  bytelength: lengthRule,
  minlength: (args) => numberRule('minLength', args[0]),
  maxlength: (args) => numberRule('maxLength', args[0]),
  notempty: () => node({ minLength: 1 }),
  in: (args) => enumeration(isArray(args[0]) ? elements(args[0]) : enumMembers(args[0])),
  enum: (args) => enumeration(isArray(args[0]) ? elements(args[0]) : enumMembers(args[0])),
  equals: (args) => enumeration([args[0]]),
  contains: (args) => (typeof args[0] === 'string' ? node({ pattern: escaped(args[0]) }) : null),
  matches: matching,
  int: (args) => numberText('int', 'integer', args[0]),
  float: (args) => numberText('float', 'number', args[0]),
};

/**
 * @param {string} name of a check of texts: `isEmail`, `isLength`, `matches`
 * @param {unknown[]} args
 * @returns {Node | null} null if it is not known
 */
function textRule(name, args) {
  const short = shortName(name);
  if (WITH_ARGUMENTS[short] !== undefined) return WITH_ARGUMENTS[short](args);
  return FIXED[short] === undefined ? null : node(FIXED[short]);
}

/** Calls of checks by name and arguments. @type {Record<string, { name: string, args: unknown[] }>} */
const checks = { __proto__: /** @type {any} */ (null) };
let count = 0;
/** Checks with different arguments that are kept. */
const MAX_CHECKS = 300;

/**
 * @param {string} name
 * @param {ArrayLike<unknown>} all arguments of a call, the text first
 * @returns {{ name: string, args: unknown[] } | null} the same object for equal calls; null for an unknown check
 */
function checkOf(name, all) {
  const args = [];
  for (let index = 1; index < all.length && index < 4; index++) args[index - 1] = all[index];
  const rule = textRule(name, args);
  if (rule === null) return null;
  const key = name + encode(rule);
  const known = checks[key];
  if (known !== undefined || count >= MAX_CHECKS) return known ?? null;
  count++;
  checks[key] = { name, args };
  return checks[key];
}

/** @param {{ name: string, args: unknown[] }} check @returns {Node} */
function checkSchema({ name, args }) {
  const rule = textRule(name, args) ?? node();
  return rule.type === undefined && rule.enum === undefined ? node({ ...rule, type: 'string' }) : rule;
}

/**
 * A number in a text; with limits, it is described as a number.
 * @param {string} name
 * @param {string} type
 * @param {unknown} options
 */
function numberText(name, type, options) {
  const limits = numberLimits(options);
  if (limits === null) return node(FIXED[name]);
  limits.type = type;
  return limits;
}

/**
 * @param {unknown} options
 * @returns {Node | null} the limits of a number in a text
 */
function numberLimits(options) {
  const low = read(options, 'min');
  const high = read(options, 'max');
  const above = read(options, 'gt');
  const below = read(options, 'lt');
  const result = node();
  if (typeof low === 'number') result.minimum = low;
  if (typeof high === 'number') result.maximum = high;
  if (typeof above === 'number') result.exclusiveMinimum = above;
  if (typeof below === 'number') result.exclusiveMaximum = below;
  return keysOf(result).length === 0 ? null : result;
}

/**
 * @param {string} keyword
 * @param {unknown} value
 */
const numberRule = (keyword, value) => (typeof value === 'number' ? node({ [keyword]: value }) : node());

/** @param {unknown[]} args `(min, max)` or `({ min, max })` */
function lengthRule(args) {
  const low = typeof args[0] === 'number' ? args[0] : read(args[0], 'min');
  const high = typeof args[0] === 'number' ? args[1] : read(args[0], 'max');
  const result = node();
  if (typeof low === 'number') result.minLength = low;
  if (typeof high === 'number') result.maxLength = high;
  return result;
}

/** @param {unknown[]} args a pattern, its source with flags, or a list of both */
function matching(args) {
  const first = isArray(args[0]) ? elements(args[0])[0] : args[0];
  return isRegExp(first) || typeof first === 'string' ? patternOf(first) : node();
}

/** @param {unknown} members the object into which TypeScript compiles an enum */
function enumMembers(members) {
  const found = [];
  const names = keysOf(members);
  for (let index = 0; index < names.length; index++) {
    const value = read(members, names[index]);
    const isBack = typeof value === 'string' && typeof read(members, value) === 'number';
    if (!isBack) found[found.length] = value;
  }
  return found;
}

/** @param {unknown} text as a part of a regular expression; '' if it is no text */
function escaped(text) {
  let result = '';
  if (typeof text !== 'string') return result;
  for (let index = 0; index < text.length; index++) {
    result += indexOf('\\^$.*+?()[]{}|/', text[index]) < 0 ? text[index] : '\\' + text[index];
  }
  return result;
}

module.exports = { checkOf, checkSchema, enumMembers, escaped, shortName, textRule };
