'use strict';
/**
 * Scopes that a route of hapi asks of its users: `options: { auth: { scope: ['doctor', '+active'] } }`. The package
 * compares them with `credentials.scope`, so no comparison of the program shows them. Each becomes a hint about what
 * the credentials have.
 */

const { indexOf, max, min, slice } = require('../../base/intrinsics.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { isPlainArray, readData } = require('../../base/data-properties.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { comparison } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');
const { addHint } = require('../calls/recorder.cjs');
const { isInCall, noteMissing } = require('./missing-inputs.cjs');

const { last: lastStatement } = memory;

/** Hints of one call. */
const MAX_HINTS = 16;
/** Scopes of a user, and of a route, that are compared. */
const MAX_SCOPES = 4;
/** Where those of a user are. */
const NAME = 'credentials.scope';
/** If no statement of the program has run yet. */
const FIRST_TARGET = 1;
/** What a user needs: one of the selection, and all that are required. */
const KINDS = ['selection', 'required'];

/** @param {any} exports */
function watchAuth(exports) {
  const prototype = typeof exports === 'function' ? readData(exports, 'prototype') : undefined;
  if (prototype === undefined) return;
  tapMethod(
    prototype,
    '_access',
    (self, args) => {
      if (isInCall()) note(self, args[0], args[1]);
    },
    undefined,
    true,
  );
}

/** @param {string} path @returns {string[]} the names in it */
function namesOf(path) {
  const names = [];
  for (let dot = indexOf(path, '.'); dot >= 0; dot = indexOf(path, '.')) {
    names[names.length] = slice(path, 0, dot);
    path = slice(path, dot + 1);
  }
  names[names.length] = path;
  return names;
}

/** @param {any} value @param {string[]} names @returns {any} */
function readAll(value, names) {
  for (let at = 0; at < names.length && value !== undefined && value !== null; at++) {
    value = typeof value === 'object' ? readData(value, names[at]) : undefined;
  }
  return value;
}

/**
 * @param {any} auth of the server
 * @param {any} request
 * @param {any} route another one than that of the request, which the program asks for
 */
function note(auth, request, route) {
  const own = readAll(route === undefined ? readAll(request, ['route']) : route, ['settings', 'auth']);
  const rules = readAll(own === undefined ? readAll(auth, ['settings', 'default']) : own, ['access']);
  const credentials = readAll(request, ['auth', 'credentials']);
  if (!isPlainArray(rules) || typeof credentials !== 'object' || credentials === null) return;
  const target = max(lastStatement[0], FIRST_TARGET);
  const held = readData(credentials, 'scope');
  const scopes = isPlainArray(held) ? held : [held];
  for (let at = 0; at < rules.length; at++) {
    const scope = readAll(rules[at], ['scope']);
    if (typeof scope !== 'object' || scope === null) continue;
    if (held === undefined || held === null) return noteMissing(target, ['scope'], '', credentials);
    noteScopes(target, scopes, scope, request);
  }
}

/** @param {number} target @param {any[]} held @param {any} scope @param {any} request */
function noteScopes(target, held, scope, request) {
  for (let kind = 0; kind < KINDS.length; kind++) {
    const wanted = readData(scope, KINDS[kind]);
    for (let at = 0; isPlainArray(wanted) && at < min(wanted.length, MAX_SCOPES); at++) {
      const text = filledIn(wanted[at], request);
      if (typeof text === 'string') noteWanted(target, held, text);
    }
  }
}

/** @param {number} target @param {any[]} held @param {string} wanted */
function noteWanted(target, held, wanted) {
  for (let at = 0; at < held.length; at++) if (held[at] === wanted) return;
  // The last ones first: what the search has added to a list is at its end.
  for (let at = held.length - 1; at >= max(0, held.length - MAX_SCOPES); at--) {
    addHint(target, comparison('identical', scalarText(held[at]), scalarText(wanted), true, NAME), MAX_HINTS);
  }
}

/**
 * Returns a scope with the values that it names: `tenant-{params.tenant}`.
 * @param {any} scope
 * @param {any} request
 */
function filledIn(scope, request) {
  if (typeof scope !== 'string') return undefined;
  let text = '';
  let rest = scope;
  for (let from = indexOf(rest, '{'); from >= 0; from = indexOf(rest, '{')) {
    const to = indexOf(rest, '}', from);
    if (to < 0) break;
    const value = readAll(request, namesOf(slice(rest, from + 1, to)));
    const isScalar = typeof value === 'string' || typeof value === 'number';
    text += slice(rest, 0, from) + (isScalar ? value : '');
    rest = slice(rest, to + 1);
  }
  return text + rest;
}

/** @type {Record<string, (exports: any) => void>} */
const watchHapi = { 'lib/auth.js': watchAuth };

module.exports = { watchHapi };
