'use strict';
/** The call of which the path is recorded (protocol/constraints.md); only in a process that runs traced texts. */

const { isArray } = require('../base/intrinsics.cjs');
const { FollowedCondition } = require('../concolic/followed-condition.cjs');
const { pathOf } = require('../concolic/path-message.cjs');
const { tracing } = require('../concolic/running-trace.cjs');

class Followed {
  constructor() {
    /** Its index; -1: none. */
    this.call = -1;
    /** @type {import('../concolic/shadows/call-inputs.cjs').CallInput[]} */
    this.inputs = [];
    /** @type {FollowedCondition | null} */
    this.condition = null;
    this.hasBegun = false;
  }

  /** @param {any} message `follow` */
  expect(message) {
    this.call = message.call;
    this.inputs = [];
    this.condition = message.condition ? new FollowedCondition(message.condition, message.wanted !== false) : null;
    for (let index = 0; isArray(message.inputs) && index < message.inputs.length; index++) {
      const row = message.inputs[index];
      this.inputs[index] = { place: row[0], name: row[1], value: row[2] };
    }
  }

  /** @param {number} call that begins */
  noteCall(call) {
    if (tracing === null || call !== this.call || this.hasBegun) return;
    this.hasBegun = true;
    tracing.begin(this.inputs, this.condition);
  }

  /** @param {(path: object) => void} send is called with the path, if the call has begun in this evaluation */
  end(send) {
    if (tracing === null || !this.hasBegun) return;
    tracing.end();
    send({ ...pathOf(tracing), h: this.condition === null ? 0 : this.condition.h });
    this.call = -1;
    this.hasBegun = false;
  }
}

module.exports = { Followed };
