'use strict';
/**
 * Makes every TLS context trust the mock server's authority, in addition to what it trusts already. Names and dates in
 * certificates are checked as ever.
 */

const tls = require('tls');
const {
  WeakRef,
  atomicsWait,
  derefWeak,
  existsSync,
  readFileSync,
  reflectApply,
  sleepCell,
} = require('../base/intrinsics.cjs');
const { replaceMethod } = require('../base/patching.cjs');

/** How long the first connection waits for the authority, which the core makes when somebody connects. */
const AUTHORITY_WAIT_MS = 5000;
const MAX_CONTEXTS = 10_000;
const FILE = '/authority.pem';

/** The certificate; empty: not made yet. */
let authority = '';
/** Contexts that were created before that. @type {WeakRef<any>[]} */
let earlier = [];

/** @param {string} folder of the mock server */
function watchTrust(folder) {
  replaceMethod(
    tls,
    'createSecureContext',
    (original) =>
      /** @this {any} */ function () {
        const context = reflectApply(original, this, /** @type {any} */ (arguments));
        if (authority === '' && existsSync(folder + FILE)) readAuthority(folder);
        if (authority !== '') trustIn(context);
        else if (earlier.length < MAX_CONTEXTS) earlier[earlier.length] = new WeakRef(context);
        return context;
      },
    true,
  );
}

/**
 * Returns once the authority of the mock server is trusted. The certificate of a server is checked later than that, so
 * contexts that are in use already get it in time.
 * @param {string} folder
 */
function awaitAuthority(folder) {
  if (authority !== '') return;
  for (let left = AUTHORITY_WAIT_MS; left > 0 && !existsSync(folder + FILE); left--) atomicsWait(sleepCell, 0, 0, 1);
  readAuthority(folder);
  const contexts = earlier;
  earlier = [];
  for (let index = 0; index < contexts.length; index++) {
    const context = derefWeak(contexts[index]);
    if (context !== undefined) trustIn(context);
  }
}

/** @param {string} folder */
function readAuthority(folder) {
  try {
    authority = readFileSync(folder + FILE, 'utf8');
  } catch {
    // The core has ended.
  }
}

/** @param {any} context */
function trustIn(context) {
  try {
    context.context.addCACert(authority);
  } catch {
    // Not a context of Node's.
  }
}

module.exports = { awaitAuthority, watchTrust };
