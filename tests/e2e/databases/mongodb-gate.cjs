// What the test server has not, before it: asks for a user's password (SCRAM-SHA-256, RFC 5802 and 7677), names itself a replica set, and knows
// transactions and change streams. `node mongodb-gate.cjs PORT` prints its own port; the user is USER with PASSWORD; it ends with its standard input.
// A transaction that is aborted gets back what its database held at its start, whatever others did meanwhile: enough for one at a time.
'use strict';
const crypto = require('node:crypto');
const net = require('node:net');
const { MongoClient, BSON } = require('mongodb');

const { USER, PASSWORD } = process.env;
const [OP_REPLY, OP_QUERY, OP_MSG] = [1, 2004, 2013];
const EXACT = { promoteValues: false, promoteLongs: false, bsonRegExp: true };
const OF_SESSIONS = ['lsid', '$db', '$clusterTime', '$readPreference', 'txnNumber', 'startTransaction', 'autocommit', 'readConcern', 'writeConcern'];
const OPEN_TO_ALL = ['hello', 'ismaster', 'isMaster', 'saslStart', 'saslContinue', 'ping', 'endSessions'];
const salt = crypto.randomBytes(16);
const salted = crypto.pbkdf2Sync(PASSWORD, salt, 4096, 32, 'sha256');
const hmac = (key, text) => crypto.createHmac('sha256', key).update(text).digest();
const sha256 = (bytes) => crypto.createHash('sha256').update(bytes).digest();

const upstream = new MongoClient(`mongodb://127.0.0.1:${process.argv[2]}`, EXACT);
const snapshots = new Map(); // lsid -> what its transaction may have to give back
const STREAM = BSON.Long.fromNumber(77);
const changes = []; // since the stream was opened
let port = 0;

class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.errorResponse = { ok: 0, code, errmsg: message };
  }
}

function hello() {
  const me = `127.0.0.1:${port}`;
  return {
    helloOk: true, isWritablePrimary: true, ismaster: true, setName: 'rs0', hosts: [me], me, primary: me, maxBsonObjectSize: 16777216, maxMessageSizeBytes: 48000000,
    maxWriteBatchSize: 100000, logicalSessionTimeoutMinutes: 30, minWireVersion: 0, maxWireVersion: 13, saslSupportedMechs: ['SCRAM-SHA-256'], ok: 1,
  };
}

/** One connection's way through SCRAM. */
class Login {
  isDone = false;

  start({ payload }) {
    this.clientFirst = payload.toString().slice('n,,'.length);
    const [name, nonce] = this.clientFirst.split(',');
    if (name !== `n=${USER}`) throw new Refused(18, 'Authentication failed.');
    this.nonce = nonce.slice(2) + crypto.randomBytes(12).toString('base64');
    this.serverFirst = `r=${this.nonce},s=${salt.toString('base64')},i=4096`;
    return { conversationId: 1, done: false, payload: Buffer.from(this.serverFirst), ok: 1 };
  }

  proceed({ payload }) {
    const [bare, proof] = payload.toString().split(',p=');
    const signed = [this.clientFirst, this.serverFirst, bare].join(',');
    const clientKey = hmac(salted, 'Client Key');
    const signature = hmac(sha256(clientKey), signed);
    const expected = Buffer.from(clientKey.map((byte, index) => byte ^ signature[index])).toString('base64');
    if (bare !== `c=biws,r=${this.nonce}` || proof !== expected) throw new Refused(18, 'Authentication failed.');
    this.isDone = true;
    return { conversationId: 1, done: true, payload: Buffer.from(`v=${hmac(hmac(salted, 'Server Key'), signed).toString('base64')}`), ok: 1 };
  }
}

async function contents(db) {
  const collections = await db.listCollections({}, { nameOnly: true }).toArray();
  return Promise.all(collections.map(async ({ name }) => [name, await db.collection(name).find({}, EXACT).toArray()]));
}

async function giveBack({ db, held }) {
  for (const [name] of await contents(db)) await db.collection(name).deleteMany({});
  for (const [name, documents] of held) if (documents.length > 0) await db.collection(name).insertMany(documents);
}

async function answer(command, login) {
  const verb = Object.keys(command)[0];
  if (!login.isDone && !OPEN_TO_ALL.includes(verb)) throw new Refused(13, `Command ${verb} requires authentication`);
  const db = upstream.db(command.$db);
  const session = command.lsid?.id.toString('hex');
  if (command.startTransaction) snapshots.set(session, { db, held: await contents(db) });
  switch (verb) {
    case 'hello':
    case 'ismaster':
    case 'isMaster':
      return hello();
    case 'saslStart':
      return login.start(command);
    case 'saslContinue':
      return login.proceed(command);
    case 'ping':
    case 'endSessions':
    case 'killCursors':
      return { ok: 1 };
    case 'commitTransaction':
      snapshots.delete(session);
      return { ok: 1 };
    case 'abortTransaction':
      await giveBack(snapshots.get(session));
      return { ok: 1 };
    case 'aggregate':
      if (command.pipeline[0]?.$changeStream) return { cursor: { id: STREAM, ns: `${command.$db}.${command.aggregate}`, firstBatch: [], postBatchResumeToken: { _data: '0' } }, ok: 1 };
      break;
    case 'getMore':
      if (STREAM.equals(command.getMore)) return nextChanges(command);
      break;
    case 'insert':
      for (const fullDocument of command.documents) {
        const _id = { _data: String(changes.length + 1) };
        changes.push({ _id, operationType: 'insert', ns: { db: command.$db, coll: command.insert }, documentKey: { _id: fullDocument._id }, fullDocument });
      }
      break;
  }
  for (const name of OF_SESSIONS) delete command[name];
  return db.command(command, EXACT);
}

async function nextChanges({ $db, collection }) {
  for (let waits = 0; changes.length === 0 && waits < 20; waits++) await new Promise((resolve) => setTimeout(resolve, 25));
  return { cursor: { id: STREAM, ns: `${$db}.${collection}`, nextBatch: changes.splice(0), postBatchResumeToken: { _data: '1' } }, ok: 1 };
}

/** @param {Buffer} message of OP_MSG behind its header and flags @returns the command, with the documents that came in sections of their own */
function commandIn(message) {
  let command = null;
  const lists = {};
  for (let at = 0; at < message.length; ) {
    const size = message.readInt32LE(at + 1);
    const section = message.subarray(at + 1, at + 1 + size);
    if (message[at] === 0) command = BSON.deserialize(section, EXACT);
    else {
      const end = section.indexOf(0, 4);
      const list = (lists[section.toString('utf8', 4, end)] = []);
      for (let from = end + 1; from < size; from += section.readInt32LE(from)) list.push(BSON.deserialize(section.subarray(from, from + section.readInt32LE(from)), EXACT));
    }
    at += 1 + size;
  }
  return plain({ ...command, ...lists });
}

/** What the gate itself looks at, as JavaScript's own values. */
function plain(command) {
  for (const name of ['$db', 'aggregate', 'insert', 'collection', 'startTransaction']) if (command[name]?.valueOf) command[name] = command[name].valueOf();
  if (command.payload) command.payload = Buffer.from(command.payload.buffer);
  return command;
}

function replyTo(request, operation, document) {
  const body = BSON.serialize(document);
  const fixed = Buffer.alloc(operation === OP_QUERY ? 20 : 5);
  if (operation === OP_QUERY) fixed.writeInt32LE(1, 16);
  const header = Buffer.alloc(16);
  [header.length + fixed.length + body.length, 0, request, operation === OP_QUERY ? OP_REPLY : OP_MSG].forEach((value, index) => header.writeInt32LE(value, index * 4));
  return Buffer.concat([header, fixed, body]);
}

async function handle(message, login) {
  const [request, , operation] = [4, 8, 12].map((at) => message.readInt32LE(at));
  // OP_QUERY: flags, name of the collection, two numbers, the command.
  const command = operation === OP_QUERY ? plain(BSON.deserialize(message.subarray(message.indexOf(0, 20) + 9), EXACT)) : commandIn(message.subarray(20));
  const reply = await answer(command, login).catch((error) => error.errorResponse ?? { ok: 0, errmsg: String(error), code: 1 });
  return replyTo(request, operation, reply);
}

const server = net.createServer((socket) => {
  const login = new Login();
  let waiting = Buffer.alloc(0);
  let turn = Promise.resolve();
  socket.on('error', () => {});
  socket.on('data', (part) => {
    waiting = Buffer.concat([waiting, part]);
    while (waiting.length >= 4 && waiting.length >= waiting.readInt32LE(0)) {
      const message = waiting.subarray(0, waiting.readInt32LE(0));
      waiting = waiting.subarray(message.length);
      turn = turn.then(async () => socket.write(await handle(message, login)));
    }
  });
});
upstream.connect().then(() => server.listen(0, '127.0.0.1', () => console.log((port = server.address().port))));
process.stdin.on('end', () => process.exit()).resume();
