'use strict';
/**
 * Recognises the answers of services where the program, or its HTTP client, parses them: `JSON.parse`, or a function
 * of the program or a package, is called with the text that the core has planned. The objects and lists that it returns
 * are kept with their place in the answer.
 *
 * Law: values of the program are only looked at right after they were parsed, and only those of them that are plain
 * data. `JSON.parse` is tapped before the program runs, since clients take it when they are loaded.
 */

const {
  JSON,
  Map,
  ObjectKeys,
  ObjectPrototype,
  WeakMap,
  bufferFrom,
  bufferToString,
  getPrototypeOf,
  isArray,
  isProxy,
  isUint8Array,
  lengthOfBytes,
  mapGet,
  mapSet,
  parseJson,
  regExpExec,
  slice,
  startsWith,
  viewBuffer,
  viewByteOffset,
  weakMapGet,
  weakMapSet,
} = require('../../base/intrinsics.cjs');
const { ownData } = require('../../base/data-properties.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { memory } = require('../../base/thread-memory.cjs');
const { noteWrapper } = require('../methods/replaced-functions.cjs');

const { last: lastStatement } = memory;

/** Objects and lists of one answer whose places are kept. */
const MAX_OBJECTS = 2000;
/** Elements of a list in which a member is looked for. */
const MAX_ELEMENTS = 20;
/** Texts within an answer that may be documents of their own. */
const MAX_INNER = 50;
/** Longest text within an answer that is decoded as base64. */
const MAX_BASE64 = 20_000;
/** Three parts in base64url: header, claims, signature (RFC 7519). */
const TOKEN = /^[\w-]+=*\.([\w-]+=*)\.[\w-]*=*$/;
/** Longest buffer that is read as a text. */
const MAX_BYTES = 200_000;
/** The mark that ends the bodies, which some clients remove. */
const MARK = '\n';

/**
 * The place of an object in answers: the ids of the answers, and the keys that lead to it.
 * @typedef {{ ids: number[], path: string[] }} AnswerPlace
 */

/** Text -> its place. @type {Map<string, AnswerPlace>} */
let texts = new Map();
/** Parsed object or list -> its place. @type {WeakMap<object, AnswerPlace>} */
let places = new WeakMap();
/** The answer that was parsed last. @type {{ value: any, place: AnswerPlace } | null} */
let latest = null;
/** The answers whose text a parser was given last. @type {number[]} */
let given = [];
let hasTexts = false;
/** What `JSON.parse` has made last of any text, and the statement that asked for it. */
const parsed = { value: /** @type {unknown} */ (undefined), statement: 0 };

/**
 * Replaces the answers that are expected.
 * @param {{ id: number, text: string, path?: string[] }[]} answers
 */
function expectAnswers(answers) {
  latest = null;
  given = [];
  parsed.value = undefined;
  if (hasTexts) {
    texts = new Map();
    places = new WeakMap();
    hasTexts = false;
  }
  for (let at = 0; at < answers.length; at++) {
    const { id, text, path } = answers[at];
    expectText(text, id, path === undefined ? [] : path);
    // `{}` alone is also the body of many requests.
    if (text.length > 3 && text[text.length - 1] === MARK) expectText(slice(text, 0, -1), id, path ?? []);
  }
}

/**
 * @param {string} text
 * @param {number} id
 * @param {string[]} path
 */
function expectText(text, id, path) {
  hasTexts = true;
  const known = mapGet(texts, text);
  if (known !== undefined) known.ids[known.ids.length] = id;
  else mapSet(texts, text, { ids: [id], path });
}

/** Called once in each thread, before the program runs. */
function watchParsing() {
  const original = tapMethod(JSON, 'parse', nothing, (_self, args, result) => notice(args[0], result), true);
  if (original !== null) noteWrapper(JSON.parse, original);
}

function nothing() {}

/**
 * @param {unknown} text that was parsed
 * @param {unknown} value
 */
function notice(text, value) {
  parsed.value = value;
  parsed.statement = lastStatement[0];
  if (!hasTexts) return;
  const place = placeOfText(text);
  if (place !== undefined) noteParsed(value, place);
}

/**
 * Keeps the places of a document's objects and lists, and expects the documents that its texts may hold.
 * @param {any} document that was parsed just now
 * @param {AnswerPlace} place
 */
function keep(document, { ids, path }) {
  /** @type {{ value: any, path: string[] }[]} */
  const waiting = [{ value: document, path }];
  let inner = 0;
  for (let at = 0; at < waiting.length && at < MAX_OBJECTS; at++) {
    const one = waiting[at];
    weakMapSet(places, one.value, { ids, path: one.path });
    const keys = ObjectKeys(one.value);
    for (let key = 0; key < keys.length; key++) {
      const value = /** @type {any} */ (ownData(one.value, keys[key]));
      if (typeof value === 'string' && inner < MAX_INNER) {
        inner++;
        expectInner(value, ids, longer(one.path, keys[key]));
      } else if (isPlain(value) && waiting.length < MAX_OBJECTS) {
        waiting[waiting.length] = { value, path: longer(one.path, keys[key]) };
      }
    }
  }
}

/** @param {unknown} value @returns {boolean} whether it is a list or an object of no class */
function isPlain(value) {
  if (typeof value !== 'object' || value === null || isProxy(value)) return false;
  if (isArray(value)) return true;
  const prototype = getPrototypeOf(value);
  return prototype === null || prototype === ObjectPrototype;
}

/**
 * @param {unknown} text
 * @returns {AnswerPlace | undefined} the place of the answer whose text it is, or which holds that text
 */
function placeOfText(text) {
  if (!hasTexts) return undefined;
  if (typeof text === 'string') return mapGet(texts, text);
  return isUint8Array(text) && lengthOfBytes(text) < MAX_BYTES ? mapGet(texts, textOfBytes(text)) : undefined;
}

/**
 * @param {Uint8Array} bytes not always a buffer: the parts of a stream are none, and have no text of their own
 * @returns {string}
 */
function textOfBytes(bytes) {
  const length = lengthOfBytes(bytes);
  return length === 0 ? '' : bufferToString(bufferFrom(viewBuffer(bytes), viewByteOffset(bytes), length));
}

/**
 * Notes what a parser has made of the text of an answer.
 * @param {unknown} value
 * @param {AnswerPlace} place
 */
function noteParsed(value, place) {
  if (!isPlain(value) || placeOf(value) !== undefined) return;
  keep(value, place);
  latest = { value, place };
}

/**
 * @param {string} text a value of an answer
 * @param {number[]} ids
 * @param {string[]} path
 */
function expectInner(text, ids, path) {
  const document = isDocument(text) ? text : text.length > 3 && text.length < MAX_BASE64 ? decoded(claimsOf(text)) : '';
  if (isDocument(document) && mapGet(texts, document) === undefined) mapSet(texts, document, { ids, path });
}

/** @param {string} text @returns {string} the middle part of a JSON Web Token, or else the text itself */
function claimsOf(text) {
  const parts = regExpExec(TOKEN, text);
  return parts === null ? text : parts[1];
}

/** @param {string} text */
function decoded(text) {
  return bufferToString(bufferFrom(text, 'base64'));
}

/** @param {string} text */
function isDocument(text) {
  if (!startsWith(text, '{') && !startsWith(text, '[')) return false;
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

/** @param {string[]} path @param {string} key @returns {string[]} */
function longer(path, key) {
  const copy = [];
  for (let at = 0; at < path.length; at++) copy[at] = path[at];
  copy[path.length] = key;
  return copy;
}

/**
 * @param {unknown} object any value
 * @returns {AnswerPlace | undefined} its place, if it comes from an answer
 */
function placeOf(object) {
  return hasTexts && typeof object === 'object' && object !== null ? weakMapGet(places, object) : undefined;
}

/**
 * @param {string} key
 * @returns {AnswerPlace | undefined} the place of the answer that was parsed last, if it has no such member; of a list,
 *   that of the first of its objects that has none
 */
function latestWithout(key) {
  if (latest === null) return undefined;
  if (!isArray(latest.value)) return key in latest.value ? undefined : latest.place;
  for (let at = 0; at < latest.value.length && at < MAX_ELEMENTS; at++) {
    const element = /** @type {any} */ (ownData(latest.value, '' + at));
    if (isPlain(element) && !isArray(element) && !(key in element)) return placeOf(element);
  }
  return undefined;
}

/** @param {number[]} ids of the answers whose text a parser is given now */
function noteGiven(ids) {
  given = ids;
}

/** @returns {number[]} the answers whose text a parser was given last */
const latestGiven = () => given;

/**
 * @param {number} statement
 * @returns {unknown} what `JSON.parse` has made last, if the statement asked for it
 */
const parsedBy = (statement) => (parsed.statement === statement ? parsed.value : undefined);

/** @returns {unknown} what `JSON.parse` has made last in this evaluation, of any text */
const latestParsed = () => parsed.value;

/** @returns {AnswerPlace | undefined} the place of the answer that was parsed last */
const latestPlace = () => latest?.place;

module.exports = {
  expectAnswers,
  latestGiven,
  latestParsed,
  latestPlace,
  latestWithout,
  noteGiven,
  noteParsed,
  parsedBy,
  placeOf,
  placeOfText,
  watchParsing,
};
