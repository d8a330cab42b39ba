'use strict';
/**
 * The description of a replaced method ([WB-JS] §3.5, [WB-Advanced] §4): its outcome, the distance of the missed
 * outcome, and its hints.
 *
 * Law: a call's receiver and arguments may be hostile; none of their getters or proxy traps run.
 */

const { indexOf, lastIndexOf, min, slice } = require('../../base/intrinsics.cjs');
const { ownData } = require('../../base/data-properties.cjs');
const {
  BASE,
  EMPTY_COLLECTION,
  NULLISH_ELEMENT,
  OPERATOR,
  closeness,
  closestElement,
  missedDistance,
} = require('../heuristics/distance.cjs');
const { lookedUpTable } = require('../heuristics/keyed-tables.cjs');
const { addHint } = require('../calls/recorder.cjs');
const { comparison, format, pattern, requirement, schema, substring, table } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');

/** h of a missed outcome without a known distance that was reached with a value of the right type. */
const MISSED_FORMAT = 0.1;
/** The usual name of the document of a call in programs. */
const BODY = '.body.';
/** Elements of a collection that are compared. */
const MAX_ELEMENTS = 100;
/** Elements of a collection, or parts of a structure, that become hints. */
const MAX_PART_HINTS = 10;

/**
 * The latest call. There is one object for the process.
 * @typedef {object} Call
 * @property {Replacement | null} replacement
 * @property {any} receiver
 * @property {any} first argument
 * @property {any} second
 * @property {any} third
 * @property {any} result
 */

/**
 * @typedef {object} Replacement
 * @property {(call: Call) => boolean | null} outcome null: this call is not measured
 * @property {(call: Call, outcome: boolean) => number} missed h of the outcome that was missed, in (0, 1)
 * @property {(call: Call, outcome: boolean, hints: Hints) => void} hints
 * @property {boolean} throws whether the outcome `false` is an exception
 * @property {boolean} looksUp whether the result is the value of the key in its first argument
 * @property {(call: Call) => import('./split-texts.cjs').Parted | null} parted the text that was split or matched, for
 *   conditions on its parts
 * @property {boolean} callsBack whether it runs functions of the program, so that the same call may occur within it
 */

/** @param {Call} call */
const isTrue = (call) => (typeof call.result === 'boolean' ? call.result : null);
/** @param {Call} call */
const isThere = (call) => call.result !== undefined && call.result !== null;
/** @param {Call} call */
const isFound = (call) => (typeof call.result === 'number' ? call.result !== -1 : null);
const isDone = () => true;
const nothing = () => {};
const none = () => null;

/**
 * @param {object} parts
 * @param {Replacement['outcome']} parts.outcome
 * @param {Replacement['missed']} parts.missed
 * @param {Replacement['hints']} [parts.hints]
 * @param {boolean} [parts.throws]
 * @param {boolean} [parts.callsBack]
 * @param {boolean} [parts.looksUp]
 * @param {Replacement['parted']} [parts.parted]
 * @returns {Replacement}
 */
function replacement({
  outcome,
  missed,
  hints = nothing,
  throws = false,
  callsBack = false,
  looksUp = false,
  parted = none,
}) {
  return { outcome, missed, hints, throws, callsBack, looksUp, parted };
}

/** Receives the hints of a replacement about one missed target. There is one object for the process. */
class Hints {
  constructor() {
    /** Global id. */
    this.target = 0;
    this.limit = 0;
    /** The path from which the first operand was read, or what is looked for; empty: not known. */
    this.name = '';
    /**
     * Takes the members that an object lacks: paths, and the object.
     * @type {(path: string[], object: unknown) => void}
     */
    this.addLacking = nothing;
  }

  /** @param {import('../calls/hint-kinds.cjs').Hint | null} hint */
  add(hint) {
    addHint(this.target, hint, this.limit);
  }

  /**
   * @param {import('../calls/hint-kinds.cjs').Operator} operator
   * @param {unknown} left
   * @param {unknown} right
   * @param {boolean} wanted
   */
  addComparison(operator, left, right, wanted) {
    this.add(comparison(operator, scalarText(left), scalarText(right), wanted));
  }

  /**
   * @param {import('../calls/hint-kinds.cjs').Place} place
   * @param {unknown} text
   * @param {unknown} part
   * @param {boolean} wanted
   */
  addSubstring(place, text, part, wanted) {
    this.add(substring(place, scalarText(text), scalarText(part), wanted));
  }

  /**
   * @param {unknown} text
   * @param {{ source: string, flags: string }} expression
   * @param {boolean} wanted
   */
  addPattern(text, { source, flags }, wanted) {
    this.add(pattern(scalarText(text), scalarText(source), flags, wanted));
  }

  /**
   * @param {unknown} value
   * @param {string} name of the format
   * @param {boolean} wanted
   */
  addFormat(value, name, wanted) {
    this.add(format(scalarText(value), name, wanted));
  }

  /**
   * Adds a hint of a key or element that was searched, and of an existing one.
   * @param {unknown} left
   * @param {unknown} right
   * @param {boolean} wanted
   */
  addPart(left, right, wanted) {
    this.limit = MAX_PART_HINTS;
    this.addComparison('identical', left, right, wanted);
  }

  /**
   * Adds a hint of a key or element that was looked for, and of one that exists.
   * @param {unknown} asked
   * @param {unknown} element
   * @param {boolean} wanted
   */
  addElement(asked, element, wanted) {
    this.limit = MAX_PART_HINTS;
    this.add(comparison('identical', scalarText(asked), scalarText(element), wanted, this.name));
  }

  /**
   * Adds a hint of the keys of a table.
   * @param {unknown} key that was looked up
   * @param {unknown} object
   * @param {boolean} exists
   */
  addTable(key, object, exists) {
    if (typeof key !== 'string' || key === '') return;
    this.limit = MAX_PART_HINTS + 1;
    this.add(table(scalarText(key), lookedUpTable(this.target, object, exists)));
  }

  /**
   * Adds a hint of a member that the first operand lacks, in the form of a schema requirement. The operand is read from
   * a document (`body.filter`), or is one (`body`, `payload`).
   * @param {string} path starting at the operand, each part after a dot
   * @param {unknown} right
   * @param {boolean} isOfObject whether the operand has to be an object
   */
  addMember(path, right, isOfObject) {
    const text = this.name === '' ? '' : scalarText(right);
    if (text === '') return;
    const within = afterInput(this.name);
    this.addAt(within + path, text);
    if (within === '.' + this.name && indexOf(this.name, '.') < 0 && isOfObject) this.addAt(path, text);
  }

  /**
   * @param {string} path each part after a dot
   * @param {string} text JSON
   */
  addAt(path, text) {
    if (path === '') return;
    addHint(this.target, schema(slice(path, 1), requirement.comparison('identical', text)), 2 * MAX_PART_HINTS);
  }
}

/**
 * @param {string} name `req.body.filter`
 * @returns {string} the path after the part of the call that it is read from, each part after a dot
 */
function afterInput(name) {
  const path = '.' + name;
  const at = lastIndexOf(path + '.', BODY);
  return at < 0 ? path : slice(path, at + BODY.length - 1);
}

/**
 * Returns [WB-JS] Equation 3: h of a collection that does not contain the wanted element.
 * @param {unknown[]} elements an array without traps
 * @param {unknown} wanted
 * @returns {number}
 */
function missedElement(elements, wanted) {
  if (elements.length === 0) return EMPTY_COLLECTION;
  if (wanted === null || wanted === undefined) return NULLISH_ELEMENT;
  let best = BASE;
  const count = min(elements.length, MAX_ELEMENTS);
  for (let index = 0; index < count; index++) {
    const h = closeness(missedDistance(OPERATOR.EQ3, false, ownData(elements, index), wanted));
    if (h > best) best = h;
  }
  return closestElement(best);
}

/**
 * @param {unknown[]} elements an array without traps
 * @param {unknown} wanted
 * @param {boolean} outcome
 * @param {Hints} hints
 */
function hintElements(elements, wanted, outcome, hints) {
  if (outcome) return hints.addElement(wanted, wanted, false);
  for (let index = 0; index < elements.length && index < MAX_PART_HINTS; index++) {
    hints.addElement(wanted, ownData(elements, index), true);
  }
  return undefined;
}

module.exports = {
  Hints,
  MAX_ELEMENTS,
  MAX_PART_HINTS,
  MISSED_FORMAT,
  hintElements,
  isDone,
  isFound,
  isThere,
  isTrue,
  missedElement,
  replacement,
};
