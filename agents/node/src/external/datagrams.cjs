'use strict';
/**
 * Datagrams to other machines (metrics, logs) lead to a port of this machine on which nobody listens: their senders
 * expect no answer.
 */

const dgram = require('dgram');
const {
  ObjectOwnKeys,
  defineProperty,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  reflectApply,
} = require('../base/intrinsics.cjs');
const { disguise } = require('../base/function-text.cjs');
const { nameOf } = require('./invented-addresses.cjs');

/** Name -> index of the address among the arguments, of the port, and the address of this machine that replaces it. */
const METHODS = {
  send: { address: 4, port: 3, here: '127.0.0.1' },
  send6: { address: 4, port: 3, here: '::1' },
  connect: { address: 0, port: 1, here: '127.0.0.1' },
  connect6: { address: 0, port: 1, here: '::1' },
};

/** @param {import('./service-rules.cjs').ServiceRules} rules */
function watchDatagrams(rules) {
  const prototype = udpPrototype();
  if (prototype === null) return;
  for (const name in METHODS) redirectMethod(prototype, /** @type {keyof typeof METHODS} */ (name), rules);
}

/**
 * @param {any} prototype
 * @param {keyof typeof METHODS} name
 * @param {import('./service-rules.cjs').ServiceRules} rules
 */
function redirectMethod(prototype, name, rules) {
  const descriptor = getOwnPropertyDescriptor(prototype, name);
  if (descriptor === undefined || typeof descriptor.value !== 'function') return;
  const original = descriptor.value;
  const { address, port, here } = METHODS[name];
  const wrapper = /** @this {any} @param {any[]} args */ function (...args) {
    const to = args[address];
    const at = args[port];
    if (typeof to === 'string' && typeof at === 'number' && rules.isMocked(to, nameOf(to), at)) {
      args[address] = here;
      args[port] = rules.mocks.closed_port;
    }
    return reflectApply(original, this, args);
  };
  defineProperty(prototype, name, { ...descriptor, value: disguise(wrapper, original) });
}

/** @returns {any} of the handles of UDP sockets; null if Node has changed */
function udpPrototype() {
  const socket = dgram.createSocket('udp4');
  const symbols = ObjectOwnKeys(socket);
  let prototype = null;
  for (let index = 0; index < symbols.length; index++) {
    const symbol = symbols[index];
    if (typeof symbol !== 'symbol' || symbol.description !== 'state symbol') continue;
    const { handle } = /** @type {any} */ (socket)[symbol];
    if (handle) prototype = getPrototypeOf(handle);
  }
  socket.close();
  return prototype;
}

module.exports = { watchDatagrams };
