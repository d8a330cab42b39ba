/**
 * Instruments ES modules. Runs in Node's thread for customization hooks, separate from the SUT.
 *
 * Node runs hooks that are registered later first. The text to instrument is the result of all hooks of the SUT, so the
 * loader registers this file again after them; only the latest registration acts.
 */

import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { OPEN_FUNCTION, openedKey } = require('../instrument/texts/header.cjs');
const { hashOf } = require('../instrument/texts/text-identity.cjs');
const { announcing, isAnnounced } = require('./announce.cjs');
const { NULL_HANDLE } = require('../runtime/probes/null-handle.cjs');
const { isWatched, watchedText } = require('../runtime/validators/watched-texts.cjs');
const { Transformer } = require('./transform.cjs');

/** Workers inherit these hooks (since Node 22), but the agent does not have to run in them. */
const NULL_HANDLE_TEXT = `{${Object.entries(NULL_HANDLE)
  .map(([name, probe]) => `${name}:${probe}`)
  .join(',')}}`;

/** State shared by all registrations; each registration is a separate instance of this module. */
const shared = shareState();

const generation = (shared.generation += 1);

/**
 * @type {{isOwnFile: (path: string) => boolean, transformer: import('./transform.cjs').Transformer, announced:
 *   import('./announce.cjs').Announced, port: any}}
 */
let parts;

/** @returns {{generation: number, registrations: Map<string, import('./transform.cjs').Registration>}} */
function shareState() {
  const holder = /** @type {any} */ (globalThis);
  const name = Symbol.for('wimble.hooks');
  holder[name] ??= { generation: 0, registrations: new Map() };
  return holder[name];
}

/**
 * @param {{ownFilesModule: string, ownFiles: unknown, cacheDir: string | null, announced:
 *   import('./announce.cjs').Announced, port: any}} data
 */
export function initialize({ ownFilesModule, ownFiles, cacheDir, announced, port }) {
  const { createOwnFileTest } = require(ownFilesModule);
  parts = { isOwnFile: createOwnFileTest(ownFiles), transformer: new Transformer(cacheDir), announced, port };
}

/** @type {import('node:module').LoadHook} */
export async function load(url, context, nextLoad) {
  const registration = registrationFor(url);
  if (registration !== undefined) return { format: 'module', source: openingModule(registration), shortCircuit: true };
  const loaded = await nextLoad(url, context);
  if (
    generation !== shared.generation ||
    !url.startsWith('file:') ||
    loaded.format !== 'module' ||
    loaded.source === null ||
    loaded.source === undefined
  ) {
    return loaded;
  }
  const path = fileURLToPath(url);
  const isOwn = parts.isOwnFile(path);
  if (!isOwn && !isAnnounced(path, parts.announced) && !isWatched(path)) return loaded;
  const text = textOf(loaded.source);
  const running = isOwn ? instrumented(text, path) : watchedText(text, path);
  return { ...loaded, source: announcing(running, path, parts.announced) };
}

/**
 * @param {string} text
 * @param {string} path
 */
function instrumented(text, path) {
  try {
    const { code, registration } = parts.transformer.transform(text, path, true);
    shared.registrations.set(registration.key, registration);
    return code;
  } catch (error) {
    parts.port.postMessage({
      path,
      hash: hashOf(text),
      message: error instanceof Error ? error.message : String(error),
    });
    return text;
  }
}

/** @param {string} url */
function registrationFor(url) {
  const key = openedKey(url);
  return key === undefined ? undefined : shared.registrations.get(key);
}

/**
 * Returns the module that an instrumented module imports first. It opens the handle in the thread of the SUT, and
 * carries the table and the original text, which its URL does not.
 * @param {import('./transform.cjs').Registration} registration
 */
function openingModule({ key, path, hash, tableText, text }) {
  const opening = `${OPEN_FUNCTION}(${[key, path, hash, tableText, text].map((part) => JSON.stringify(part)).join(',')})`;
  return `const NULL_HANDLE=${NULL_HANDLE_TEXT};export const h=typeof ${OPEN_FUNCTION}==='function'?${opening}:NULL_HANDLE`;
}

/** @param {string | ArrayBuffer | NodeJS.TypedArray} source */
function textOf(source) {
  return typeof source === 'string' ? source : new TextDecoder().decode(source);
}
