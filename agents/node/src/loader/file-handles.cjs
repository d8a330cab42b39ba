'use strict';
/**
 * Opens the handle of an instrumented text when it starts to run.
 *
 * Law: `open` never throws; a file that cannot be registered gets a handle that measures nothing.
 */

const { ObjectCreate, String, defineProperty } = require('../base/intrinsics.cjs');
const { OPEN_FUNCTION } = require('../instrument/texts/header.cjs');
const { tracing } = require('../concolic/running-trace.cjs');
const { NULL_HANDLE } = require('../runtime/probes/null-handle.cjs');

/** @typedef {import('./transform.cjs').Registration} Registration */
/** @typedef {(registration: Registration) => object} RegisterFile */
/** @typedef {(path: string, hash: string, message: string) => void} ReportFailure */

class Handles {
  /**
   * @param {object} options
   * @param {RegisterFile} options.registerFile
   * @param {ReportFailure} options.reportFailure
   * @param {import('./source-texts.cjs').Sources} options.sources
   */
  constructor({ registerFile, reportFailure, sources }) {
    this.registerFile = registerFile;
    this.sources = sources;
    this.reportFailure = reportFailure;
    /** Called when an instrumented text starts to run. @type {() => void} */
    this.noticeStart = () => {};
    /** By key: the same text loaded again keeps its targets. @type {Record<string, object>} */
    this.opened = ObjectCreate(null);
    /** Registrations of texts that are compiled but have not started yet. @type {Record<string, Registration>} */
    this.expected = ObjectCreate(null);
  }

  /** Defines `open` on the global object as a property that is not enumerable and cannot be replaced. */
  publish() {
    const open = (/** @type {string[]} */ ...parts) => this.open(parts[0], parts[1], parts[2], parts[3], parts[4]);
    defineProperty(globalThis, OPEN_FUNCTION, {
      value: open,
      enumerable: false,
      writable: false,
      configurable: false,
    });
  }

  /** @param {Registration} registration of a text that will run next in this thread */
  expect(registration) {
    this.expected[registration.key] = registration;
  }

  /** @param {string} key @returns {boolean} whether an expected text has not started yet */
  isExpected(key) {
    return this.expected[key] !== undefined;
  }

  /** @param {string} key */
  forget(key) {
    delete this.expected[key];
  }

  /**
   * @param {string} key
   * @param {string} [path] given together with the following arguments if the text was instrumented in another thread
   * @param {string} [hash]
   * @param {string} [tableText]
   * @param {string} [text] of an ES module
   * @returns {object} the handle
   */
  open(key, path, hash, tableText, text) {
    this.noticeStart();
    const expected = this.expected[key];
    delete this.expected[key];
    const known = this.opened[key];
    if (known !== undefined) return known;
    const registration =
      tableText === undefined
        ? expected
        : { key, path: String(path), hash: String(hash), tableText, text: String(text), isModule: true };
    if (registration !== undefined) this.sources.add(registration);
    const handle = registration === undefined ? (tracing ?? NULL_HANDLE) : this.register(registration);
    this.opened[key] = handle;
    return handle;
  }

  /** @param {Registration} registration */
  register(registration) {
    const { path, hash } = registration;
    if (tracing !== null) return tracing;
    try {
      return this.registerFile(registration);
    } catch (error) {
      this.reportFailure(path, hash, `could not be registered: ${error}`);
      return NULL_HANDLE;
    }
  }
}

module.exports = { Handles };
