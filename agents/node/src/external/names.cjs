'use strict';
/**
 * Names of other machines get invented addresses, without asking anybody.
 *
 * Law: Node itself checks the arguments and gives the answer. It is called with the invented address in the place of
 * the name, and answers it as it answers every address.
 */

const dns = require('dns');
const net = require('net');
const { Error, Promise, defineProperty, hasOwn, nextTick, reflectApply } = require('../base/intrinsics.cjs');
const { replaceMethod } = require('../base/patching.cjs');
const { readCaller } = require('./connection-callers.cjs');
const { addressOf, rememberAddress } = require('./invented-addresses.cjs');
const { plainHost } = require('./service-rules.cjs');

const { isIP } = net;
const ADDRESS_FUNCTIONS = ['resolve4', 'resolve6', 'resolve'];
/** How long a client may remember an address. */
const TTL_S = 60;
/** Functions of `dns` -> the name that their errors have. @type {Record<string, string>} */
const OTHER_RECORDS = {
  resolveAny: 'queryAny',
  resolveCaa: 'queryCaa',
  resolveCname: 'queryCname',
  resolveMx: 'queryMx',
  resolveNaptr: 'queryNaptr',
  resolveNs: 'queryNs',
  resolvePtr: 'queryPtr',
  resolveSoa: 'querySoa',
  resolveSrv: 'querySrv',
  resolveTlsa: 'queryTlsa',
  resolveTxt: 'queryTxt',
  reverse: 'getHostByAddr',
};
/** Type of a record -> the name of its function. */
const TYPES = {
  A: 'resolve4',
  AAAA: 'resolve6',
  ANY: 'resolveAny',
  CAA: 'resolveCaa',
  CNAME: 'resolveCname',
  MX: 'resolveMx',
  NAPTR: 'resolveNaptr',
  NS: 'resolveNs',
  PTR: 'resolvePtr',
  SOA: 'resolveSoa',
  SRV: 'resolveSrv',
  TLSA: 'resolveTlsa',
  TXT: 'resolveTxt',
};
const ERRORS = { no_host: { code: 'ENOTFOUND', errno: -3008 }, try_again: { code: 'EAI_AGAIN', errno: -3001 } };

/**
 * @param {import('./service-rules.cjs').ServiceRules} rules
 * @param {(host: string) => string} outcomeOf the planned outcome of connecting to a host; empty: none
 */
function watchNames(rules, outcomeOf) {
  /** @param {unknown} name @returns {name is string} whether its address is invented */
  const isInvented = (name) => typeof name === 'string' && !rules.isLookedUp(name) && !readCaller().isDatabase;

  /**
   * @param {string} name
   * @param {4 | 6} family
   */
  const inventedAddress = (name, family) => {
    const known = rules.addressInFile(plainHost(name));
    if (known === '' || isIP(known) !== family) return addressOf(name, family);
    rememberAddress(name, known);
    return known;
  };

  watchLookup(dns, isInvented, inventedAddress, outcomeOf);
  watchLookup(dns.promises, isInvented, inventedAddress, outcomeOf);
  const owners = [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype];
  for (let index = 0; index < owners.length; index++) {
    const isPromised = index % 2 === 1;
    watchAddresses(owners[index], isPromised, { isInvented, inventedAddress, outcomeOf });
    watchOtherRecords(owners[index], isPromised, isInvented);
  }
}

/**
 * @param {any} owner
 * @param {(name: unknown) => name is string} isInvented
 * @param {(name: string, family: 4 | 6) => string} inventedAddress
 * @param {(host: string) => string} outcomeOf
 */
function watchLookup(owner, isInvented, inventedAddress, outcomeOf) {
  const isPromised = owner === dns.promises;
  replaceMethod(
    owner,
    'lookup',
    (original) =>
      /** @this {any} @param {any[]} args */ function (...args) {
        const name = args[0];
        if (!isInvented(name)) return reflectApply(original, this, args);
        const outcome = outcomeOf(name);
        const error = outcome in ERRORS ? lookupError(/** @type {any} */ (outcome), name) : null;
        args[0] = inventedAddress(name, wantsSix(args[1]) ? 6 : 4);
        if (error === null) return reflectApply(original, this, args);
        if (isPromised) return reflectApply(original, this, args).then(() => Promise.reject(error));
        const last = args.length - 1;
        const callback = args[last];
        if (typeof callback === 'function') args[last] = () => reflectApply(callback, undefined, [error]);
        return reflectApply(original, this, args);
      },
    true,
  );
}

/** @param {any} options of `lookup` @returns {boolean} whether they ask for IPv6 alone */
function wantsSix(options) {
  const family = typeof options === 'object' && options !== null ? options.family : options;
  return family === 6 || family === 'IPv6';
}

/**
 * @param {any} owner
 * @param {boolean} isPromised
 * @param {object} parts
 * @param {(name: unknown) => name is string} parts.isInvented
 * @param {(name: string, family: 4 | 6) => string} parts.inventedAddress
 * @param {(host: string) => string} parts.outcomeOf
 */
function watchAddresses(owner, isPromised, { isInvented, inventedAddress, outcomeOf }) {
  for (let index = 0; index < ADDRESS_FUNCTIONS.length; index++) {
    const name = ADDRESS_FUNCTIONS[index];
    /** @param {any[]} args @param {'resolve4' | 'resolve6'} kind */
    const answer = (args, kind) => {
      const family = kind === 'resolve6' ? 6 : 4;
      if (outcomeOf(args[0]) in ERRORS) {
        return settle(args, isPromised, queryError(family === 4 ? 'queryA' : 'queryAaaa', args[0], 'ENOTFOUND'));
      }
      const address = inventedAddress(args[0], family);
      const hasTtl = name !== 'resolve' && typeof args[1] === 'object' && args[1] !== null && args[1].ttl === true;
      return settle(args, isPromised, null, [hasTtl ? { address, ttl: TTL_S } : address]);
    };
    replaceMethod(
      owner,
      name,
      (original) =>
        /** @this {any} @param {any[]} args */ function (...args) {
          const kind = name === 'resolve' ? typeOf(args[1]) : name;
          if (kind === '' || !isInvented(args[0])) return reflectApply(original, this, args);
          if (kind === 'resolve4' || kind === 'resolve6') return answer(args, kind);
          return settle(args, isPromised, noData(OTHER_RECORDS[kind], args[0]));
        },
      true,
    );
  }
}

/**
 * @param {unknown} type given to `resolve`
 * @returns {string} the function for it; empty: no type, which Node refuses
 */
function typeOf(type) {
  if (type === undefined || typeof type === 'function') return 'resolve4';
  return typeof type === 'string' && hasOwn(TYPES, type) ? /** @type {any} */ (TYPES)[type] : '';
}

/**
 * @param {any} owner
 * @param {boolean} isPromised
 * @param {(name: unknown) => name is string} isInvented
 */
function watchOtherRecords(owner, isPromised, isInvented) {
  for (const name in OTHER_RECORDS) {
    replaceMethod(
      owner,
      name,
      (original) =>
        /** @this {any} @param {any[]} args */ function (...args) {
          const isAsked = name === 'reverse' ? isIP(args[0]) !== 0 : isInvented(args[0]);
          if (!isAsked) return reflectApply(original, this, args);
          return settle(args, isPromised, noData(/** @type {any} */ (OTHER_RECORDS)[name], args[0]));
        },
      true,
    );
  }
}

/**
 * Answers as Node does: through the callback, which is the last argument, or as a promise.
 * @param {any[]} args
 * @param {boolean} isPromised
 * @param {Error | null} error
 * @param {any[]} [found]
 */
function settle(args, isPromised, error, found) {
  if (isPromised) return error === null ? Promise.resolve(found) : Promise.reject(error);
  const callback = args[args.length - 1];
  if (typeof callback !== 'function') {
    const wrong = new Error('The "callback" argument must be of type function.');
    defineProperty(wrong, 'code', { value: 'ERR_INVALID_ARG_TYPE', writable: true, enumerable: true });
    throw wrong;
  }
  nextTick(callback, error, found);
  return {};
}

/**
 * @param {'no_host' | 'try_again'} outcome
 * @param {string} hostname
 */
function lookupError(outcome, hostname) {
  const { code, errno } = ERRORS[outcome];
  const error = new Error('getaddrinfo ' + code + ' ' + hostname);
  error.stack = 'Error: ' + error.message + '\n    at GetAddrInfoReqWrap.onlookup [as oncomplete] (node:dns)';
  const parts = /** @type {any} */ (error);
  parts.errno = errno;
  parts.code = code;
  parts.syscall = 'getaddrinfo';
  parts.hostname = hostname;
  return error;
}

/**
 * @param {string} query
 * @param {string} hostname
 */
function noData(query, hostname) {
  return queryError(query, hostname, query === 'getHostByAddr' ? 'ENOTFOUND' : 'ENODATA');
}

/**
 * @param {string} query
 * @param {string} hostname
 * @param {string} code
 */
function queryError(query, hostname, code) {
  const error = new Error(query + ' ' + code + ' ' + hostname);
  error.stack = 'Error: ' + error.message + '\n    at QueryReqWrap.onresolve [as oncomplete] (node:internal/dns/utils)';
  const parts = /** @type {any} */ (error);
  parts.errno = undefined;
  parts.code = code;
  parts.syscall = query;
  parts.hostname = hostname;
  return error;
}

module.exports = { watchNames };
