'use strict';
/** Notices what calls add to the prototypes of built-in classes, and removes it. */

const { ownKeys, deleteProperty } = Reflect;

/** @type {[string, object][]} */
const WATCHED = [
  ['Object.prototype', Object.prototype],
  ['Array.prototype', Array.prototype],
  ['Function.prototype', Function.prototype],
  ['String.prototype', String.prototype],
  ['Number.prototype', Number.prototype],
  ['Boolean.prototype', Boolean.prototype],
];

class BuiltInWatch {
  constructor() {
    /** @type {(string | symbol)[][]} */
    this.known = [];
  }

  /** What is there now was there before any call. */
  begin() {
    this.known = [];
    for (let index = 0; index < WATCHED.length; index++) this.known[index] = ownKeys(WATCHED[index][1]);
  }

  /** @returns {string[]} such as `Object.prototype.admin` */
  takeAdded() {
    /** @type {string[]} */
    const added = [];
    for (let index = 0; index < this.known.length; index++) {
      const [name, object] = WATCHED[index];
      const keys = ownKeys(object);
      if (keys.length <= this.known[index].length) continue;
      const known = new Set(this.known[index]);
      for (const key of keys) {
        if (known.has(key)) continue;
        added.push(name + '.' + String(key));
        deleteProperty(object, key);
      }
      this.known[index] = ownKeys(object);
    }
    return added;
  }
}

module.exports = { BuiltInWatch };
