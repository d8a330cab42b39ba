'use strict';
/**
 * Determines whether the program waits for something outside of its process: if so, a timer may guard that wait, and
 * time must not be skipped.
 *
 * Four things are inspected: pending requests to the system (files, names, connects); connections that the program
 * opened itself and that are new, busy or have transferred bytes since the last inspection; child processes; and busy
 * workers (busy-workers.cjs). A connection that existed before this evaluation and is quiet counts as an idle one of a
 * pool, and so does a quiet one to a mocked service, which answers at once (service-waits.cjs). A request that an
 * earlier evaluation has left without an answer is not waited for either.
 */

const {
  ObjectOwnKeys,
  WeakSet,
  activeHandles,
  activeRequests,
  childProcessPrototype,
  isProxy,
  netSocketPrototype,
  reflectApply,
  socketBytesRead,
  socketBytesWritten,
  symbolDescription,
  weakSetAdd,
  weakSetHas,
} = require('../../base/intrinsics.cjs');
const { ownData, readData } = require('../../base/data-properties.cjs');
const { inherits } = require('../../base/error-stacks.cjs');
const { serviceWaits } = require('./service-waits.cjs');

class Activity {
  /**
   * @param {import('./busy-workers.cjs').Threads} threads
   * @param {object} [channelSocket] the agent's own
   */
  constructor(threads, channelSocket) {
    this.threads = threads;
    this.known = new WeakSet();
    if (channelSocket !== undefined) weakSetAdd(this.known, channelSocket);
    this.channelSocket = channelSocket;
    /** Requests that were unanswered when this evaluation began. */
    this.abandoned = new WeakSet();
    /** Connections on which mocked services did not answer in time at the end of an evaluation. */
    this.slow = new WeakSet();
    this.bytes = 0;
    /** What `bytesOutside` was when `isQuietElsewhere` was last asked. */
    this.bytesElsewhere = -1;
    /** Whether every connection at the last inspection is one to a mocked service, with its request answered. */
    this.isAllAnswered = false;
  }

  /** @param {any} request as `requestOn` returns it */
  isAwaited(request) {
    return request !== null && request !== undefined && !weakSetHas(this.abandoned, request);
  }

  /** Marks the open handles as not belonging to the next evaluation. */
  settle() {
    const handles = reflectApply(activeHandles, process, []);
    for (let index = 0; index < handles.length; index++) {
      weakSetAdd(this.known, handles[index]);
      const request = this.requestOn(handles[index]);
      if (this.isAwaited(request)) weakSetAdd(this.abandoned, request);
    }
  }

  /**
   * @param {any} handle
   * @returns {any} what Node's client for HTTP/1 waits for an answer to: null if it is answered, also by undici, and
   *   also if nobody reads the answer; undefined if the handle is no connection of these clients, or what undici waits
   *   for
   */
  requestOn(handle) {
    if (!this.isConnection(handle)) return undefined;
    const request = readData(handle, '_httpMessage');
    if (request === undefined) return isAnsweredByUndici(handle) ? null : undefined;
    return isObject(request) && hasWholeAnswer(request) ? null : request;
  }

  /** Returns whether nothing is waited for, neither outside nor in another thread. */
  isQuiet() {
    return this.areThreadsIdle() && this.isQuietOutside();
  }

  areThreadsIdle() {
    try {
      return this.threads.areIdle();
    } catch {
      return false; // a worker with an unexpected structure
    }
  }

  isQuietOutside() {
    this.isAllAnswered = false;
    try {
      if (reflectApply(activeRequests, process, []).length > 0 || serviceWaits.isSlow()) return false;
      return this.areHandlesQuiet(reflectApply(activeHandles, process, []));
    } catch {
      return false; // a handle with an unexpected structure
    }
  }

  /** @param {any[]} handles */
  areHandlesQuiet(handles) {
    let isAllAnswered = true;
    let bytes = 0;
    for (let index = 0; index < handles.length; index++) {
      const handle = handles[index];
      const isSocket = this.isConnection(handle);
      if (!isSocket && !inherits(handle, childProcessPrototype)) continue;
      const isMocked = isSocket && serviceWaits.isMocked(handle);
      if (!isMocked && !weakSetHas(this.known, handle)) return false;
      const request = this.requestOn(handle);
      if (this.isAwaited(request)) return false;
      if (!isMocked || request === undefined) isAllAnswered = false;
      if (!isSocket) continue;
      if (handle.connecting === true) return false;
      bytes += socketBytesRead(handle) + socketBytesWritten(handle);
    }
    this.isAllAnswered = isAllAnswered;
    const isSame = bytes === this.bytes;
    this.bytes = bytes;
    return isSame;
  }

  /** Returns whether nothing but mocked services is waited for, and no data was exchanged since this was last asked. */
  isQuietElsewhere() {
    const before = this.bytesElsewhere;
    this.bytesElsewhere = this.bytesOutside();
    if (this.bytesElsewhere < 0 || this.bytesElsewhere !== before || !this.areThreadsIdle()) return false;
    try {
      return reflectApply(activeRequests, process, []).length === 0 && !this.hasChildren();
    } catch {
      return false; // a handle with an unexpected structure
    }
  }

  /**
   * Whether a mocked service has not yet answered a request, or is being connected to.
   * @param {boolean} isLastLook whether they are not waited for any more, also at later ends
   */
  awaitsServices(isLastLook) {
    const handles = reflectApply(activeHandles, process, []);
    for (let index = 0; index < handles.length; index++) {
      const handle = handles[index];
      if (!this.isConnection(handle) || weakSetHas(this.slow, handle) || !this.isBusyWithService(handle)) continue;
      if (!isLastLook) return true;
      weakSetAdd(this.slow, handle);
    }
    return false;
  }

  /** @param {any} socket that the program has opened */
  isBusyWithService(socket) {
    if (socket.connecting === true || socket.secureConnecting === true) return true;
    if (!serviceWaits.isMocked(socket)) return false;
    return socketBytesWritten(socket) === 0 || this.isAwaited(this.requestOn(socket)) || awaitsInUndici(socket);
  }

  hasChildren() {
    const handles = reflectApply(activeHandles, process, []);
    for (let index = 0; index < handles.length; index++) {
      if (inherits(handles[index], childProcessPrototype)) return true;
    }
    return false;
  }

  /** Returns how many bytes the open connections to anything but mocked services have transferred; -1: not known. */
  bytesOutside() {
    try {
      const handles = reflectApply(activeHandles, process, []);
      let bytes = 0;
      for (let index = 0; index < handles.length; index++) {
        const handle = handles[index];
        if (!this.isConnection(handle) || serviceWaits.isMocked(handle)) continue;
        bytes += socketBytesRead(handle) + socketBytesWritten(handle);
      }
      return bytes;
    } catch {
      return -1;
    }
  }

  /** @param {any} handle */
  isConnection(handle) {
    return inherits(handle, netSocketPrototype) && isOutgoing(handle) && handle !== this.channelSocket;
  }
}

/** @param {any} socket neither accepted by a server nor one of the standard streams */
function isOutgoing(socket) {
  return !readData(socket, 'server') && readData(socket, '_isStdio') !== true;
}

/**
 * Whether all of the answer has arrived: an SDK that tries again does not read the answer that it is dissatisfied with.
 * @param {object} request of Node's client for HTTP/1
 */
function hasWholeAnswer(request) {
  const answer = ownData(request, 'res');
  return isObject(answer) && ownData(answer, 'complete') === true;
}

/**
 * Whether a connection is one of undici (`fetch`) on which all requests are answered.
 * @param {any} socket
 */
const isAnsweredByUndici = (socket) => unansweredInUndici(socket) === 0;

/** @param {any} socket */
const awaitsInUndici = (socket) => unansweredInUndici(socket) > 0;

/**
 * @param {any} socket
 * @returns {number} of the requests on a connection of undici, whose client counts those that were begun, and those
 *   that are over; -1: another connection
 */
function unansweredInUndici(socket) {
  const parser = bySymbol(socket, 'parser');
  const client = isObject(parser) ? ownData(parser, 'client') : undefined;
  if (!isObject(client)) return -1;
  const begun = bySymbol(client, 'pending index');
  const over = bySymbol(client, 'running index');
  return typeof begun === 'number' && typeof over === 'number' ? begun - over : -1;
}

/** @param {unknown} value @returns {value is object} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !isProxy(value);
}

/**
 * @param {object} owner
 * @param {string} description of the symbol that is the key; each copy of a package has symbols of its own
 * @returns {unknown}
 */
function bySymbol(owner, description) {
  const keys = ObjectOwnKeys(owner);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index];
    if (typeof key === 'symbol' && symbolDescription(key) === description) return ownData(owner, key);
  }
  return undefined;
}

module.exports = { Activity };
