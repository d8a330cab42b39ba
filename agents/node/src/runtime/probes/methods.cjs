'use strict';
/** Probes of method calls whose outcome counts (seed 000 §3.5). */

const { MAX_HINTS_PER_TARGET, addHint } = require('../recorder.cjs');
const { METHOD, NAMES, elementAt, hasMethod, isTracked, regexParts, searchText, standIn } = require('../methods.cjs');
const { scalarText } = require('../values.cjs');
const { METHOD_BASE, TRUTHY, last, lastPair, resolveLast } = require('./last.cjs');
const { SwitchProbes } = require('./switches.cjs');

/** Elements of an array receiver of `includes` that become hints. */
const MAX_ELEMENT_HINTS = 10;

class MethodProbes extends SwitchProbes {
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
      last.operation = TRUTHY;
      last.left = result;
      return result;
    }
    last.operation = METHOD_BASE + code;
    last.outcome = !!result;
    last.left = receiver;
    last.right = argument;
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

module.exports = { MethodProbes };
