'use strict';
/*
 * MongoDB, for database.cjs. Documents are read and put back as Extended JSON with its exact types, so every value
 * comes back as it was. Collections that the tests' calls make are emptied again.
 */

module.exports = async function open(requireOfSut, { url, isOwnUrl, host, port, database, login: { user, password } }) {
  const { mongodb, EJSON } = driverOf(requireOfSut);
  const server = host.startsWith('/') ? encodeURIComponent(host) : `${host}:${port}`;
  // Users are known in `admin`. Versions before 4 take the login from a URL only.
  const userInfo = user && password ? `${encodeURIComponent(user)}:${encodeURIComponent(password)}@` : '';
  const address = url || `mongodb://${userInfo}${server}/${userInfo ? 'admin' : ''}`;
  const client = await connected(mongodb, address);
  // A URL of one's own may name another database; the program's may name the one that it logs in to.
  const isNamed = isOwnUrl && /^\w+(\+srv)?:\/\/[^/]+\/[^?]/.test(url);
  const isVersion2 = typeof client.collection === 'function'; // it connects to a database
  const db = isVersion2 ? (isNamed ? client : client.db(database)) : client.db(isNamed ? undefined : database);
  const textOf = (value) => EJSON.stringify(value, { relaxed: false });
  const valueOf = (text) => EJSON.parse(text, { relaxed: false });
  const exact = { promoteValues: false, promoteLongs: false, bsonRegExp: true };
  const all = (name) => (isVersion2 ? db.collection(name).find({}, {}, exact) : db.collection(name).find({}, exact));

  return {
    async tables(known) {
      const found = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
      const names = new Set([...known.map(({ name }) => name), ...found.map(({ name }) => name)]);
      return [...names].filter((name) => !name.startsWith('system.')).map((name) => ({ name, key: ['_id'] }));
    },

    async readRows({ name }) {
      const found = await all(name).toArray();
      return found.map((document) => [textOf(document._id), textOf(document)]);
    },

    async insert({ name }, document) {
      await db.collection(name).insertOne(EJSON.deserialize(document, { relaxed: false }));
    },

    async remove({ name }, keys) {
      await db.collection(name).deleteMany({ _id: { $in: keys.map(valueOf) } });
    },

    async removeLike({ name }, columns, document) {
      const { [columns[0]]: id } = EJSON.deserialize(document, { relaxed: false });
      await db.collection(name).deleteMany({ _id: id });
    },

    async putBack({ name }, key, row) {
      await db.collection(name).replaceOne({ _id: { $eq: valueOf(key) } }, valueOf(row), { upsert: true, bypassDocumentValidation: true });
    },

    readCounters: async () => null,
    setCounter: async () => {},
    inTransaction: (work) => work(),
    close: () => client.close(),
  };
};

/** The driver, or Mongoose's own where the system under test has only that. */
function driverOf(requireOfSut) {
  let mongodb;
  try {
    mongodb = requireOfSut('mongodb');
  } catch {
    mongodb = requireOfSut('mongoose').mongo;
  }
  if (isBefore4(mongodb)) return { mongodb, EJSON: extendedJsonOf(mongodb) };
  const { EJSON } = mongodb.BSON?.EJSON ? mongodb.BSON : requireOfSut('bson');
  return { mongodb, EJSON };
}

const isBefore4 = (mongodb) => typeof mongodb.instrument === 'function';

function connected(mongodb, address) {
  const isVersion3 = isBefore4(mongodb) && typeof mongodb.MongoClient.prototype.db === 'function';
  return mongodb.MongoClient.connect(address, isVersion3 ? { useNewUrlParser: true, useUnifiedTopology: true } : {});
}

/** Extended JSON for the types of versions before 4, which have none. */
function extendedJsonOf({ Binary, BSONRegExp, Code, DBRef, Decimal128, Double, Int32, Long, MaxKey, MinKey, ObjectID, Symbol: BsonSymbol, Timestamp }) {
  const halves = (of) => ({ t: of.getHighBits() >>> 0, i: of.getLowBitsUnsigned() });
  const plain = {
    ObjectID: (of) => ({ $oid: of.toHexString() }),
    Int32: (of) => ({ $numberInt: String(of.valueOf()) }),
    Double: (of) => ({ $numberDouble: Object.is(of.valueOf(), -0) ? '-0.0' : String(of.valueOf()) }),
    Long: (of) => ({ $numberLong: of.toString() }),
    Decimal128: (of) => ({ $numberDecimal: of.toString() }),
    Timestamp: (of) => ({ $timestamp: halves(of) }),
    Binary: (of) => ({ $binary: { base64: of.read(0, of.length()).toString('base64'), subType: of.sub_type.toString(16).padStart(2, '0') } }),
    BSONRegExp: (of) => ({ $regularExpression: { pattern: of.pattern, options: of.options } }),
    Code: (of) => ({ $code: String(of.code), ...(of.scope && Object.keys(of.scope).length > 0 ? { $scope: toPlain(of.scope) } : {}) }),
    Symbol: (of) => ({ $symbol: of.valueOf() }),
    MinKey: () => ({ $minKey: 1 }),
    MaxKey: () => ({ $maxKey: 1 }),
    DBRef: (of) => ({ $ref: of.namespace, $id: toPlain(of.oid), ...(of.db ? { $db: of.db } : {}) }),
  };
  plain.ObjectId = plain.ObjectID;

  function toPlain(value) {
    if (value === undefined) return { $undefined: true };
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(toPlain);
    if (value instanceof Date) return { $date: { $numberLong: String(value.getTime()) } };
    if (value instanceof RegExp) return { $regularExpression: { pattern: value.source, options: value.flags.replace(/[^imsx]/g, '') } };
    if (value._bsontype) return plain[value._bsontype](value);
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, toPlain(one)]));
  }

  const made = {
    $oid: (text) => new ObjectID(text),
    $numberInt: (text) => new Int32(Number(text)),
    $numberLong: (text) => Long.fromString(text),
    $numberDouble: (text) => new Double(Number(text)),
    $numberDecimal: (text) => Decimal128.fromString(text),
    $date: (at) => new Date(typeof at === 'string' ? at : Number(at.$numberLong)),
    $binary: ({ base64, subType }) => new Binary(Buffer.from(base64, 'base64'), parseInt(subType, 16)),
    $regularExpression: ({ pattern, options }) => (BSONRegExp ? new BSONRegExp(pattern, options) : new RegExp(pattern, options)),
    $timestamp: ({ t, i }) => new Timestamp(i | 0, t | 0),
    $symbol: (text) => new BsonSymbol(text),
    $minKey: () => new MinKey(),
    $maxKey: () => new MaxKey(),
    $undefined: () => undefined,
  };

  function fromPlain(value) {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(fromPlain);
    const names = Object.keys(value);
    if (names.length === 1 && Object.hasOwn(made, names[0])) return made[names[0]](value[names[0]]);
    if ('$code' in value) return new Code(value.$code, fromPlain(value.$scope));
    if ('$ref' in value && '$id' in value) return new DBRef(value.$ref, fromPlain(value.$id), value.$db);
    return Object.fromEntries(names.map((name) => [name, fromPlain(value[name])]));
  }

  return { stringify: (value) => JSON.stringify(toPlain(value)), parse: (text) => fromPlain(JSON.parse(text)), deserialize: fromPlain };
}
