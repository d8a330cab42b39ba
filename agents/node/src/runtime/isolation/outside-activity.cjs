'use strict';
/**
 * Whether the program waits for something outside of its process: then a timer may guard that wait, and time must not
 * be skipped.
 *
 * Looked at are requests to the system under way (files, names, connects), connections that it opened itself and that
 * are new, busy or have moved bytes since the last look, child processes, and workers that are at work
 * (busy-workers.cjs). Connections that were there before this evaluation and are still are a pool's idle ones.
 */

const {
  WeakSet,
  activeHandles,
  activeRequests,
  childProcessPrototype,
  netSocketPrototype,
  reflectApply,
  socketBytesRead,
  socketBytesWritten,
  weakSetAdd,
  weakSetHas,
} = require('../../base/intrinsics.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { inherits } = require('../../base/error-stacks.cjs');

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
    this.bytes = 0;
  }

  /** Handles that are open now do not belong to the next evaluation. */
  settle() {
    const handles = reflectApply(activeHandles, process, []);
    for (let index = 0; index < handles.length; index++) weakSetAdd(this.known, handles[index]);
  }

  /** Is nothing waited for, neither outside nor in another thread? */
  isQuiet() {
    return this.areThreadsIdle() && this.isQuietOutside();
  }

  areThreadsIdle() {
    try {
      return this.threads.areIdle();
    } catch {
      return false; // a worker that is not what it seems
    }
  }

  isQuietOutside() {
    try {
      if (reflectApply(activeRequests, process, []).length > 0) return false;
      const handles = reflectApply(activeHandles, process, []);
      let bytes = 0;
      for (let index = 0; index < handles.length; index++) {
        const handle = handles[index];
        const isSocket = inherits(handle, netSocketPrototype) && isOutgoing(handle) && handle !== this.channelSocket;
        if (!isSocket && !inherits(handle, childProcessPrototype)) continue;
        if (!weakSetHas(this.known, handle)) return false;
        if (!isSocket) continue;
        if (handle.connecting === true || readData(handle, '_httpMessage')) return false;
        bytes += socketBytesRead(handle) + socketBytesWritten(handle);
      }
      const isSame = bytes === this.bytes;
      this.bytes = bytes;
      return isSame;
    } catch {
      return false; // a handle that is not what it seems
    }
  }
}

/** @param {any} socket neither accepted by a server nor one of the standard streams */
function isOutgoing(socket) {
  return !readData(socket, 'server') && readData(socket, '_isStdio') !== true;
}

module.exports = { Activity };
