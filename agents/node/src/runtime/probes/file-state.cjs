'use strict';
/**
 * The state of one source file: its targets, its branch sites, and the data that the probes of each kind keep between
 * two executions.
 */

const { Float64Array, Int32Array, ObjectCreate, Uint32Array, Uint8Array } = require('../../base/intrinsics.cjs');
const { registerUses } = require('../inputs/uses-of-members.cjs');
const { registerGivenPlaces, registerPlaces } = require('../inputs/failed-places.cjs');
const { registerReads } = require('../inputs/failed-statements.cjs');
const { registerUnprobed } = require('../inputs/unprobed-reads.cjs');
const { methodSites } = require('../methods/method-sites.cjs');
const { BranchSites } = require('./branch-sites.cjs');
const { switchSites } = require('./switch-site.cjs');

/** @typedef {[path: string[], location: string, from?: string[] | null, after?: string[]]} Read */
/** @typedef {{ target: unknown, receiver: unknown, given: unknown[] }} Binding */

class FileState extends BranchSites {
  /**
   * @param {string} path
   * @param {number} base global id of target 0
   * @param {import('./file-targets.cjs').Table} table
   */
  constructor(path, base, table) {
    super(path, base, table);
    const { count } = this;

    // Statements.
    /** Value of the clock when a statement was entered; 0 once it has completed. */
    this.entered = new Float64Array(count);
    /** How often an object was returned within a call, by statement; no more than what is searched. */
    this.returns = new Uint8Array(count);
    /** How many values were searched for schema errors when they were read, in this evaluation. */
    this.issueReads = 0;

    // Keys.
    /** How often a site that looks up keys has measured them in this evaluation. */
    this.looks = new Uint8Array(count);
    /** The objects, between the probes of one `object[key]`. @type {Record<number, unknown>} */
    this.heldObjects = ObjectCreate(null);
    /** @type {Record<number, unknown>} */
    this.heldKeys = ObjectCreate(null);
    this.holds = false;

    // Reads of members that may be inputs.
    /** Path of the member, location of the object, and the path to the object. @type {Read[]} */
    this.reads = table.reads === undefined ? [] : table.reads;
    this.keyedReads = table.keyedReads;
    if (table.unprobed !== undefined) registerUnprobed(base, this.count, table.unprobed);
    if (table.places !== undefined) registerPlaces(base, this.count, table.places);
    if (table.places !== undefined || table.unprobed !== undefined) registerReads(this, table.places, table.unprobed);
    if (table.givenPlaces !== undefined) registerGivenPlaces(table.givenPlaces);
    if (table.uses !== undefined) registerUses(base, this.count, table.uses);
    this.misses = new Uint32Array(this.reads.length);
    this.timesAnswered = new Uint32Array(this.answers.length);
    /** The object whose member is being read. @type {unknown} */
    this.readObject = undefined;
    /** Lists that are gone through, by number of the read that leads to them. @type {Record<number, unknown> | null} */
    this.kept = null;
    /** Of which members are picked. @type {unknown} */
    this.pickedFrom = undefined;
    /** Places of the answers that are being parsed, by number of the call. @type {Record<number, any> | null} */
    this.parsing = null;

    // Logical operators, and assignments with them.
    /** Truthness of the left operand, while the right one runs. */
    this.leftPair = new Float64Array(count + 1);
    /** How often the right operand of `??=`, `||=` and `&&=` was evaluated. */
    this.rightOperands = new Int32Array(count);

    // Calls.
    this.sites = methodSites(table.targets, table.calls);
    /** Calls of `bind` in progress, by their number in the file. @type {Record<number, Binding>} */
    this.bindings = ObjectCreate(null);

    this.switches = switchSites(table.cases);

    // Values of which the program keeps only the truth, or that of a member.
    /** @type {[source: string, line: number, member?: string][]} */
    this.tests = table.tests === undefined ? [] : table.tests;
    /** Whether a value at the place was no promise, or had the member: then the program may mean to test for one. */
    this.isMixed = new Uint8Array(this.tests.length);
  }

  /** Forgets the evaluation that was answered. */
  clear() {
    super.clear();
    this.readObject = undefined;
    this.pickedFrom = undefined;
    this.issueReads = 0;
    if (!this.holds) return;
    this.holds = false;
    this.heldObjects = ObjectCreate(null);
    this.heldKeys = ObjectCreate(null);
  }

  /** @param {number} i */
  forget(i) {
    super.forget(i);
    this.looks[i] = 0;
  }
}

module.exports = { FileState };
