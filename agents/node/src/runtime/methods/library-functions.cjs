'use strict';
/**
 * The functions of lodash and underscore that compare or look for elements, all boolean functions of validator, uuid's
 * `validate`, and those that read dates, by package and exported name.
 */

const { Number, isFinite, max, min } = require('../../base/intrinsics.cjs');
const {
  BASE,
  OPERATOR,
  closeness,
  missedByNumbers,
  missedDistance,
  missingAnywhere,
  missingAt,
} = require('../heuristics/distance.cjs');
const { hasElements, isDefined } = require('./array-methods.cjs');
const { elementMatch, endOfChain, madeMatcher, memberOfEach } = require('./element-matchers.cjs');
const { equality } = require('./comparing-functions.cjs');
const { DATE_LIBRARIES } = require('./date-libraries.cjs');
const { exampleQuestion, formatQuestion } = require('./text-formats.cjs');
const { finiteQuestion, integerQuestion, nanQuestion, safeQuestion } = require('./number-functions.cjs');
const { ofArguments, keysOfObject } = require('./object-methods.cjs');
const { isPlainArray, ownData } = require('../../base/data-properties.cjs');
const { hintElements, isFound, isThere, isTrue, missedElement, replacement } = require('./replacement.cjs');
const { MISSED_REGEX, hintRegex, searchText } = require('./string-methods.cjs');

/** @typedef {import('./replacement.cjs').Call} Call */
/** @typedef {import('./replacement.cjs').Hints} Hints */
/** @typedef {import('./replacement.cjs').Replacement} Replacement */

const MAX_LENGTH = 1000;

/**
 * Returns the replacement of a function of a text and a part of it.
 * @param {import('../calls/hint-kinds.cjs').Place} place where the part has to be
 * @param {(text: string, part: string) => number} distance
 */
const partQuestion = (place, distance) =>
  replacement({
    outcome: isTrue,
    missed(call, outcome) {
      const part = searchText(call.second);
      return outcome
        ? closeness(1)
        : typeof call.first === 'string' && part !== null
          ? closeness(distance(call.first, part))
          : BASE;
    },
    hints(call, outcome, hints) {
      const part = searchText(call.second);
      if (typeof call.first === 'string' && part !== null) hints.addSubstring(place, call.first, part, !outcome);
    },
  });

/** `_.includes` and `validator.contains` take strings; the former also takes lists. */
const containsPart = partQuestion('anywhere', missingAnywhere);
const includes = replacement({
  outcome: isTrue,
  missed: (call, outcome) =>
    isPlainArray(call.first)
      ? outcome
        ? closeness(1)
        : missedElement(call.first, call.second)
      : containsPart.missed(call, outcome),
  hints: (call, outcome, hints) =>
    isPlainArray(call.first)
      ? hintElements(call.first, call.second, outcome, hints)
      : containsPart.hints(call, outcome, hints),
});

const isEmpty = replacement({
  outcome: isTrue,
  missed: (call, outcome) => (!outcome && typeof call.first === 'string' ? closeness(call.first.length) : BASE),
  hints: (call, outcome, hints) => hints.addComparison('identical', call.first, '', !outcome),
});

/** `_.inRange(number, start, end)`. */
const inRange = replacement({
  outcome: isTrue,
  missed(call, outcome) {
    const { start, end } = rangeOf(call);
    const value = call.first;
    if (typeof value !== 'number' || start === null || end === null) return BASE;
    if (outcome) return closeness(min(value - start + 1, end - value));
    return closeness(
      value < start
        ? missedByNumbers(OPERATOR.GE, false, value, start)
        : missedByNumbers(OPERATOR.LT, false, value, end),
    );
  },
  hints(call, outcome, hints) {
    const { start, end } = rangeOf(call);
    if (outcome || (typeof call.first === 'number' && call.first >= Number(end))) {
      hints.addComparison('less', call.first, end, !outcome);
    } else hints.addComparison('greater-or-equal', call.first, start, true);
  },
});

/** @param {Call} call */
function rangeOf({ second, third }) {
  const start = third === undefined ? 0 : second;
  const end = third === undefined ? second : third;
  if (typeof start !== 'number' || typeof end !== 'number') return { start: null, end: null };
  return { start: min(start, end), end: max(start, end) };
}

/** @type {Record<string, Replacement>} */
const LODASH = {
  __proto__: /** @type {any} */ (null),
  isEqual: equality({}),
  eq: equality({}),
  isMatch: equality({ isPartial: true }),
  has: ofArguments,
  includes,
  contains: includes,
  startsWith: partQuestion('start', (text, part) => missingAt(text, part, 0)),
  endsWith: partQuestion('end', (text, part) => missingAt(text, part, text.length - part.length)),
  isEmpty,
  inRange,
  isInteger: integerQuestion,
  isSafeInteger: safeQuestion,
  isFinite: finiteQuestion,
  isNaN: nanQuestion,
  find: elementMatch(isDefined),
  findLast: elementMatch(isDefined),
  findIndex: elementMatch(isFound),
  findLastIndex: elementMatch(isFound),
  some: elementMatch(isTrue),
  every: elementMatch(isTrue),
  filter: elementMatch(hasElements),
  reject: elementMatch(hasElements, true),
  matches: madeMatcher,
  matchesProperty: madeMatcher,
  map: memberOfEach,
  sumBy: memberOfEach,
  meanBy: memberOfEach,
  maxBy: memberOfEach,
  minBy: memberOfEach,
  groupBy: memberOfEach,
  keyBy: memberOfEach,
  countBy: memberOfEach,
  sortBy: memberOfEach,
  orderBy: memberOfEach,
  uniqBy: memberOfEach,
};

/** What underscore calls otherwise. @type {Record<string, Replacement>} */
const UNDERSCORE = {
  ...LODASH,
  __proto__: /** @type {any} */ (null),
  detect: LODASH.find,
  findWhere: LODASH.find,
  select: LODASH.filter,
  where: LODASH.filter,
  any: LODASH.some,
  all: LODASH.every,
  matcher: madeMatcher,
  pluck: memberOfEach,
  indexBy: memberOfEach,
};

/** Methods that end a chain with a value: those of others give a chain again. @type {Record<string, Replacement>} */
const ENDS_OF_CHAINS = { __proto__: /** @type {any} */ (null) };
for (const name of [
  'find',
  'findLast',
  'findIndex',
  'findLastIndex',
  'some',
  'every',
  'sumBy',
  'meanBy',
  'maxBy',
  'minBy',
]) {
  ENDS_OF_CHAINS[name] = endOfChain(LODASH[name]);
}

/**
 * Returns an option of a validator; a getter counts as missing.
 * @param {unknown} options
 * @param {string} name
 * @returns {number | null}
 */
function limit(options, name) {
  const known = typeof options === 'object' && options !== null ? keysOfObject(options) : null;
  const value = known === null ? undefined : ownData(/** @type {object} */ (options), name);
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && isFinite(number) ? number : null;
}

/**
 * Returns the replacement of a check of a number in a text, with limits: first the text has to be a number, then the
 * number has to respect the limits.
 * @param {string} format
 */
function boundedNumber(format) {
  const plain = formatQuestion(format);
  /** @type {[string, import('../calls/hint-kinds.cjs').Operator, number][]} */
  const bounds = [
    ['min', 'greater-or-equal', OPERATOR.GE],
    ['max', 'less-or-equal', OPERATOR.LE],
    ['gt', 'greater', OPERATOR.GT],
    ['lt', 'less', OPERATOR.LT],
  ];
  /**
   * @param {Call} call
   * @returns {{ operator: import('../calls/hint-kinds.cjs').Operator, code: number, right: number, value: number } |
   *   null} the first limit that is violated
   */
  const broken = ({ first, second }) => {
    const value = typeof first === 'string' && first !== '' ? Number(first) : NaN;
    for (let index = 0; index < bounds.length; index++) {
      const right = limit(second, bounds[index][0]);
      if (right !== null && missedByNumbers(bounds[index][2], false, value, right) > 0) {
        return { operator: bounds[index][1], code: bounds[index][2], right, value };
      }
    }
    return null;
  };
  return replacement({
    outcome: isTrue,
    missed(call, outcome) {
      const bound = outcome ? null : broken(call);
      return bound === null
        ? plain.missed(call, outcome)
        : closeness(missedByNumbers(bound.code, false, bound.value, bound.right));
    },
    hints(call, outcome, hints) {
      const bound = outcome ? null : broken(call);
      if (bound !== null) return hints.addComparison(bound.operator, call.first, bound.right, true);
      plain.hints(call, outcome, hints);
      // It is not a number yet: one at the first limit is suitable.
      for (let index = 0; !outcome && index < bounds.length; index++) {
        const right = limit(call.second, bounds[index][0]);
        if (right !== null) return hints.addComparison(bounds[index][1], call.first, right, true);
      }
      return undefined;
    },
  });
}

/** @param {Call} call of `isLength`, whose limits are options or arguments */
function lengthLimits({ second, third }) {
  const low = typeof second === 'number' ? second : (limit(second, 'min') ?? 0);
  const high = typeof second === 'number' ? third : limit(second, 'max');
  return { low: max(low, 0), high: typeof high === 'number' ? high : Infinity };
}

const isLength = replacement({
  outcome: isTrue,
  missed(call, outcome) {
    const { low, high } = lengthLimits(call);
    if (outcome || typeof call.first !== 'string') return closeness(1);
    return closeness(call.first.length < low ? low - call.first.length : call.first.length - high);
  },
  hints(call, outcome, hints) {
    const { low, high } = lengthLimits(call);
    if (low > MAX_LENGTH) return;
    const source = '^[a-z]{' + low + ',' + min(high, MAX_LENGTH) + '}$';
    hints.addPattern(call.first, { source, flags: '' }, !outcome);
  },
});

const isIn = replacement({
  outcome: isTrue,
  missed(call, outcome) {
    if (outcome) return closeness(1);
    return isPlainArray(call.second) ? missedElement(call.second, call.first) : BASE;
  },
  hints(call, outcome, hints) {
    const list = isPlainArray(call.second) ? call.second : keysOfObject(call.second);
    if (outcome || list === null) return hints.addPart(call.first, call.first, !outcome);
    for (let index = 0; index < list.length; index++) hints.addPart(call.first, searchText(ownData(list, index)), true);
    return undefined;
  },
});

const matches = replacement({
  outcome: isTrue,
  missed: () => MISSED_REGEX,
  hints: (call, outcome, hints) => hintRegex(hints, call.first, call.second, !outcome),
});

const equals = replacement({
  outcome: isTrue,
  missed: (call, outcome) => closeness(missedDistance(OPERATOR.EQ3, outcome, call.first, call.second)),
  hints: (call, outcome, hints) => hints.addComparison('identical', call.first, call.second, !outcome),
});

/** Functions that check a format of the protocol. @type {Record<string, string>} */
const FORMAT_OF = {
  isEmail: 'email', isURL: 'url', isUUID: 'uuid', isISO8601: 'iso-date', isRFC3339: 'iso-datetime', isDate: 'iso-date', isMobilePhone: 'phone',
  isIP: 'ip', isFQDN: 'hostname', isPort: 'port', isAlpha: 'alpha', isAlphanumeric: 'alphanumeric', isLowercase: 'lowercase', isUppercase: 'uppercase',
  isNumeric: 'numeric', isSlug: 'slug', isJWT: 'jwt', isMongoId: 'mongo-id', isSemVer: 'semver', isCreditCard: 'credit-card', isMACAddress: 'mac',
  isLocale: 'locale', isCurrency: 'currency', isISO31661Alpha2: 'country', isMimeType: 'mime', isJSON: 'json', isBase64: 'base64', isHexadecimal: 'hex',
  isBoolean: 'boolean', isDecimal: 'number',
}; // prettier-ignore

/** A valid example for each other function. @type {Record<string, string>} */
const EXAMPLE_OF = {
  isAbaRouting: '322070381', isAfter: '9999-12-31', isAscii: 'a', isBIC: 'SBICKEN1345', isBase32: 'ZG5GI6LF', isBase58: 'BukQL3ZPgMqGBKsCwj', isBefore: '1970-01-02',
  isBtcAddress: '1MUz4VMYui5qY1mxUiG8BQ1Luv6tqkvaiL', isDataURI: 'data:text/plain;base64,YWJj', isEAN: '9421023610112',
  isEthereumAddress: '0x0000000000000000000000000000000000000001', isFreightContainerID: 'HLXU2008419', isFullWidth: 'ひらがな', isHSL: 'hsl(360,100%,50%)',
  isHalfWidth: 'a', isHexColor: '#ff0034', isIBAN: 'GB33BUKB20201555555555', isIMEI: '352099001761481', isIPRange: '127.0.0.1/24', isISBN: '9783836221191',
  isISIN: 'US0378331005', isISO15924: 'Latn', isISO31661Alpha3: 'USA', isISO31661Numeric: '840', isISO4217: 'EUR', isISO6346: 'HLXU2008419', isISO6391: 'en',
  isISRC: 'USAT29900609', isISSN: '0378-5955', isLatLong: '1.5,2.5', isLuhnNumber: '79927398713', isMD5: 'd94f3f016ae679c3008de268209132f2',
  isMagnetURI: 'magnet:?xt=urn:btih:06E2A9683BF4DA92C73A661AC56F0ECC9C63C5B4', isMailtoURI: 'mailto:a@example.com', isMultibyte: 'あ', isOctal: '0o17',
  isPostalCode: '12345', isRgbColor: 'rgb(5,5,5)', isStrongPassword: 'aB3$aB3$aB', isSurrogatePair: '𠮷', isTaxID: '01-1234567', isTime: '12:30',
  isULID: '01ARZ3NDEKTSV4RRFFQ69G5FAV', isVariableWidth: 'aあ', isByteLength: 'abcde', isDivisibleBy: '0', isHash: 'd94f3f016ae679c3008de268209132f2',
  isIdentityCard: '99999999R', isLicensePlate: 'A1234567', isPassportNumber: '790369937', isVAT: 'DE123456789', isWhitelisted: 'a',
}; // prettier-ignore

/** @returns {Record<string, Replacement>} */
function validators() {
  /** @type {Record<string, Replacement>} */
  const all = {
    __proto__: /** @type {any} */ (null),
    isLength,
    isIn,
    matches,
    equals,
    contains: containsPart,
    isInt: boundedNumber('integer'),
    isFloat: boundedNumber('float'),
    isEmpty,
  };
  for (const name in FORMAT_OF) all[name] = formatQuestion(FORMAT_OF[name]);
  for (const name in EXAMPLE_OF) all[name] = exampleQuestion(EXAMPLE_OF[name]);
  return all;
}

const jwt = formatQuestion('jwt');
const jwtDecode = replacement({ outcome: isThere, missed: jwt.missed, hints: jwt.hints });

/** Package -> name of an export -> replacement. @type {Record<string, Record<string, Replacement>>} */
const LIBRARIES = {
  __proto__: /** @type {any} */ (null),
  lodash: LODASH,
  'lodash-es': LODASH,
  underscore: UNDERSCORE,
  validator: validators(),
  uuid: { __proto__: /** @type {any} */ (null), validate: formatQuestion('uuid') },
  // jsonwebtoken's function returns null if the text is not a token.
  jsonwebtoken: { __proto__: /** @type {any} */ (null), decode: jwtDecode },
  ...DATE_LIBRARIES,
  luxon: { __proto__: /** @type {any} */ (null) },
};

// `lodash.isequal` and similar packages export one function each, in their index.js.
for (const name in LODASH) {
  LIBRARIES['lodash.' + name.toLowerCase()] = { __proto__: /** @type {any} */ (null), index: LODASH[name] };
}

module.exports = { ENDS_OF_CHAINS, LIBRARIES };
