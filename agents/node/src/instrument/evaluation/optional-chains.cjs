'use strict';
/** What is known of the optional chains of a file: where their parts end, and which are written as conditions. */

/** @typedef {import('../texts/parse.cjs').Node} Node */

/** A part of a chain that is written as a condition (callees/conditional-chains.cjs). */
class Condition {
  /**
   * @param {Node} link its `?.`
   * @param {Node} end the whole of it
   */
  constructor(link, end) {
    this.link = link;
    this.end = end;
    /** The first of the two targets of the `?.`. */
    this.target = -1;
    /** What opens before the part. */
    this.opening = '';
  }
}

class OptionalChains {
  constructor() {
    /** Chains of which it is decided how they are written. @type {Set<Node>} */
    this.settled = new Set();
    /** The ends of parts: a probe may enclose them without changing where the chain ends. @type {Set<Node>} */
    this.ends = new Set();
    /** The nodes of a part, from its end to its `?.` -> its condition. @type {Map<Node, Condition>} */
    this.parts = new Map();
    /** What is before a `?.` -> the condition. @type {Map<Node, Condition>} */
    this.starts = new Map();
  }

  /**
   * @param {Node} link
   * @param {Node} end
   */
  addCondition(link, end) {
    const condition = new Condition(link, end);
    for (let node = end; node !== link; node = node.callee ?? node.object) this.parts.set(node, condition);
    this.parts.set(link, condition);
    this.starts.set(link.object, condition);
  }
}

module.exports = { OptionalChains };
