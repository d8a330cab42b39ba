'use strict';
/**
 * The addresses of the names that the program looks up: invented ones, since nobody is asked. They lie in 11.0.0.0/8
 * and 2b00::/16, which look like ordinary unicast addresses, so that programs which refuse private and reserved ones
 * accept them.
 */

const { Map, charCodeAt, imul, mapGet, mapSet, mapSize } = require('../base/intrinsics.cjs');
const { plainHost } = require('./service-rules.cjs');

/** The number of names of which the addresses are remembered. */
const MAX_NAMES = 100_000;
const N_ADDRESSES = 2 ** 24 - 2;

/** @type {Map<string, number>} */
const numbers = new Map();
/** Address -> name. @type {Map<string, string>} */
const names = new Map();

/**
 * Determined by the name alone, unless two names of one process collide.
 * @param {string} name
 * @returns {number} from 1 to N_ADDRESSES
 */
function hashOf(name) {
  let hash = 0x811c9dc5; // FNV-1a
  for (let index = 0; index < name.length; index++) hash = imul(hash ^ charCodeAt(name, index), 0x01000193);
  return (((hash ^ (hash >>> 24)) >>> 0) % N_ADDRESSES) + 1;
}

/** @param {number} number */
function fourOf(number) {
  return '11.' + (number >>> 16) + '.' + ((number >>> 8) & 255) + '.' + (number & 255);
}

/** @param {number} number */
function sixOf(number) {
  return '2b00::' + ((number >>> 16) + 1).toString(16) + ':' + ((number & 0xffff) + 1).toString(16);
}

/**
 * @param {string} host
 * @param {4 | 6} family
 * @returns {string} its address, the same each time
 */
function addressOf(host, family) {
  const name = plainHost(host);
  let number = mapGet(numbers, name);
  if (number === undefined) {
    number = hashOf(name);
    while (mapGet(names, fourOf(number)) !== undefined) number = (number % N_ADDRESSES) + 1;
    if (mapSize(numbers) < MAX_NAMES) {
      mapSet(numbers, name, number);
      mapSet(names, fourOf(number), name);
      mapSet(names, sixOf(number), name);
    }
  }
  return family === 6 ? sixOf(number) : fourOf(number);
}

/**
 * @param {string} host
 * @param {string} address that the hosts file has for it
 */
function rememberAddress(host, address) {
  if (mapSize(names) < 2 * MAX_NAMES) mapSet(names, address, plainHost(host));
}

/** @param {string} address @returns {string} the name that was looked up, else the address */
function nameOf(address) {
  return mapGet(names, address) || address;
}

module.exports = { addressOf, nameOf, rememberAddress };
