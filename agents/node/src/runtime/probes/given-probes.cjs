'use strict';
/** Probes of elements and arguments that a pattern takes apart (passes/inputs/given-values.cjs). */

const { ObjectCreate, isArray, isProxy } = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { recorder } = require('../calls/recorder.cjs');
const { handedOn } = require('../inputs/handed-on.cjs');
const { isLacking, noteMissing } = require('../inputs/missing-inputs.cjs');
const { inputProbes } = require('./input-probes.cjs');
const { probeTable } = require('./probe-table.cjs');

const { last: lastStatement } = memory;

/** Elements of a list that are looked at. */
const MAX_ELEMENTS = 20;
/** The number that stands for what was handed on; a smaller one: of a function whose only statement has begun. */
const HANDED_ON = -1;
/** Stands in a path for the first element of a list, where there is a text in its place. */
const FIRST = '0';

const givenProbes = probeTable(
  {
    /**
     * @param {number} k
     * @param {unknown} root the variable from which the list is read that is about to be gone through
     */
    xk(k, root) {
      if (recorder.record === null) return;
      this.kept ??= ObjectCreate(null);
      /** @type {Record<number, unknown>} */ (this.kept)[k] = root;
    },

    /**
     * @template T
     * @param {T} value that a function is called with
     * @returns {T}
     */
    xh(value) {
      if (recorder.record !== null && typeof value === 'object' && value !== null) {
        handedOn.value = value;
        handedOn.record = recorder.record;
        handedOn.statement = lastStatement[0];
      }
      return value;
    },

    /**
     * The default of a member that is not there, in a pattern whose object was kept.
     * @param {number} n
     * @param {number} k
     * @returns {undefined}
     */
    xe(n, k) {
      if (k < 0) {
        const isOfCall = handedOn.record !== null && handedOn.record === recorder.record;
        const isNow = k !== HANDED_ON || handedOn.statement === lastStatement[0];
        if (isOfCall && isNow && isLacking(handedOn.value, this.reads[n][0])) this.missing(n, handedOn.value);
      } else if (this.kept !== null && this.kept[k] !== undefined) this.missingInElement(n, k);
      return undefined;
    },

    /**
     * The first member of such a pattern, once its name is bound.
     * @param {number} n
     * @param {unknown} value
     * @param {number} k
     */
    xf(n, value, k) {
      if (value === undefined) this.xe(n, k);
    },

    /**
     * @param {number} n
     * @param {number} k
     */
    missingInElement(n, k) {
      const list = this.heldAt(k, /** @type {any} */ (this.kept)[k]);
      const path = this.reads[n][0];
      if (typeof list === 'string') {
        if (this.mayReport(n)) noteMissing(lastStatement[0], [FIRST, ...path], this.reads[k][1], list);
      } else if (isArray(list) && !isProxy(list)) {
        const element = elementWithout(list, path);
        if (element !== undefined) this.missing(n, element);
      }
    },
  },
  inputProbes,
);

/**
 * @param {unknown[]} list
 * @param {string[]} path
 * @returns {unknown} the first element that may have the member, and does not; undefined if there is none
 */
function elementWithout(list, path) {
  for (let at = 0; at < list.length && at < MAX_ELEMENTS; at++) {
    const element = readData(list, '' + at);
    if (typeof element === 'string' || isLacking(element, path)) return element;
  }
  return undefined;
}

module.exports = { givenProbes };
