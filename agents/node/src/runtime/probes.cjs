'use strict';
/**
 * The handle `$` of one source file: what instrumented text calls (PROBES.md).
 *
 * Law: a probe answers what the plain text would have answered, runs the native operation exactly once, and adds no exception of its own.
 * Each probe begins with the shortest way out for targets that are known to be covered.
 */

const { Float64Array, Int32Array, Uint8Array, indexOf, slice } = require('../intrinsics.cjs');
const { BASE, EXCEPTION, MOST_MISSED, OPERATOR, closeness, missedDistance, rescaled } = require('./distance.cjs');
const { hideAgentFrames } = require('./stacks.cjs');
const { METHOD, NAMES, elementAt, hasMethod, isTracked, methodCode, missedByMethod, regexParts, searchText, standIn } = require('./methods.cjs');
const { MAX_HINTS_PER_TARGET, addHint, noteIfError, noteThrown, recorder } = require('./recorder.cjs');
const { CLAUSE, switchSites } = require('./switches.cjs');
const { scalarText } = require('./values.cjs');

/** States of a target. From DONE on a probe has nothing to do. */
const UNTOUCHED = 0;
const ENTERED = 1;
const DONE = 2;
const COVERED = 3;

const MAX_HINT_TRIES = 8;
/** Elements of an array receiver of `includes` that become hints. */
const MAX_ELEMENT_HINTS = 10;

/** Counts statements entered; never goes back, so stamps of one call are larger than its first. */
const clock = new Float64Array(1);
/** Global id of the statement executed last, or -1. */
const lastStatement = new Int32Array([-1]);

// The last truthness (PROBES.md): either in `lastPair`, or the operation of which it can be computed when somebody asks.
const VALUES = 0;
const TRUTHY = 16;
const NOT_TRUTHY = 17;
const METHOD_BASE = 32;
const lastPair = new Float64Array(2);
let lastOperation = VALUES;
let lastOutcome = false;
/** @type {unknown} */
let lastLeft;
/** @type {unknown} */
let lastRight;

// Whether a logical operator's or negation's own truthness is read by one around it. That is learnt: a reader reads at once, so a site
// that has come to its end unread has no reader, and once it is covered there is nothing to compute.
const UNREAD = 1;
const READ = 2;
/** @type {Uint8Array | null} */
let lastRoles = null;
let lastSite = 0;

/**
 * @param {number} ofTrue
 * @param {number} ofFalse
 */
function setLast(ofTrue, ofFalse) {
  lastOperation = VALUES;
  lastPair[0] = ofTrue;
  lastPair[1] = ofFalse;
}

/**
 * The missed outcome's h of a bare value: numbers and strings have a way to 0 and ''.
 * @param {unknown} value
 */
function missedBare(value) {
  if (!value) return BASE;
  if (typeof value === 'number') return closeness(value < 0 ? -value : value);
  return typeof value === 'string' ? closeness(value.length) : BASE;
}

/** @param {unknown} value */
function setLastBare(value) {
  if (value) setLast(1, missedBare(value));
  else setLast(BASE, 1);
}

/** Computes the last truthness, if that was put off. */
function resolveLast() {
  if (lastOperation === VALUES) return;
  lastRoles = null;
  const operation = lastOperation;
  if (operation === TRUTHY) return setLastBare(lastLeft);
  if (operation === NOT_TRUTHY) {
    setLastBare(lastLeft);
    return setLast(lastPair[1], lastPair[0]);
  }
  const missed =
    operation >= METHOD_BASE
      ? missedByMethod(operation - METHOD_BASE, lastOutcome, lastLeft, lastRight)
      : closeness(missedDistance(operation, lastOutcome, lastLeft, lastRight));
  setLast(lastOutcome ? 1 : missed, lastOutcome ? missed : 1);
}

/**
 * Makes `lastPair` the truthness of an operand that has one of its own; where it does not fit the operand's value
 * (somebody else was in between), a flag.
 * @param {unknown} value
 */
function takeLast(value) {
  resolveLast();
  if (lastRoles !== null) lastRoles[lastSite] = READ;
  lastRoles = null;
  if ((value ? lastPair[0] : lastPair[1]) !== 1) setLastBare(value);
}

/** Lets go of the operands that are kept for the last truthness. */
function forgetLast() {
  setLast(BASE, BASE);
  lastLeft = undefined;
  lastRight = undefined;
  lastRoles = null;
}

/** @param {number} h */
const missedOnly = (h) => (h < MOST_MISSED ? h : MOST_MISSED);

/**
 * @typedef {object} Table
 * @property {[string, number, number, string][]} targets
 * @property {[number, number][]} [lineOf]
 * @property {Record<string, any[]>} [cases]
 */

class FileProbes {
  /**
   * @param {string} path
   * @param {number} base global id of target 0
   * @param {Table} table
   */
  constructor(path, base, table) {
    const count = table.targets.length;
    this.path = path;
    this.base = base;
    this.count = count;
    this.state = new Uint8Array(count);
    /** 1: covered by an earlier evaluation. */
    this.covered = new Uint8Array(count);
    /** Best h in this evaluation. */
    this.best = new Float64Array(count);
    this.callOf = new Int32Array(count);
    this.touched = new Int32Array(count);
    this.touchedCount = 0;
    /** Clock when a statement was entered; 0 once it has completed. */
    this.entered = new Float64Array(count);
    this.lineTarget = new Int32Array(count);
    this.lines = new Int32Array(count);
    this.hintTries = new Uint8Array(count);
    /** Truthness of a logical operator's left operand, while the right one runs. */
    this.leftPair = new Float64Array(count + 1);
    /** Of logical operators and negations: UNREAD, READ, or 0 before that is known. */
    this.roles = new Uint8Array(count);
    this.methods = new Uint8Array(count);
    /** @type {unknown[]} */
    this.receivers = [];
    /** @type {unknown[]} */
    this.arguments = [];
    this.switches = switchSites(table.cases);
    this.read(table);
  }

  /** @param {Table} table */
  read(table) {
    const { targets, lineOf } = table;
    let hasMethods = false;
    for (let index = 0; index < targets.length; index++) {
      const target = targets[index];
      this.lines[index] = target[1];
      if (target[0] === 'method') {
        this.methods[index] = methodCode(slice(target[3], 0, indexOf(target[3], ' ')));
        hasMethods = true;
      }
    }
    for (let index = 0; lineOf !== undefined && index < lineOf.length; index++) {
      this.lineTarget[lineOf[index][0]] = lineOf[index][1];
    }
    for (let index = 0; hasMethods && index < targets.length; index++) {
      this.receivers[index] = undefined;
      this.arguments[index] = undefined;
    }
  }

  // ---- evaluations

  /**
   * Whether the probes have to report everything, targets covered earlier included.
   * @param {boolean} isFull
   */
  open(isFull) {
    for (let index = 0; index < this.count; index++) {
      if (this.covered[index] === 1) this.state[index] = isFull ? UNTOUCHED : COVERED;
    }
  }

  /** @param {number} index target that the core knows to be covered */
  cover(index) {
    this.covered[index] = 1;
    this.state[index] = COVERED;
  }

  /**
   * The part of `result.targets` about this file, each entry with a comma before it.
   * @param {boolean} isFull
   */
  resultText(isFull) {
    let text = '';
    for (let at = 0; at < this.touchedCount; at++) {
      const index = this.touched[at];
      if (isFull || this.covered[index] === 0) text += ',' + (this.base + index) + ',' + this.callOf[index] + ',' + this.best[index];
    }
    return text;
  }

  /** Forgets the evaluation that was answered. */
  clear() {
    for (let at = 0; at < this.touchedCount; at++) {
      const index = this.touched[at];
      this.best[index] = 0;
      this.hintTries[index] = 0;
      this.state[index] = this.covered[index] === 1 ? COVERED : UNTOUCHED;
    }
    this.touchedCount = 0;
  }

  /**
   * @param {number} i
   * @param {number} h
   */
  reach(i, h) {
    const known = this.best[i];
    if (!(h > known)) return;
    if (known === 0) this.touched[this.touchedCount++] = i;
    this.best[i] = h;
    this.callOf[i] = recorder.call;
  }

  /**
   * Both outcomes of a branch at i and i + 1; exactly one of them has h 1, or none where it is not decided yet.
   * @param {number} i
   * @param {number} ofTrue
   * @param {number} ofFalse
   */
  branch(i, ofTrue, ofFalse) {
    if (this.state[i] < DONE) {
      this.reach(i, ofTrue);
      if (ofTrue === 1) this.state[i] = DONE;
    }
    if (this.state[i + 1] < DONE) {
      this.reach(i + 1, ofFalse);
      if (ofFalse === 1) this.state[i + 1] = DONE;
    }
  }

  /** @param {number} i */
  isDone(i) {
    return this.state[i] > ENTERED && this.state[i + 1] > ENTERED;
  }

  /**
   * Whether a logical operator or negation is covered and nobody reads its truthness.
   * @param {number} i
   */
  isIdle(i) {
    return this.roles[i] === UNREAD && this.isDone(i);
  }

  // ---- statements

  /** @param {number} i */
  s(i) {
    lastStatement[0] = this.base + i;
    this.entered[i] = ++clock[0];
    if (this.state[i] === UNTOUCHED) this.enter(i);
  }

  /** @param {number} i */
  c(i) {
    this.entered[i] = 0;
    if (this.state[i] < DONE) this.complete(i);
  }

  /** @param {number} i */
  x(i) {
    lastStatement[0] = this.base + i;
    if (this.state[i] > ENTERED) return;
    this.enter(i);
    this.complete(i);
  }

  /**
   * @template T
   * @param {number} i
   * @param {T} value
   * @returns {T}
   */
  r(i, value) {
    this.entered[i] = 0;
    if (this.state[i] < DONE) this.complete(i);
    return value;
  }

  /**
   * @template T
   * @param {number} i
   * @param {T} error
   * @returns {T}
   */
  t(i, error) {
    this.c(i);
    noteThrown(error);
    return error;
  }

  /** @param {unknown} value */
  g(value) {
    if (typeof value === 'object' && value !== null) noteIfError(value);
  }

  /** @param {number} i */
  enter(i) {
    // While tracing, statements stay UNTOUCHED, so that each of them comes here each time.
    if (recorder.isTracing) recorder.trace(this.path, this.lines[i]);
    else this.state[i] = ENTERED;
    this.reach(i, 0.5);
    if (this.lineTarget[i] !== 0) this.reach(this.lineTarget[i], 1);
    this.reach(0, 1);
  }

  /** @param {number} i */
  complete(i) {
    if (!recorder.isTracing) this.state[i] = DONE;
    this.reach(i, 1);
  }

  // ---- ternary arms (seed 000 §3.7)

  /** @param {number} j */
  qe(j) {
    if (this.state[j] !== UNTOUCHED) return;
    this.state[j] = ENTERED;
    this.reach(j, 0.5);
  }

  /**
   * @template T
   * @param {number} j
   * @param {T} value
   * @returns {T}
   */
  qc(j, value) {
    if (this.state[j] < DONE) {
      this.state[j] = DONE;
      this.reach(j, 1);
    }
    return value;
  }

  // ---- comparisons

  /**
   * @param {number} i
   * @param {unknown} a
   * @param {unknown} b
   */
  eq3(i, a, b) {
    return this.compared(i, OPERATOR.EQ3, a === b, a, b);
  }

  /**
   * @param {number} i
   * @param {unknown} a
   * @param {unknown} b
   */
  ne3(i, a, b) {
    return this.compared(i, OPERATOR.NE3, a !== b, a, b);
  }

  /**
   * @param {number} i
   * @param {unknown} a
   * @param {unknown} b
   */
  eq2(i, a, b) {
    let outcome = false;
    try {
      outcome = a == b;
    } catch (error) {
      throw hideAgentFrames(error);
    }
    return this.compared(i, OPERATOR.EQ2, outcome, a, b);
  }

  /**
   * @param {number} i
   * @param {unknown} a
   * @param {unknown} b
   */
  ne2(i, a, b) {
    let outcome = false;
    try {
      outcome = a != b;
    } catch (error) {
      throw hideAgentFrames(error);
    }
    return this.compared(i, OPERATOR.NE2, outcome, a, b);
  }

  /**
   * @param {number} i
   * @param {any} a
   * @param {any} b
   */
  lt(i, a, b) {
    let outcome = false;
    try {
      outcome = a < b;
    } catch (error) {
      throw hideAgentFrames(error);
    }
    return this.compared(i, OPERATOR.LT, outcome, a, b);
  }

  /**
   * @param {number} i
   * @param {any} a
   * @param {any} b
   */
  le(i, a, b) {
    let outcome = false;
    try {
      outcome = a <= b;
    } catch (error) {
      throw hideAgentFrames(error);
    }
    return this.compared(i, OPERATOR.LE, outcome, a, b);
  }

  /**
   * @param {number} i
   * @param {any} a
   * @param {any} b
   */
  gt(i, a, b) {
    let outcome = false;
    try {
      outcome = a > b;
    } catch (error) {
      throw hideAgentFrames(error);
    }
    return this.compared(i, OPERATOR.GT, outcome, a, b);
  }

  /**
   * @param {number} i
   * @param {any} a
   * @param {any} b
   */
  ge(i, a, b) {
    let outcome = false;
    try {
      outcome = a >= b;
    } catch (error) {
      throw hideAgentFrames(error);
    }
    return this.compared(i, OPERATOR.GE, outcome, a, b);
  }

  /**
   * @param {number} i
   * @param {number} operator
   * @param {boolean} outcome
   * @param {unknown} a
   * @param {unknown} b
   */
  compared(i, operator, outcome, a, b) {
    lastOperation = operator;
    lastOutcome = outcome;
    lastLeft = a;
    lastRight = b;
    if (!this.isDone(i)) this.learnComparison(i, operator, outcome, a, b);
    return outcome;
  }

  /**
   * @param {number} i
   * @param {number} operator
   * @param {boolean} outcome
   * @param {unknown} a
   * @param {unknown} b
   */
  learnComparison(i, operator, outcome, a, b) {
    resolveLast();
    this.branch(i, lastPair[0], lastPair[1]);
    const missed = outcome ? i + 1 : i;
    if (!this.wantsHint(missed)) return;
    const isNegated = operator === OPERATOR.NE3 || operator === OPERATOR.NE2;
    this.hint(missed, OPERATOR_NAMES[operator], scalarText(a), scalarText(b), isNegated ? outcome : !outcome, '');
  }

  // ---- logical operators (seed 000 §3.4, Figure 1, without closures)

  /**
   * @template T
   * @param {number} i
   * @param {T} a
   */
  al(i, a) {
    if (this.isIdle(i)) return a;
    setLastBare(a);
    this.andLeft(i, a);
    this.hintBare(i, a, false);
    return a;
  }

  /**
   * @template T
   * @param {number} i
   * @param {T} a
   */
  alh(i, a) {
    if (this.isIdle(i)) return a;
    takeLast(a);
    this.andLeft(i, a);
    return a;
  }

  /**
   * @template T
   * @param {number} i
   * @param {T} b
   */
  ar(i, b) {
    if (this.isIdle(i)) return b;
    setLastBare(b);
    this.andRight(i, b);
    this.hintBare(i, b, false);
    return b;
  }

  /**
   * @template T
   * @param {number} i
   * @param {T} b
   */
  arh(i, b) {
    if (this.isIdle(i)) return b;
    takeLast(b);
    this.andRight(i, b);
    return b;
  }

  /**
   * @template T
   * @param {number} i
   * @param {T} a
   */
  ol(i, a) {
    if (this.isIdle(i)) return a;
    setLastBare(a);
    this.orLeft(i, a);
    this.hintBare(i, a, false);
    return a;
  }

  /**
   * @template T
   * @param {number} i
   * @param {T} a
   */
  olh(i, a) {
    if (this.isIdle(i)) return a;
    takeLast(a);
    this.orLeft(i, a);
    return a;
  }

  /**
   * @template T
   * @param {number} i
   * @param {T} b
   */
  or(i, b) {
    if (this.isIdle(i)) return b;
    setLastBare(b);
    this.orRight(i, b);
    this.hintBare(i, b, false);
    return b;
  }

  /**
   * @template T
   * @param {number} i
   * @param {T} b
   */
  orh(i, b) {
    if (this.isIdle(i)) return b;
    takeLast(b);
    this.orRight(i, b);
    return b;
  }

  /**
   * Decided where the left operand is falsy; else registers what holds should the right one throw.
   * @param {number} i
   * @param {unknown} a
   */
  andLeft(i, a) {
    const ofTrue = rescaled(lastPair[0]);
    const ofFalse = rescaled(lastPair[1]);
    this.leftPair[i] = ofTrue;
    this.leftPair[i + 1] = ofFalse;
    if (a) this.branch(i, 0.5 + EXCEPTION / 2, ofFalse);
    else this.decide(i, ofTrue / 2, 1);
  }

  /**
   * @param {number} i
   * @param {unknown} b
   */
  andRight(i, b) {
    const ofTrue = rescaled(lastPair[0]);
    const ofFalse = rescaled(lastPair[1]);
    const ofLeft = this.leftPair[i + 1];
    if (b) this.decide(i, 1, missedOnly(ofLeft > ofFalse ? ofLeft : ofFalse));
    else this.decide(i, missedOnly((1 + ofTrue) / 2), 1);
  }

  /**
   * @param {number} i
   * @param {unknown} a
   */
  orLeft(i, a) {
    const ofTrue = rescaled(lastPair[0]);
    const ofFalse = rescaled(lastPair[1]);
    this.leftPair[i] = ofTrue;
    this.leftPair[i + 1] = ofFalse;
    if (a) this.decide(i, 1, ofFalse / 2);
    else this.branch(i, ofTrue, 0.5 + EXCEPTION / 2);
  }

  /**
   * @param {number} i
   * @param {unknown} b
   */
  orRight(i, b) {
    const ofTrue = rescaled(lastPair[0]);
    const ofFalse = rescaled(lastPair[1]);
    const ofLeft = this.leftPair[i];
    if (b) this.decide(i, 1, missedOnly((1 + ofFalse) / 2));
    else this.decide(i, missedOnly(ofLeft > ofTrue ? ofLeft : ofTrue), 1);
  }

  /**
   * @param {number} i
   * @param {number} ofTrue
   * @param {number} ofFalse
   */
  decide(i, ofTrue, ofFalse) {
    setLast(ofTrue, ofFalse);
    if (this.roles[i] !== READ) this.roles[i] = UNREAD;
    lastRoles = this.roles;
    lastSite = i;
    if (!this.isDone(i)) this.branch(i, ofTrue, ofFalse);
  }

  // ---- negation and conditions

  /**
   * @param {number} i
   * @param {unknown} a
   */
  n(i, a) {
    if (this.isDone(i)) {
      lastOperation = NOT_TRUTHY;
      lastLeft = a;
      return !a;
    }
    setLastBare(a);
    this.decide(i, lastPair[1], lastPair[0]);
    this.hintBare(i, a, true);
    return !a;
  }

  /**
   * @param {number} i
   * @param {unknown} a
   */
  nh(i, a) {
    if (this.isIdle(i)) return !a;
    takeLast(a);
    this.decide(i, lastPair[1], lastPair[0]);
    return !a;
  }

  /**
   * @template T
   * @param {number} i
   * @param {T} a
   */
  k(i, a) {
    if (this.isDone(i)) return a;
    setLastBare(a);
    this.decide(i, lastPair[0], lastPair[1]);
    this.hintBare(i, a, false);
    return a;
  }

  // ---- switch

  /**
   * @template T
   * @param {number} i
   * @param {T} subject
   */
  sw(i, subject) {
    const site = this.switches[i];
    if (site === undefined) return subject;
    for (let at = 0; at < site.count; at++) {
      if (this.state[i + at] < DONE) {
        this.scoreClauses(i, site, subject);
        break;
      }
    }
    return subject;
  }

  /**
   * @param {number} i
   * @param {import('./switches.cjs').SwitchSite} site
   * @param {unknown} subject
   */
  scoreClauses(i, site, subject) {
    const match = site.matchOf(subject);
    for (let at = 0; at < site.count; at++) {
      if (at === match || this.state[i + at] >= DONE) continue;
      if (site.kinds[at] === CLAUSE.LITERAL) this.missClause(i + at, subject, site.values[at]);
      else if (site.kinds[at] === CLAUSE.DEFAULT && match >= 0) this.reach(i + at, closeness(1));
    }
    site.isPending = site.hasExpressions && site.lastExpressionBefore(match) >= 0;
    site.match = match;
    if (site.isPending) site.subject = subject;
    else this.takeClause(i, match >= 0 ? match : site.defaultAt);
  }

  /**
   * @template T
   * @param {number} i
   * @param {number} n
   * @param {T} test
   */
  cs(i, n, test) {
    const site = this.switches[i];
    if (site === undefined || !site.isPending) return test;
    const isMatch = test === site.subject;
    if (isMatch) this.takeClause(i, n);
    else {
      if (this.state[i + n] < DONE) this.missClause(i + n, site.subject, test);
      if (site.lastExpressionBefore(site.match) !== n) return test;
      this.takeClause(i, site.match >= 0 ? site.match : site.defaultAt);
    }
    site.isPending = false;
    site.subject = undefined;
    return test;
  }

  /**
   * @param {number} target
   * @param {unknown} subject
   * @param {unknown} test
   */
  missClause(target, subject, test) {
    this.reach(target, closeness(missedDistance(OPERATOR.EQ3, false, subject, test)));
    if (this.wantsHint(target)) this.hint(target, 'switch', scalarText(subject), scalarText(test), true, '');
  }

  /**
   * @param {number} i
   * @param {number} clause -1: the switch has no `default`
   */
  takeClause(i, clause) {
    if (clause < 0 || this.state[i + clause] >= DONE) return;
    this.state[i + clause] = DONE;
    this.reach(i + clause, 1);
  }

  // ---- tracked method calls (seed 000 §3.5)

  /**
   * The receiver of a call that is not tracked, where its text has probes in it.
   * @param {unknown} receiver
   * @param {string} name of the method
   * @param {string} text of the callee, as V8 prints it
   */
  mc(receiver, name, text) {
    if (receiver === null || receiver === undefined || hasMethod(receiver, name)) return receiver;
    return standIn(name, text);
  }

  /**
   * @template T
   * @param {number} i
   * @param {T} receiver
   * @param {string} text the callee as V8 prints it
   * @returns {T}
   */
  mr(i, receiver, text) {
    this.receivers[i] = receiver;
    this.arguments[i] = undefined;
    const code = this.methods[i];
    if (typeof receiver === 'string' && code !== METHOD.TEST) return receiver;
    if (receiver === null || receiver === undefined || hasMethod(receiver, NAMES[code])) return receiver;
    return /** @type {any} */ (standIn(NAMES[code], text));
  }

  /**
   * @template T
   * @param {number} i
   * @param {T} argument
   */
  ma(i, argument) {
    this.arguments[i] = argument;
    return argument;
  }

  /**
   * @template T
   * @param {number} i
   * @param {T} result
   */
  mx(i, result) {
    const receiver = this.receivers[i];
    const argument = this.arguments[i];
    this.receivers[i] = undefined;
    this.arguments[i] = undefined;
    const code = this.methods[i];
    if (!isTracked(code, receiver, result)) {
      lastOperation = TRUTHY;
      lastLeft = result;
      return result;
    }
    lastOperation = METHOD_BASE + code;
    lastOutcome = !!result;
    lastLeft = receiver;
    lastRight = argument;
    if (!this.isDone(i)) this.learnMethod(i, code, !!result, receiver, argument);
    return result;
  }

  /**
   * @param {number} i
   * @param {number} code
   * @param {boolean} outcome
   * @param {unknown} receiver
   * @param {unknown} argument
   */
  learnMethod(i, code, outcome, receiver, argument) {
    resolveLast();
    this.branch(i, lastPair[0], lastPair[1]);
    const missed = outcome ? i + 1 : i;
    if (!this.wantsHint(missed)) return;
    if (code === METHOD.TEST) this.hintRegex(missed, argument, receiver, !outcome);
    else if (code === METHOD.MATCH) this.hintRegex(missed, receiver, argument, !outcome);
    else if (typeof receiver === 'string') this.hintText(missed, NAMES[code], receiver, argument, !outcome);
    else this.hintElements(missed, /** @type {unknown[]} */ (receiver), argument, !outcome);
  }

  // ---- hints

  /** @param {number} target index in this file of an outcome that was missed */
  wantsHint(target) {
    if (!recorder.areHintsWanted || this.state[target] >= DONE) return false;
    if (this.hintTries[target] >= MAX_HINT_TRIES) return false;
    this.hintTries[target]++;
    return true;
  }

  /**
   * @param {number} target
   * @param {string} operator
   * @param {string} left JSON; empty: not a scalar
   * @param {string} right
   * @param {boolean} wanted
   * @param {string} flags
   */
  hint(target, operator, left, right, wanted, flags) {
    if (left !== '' && right !== '') {
      addHint(this.base + target, operator, left, right, wanted, flags, MAX_HINTS_PER_TARGET);
    }
  }

  /**
   * A bare value that decided a branch at i: `truthy`, wanted the other way.
   * @param {number} i
   * @param {unknown} value
   * @param {boolean} isNegated
   */
  hintBare(i, value, isNegated) {
    const missed = !value === isNegated ? i + 1 : i;
    if (this.wantsHint(missed)) this.hint(missed, 'truthy', scalarText(value), 'null', !value, '');
  }

  /**
   * @param {number} target
   * @param {unknown} subject
   * @param {unknown} pattern
   * @param {boolean} wanted
   */
  hintRegex(target, subject, pattern, wanted) {
    const parts = typeof subject === 'string' ? regexParts(pattern) : null;
    if (parts !== null) this.hint(target, 'regex', scalarText(subject), scalarText(parts.source), wanted, parts.flags);
  }

  /**
   * @param {number} target
   * @param {string} operator
   * @param {string} receiver
   * @param {unknown} argument
   * @param {boolean} wanted
   */
  hintText(target, operator, receiver, argument, wanted) {
    const part = searchText(argument);
    if (part !== null) this.hint(target, operator, scalarText(receiver), scalarText(part), wanted, '');
  }

  /**
   * @param {number} target
   * @param {unknown[]} elements
   * @param {unknown} argument
   * @param {boolean} wanted
   */
  hintElements(target, elements, argument, wanted) {
    const right = scalarText(argument);
    for (let index = 0; right !== '' && index < elements.length && index < MAX_ELEMENT_HINTS; index++) {
      const left = scalarText(elementAt(elements, index));
      if (left !== '') addHint(this.base + target, '===', left, right, wanted, '', MAX_ELEMENT_HINTS);
    }
  }
}

/** By OPERATOR; `!==` and `!=` are sent as their opposites with `wanted` turned round. */
const OPERATOR_NAMES = ['', '===', '===', '==', '==', '<', '<=', '>', '>='];

module.exports = { FileProbes, clock, forgetLast, lastStatement };
