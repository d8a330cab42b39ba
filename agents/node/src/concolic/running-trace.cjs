'use strict';
/** Whether this process runs traced texts, and the handle that all of them share. */

/** @type {import('./trace-handle.cjs').TraceHandle | null} null: it runs instrumented texts instead */
const tracing = process.env.WIMBLE_TRACE === '1' ? new (require('./trace-handle.cjs').TraceHandle)() : null;

module.exports = { tracing };
