'use strict';
/**
 * Reads of members that are not there become hints: where the name of the object says that it holds input, or what
 * the object holds may be input. The core compares that with the inputs of the call (protocol/README.md, "Hints").
 *
 * Law: no code of the program runs. Only own data properties are read, and proxies are left alone.
 */

const {
  ObjectKeys,
  getOwnPropertyDescriptor,
  hasOwn,
  isArray,
  isProxy,
  quote,
  regExpExec,
  startsWith,
  toUpperCase,
} = require('../../base/intrinsics.cjs');
const { ownData, readData } = require('../../base/data-properties.cjs');
const {
  latestGiven,
  latestParsed,
  latestPlace,
  latestWithout,
  noteGiven,
  parsedBy,
  placeOf,
} = require('../answers/parsed-answers.cjs');
const { isLate } = require('../calls/async-attribution.cjs');
const { answerInput, input } = require('../calls/hint-kinds.cjs');
const { cut, scalarText } = require('../calls/hint-values.cjs');
const { addHint, recorder, runningRecord } = require('../calls/recorder.cjs');
const { ITERATOR, givenPlacesBefore, placesBefore } = require('./failed-places.cjs');
const { serviceWaits } = require('../isolation/service-waits.cjs');
const { failedStatements } = require('./failed-statements.cjs');
const { handedOn } = require('./handed-on.cjs');
const { usesOf } = require('./uses-of-members.cjs');
const { pathsBefore } = require('./unprobed-reads.cjs');

/** Hints of one evaluation. */
const MAX_HINTS = 40;
/** Members of one object that are sent. */
const MAX_MEMBERS = 6;
/** Objects with more keys are seldom input, and listing their keys takes long. */
const MAX_KEYS = 100;
/** Shorter texts occur in too many places to be recognised. */
const MIN_TEXT = 3;
const MAX_UPLOADS = 5;

/** Headers that belong to the connection, or that every client sends. */
const CONNECTION = [
  'HOST', 'CONNECTION', 'CONTENT-LENGTH', 'CONTENT-TYPE', 'TRANSFER-ENCODING', 'EXPECT', 'UPGRADE', 'KEEP-ALIVE', 'TE',
  'TRAILER', 'ACCEPT', 'COOKIE', ':METHOD', ':PATH', ':SCHEME', ':AUTHORITY',
]; // prettier-ignore
/** Names that would make the call one of another operation. */
const OVERRIDES = ['_METHOD', 'X-HTTP-METHOD-OVERRIDE', 'X-HTTP-METHOD', 'X-METHOD-OVERRIDE'];
/** Members that the language and its libraries look for in any object. */
const USUAL = ['TOJSON', 'THEN', 'INSPECT', 'TOSTRING', 'VALUEOF', '$$TYPEOF', 'NODETYPE', '__ESMODULE', 'DEFAULT'];

/** What V8 says of a value that is no list: its last name. */
const NO_LIST = /^(?:[\w$]+\.)*([\w$]+)\.(\w+) is not a function|^(?:[\w$]+\.)*([\w$]+) is not iterable/;

/** What V8 says of a value that is spread and is no list: no name. */
const NO_SPREAD = 'Spread syntax requires ';

/** What V8 says of a value that has no members: the member that was read. */
const NO_MEMBERS =
  /^(?:Cannot read properties of (?:undefined|null) \(reading |Cannot destructure property |(?:undefined|object null) is not iterable \(cannot read property )'?(Symbol\(Symbol\.iterator\)|[^']+?)(?:'|\))/;

/** What errors say of an answer that is of another form than the program reads. @type {[RegExp, string][]} */
const OTHER_FORMS = [
  [/multipart\/form-data|\bFormData\b/, 'form'], // of undici
  [/^incorrect header check$/, 'gzip'], // of zlib
];

/** The location of what lies in an argument of a function. */
const GIVEN = 'given';
/** That of what may be missing in an answer, where a chain has ended early. */
const CHAIN = 'chain';
/** The first element of a list. */
const ELEMENT = '0';
/** Begins the path of a member of any object of an answer. */
const ANYWHERE = '*';

/** What `heldBy` returns for an object that holds nothing, and for headers. */
const NOTHING = '{}';
const HEADERS = 'headers';

/** Names of fields in which files are uploaded, as the program has told a library. @type {string[]} */
const uploads = [];

/** @param {string[]} list @param {string} name */
function isIn(list, name) {
  const upper = toUpperCase(name);
  for (let at = 0; at < list.length; at++) if (list[at] === upper) return true;
  return false;
}

/** Returns whether hints are wanted, and the running code belongs to a call. */
function isInCall() {
  return recorder.areHintsWanted && recorder.record !== null && !isLate();
}

/** @param {string} name */
function isHeader(name) {
  return !isIn(CONNECTION, name) && !startsWith(toUpperCase(name), 'PROXY-');
}

/**
 * Records that a member was read that is not there.
 * @param {number} target global id of the statement
 * @param {string[]} path of the member, from the object
 * @param {string} named the location that the name of the object says; empty: none
 * @param {unknown} object any value, hostile ones too
 * @param {string[]} [after] the names that are read of the member
 */
function noteMissing(target, path, named, object, after = []) {
  if (target <= 0 || isIn(USUAL, path[0])) return;
  // `const { NAME } = JSON.parse(text)` puts the object nowhere, and V8 writes the call into messages as it stands.
  if (object === undefined && named === 'parsed') object = parsedBy(target);
  const place = placeOf(object);
  if (place !== undefined) return noteMissingOfAnswer(target, [...place.path, ...path, ...after], place.ids);
  if (object === undefined || object === null) noteMissingAnywhere(target, path);
  // What is parsed or awaited may be an answer by its name only: then what it holds tells whether it is input.
  // Of a text that stands where an object may belong, what is read of the member leads further.
  const isText = typeof object === 'string' && latestPlace() !== undefined;
  noteMissingInput(target, isText ? [...path, ...after] : path, isOfAnswer(named) ? '' : named, object);
}

/** @param {string} named @returns {boolean} whether what was read may be an answer by its name only */
const isOfAnswer = (named) => named === 'answer' || named === 'parsed';

/**
 * @param {number} target
 * @param {string[]} path
 * @param {string} named
 * @param {unknown} object
 */
function noteMissingInput(target, path, named, object) {
  if (isUpload(path[0])) return send(target, 'file', path, NOTHING);
  const held = heldIfAny(object);
  const location = held === HEADERS ? 'header' : named;
  if (location === '' ? !isData(held) : held === '' && typeof object !== 'object') return;
  send(target, location, path, isData(held) ? held : NOTHING);
}

/** @param {unknown} value hostile ones too @returns {string} as `heldBy` */
const heldIfAny = (value) => (value === null || value === undefined ? NOTHING : heldBy(value));

/** @param {string} held @returns {boolean} whether an input can be recognised by it */
const isData = (held) => held !== '' && held !== HEADERS && held !== NOTHING;

/**
 * Records that a member of an answer of a service was read that is not there.
 * @param {number} target
 * @param {string[]} path of the member in the answer
 * @param {number[]} ids of the answers
 */
function noteMissingOfAnswer(target, path, ids) {
  noteReadOfAnswer(target, path, ids, 'answer');
}

/**
 * @param {number} target
 * @param {string[]} path
 * @param {number[]} ids
 * @param {'answer' | 'element'} location
 */
function noteReadOfAnswer(target, path, ids, location) {
  const isMember = location !== 'element' && path.length > 0;
  addAnswerHint(target, path, ids, location, isMember ? usesOf(target, path[path.length - 1]) : []);
}

/**
 * @param {number} target
 * @param {string[]} path
 * @param {number[]} ids
 * @param {'answer' | 'element'} location
 * @param {string[]} uses
 */
function addAnswerHint(target, path, ids, location, uses) {
  if (recorder.inputHints >= MAX_HINTS) return;
  recorder.inputHints++;
  addHint(target, answerInput(path, ids, location, uses), MAX_HINTS);
}

/**
 * Records that a value was no list, as the program asks.
 * @param {number} target
 * @param {string} name of the value in the program; empty: it has none
 * @param {string} location whose whole content the value is, judged by its name; empty: not known
 * @param {unknown} value hostile ones too
 */
function noteNoList(target, name, location, value) {
  const place = placeOf(value);
  if (target <= 0) return;
  if (place === undefined) return noteNoListOfInput(target, location, value);
  // A name at any place, which is read as a list, also stands for the answer itself.
  const path = place.path.length > 0 ? place.path : [ANYWHERE, name];
  if (path[1] !== '') addAnswerHint(target, path, place.ids, 'answer', ['list']);
}

/**
 * @param {number} target
 * @param {string} location
 * @param {unknown} value
 */
function noteNoListOfInput(target, location, value) {
  const held = heldIfAny(value);
  if ((location === '' && !isData(held)) || recorder.inputHints >= MAX_HINTS) return;
  recorder.inputHints++;
  addHint(target, input(location, [], isData(held) ? held : NOTHING, ['list']), MAX_HINTS);
}

/**
 * Records that a parser of the program was given the text of an answer, which may have to be of another kind.
 * @param {number} target
 * @param {number[]} ids of the answers
 */
function noteParsedText(target, ids) {
  noteGiven(ids);
  if (target > 0) noteMissingOfAnswer(target, [], ids);
}

/**
 * Records what the program looks for in a document, which may be made of the text that a parser was given last.
 * @param {number} target
 * @param {string[]} path
 */
function noteLookedFor(target, path) {
  const ids = latestGiven();
  if (ids.length > 0) noteReadOfAnswer(target, path, ids, 'element');
}

/**
 * The same if the object is not known: it may be any in the answer that was parsed last.
 * @param {number} target
 * @param {string[]} path of the member, from the object
 */
function noteMissingAnywhere(target, path) {
  const place = latestWithout(path[0]);
  if (place === undefined) return;
  // A document within an answer is parsed to be read at once.
  const above = place.path.length > 0 ? place.path : [ANYWHERE];
  noteMissingOfAnswer(target, [...above, ...path], place.ids);
}

/**
 * Records the member that an error of V8 names: `data.items is not iterable`, `data.items.map is not a function`; or
 * that the statement names, for `Cannot read properties of undefined (reading 'map')`.
 * @param {number} last statement that began
 * @param {unknown} error that has arrived
 */
function noteFailedRead(last, error) {
  if (!isInCall()) return;
  const message = readData(/** @type {any} */ (error), 'message');
  if (typeof message !== 'string') return;
  noteOtherForm(last, message);
  const read = regExpExec(NO_MEMBERS, message);
  if (read === null) return noteFailedList(last, message);
  const statements = statementsBefore(last, read[1]);
  for (let at = 0; at < statements.length; at++) noteFailedReadAt(statements[at], read[1]);
  // A pattern of a function fails before any statement of its own begins.
  if (placesBefore(last, read[1]).length === 0) noteFailedPatterns(last, read[1]);
}

/**
 * Records the form that an answer of the call should have had, as an error says; its input is one only rarely.
 * @param {number} last statement that began
 * @param {string} message
 */
function noteOtherForm(last, message) {
  if (!serviceWaits.isUsed) return;
  for (let at = 0; at < OTHER_FORMS.length; at++) {
    const other = OTHER_FORMS[at];
    if (regExpExec(other[0], message) !== null) addAnswerHint(last, [], [], 'answer', [other[1]]);
  }
}

/**
 * @param {number} last statement that began
 * @param {string} next the member that could not be read
 * @returns {number[]} the statements of the running call in which that may have been
 */
function statementsBefore(last, next) {
  const { startStamp } = /** @type {import('../calls/recorder.cjs').CallRecord} */ (recorder.record);
  return failedStatements(last, next, startStamp);
}

/**
 * @param {number} target the statement
 * @param {string} next the member that could not be read
 */
function noteFailedReadAt(target, next) {
  noteFailedPlaces(target, next);
  const hasAnswer = latestPlace() !== undefined;
  if (!hasAnswer && latestParsed() === undefined) return;
  const paths = pathsBefore(target, next);
  if (!hasAnswer) return noteFailedReadOfInput(target, paths);
  for (let at = 0; at < paths.length; at++) noteMissingAnywhere(target, paths[at]);
}

/** @param {number} last statement that began @param {string} message of V8 */
function noteFailedList(last, message) {
  if (startsWith(message, NO_SPREAD)) return noteFailedSpread(last);
  const found = regExpExec(NO_LIST, message);
  if (found === null) return;
  if (latestPlace() !== undefined) return noteMissingAnywhere(last, [found[1] || found[3]]);
  const next = found[2] || ITERATOR;
  const statements = statementsBefore(last, next);
  for (let at = 0; at < statements.length; at++) noteFailedContent(statements[at], next);
}

/**
 * Records that the answer that was parsed last has to be a list: a member that is none would have been missing.
 * @param {number} last statement that began
 */
function noteFailedSpread(last) {
  const place = latestPlace();
  if (place !== undefined && place.path.length === 0) addAnswerHint(last, [ANYWHERE], place.ids, 'answer', ['list']);
}

/**
 * Records that the content itself has to be a list; of its members, the message tells which has to be.
 * @param {number} target
 * @param {string} next the method that it does not have
 */
function noteFailedContent(target, next) {
  const places = placesBefore(target, next);
  for (let at = 0; at < places.length; at++) {
    const path = places[at][2];
    if (path.length !== 1 || path[0] !== ELEMENT) continue;
    if (places[at][1] === GIVEN) noteMissingOfGiven(target, path, next);
    else send(target, places[at][1], path, NOTHING);
  }
}

/**
 * Records the members that may have been missing in what was parsed last: its text may be an input, or a part of one.
 * @param {number} target
 * @param {string[][]} paths
 */
function noteFailedReadOfInput(target, paths) {
  const object = latestParsed();
  if (typeof object !== 'object' || object === null || isArray(object)) return;
  for (let at = 0; at < paths.length; at++) {
    if (!hasOwn(object, paths[at][0])) noteMissingInput(target, paths[at], '', object);
  }
}

/**
 * Records the members of inputs that are missing if a member could not be read, as the text of the program tells.
 * @param {number} target
 * @param {string} next the member that could not be read
 */
function noteFailedPlaces(target, next) {
  const places = placesBefore(target, next);
  for (let at = 0; at < places.length; at++) {
    if (places[at][1] === GIVEN) noteMissingOfGiven(target, places[at][2], next);
    else send(target, places[at][1], places[at][2], NOTHING, usesBy(next));
  }
}

/** @param {number} target @param {string} next the member that could not be read */
function noteFailedPatterns(target, next) {
  const paths = givenPlacesBefore(next);
  for (let at = 0; at < paths.length; at++) noteMissingOfGiven(target, paths[at], next);
}

/** @param {string} next the member that could not be read @returns {string[]} what the value is taken for by that */
function usesBy(next) {
  return next === ITERATOR ? ['iterable'] : [];
}

/**
 * Records a member that is missing in what a function was given, if that is the input that was handed on last.
 * @param {number} target
 * @param {string[]} path
 * @param {string} next the member that could not be read
 */
function noteMissingOfGiven(target, path, next) {
  const { value, record } = handedOn;
  if (record === null || record !== recorder.record || !isLacking(value, path)) return;
  const held = heldBy(/** @type {object} */ (value));
  if (held === HEADERS || held === '') return;
  send(target, held === NOTHING ? 'body' : '', path, held, usesBy(next));
}

/**
 * @param {unknown} object
 * @param {string[]} path
 * @returns {boolean} whether it is an object in which the path ends early
 */
function isLacking(object, path) {
  let within = object;
  for (let at = 0; at < path.length; at++) {
    if (typeof within !== 'object' || within === null || isProxy(within)) return at > 0 && typeof within === 'string';
    if (!hasOwn(within, path[at])) return true;
    within = readData(within, path[at]);
  }
  return within === undefined || within === null;
}

/**
 * Records that an input was asked for by its name.
 * @param {number} target global id of the statement
 * @param {string[]} path
 * @param {string} location
 */
function noteAsked(target, path, location) {
  if (target <= 0 || (location === 'header' && isSent(path[0]))) return;
  // Of a text that no parser of documents was given: fields of a form.
  if (location === 'answer' && latestPlace() === undefined) return noteReadOfAnswer(target, path, [], 'answer');
  if (location === 'answer' || location === CHAIN) return noteMissingAnywhere(target, path);
  if (location === 'element') return noteLookedFor(target, path);
  // The answer, of which a parser hands out pieces, may not have arrived yet.
  if (location === 'piece') return noteReadOfAnswer(target, path, [], 'answer');
  send(target, location, path, NOTHING);
}

/** @param {string} name @returns {boolean} whether the running call has the header */
function isSent(name) {
  const record = runningRecord();
  const headers = record === null ? undefined : readData(record.request, 'rawHeaders');
  if (!isArray(headers)) return false;
  const upper = toUpperCase(name);
  for (let at = 0; at < headers.length; at += 2) if (toUpperCase(headers[at]) === upper) return true;
  return false;
}

/**
 * @param {number} target
 * @param {string} location
 * @param {string[]} path
 * @param {string} held JSON
 * @param {string[]} [uses] what the program takes the member for, if nothing else tells
 */
function send(target, location, path, held, uses = []) {
  if (recorder.inputHints >= MAX_HINTS || isIn(OVERRIDES, path[0])) return;
  if (location === 'header' && !isHeader(path[0])) return;
  recorder.inputHints++;
  if (location !== 'file' || uploads.length === 0) {
    const told = usesOf(target, path[path.length - 1]);
    addHint(target, input(location, path, held, told.length > 0 ? told : uses), MAX_HINTS);
    return;
  }
  for (let at = 0; at < uploads.length; at++) addHint(target, input(location, [uploads[at]], held), MAX_HINTS);
}

/**
 * Returns what an object holds, as JSON: its first members, or the text itself.
 * @param {unknown} object neither null nor undefined
 * @returns {string} empty: it cannot be input; HEADERS: it holds headers
 */
function heldBy(object) {
  if (typeof object === 'string') return object.length < MIN_TEXT ? '' : quote(cut(object));
  if (typeof object !== 'object' || object === null || isProxy(object)) return '';
  if (isArray(object)) return heldByArray(object);
  return isHeaders(object) ? HEADERS : heldByObject(object);
}

/** @param {object} object @returns {string} */
function heldByObject(object) {
  const keys = ObjectKeys(object);
  if (keys.length > MAX_KEYS || hasOwn(object, '_readableState')) return '';
  let text = '';
  let count = 0;
  for (let at = 0; at < keys.length && count < MAX_MEMBERS; at++) {
    const member = memberText(object, keys[at]);
    if (member === '') continue;
    text += (count === 0 ? '' : ',') + quote(keys[at]) + ':' + member;
    count++;
  }
  return keys.length > 0 && count === 0 ? '' : '{' + text + '}';
}

/** @param {unknown[]} array @returns {string} */
function heldByArray(array) {
  let text = '';
  for (let at = 0; at < array.length && at < MAX_MEMBERS; at++) {
    const member = memberText(array, '' + at);
    if (member === '') return '';
    text += (at === 0 ? '' : ',') + member;
  }
  return '[' + text + ']';
}

/** @param {object} object @param {string} key @returns {string} JSON; empty if it is no data */
function memberText(object, key) {
  const descriptor = getOwnPropertyDescriptor(object, key);
  if (descriptor === undefined || !hasOwn(descriptor, 'value')) return '';
  const { value } = descriptor;
  if (typeof value !== 'object' || value === null) {
    return typeof value === 'function' || value === undefined ? '' : scalarText(value);
  }
  return isProxy(value) ? '' : isArray(value) ? '[]' : '{}';
}

/** @param {object} object */
function isHeaders(object) {
  return (
    typeof ownData(object, 'host') === 'string' &&
    (typeof ownData(object, 'accept') === 'string' || typeof ownData(object, 'connection') === 'string')
  );
}

/** @param {string} name of a member @returns {boolean} whether the program reads the files of an upload */
function isUpload(name) {
  return uploads.length > 0 && (name === 'file' || name === 'files');
}

/** @param {string} name of a field in which the program expects files */
function noteUpload(name) {
  for (let at = 0; at < uploads.length; at++) if (uploads[at] === name) return;
  if (uploads.length < MAX_UPLOADS) uploads[uploads.length] = name;
}

module.exports = {
  isInCall,
  isLacking,
  noteAsked,
  noteFailedRead,
  noteMissing,
  noteNoList,
  noteParsedText,
  noteUpload,
};
