'use strict';
/**
 * The certificates of services, each asked for once: those that clients trust, and those in which something is wrong.
 */

const tls = require('node:tls');

/**
 * @typedef {{ key: string, cert: string }} Pair in PEM
 * @typedef {'expired' | 'wrong_name' | 'self_signed' | 'unknown_authority' | 'own_authority'} Fault
 */

/** @type {ReadonlySet<string>} */
const FAULTS = new Set(['expired', 'wrong_name', 'self_signed', 'unknown_authority', 'own_authority']);

class Certificates {
  /** @param {(host: string, fault: Fault | null) => Promise<Pair>} issue */
  constructor(issue) {
    this.issue = issue;
    /** By host and fault. @type {Map<string, Promise<Pair>>} */
    this.pairs = new Map();
    /** By host. @type {Map<string, Promise<tls.SecureContext>>} */
    this.contexts = new Map();
  }

  /**
   * @param {string} host
   * @param {Fault | null} [fault]
   * @returns {Promise<Pair>}
   */
  of(host, fault = null) {
    return remembered(this.pairs, `${host} ${fault ?? ''}`, () => this.issue(host, fault));
  }

  /** @param {string} host @returns {Promise<tls.SecureContext>} with its certificate, which clients trust */
  contextOf(host) {
    return remembered(this.contexts, host, async () => tls.createSecureContext(await this.of(host)));
  }
}

/**
 * @template T
 * @param {Map<string, Promise<T>>} known
 * @param {string} key
 * @param {() => Promise<T>} make
 * @returns {Promise<T>} what is known, or what is made now; failures are forgotten
 */
function remembered(known, key, make) {
  const found = known.get(key);
  if (found) return found;
  const made = make();
  known.set(key, made);
  made.catch(() => known.delete(key));
  return made;
}

module.exports = { Certificates, FAULTS };
