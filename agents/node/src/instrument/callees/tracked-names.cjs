'use strict';
/**
 * Names of the methods and functions with replacements in the runtime (src/runtime/methods/), and the number of their
 * arguments that the runtime has to observe. A name only shows that a call is worth a probe: the called function is
 * recognised at run time.
 */

/** @param {number} count @param {string} names @returns {[string, number][]} */
const each = (count, names) => names.split(' ').map((name) => [name, count]);

/** `R.NAME(...)`, for any R. */
const METHODS = new Map([
  ...each(1, 'split test exec search matchAll localeCompare delete get at'),
  ...each(1, 'isArray isInteger isSafeInteger isNaN isFinite hasOwnProperty isIPv4 isIPv6 getCanonicalLocales'),
  ...each(
    2,
    // The second one of those that look for elements is lodash's.
    'find findIndex findLast findLastIndex some every filter includes has equals startsWith endsWith indexOf lastIndexOf hasOwn canParse isDeepStrictEqual timingSafeEqual compare isEqual isMatch isEmpty eq',
  ),
  ...each(2, 'sumBy meanBy maxBy minBy groupBy keyBy countBy sortBy orderBy uniqBy indexBy pluck matchesProperty'),
  ...each(
    3,
    'match inRange strictEqual notStrictEqual deepEqual deepStrictEqual notEqual notDeepEqual notDeepStrictEqual doesNotMatch',
  ),
]);

/** The boolean functions of `validator`; most of them take options. */
const VALIDATORS = new Set(
  (
    'isAbaRouting isAfter isAlpha isAlphanumeric isAscii isBIC isBase32 isBase58 isBase64 isBefore isBoolean isBtcAddress isByteLength isCreditCard isCurrency ' +
    'isDataURI isDate isDecimal isDivisibleBy isEAN isEmail isEthereumAddress isFQDN isFloat isFreightContainerID isFullWidth isHSL isHalfWidth isHash ' +
    'isHexColor isHexadecimal isIBAN isIMEI isIP isIPRange isISBN isISIN isISO15924 isISO31661Alpha2 isISO31661Alpha3 isISO31661Numeric isISO4217 isISO6346 ' +
    'isISO6391 isISO8601 isISRC isISSN isIdentityCard isIn isInt isJSON isJWT isLatLong isLength isLicensePlate isLocale isLowercase isLuhnNumber isMACAddress ' +
    'isMD5 isMagnetURI isMailtoURI isMimeType isMobilePhone isMongoId isMultibyte isNumeric isOctal isPassportNumber isPort isPostalCode isRFC3339 isRgbColor ' +
    'isSemVer isSlug isStrongPassword isSurrogatePair isTaxID isTime isULID isURL isUUID isUppercase isVariableWidth isVAT isWhitelisted'
  ).split(' '),
);

/** Names that count only on an object of one of these names, or on a name of a module. */
const ON_OWNERS = new Map([
  ['parse', { count: 2, owners: new Set(['JSON', 'Date']) }],
  ['from', { count: 2, owners: new Set(['Buffer']) }],
  ...['fromISO', 'fromFormat'].map(
    (name) => /** @type {const} */ ([name, { count: 2, owners: new Set(['DateTime']) }]),
  ),
  ['apply', { count: 3, owners: new Set(['Reflect']) }],
  ...'reject detect findWhere where select any all map matches matcher'
    .split(' ')
    .map((name) => /** @type {const} */ ([name, { count: 2, owners: new Set(['_', 'lodash', 'underscore']) }])),
]);

/** Names of exported functions that are too common to be probed on anything but a module. */
const EXPORTED = new Map([
  ...each(3, 'validate ok equal contains matches'),
  ...each(1, 'default decode'),
  ...each(2, 'moment moment-timezone dayjs utc parseISO parse'),
]);

/** Functions under their own name. */
const GLOBAL_FUNCTIONS = new Map(
  each(1, 'Number parseInt parseFloat isNaN isFinite BigInt decodeURIComponent decodeURI'),
);

/** `new NAME(...)`. */
const CONSTRUCTORS = new Map([...each(2, 'Date URL RegExp NumberFormat DateTimeFormat Locale')]);

/** Methods that return a boolean: their outcome is the truth of the result. */
const BOOLEAN = new Set(
  (
    'startsWith endsWith includes test match some every has hasOwn hasOwnProperty isArray isInteger isSafeInteger isNaN isFinite canParse isDeepStrictEqual ' +
    'timingSafeEqual isIPv4 isIPv6 equals isEqual isMatch isEmpty inRange eq validate contains matches'
  ).split(' '),
);

/** Packages whose functions are known by the names that an ES module imports them under. */
const PACKAGES = new Set([
  'validator',
  'lodash',
  'lodash-es',
  'underscore',
  'uuid',
  'jsonwebtoken',
  'date-fns',
  'dayjs',
  'moment',
]);

/**
 * Returns how many arguments of an exported or destructured function are observed; undefined: not known.
 * @param {string} name
 * @returns {number | undefined}
 */
function argumentsOfFunction(name) {
  return METHODS.get(name) ?? GLOBAL_FUNCTIONS.get(name) ?? (VALIDATORS.has(name) ? 3 : EXPORTED.get(name));
}

/** @param {string} name */
function isBoolean(name) {
  return BOOLEAN.has(name) || VALIDATORS.has(name);
}

module.exports = {
  CONSTRUCTORS,
  EXPORTED,
  GLOBAL_FUNCTIONS,
  METHODS,
  ON_OWNERS,
  PACKAGES,
  VALIDATORS,
  argumentsOfFunction,
  isBoolean,
};
