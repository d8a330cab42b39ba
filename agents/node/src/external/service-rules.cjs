'use strict';
/**
 * Which connections leave the machine, and so lead to the mock server: all that are not to this machine, unless the
 * user has allowed them.
 *
 * The core describes the mock server in WIMBLE_MOCKS (protocol/mocks.md); the threads of a process share it.
 */

const net = require('net');
const os = require('os');
const {
  Number,
  ObjectCreate,
  domainToAscii,
  endsWith,
  isArray,
  lastIndexOf,
  parseJson,
  readFileSync,
  regExpExec,
  slice,
  startsWith,
  toLowerCase,
} = require('../base/intrinsics.cjs');

/** Loopback addresses, and those that a connection to this machine may name. */
const LOOPBACK = /^(?:127\.|0\.0\.0\.0$|::1$|::$|::ffff:(?:127\.|7f[0-9a-f]{2}:|0\.0\.0\.0$))/i;
const BEYOND_ASCII = /[^\0-\x7f]/;
const HOSTS_FILE = '/etc/hosts';
const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
const { isIP } = net;
const { hostname, networkInterfaces } = os;

/** @typedef {import('../base/thread-memory.cjs').Mocks} Mocks */

/** A list of hosts as the user has written it: host -> ports, or true for all. */
class HostList {
  /** @param {string[]} entries */
  constructor(entries) {
    /** @type {Record<string, true | Record<number, true>>} */
    this.hosts = ObjectCreate(null);
    for (let index = 0; index < entries.length; index++) this.add(entries[index]);
  }

  /** @param {string} entry `host`, `host:port`, `[::1]:port` or an IPv6 address */
  add(entry) {
    const colon = lastIndexOf(entry, ':');
    const hasPort = colon > 0 && (isIP(entry) === 0 || entry[0] === '[');
    const host = plainHost(hasPort ? slice(entry, 0, colon) : entry);
    const known = this.hosts[host];
    if (!hasPort || known === true) this.hosts[host] = true;
    else (this.hosts[host] = known || ObjectCreate(null))[Number(slice(entry, colon + 1))] = true;
  }

  /**
   * @param {string} host
   * @param {number} port 0: any
   */
  has(host, port) {
    const ports = this.hosts[plainHost(host)];
    return ports !== undefined && (ports === true || port === 0 || ports[port] === true);
  }
}

/**
 * @param {string} host
 * @returns {string} as it is compared: without brackets, a final dot and capitals; letters beyond ASCII as names have
 *   them on the wire (`xn--bcher-kva.example`)
 */
function plainHost(host) {
  const bare = host[0] === '[' && endsWith(host, ']') ? slice(host, 1, -1) : host;
  const plain = toLowerCase(endsWith(bare, '.') ? slice(bare, 0, -1) : bare);
  return regExpExec(BEYOND_ASCII, plain) === null ? plain : domainToAscii(plain) || plain;
}

class ServiceRules {
  /** @param {Mocks} mocks */
  constructor(mocks) {
    this.mocks = mocks;
    this.allowed = new HostList(mocks.allowed);
    this.included = new HostList(mocks.included);
    /** Names of this machine's hosts file, with their first addresses. @type {Record<string, string> | null} */
    this.named = null;
    /** Addresses of this machine. @type {Record<string, true> | null} */
    this.own = null;
    this.includeProxies();
  }

  includeProxies() {
    for (let index = 0; index < PROXY_VARIABLES.length; index++) this.includeProxy(process.env[PROXY_VARIABLES[index]]);
  }

  /**
   * A proxy on this machine would send the program's requests to where they are addressed.
   * @param {string | undefined} proxy
   */
  includeProxy(proxy) {
    const parts = proxy === undefined ? null : regExpExec(/^(?:\w+:\/\/)?(?:[^@/]*@)?(\[[^\]]+\]|[^:/]+):(\d+)/, proxy);
    if (parts === null || !this.isHere(plainHost(parts[1]))) return;
    const names = ['localhost', '127.0.0.1', '::1'];
    for (let index = 0; index < names.length; index++) {
      if (!this.allowed.has(names[index], Number(parts[2]))) this.included.add('[' + names[index] + ']:' + parts[2]);
    }
  }

  /** @param {string} host plain; a name or an address @returns {boolean} whether it is this machine itself */
  isHere(host) {
    if (isIP(host) !== 0) return regExpExec(LOOPBACK, host) !== null || this.isOwnAddress(host);
    return host === '' || host === 'localhost' || endsWith(host, '.localhost') || host === toLowerCase(hostname());
  }

  /** @param {string} address */
  isOwnAddress(address) {
    if (this.own === null) {
      const own = (this.own = ObjectCreate(null));
      const cards = networkInterfaces();
      for (const name in cards) {
        const addresses = /** @type {any[]} */ (cards[name]);
        for (let index = 0; index < addresses.length; index++) own[addresses[index].address] = true;
      }
    }
    return /** @type {any} */ (this.own)[address] === true;
  }

  /**
   * @param {string} host
   * @returns {string} its first address in the hosts file; empty if it is not there
   */
  addressInFile(host) {
    if (this.named === null) this.named = readHosts();
    return this.named[host] || '';
  }

  /**
   * @param {string} name
   * @returns {boolean} whether a name is looked up as without mocks
   */
  isLookedUp(name) {
    const host = plainHost(name);
    if (isIP(host) !== 0 || this.isHere(host) || this.allowed.has(host, 0)) return true;
    const address = this.addressInFile(host);
    return address !== '' && regExpExec(LOOPBACK, address) !== null;
  }

  /**
   * @param {string} address
   * @param {string} name that was looked up; the address itself if none was
   * @param {number} port
   * @returns {boolean} whether a connection leads to the mock server
   */
  isMocked(address, name, port) {
    if (this.included.has(name, port) || this.included.has(address, port)) return true;
    if (this.isHere(address)) {
      // Programs read the variables from files (`.env`), too, after they have started.
      this.includeProxies();
      return this.included.has(name, port) || this.included.has(address, port);
    }
    return !this.allowed.has(name, port) && !this.allowed.has(address, port);
  }
}

/** @returns {Record<string, string>} */
function readHosts() {
  const named = ObjectCreate(null);
  try {
    let rest = readFileSync(HOSTS_FILE, 'utf8');
    const line = /^([^\n]*)\n?/;
    while (rest !== '') {
      const found = /** @type {any} */ (regExpExec(line, rest));
      rest = slice(rest, found[0].length);
      addLine(named, found[1]);
    }
  } catch {
    // Without the file, every name belongs to another machine.
  }
  return named;
}

/**
 * @param {Record<string, string>} named
 * @param {string} line
 */
function addLine(named, line) {
  const word = /([^\s#]+|#)/g;
  const first = regExpExec(word, line);
  if (first === null || isIP(first[0]) === 0) return;
  for (let next = regExpExec(word, line); next !== null && next[0] !== '#'; next = regExpExec(word, line)) {
    const name = toLowerCase(next[0]);
    if (named[name] === undefined) named[name] = first[0];
  }
}

/**
 * @param {string | undefined} json of WIMBLE_MOCKS
 * @returns {Mocks | null} null: nothing is mocked
 */
function readMocks(json) {
  if (typeof json !== 'string' || !startsWith(json, '{')) return null;
  const mocks = parseJson(json);
  const isWhole = typeof mocks.port === 'number' && typeof mocks.folder === 'string';
  return isWhole && isArray(mocks.allowed) && isArray(mocks.included) ? mocks : null;
}

module.exports = { ServiceRules, plainHost, readMocks };
