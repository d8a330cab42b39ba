'use strict';
/** Values and operators of traced text, and branches that only choose a value. */

const { Nodes } = require('./shadows/shadow-nodes.cjs');
const { StoredElements } = require('./shadows/stored-elements.cjs');
const { BINARY, UNARY, binaryNode, set, textNode, truthNode, unaryNode } = require('./shadows/symbolic-operators.cjs');
const { CallInputs } = require('./shadows/call-inputs.cjs');
const { bothOutcomes, isSimple, joined, plainMember, switched } = require('./shadows/merged-values.cjs');

/** @typedef {import('./shadows/shadow-nodes.cjs').Shadow} Shadow */
/** @typedef {import('./shadows/shadow-nodes.cjs').Node} Node */
/** @typedef {import('./shadows/merged-values.cjs').Condition} Condition */

const MAX_CONDITIONS = 3_000;
/**
 * Last characters of the places of operators and calls: what they return is a value, and where it decides is noted too.
 */
const OF_VALUES = set(['=', '<', '>', '!', ')', '&', '|']);

class ValueHandle {
  constructor() {
    /** The shadow of the value that was computed last. @type {Shadow} */
    this.s = 0;
    this.nodes = new Nodes();
    this.inputs = new CallInputs([]);
    /** @type {Condition[]} */
    this.path = [];
    /** The element that a loop has reached. @type {unknown} */
    this.element = undefined;
    /** Whether the branch that is not taken has a part without a value. */
    this.isLost = false;
    /** Whether there are symbolic inputs now. */
    this.isOn = false;
    /** @type {import('./followed-condition.cjs').FollowedCondition | null} */
    this.followed = null;
  }

  /**
   * Begins a traced call.
   * @param {import('./shadows/call-inputs.cjs').CallInput[]} inputs
   * @param {import('./followed-condition.cjs').FollowedCondition | null} [followed]
   */
  begin(inputs, followed = null) {
    this.followed = followed;
    this.nodes = new Nodes();
    this.nodes.stored = new StoredElements();
    this.nodes.assume = (name, node, isMerged) => this.note(name, node, isMerged);
    this.inputs = new CallInputs(inputs);
    this.path = [];
    this.s = 0;
    this.isOn = true;
  }

  end() {
    this.isOn = false;
    this.followed = null;
    this.s = 0;
    return this.path;
  }

  // ---- values and operators -----------------------------------------------------------------------------------------

  /** @param {unknown} value @param {Shadow} shadow */
  v(value, shadow) {
    this.s = shadow;
    return value;
  }

  /** @param {string} place @param {unknown} value @param {Shadow} shadow Records the outcome of a condition. */
  c(place, value, shadow) {
    const node = shadow ? this.nodes.of(value, shadow) : 0;
    this.s = node;
    const { followed } = this;
    if (followed !== null && place === followed.place && !(node && node.isSymbolic)) followed.note(value);
    const last = place[place.length - 1];
    if (node && (typeof value === 'boolean' || last !== ')')) {
      const truth = truthNode(this.nodes, node);
      if (truth) this.note(place, truth, OF_VALUES[last] === true);
    }
    return value;
  }

  /**
   * @param {string} place
   * @param {Node} node a truth value
   * @param {boolean} [isMerged] whether what follows is an expression over both outcomes
   */
  note(place, node, isMerged = false) {
    const { path } = this;
    if (!node.isSymbolic || path.length >= MAX_CONDITIONS) return;
    path[path.length] = { place, isTaken: node.value === true, node, isMerged };
  }

  /**
   * @param {string} operator
   * @param {unknown} left
   * @param {Shadow} leftShadow
   * @param {unknown} right
   * @param {Shadow} rightShadow
   */
  b(operator, left, leftShadow, right, rightShadow) {
    const result = BINARY[operator](left, right);
    this.s = 0;
    if (this.followed !== null) this.followed.compute(left, right);
    if (!leftShadow && !rightShadow) return result;
    const { nodes } = this;
    const [a, b] = [nodes.lifted(left, leftShadow), nodes.lifted(right, rightShadow)];
    if (a && b && (a.isSymbolic || b.isSymbolic)) this.s = binaryNode(nodes, operator, a, b, result);
    return result;
  }

  /** @param {string} operator @param {unknown} value @param {Shadow} shadow */
  u(operator, value, shadow) {
    const result = UNARY[operator](value);
    if (this.followed !== null) this.followed.compute(value);
    const node = shadow ? this.nodes.of(value, shadow) : 0;
    this.s = node ? unaryNode(this.nodes, operator, node, result) : 0;
    return result;
  }

  // ---- branches that choose a value ---------------------------------------------------------------------------------

  /** @param {unknown} test @param {Shadow} shadow @returns {boolean} whether the other branch is computed as well */
  isMerging(test, shadow) {
    this.isLost = false;
    const node = this.isOn && shadow ? this.nodes.of(test, shadow) : 0;
    return node !== 0 && node.isSymbolic;
  }

  /** @param {string} operator @param {unknown} value @param {Shadow} shadow `u` of a branch that is not taken */
  pu(operator, value, shadow) {
    return isSimple(value) ? this.u(operator, value, shadow) : this.lost();
  }

  /**
   * `b` of a branch that is not taken.
   * @param {string} operator
   * @param {unknown} left
   * @param {Shadow} leftShadow
   * @param {unknown} right
   * @param {Shadow} rightShadow
   */
  pb(operator, left, leftShadow, right, rightShadow) {
    if (!isSimple(left) || !isSimple(right)) return this.lost();
    return this.b(operator, left, leftShadow, right, rightShadow);
  }

  /**
   * A choice of a value in a branch that is not taken.
   * @param {unknown} test
   * @param {Shadow} testShadow
   * @param {...any} outcomes a value and its shadow for each outcome
   */
  pc(test, testShadow, ...outcomes) {
    if (!isSimple(test)) return this.lost();
    const [yes, yesShadow, no, noShadow] = outcomes;
    const value = test ? yes : no;
    if (!isSimple(value) || typeof yes !== typeof no) return this.lost();
    this.s = bothOutcomes(this.nodes, { test, testShadow, value }, [
      this.nodes.lifted(yes, yesShadow),
      this.nodes.lifted(no, noShadow),
    ]);
    return value;
  }

  /**
   * A member in a branch that is not taken.
   * @param {any} object
   * @param {Shadow} objectShadow
   * @param {any} key
   * @param {Shadow} keyShadow
   */
  pm(object, objectShadow, key, keyShadow) {
    const value = plainMember(this, object, objectShadow, key, keyShadow);
    return value === undefined ? this.lost() : value;
  }

  /** Notes that the other branch could not be computed. */
  lost() {
    this.isLost = true;
    this.s = 0;
  }

  /**
   * Records the outcome of a condition that chose a value, and leaves the value's expression over both outcomes.
   * @param {[string, unknown, Shadow]} condition place, value, shadow
   * @param {unknown} value
   * @param {Shadow} shadow
   * @param {boolean} isMerging
   * @param {unknown} other value that the branch which was not taken has; its shadow is in `s`
   */
  join([place, test, testShadow], value, shadow, isMerging, other) {
    const outcome = { test, testShadow, value, shadow, isMerging: isMerging && !this.isLost, other };
    this.s = this.isOn ? joined(this, place, outcome, this.s) : 0;
    return value;
  }

  /**
   * Leaves out of the path which clause of a `switch` was chosen, if that only chose values.
   * @param {number} length of the path before it
   * @param {string[]} sites of the clauses that do not leave
   * @param {any[][]} names each with its value, the shadow of that, and both as they are after any of these clauses
   * @param {[unknown, Shadow] | null} stays whether it is one of them; null: it is, whatever is switched on
   * @returns {Shadow[]} of the names
   */
  switched(length, sites, names, stays) {
    const isLost = this.isLost || (stays !== null && !this.nodes.of(stays[0], stays[1]));
    return switched(this, { length, sites, names, stays: stays === null || isLost ? 0 : stays[1], isLost });
  }

  /** @param {any} value Converts the operand of `++`. */
  numeric(value) {
    return typeof value === 'bigint' ? value : +value;
  }

  /** @param {any} old @param {Shadow} shadow @param {number} step */
  n(old, shadow, step) {
    if (typeof old !== 'bigint') return this.b('+', old, shadow, step, 0);
    let next = old;
    if (step > 0) next++;
    else next--;
    this.s = 0;
    return next;
  }

  /** @param {...any} list a value and its shadow come last */
  last(...list) {
    this.s = list[list.length - 1];
    return list[list.length - 2];
  }

  /** @param {...any} list a value and its shadow come first */
  first(...list) {
    this.s = list[1];
    return list[0];
  }

  /** @param {any} value @param {Shadow} shadow Converts a part of a template. */
  text(value, shadow) {
    const text = `${value}`;
    const node = shadow ? this.nodes.of(value, shadow) : 0;
    this.s = node ? textNode(this.nodes, node) : 0;
    return text;
  }

  /** @param {string[]} texts @param {any[]} parts text, shadow, text, shadow ... */
  template(texts, parts) {
    let result = texts[0];
    /** @type {Shadow} */
    let shadow = 0;
    for (let index = 0; index < parts.length; index += 2) {
      const withPart = this.b('+', result, shadow, parts[index], parts[index + 1]);
      shadow = this.s;
      result = this.b('+', withPart, shadow, texts[index / 2 + 1], 0);
      shadow = this.s;
    }
    this.s = shadow;
    return result;
  }
}

module.exports = { ValueHandle };
