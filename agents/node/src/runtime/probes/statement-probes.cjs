'use strict';
/**
 * Probes of statements ([WB-JS] §3.2), of errors that arrive somewhere, and of the arms of a ternary ([WB-JS] §3.7).
 * They are as short as possible, since V8 inlines only a limited amount of code into a function: to test for the state
 * UNTOUCHED they test whether it is falsy.
 */

const { EXCEPTION } = require('../heuristics/distance.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { noteSent } = require('../errors/sent-values.cjs');
const { noteRelay } = require('../errors/handed-on-answers.cjs');
const { handedOn, noteCommandRelay } = require('../errors/handed-on-commands.cjs');
const { noteCatch, noteThrow } = require('../errors/latest-throw.cjs');
const { hintIssues } = require('../schemas/schema-errors.cjs');
const { hintResult } = require('../schemas/parse-results.cjs');
const { noteIfError, noteThrown, recorder } = require('../calls/recorder.cjs');
const { noteFailedRead } = require('../inputs/missing-inputs.cjs');
const { DONE, ENTERED } = require('./file-targets.cjs');
const { probeTable } = require('./probe-table.cjs');

const { clock, last: lastStatement } = memory;

/** Reads of one file that are searched for issues in one evaluation. */
const MAX_ISSUE_READS = 100;
/** Times that the object which one place returns is searched in evaluations that do not look at everything. */
const OFTEN_RETURNED = 20;

const statementProbes = probeTable({
  /** @param {number} i */
  s(i) {
    lastStatement[0] = this.base + i;
    this.entered[i] = ++clock[0];
    if (!this.state[i]) this.enter(i);
  },

  /** @param {number} i */
  c(i) {
    this.entered[i] = 0;
    if (this.state[i] < DONE) this.complete(i);
  },

  /** @param {number} i */
  x(i) {
    lastStatement[0] = this.base + i;
    if (this.state[i] > ENTERED) return;
    this.enter(i);
    this.complete(i);
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} value
   * @returns {T}
   */
  r(i, value) {
    if (recorder.isFull || (typeof value === 'object' && this.returns[i] < OFTEN_RETURNED)) this.returned(i, value);
    this.entered[i] = 0;
    if (this.state[i] < DONE) this.complete(i);
    return value;
  },

  /** @param {number} i @param {unknown} value */
  returned(i, value) {
    if (recorder.record === null) return;
    if (this.returns[i] < OFTEN_RETURNED) this.returns[i]++;
    if (typeof value === 'object' || typeof value === 'string') {
      noteSent(value, false, { file: this.sourceOf(i), line: this.lines[i] });
    }
  },

  /** The entry of a function that answers with what it got. */
  rl() {
    if (recorder.isFull) noteRelay();
  },

  /** The entry of a function that hands on a command which it got. */
  rc() {
    if (handedOn.isWanted) noteCommandRelay();
  },

  /**
   * @template T
   * @param {number} i
   * @param {T} error
   * @returns {T}
   */
  t(i, error) {
    this.c(i);
    noteThrown(error);
    noteThrow(error, this.path, i);
    return error;
  },

  /** @param {unknown} value */
  g(value) {
    if (typeof value !== 'object' || value === null) return;
    noteCatch(value);
    noteIfError(value);
    if (!recorder.areHintsWanted || lastStatement[0] <= 0) return;
    noteFailedRead(lastStatement[0], value);
    this.learnIssues(lastStatement[0], value);
  },

  /**
   * Records the issues of a value that is read under a usual name for issues.
   * @template T
   * @param {T} value
   * @returns {T}
   */
  re(value) {
    if (typeof value === 'object' && value !== null && this.mayLook()) hintIssues(lastStatement[0], value);
    return value;
  },

  /**
   * Records the issues of a result whose `success` is read.
   * @template T
   * @param {T} result
   * @returns {T}
   */
  rs(result) {
    if (typeof result === 'object' && result !== null && this.mayLook()) hintResult(lastStatement[0], result);
    return result;
  },

  /** Returns whether a value may still be searched for issues: a loop may read any number of values. */
  mayLook() {
    return (
      recorder.areHintsWanted && lastStatement[0] > 0 && this.issueReads < MAX_ISSUE_READS && this.issueReads++ >= 0
    );
  },

  /**
   * Computes h of the statement that threw: the fewer members a library found wrong, the closer it was to completion.
   * @param {number} statement global id
   * @param {object} error
   */
  learnIssues(statement, error) {
    const found = hintIssues(statement, error);
    const i = statement - this.base;
    if (found > 0 && i > 0 && i < this.count && this.state[i] < DONE) this.reach(i, 0.5 + 0.5 / (1 + found));
  },

  /** @param {number} i */
  enter(i) {
    // While tracing, statements stay UNTOUCHED, so that each execution of a statement gets here.
    if (recorder.isTracing) recorder.trace(this.sourceOf(i), this.lines[i]);
    else this.state[i] = ENTERED;
    this.reach(i, 0.5);
    if (this.lineTarget[i] !== 0) this.reach(this.lineTarget[i], 1);
    this.reach(this.fileTarget[i], 1);
    if (this.entryOf[i] !== 0) this.reach(this.entryOf[i], 0.5);
    for (let site = this.firsts[i]; site !== 0; site = this.firsts[site]) {
      // Both outcomes are reached, even if the operand throws before there is an outcome.
      this.reach(site, EXCEPTION);
      this.reach(site + 1, EXCEPTION);
    }
  },

  /** @param {number} i */
  complete(i) {
    if (recorder.isTracing) recorder.traceEnd(this.sourceOf(i), this.lines[i]);
    else this.state[i] = DONE;
    this.reach(i, 1);
    if (this.endOf[i] !== 0) this.reach(this.endOf[i], 1);
  },

  /** @param {number} j */
  qe(j) {
    if (!this.state[j]) this.enterArm(j);
  },

  /** @param {number} j */
  enterArm(j) {
    this.state[j] = ENTERED;
    this.reach(j, 0.5);
  },

  /**
   * @template T
   * @param {number} j
   * @param {T} value
   * @returns {T}
   */
  qc(j, value) {
    if (this.state[j] < DONE) this.completeArm(j);
    return value;
  },

  /** @param {number} j */
  completeArm(j) {
    this.state[j] = DONE;
    this.reach(j, 1);
  },
});

module.exports = { statementProbes, clock, lastStatement };
