'use strict';
/**
 * Messages of MongoDB's protocol, common to all versions of `mongodb`: commands are recorded from the bytes of a
 * request, and results from the bytes of its reply. So no object of the program is read.
 *
 * Requests are OP_MSG, or OP_QUERY on the collection `$cmd`, which drivers before version 3.3 send.
 */

const {
  Map,
  String,
  bufferAlloc,
  bufferConcat,
  bufferFrom,
  endsWith,
  lastIndexOf,
  lengthOfBytes,
  mapDelete,
  mapGet,
  mapSet,
  mapSize,
  parseJson,
  quote,
  slice,
  writeUInt32LE,
} = require('../../base/intrinsics.cjs');
const { RawJson } = require('../../base/json-text.cjs');
const {
  ARRAY,
  DOCUMENT,
  NULL,
  countOf,
  endOfName,
  extendedJson,
  field,
  forFields,
  int32,
  numberOf,
  text,
  textOf,
} = require('../bson.cjs');
const { bsonOf } = require('../bson-writer.cjs');
const { log, noteCommand } = require('../recorded-commands.cjs');

/** @typedef {import('../recorded-commands.cjs').Command} Command */
/** @typedef {import('../bson.cjs').Value} Value */
/**
 * @typedef {object} Request
 * @property {Value | null} body the command; null if the message contains none
 * @property {string | null} database
 * @property {any[]} sequences sections of documents after the command
 * @property {boolean} expectsAnswer
 */

/** Commands that connections and sessions send by themselves. */
const OF_CONNECTIONS = {
  __proto__: null,
  hello: true,
  ismaster: true,
  isMaster: true,
  ping: true,
  buildInfo: true,
  buildinfo: true,
  endSessions: true,
  killCursors: true,
  killSessions: true,
  refreshSessions: true,
  saslStart: true,
  saslContinue: true,
  getnonce: true,
  authenticate: true,
  logout: true,
  connectionStatus: true,
  getParameter: true,
  serverStatus: true,
};
/** Commands that end a transaction: they are sent to `admin`, whatever database the transaction is on. */
const ENDS = { __proto__: null, commitTransaction: true, abortTransaction: true };
/** Fields that drivers add to commands. */
const OF_DRIVERS = {
  __proto__: null,
  lsid: true,
  $db: true,
  $clusterTime: true,
  $readPreference: true,
  txnNumber: true,
  startTransaction: true,
  autocommit: true,
  readConcern: true,
  writeConcern: true,
  maxTimeMS: true,
  apiVersion: true,
};
/** @type {Record<string, string>} Commands whose documents may follow them in a separate section. */
const SEQUENCES = { insert: 'documents', update: 'updates', delete: 'deletes' };

const MAX_COMMAND_UNITS = 8 * 1024;
const MAX_REPLY_UNITS = 16 * 1024 * 1024;
const MAX_PENDING = 1000;
const MAX_SESSION_UNITS = 500;
const HEADER_BYTES = 16;
const MORE_TO_COME = 2;
const OP_QUERY = 2004;
const OP_MSG = 2013;
const COMMANDS = '.$cmd';

/** Session -> id of the database that its last transaction was on. @type {Map<string, string>} */
let transactions = new Map();

// ---- requests ------------------------------------------------------------------------------------------------------

/**
 * @param {string} verb
 * @returns {boolean} whether a command may run before the core has read the database
 */
function isAlwaysAllowed(verb) {
  return verb in OF_CONNECTIONS || verb in ENDS;
}

/**
 * @param {any[]} chunks of an OP_MSG: header and flags, then sections
 * @returns {Request}
 */
function readMessage(chunks) {
  /** @type {Value | null} */
  let body = null;
  const sequences = [];
  for (let index = 1; index < chunks.length; index++) {
    const chunk = chunks[index];
    const length = lengthOfBytes(chunk);
    if (length === 1 && chunk[0] === 0) body = { bytes: chunks[++index], at: 0, type: DOCUMENT };
    else if (length > 0) sequences[sequences.length] = chunk;
  }
  const database = body === null ? null : textOf(field(body, '$db'));
  return { body, database, sequences, expectsAnswer: (int32(chunks[0], HEADER_BYTES) & MORE_TO_COME) === 0 };
}

/**
 * @param {any[]} chunks of an OP_QUERY: header, flags and collection; the query; maybe a projection
 * @returns {Request}
 */
function readQuery(chunks) {
  const start = HEADER_BYTES + 4;
  const namespace = text(chunks[0], start, endOfName(chunks[0], start), 'utf8');
  const isCommand = endsWith(namespace, COMMANDS) && chunks.length > 1;
  const query = { bytes: chunks[1], at: 0, type: DOCUMENT };
  return {
    // Commands to routers of a cluster may be in an envelope, together with a read preference.
    body: isCommand ? field(query, '$query') || query : null,
    database: isCommand ? slice(namespace, 0, -COMMANDS.length) : null,
    sequences: [],
    expectsAnswer: true,
  };
}

/**
 * @template {Command | 'proxied'} Pending
 * @param {Map<number, Pending | Command>} pending
 * @param {number} number of the request
 * @param {Request} request
 * @param {(database: string) => string} idOf
 */
function noteRequest(pending, number, { body, database, sequences, expectsAnswer }, idOf) {
  if (body === null || database === null) return;
  const { verb, collection } = nameOf(body);
  if (verb in OF_CONNECTIONS) return;
  const session = field(body, 'autocommit') === null ? null : sessionOf(body);
  const id = verb in ENDS ? mapGet(transactions, session || '') : idOf(database);
  if (id === undefined) return;
  if (session !== null) noteTransaction(session, id);
  const command = noteCommand(
    id,
    textFor(verb, collection, body),
    log.isWanted ? shown(body, verb, sequences) : undefined,
    session !== null,
  );
  if (expectsAnswer && mapSize(pending) < MAX_PENDING) mapSet(pending, number, command);
}

/** @param {Value} body */
function sessionOf(body) {
  const session = field(body, 'lsid');
  return (session !== null && extendedJson(session, MAX_SESSION_UNITS)) || '';
}

/**
 * @param {string} session
 * @param {string} id of the database
 */
function noteTransaction(session, id) {
  if (mapSize(transactions) >= MAX_PENDING) transactions = new Map();
  mapSet(transactions, session, id);
}

/** @param {Value} body @returns {{ verb: string, collection: string }} */
function nameOf(body) {
  let verb = '';
  /** @type {string | null} */
  let collection = null;
  forFields(body.bytes, body.at, (name, value) => {
    verb = name;
    collection = textOf(value);
    return true;
  });
  if (verb === 'getMore') collection = textOf(field(body, 'collection'));
  return { verb: verb === 'findandmodify' ? 'findAndModify' : verb, collection: collection || '' };
}

/**
 * Returns `members.find`; for an aggregation that writes, `orders.aggregate $out`.
 * @param {string} verb
 * @param {string} collection
 * @param {Value} body
 */
function textFor(verb, collection, body) {
  let shownText = collection + '.' + verb;
  const pipeline = verb === 'aggregate' ? field(body, 'pipeline') : null;
  if (pipeline !== null && pipeline.type === ARRAY) {
    forFields(pipeline.bytes, pipeline.at, (_, stage) => {
      if (field(stage, '$out') !== null) shownText = collection + '.aggregate $out';
      else if (field(stage, '$merge') !== null) shownText = collection + '.aggregate $merge';
    });
  }
  return shownText;
}

/**
 * Returns the command as parameters: one document, without the fields that drivers add.
 * @param {Value} body
 * @param {string} verb
 * @param {any[]} sequences
 */
function shown(body, verb, sequences) {
  const json = extendedJson(body, MAX_COMMAND_UNITS, (name) => !(name in OF_DRIVERS));
  if (json === null) return new RawJson('[]');
  const name = SEQUENCES[verb];
  // v6.10 and later may send documents in a separate section: kind, length, name, documents.
  if (sequences.length === 0 || name === undefined) return new RawJson('[' + json + ']');
  const start = 1 + 4 + name.length + 1;
  let list = '';
  for (let at = start; at < lengthOfBytes(sequences[0]); at += int32(sequences[0], at)) {
    const one = extendedJson({ bytes: sequences[0], at, type: DOCUMENT }, MAX_COMMAND_UNITS);
    if (one === null || list.length > MAX_COMMAND_UNITS) return new RawJson('[]');
    list += (list === '' ? '' : ',') + one;
  }
  return new RawJson('[' + slice(json, 0, -1) + ',' + quote(name) + ':[' + list + ']}]');
}

// ---- replies -------------------------------------------------------------------------------------------------------

/**
 * Takes the command that a reply belongs to.
 * @template Pending
 * @param {Map<number, Pending>} pending
 * @param {number} number of the request
 * @returns {Pending | undefined}
 */
function takePending(pending, number) {
  const command = mapGet(pending, number);
  if (command !== undefined) mapDelete(pending, number);
  return command;
}

/**
 * @param {Command} command
 * @param {Value} reply
 */
function complete(command, reply) {
  const message = textOf(field(reply, 'errmsg'));
  if (message !== null && numberOf(field(reply, 'ok')) !== 1) return command.fail(message);
  const refused = field(reply, 'writeErrors');
  if (countOf(refused) > 0) {
    command.fail(textOf(field(/** @type {Value} */ (field(/** @type {Value} */ (refused), '0')), 'errmsg')));
  }
  const verb = slice(command.text, lastIndexOf(command.text, '.') + 1);
  const n = numberOf(field(reply, 'n'));
  const cursor = field(reply, 'cursor');
  if (cursor !== null) command.returned = countOf(field(cursor, 'firstBatch') || field(cursor, 'nextBatch'));
  else if (verb === 'distinct') command.returned = countOf(field(reply, 'values'));
  else if (verb === 'findAndModify') {
    command.returned = isSomething(field(reply, 'value')) || updatedExisting(reply) ? 1 : 0;
    command.affected = changedBy(reply);
  } else if (verb === 'count') command.returned = n;
  // A document that an upsert inserts was not found.
  else if (n !== null) command.affected = n - countOf(field(reply, 'upserted'));
  return undefined;
}

/** @param {Value | null} value */
function isSomething(value) {
  return value !== null && value.type !== NULL;
}

/** @param {Value} reply of a findAndModify @returns {number | null} */
function changedBy(reply) {
  const last = field(reply, 'lastErrorObject');
  const n = last === null ? null : numberOf(field(last, 'n'));
  if (n === null || last === null) return null;
  const inserted = field(last, 'upserted');
  return inserted !== null && isSomething(inserted) ? n - 1 : n;
}

/** @param {Value} reply of a findAndModify, which may return null if the document was removed, or was not changed */
function updatedExisting(reply) {
  const last = field(reply, 'lastErrorObject');
  if (last === null) return false;
  const flag = field(last, 'updatedExisting');
  return flag !== null && flag.bytes[flag.at] === 1;
}

// ---- proxy ---------------------------------------------------------------------------------------------------------

/** @param {Value} reply @returns {string} Extended JSON; empty if it is too long */
function replyText(reply) {
  return extendedJson(reply, MAX_REPLY_UNITS) || '';
}

/**
 * @param {string} reply Extended JSON; empty: none
 * @param {(error: unknown, answer?: import('../connected-databases.cjs').Answer) => void} done
 */
function sendReply(reply, done) {
  const json = reply === '' ? 'null' : reply;
  const failed = failureIn(json);
  if (failed !== '') done(failed);
  else done(null, { columns: ['reply'], rows: '[[' + json + ']]', affected: null });
}

/** @param {string} reply */
function failureIn(reply) {
  const { ok, errmsg } = parseJson(reply) || {};
  const isOk = ok && (ok.$numberDouble === '1.0' || ok.$numberInt === '1');
  return isOk ? '' : String(errmsg || 'no answer');
}

/**
 * @param {number} number of the request
 * @param {string} database
 * @param {string} command Extended JSON
 */
function messageBytes(number, database, command) {
  const body = bsonOf(command, { $db: database });
  return framed(number, OP_MSG, bufferConcat([bufferAlloc(4), bufferAlloc(1), body]));
}

/**
 * @param {number} number of the request
 * @param {string} database
 * @param {string} command Extended JSON
 */
function queryBytes(number, database, command) {
  const namespace = bufferFrom(database + COMMANDS + '\0', 'utf8');
  // Flags and documents to skip are 0; -1: one document is returned, and the cursor is closed.
  const count = bufferFrom('ffffffff', 'hex');
  return framed(number, OP_QUERY, bufferConcat([bufferAlloc(4), namespace, bufferAlloc(4), count, bsonOf(command)]));
}

/**
 * @param {number} number of the request
 * @param {number} kind
 * @param {any} body
 */
function framed(number, kind, body) {
  const header = bufferAlloc(HEADER_BYTES);
  writeUInt32LE(header, HEADER_BYTES + body.length, 0);
  writeUInt32LE(header, number, 4);
  writeUInt32LE(header, kind, 12);
  return bufferConcat([header, body]);
}

module.exports = {
  complete,
  isAlwaysAllowed,
  messageBytes,
  noteRequest,
  queryBytes,
  readMessage,
  readQuery,
  replyText,
  sendReply,
  takePending,
};
