'use strict';
/** Probes of `bind`: a function that `bind` makes of a replaced function is recognised when it is called. */

const { hasMethod } = require('../../base/data-properties.cjs');
const { standIn } = require('../methods/callee-stand-ins.cjs');
const { noteBound } = require('../methods/replaced-functions.cjs');
const { probeTable } = require('./probe-table.cjs');

const bindProbes = probeTable({
  /**
   * The function that is bound.
   * @param {number} n
   * @param {unknown} target
   * @param {string} text of the callee, as V8 prints it
   */
  br(n, target, text) {
    if (target === null || target === undefined) return target;
    if (!hasMethod(target, 'bind')) return standIn('bind', text);
    if (typeof target === 'function') this.bindings[n] = { target, receiver: undefined, given: [] };
    return target;
  },

  /**
   * @template T
   * @param {number} n
   * @param {number} position
   * @param {T} argument
   */
  ba(n, position, argument) {
    const binding = this.bindings[n];
    if (binding === undefined) return argument;
    if (position === 0) binding.receiver = argument;
    else binding.given[position - 1] = argument;
    return argument;
  },

  /**
   * @template T
   * @param {number} n
   * @param {T} made
   */
  bx(n, made) {
    const binding = this.bindings[n];
    if (binding === undefined) return made;
    delete this.bindings[n];
    noteBound(made, binding.target, binding.receiver, binding.given);
    return made;
  },
});

module.exports = { bindProbes };
