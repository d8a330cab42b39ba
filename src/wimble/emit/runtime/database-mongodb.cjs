'use strict';
/*
 * MongoDB, for database.cjs. Documents are read and put back as Extended JSON with its exact types, so every value comes back as it was.
 * Collections that the tests' calls make are emptied again.
 */

module.exports = async function open(requireOfSut, { url, isOwnUrl, host, port, database, login: { user, password } }) {
  const { mongodb, EJSON } = driverOf(requireOfSut);
  const server = host.startsWith('/') ? encodeURIComponent(host) : `${host}:${port}`;
  const auth = user && password ? { auth: { username: user, password } } : {};
  const client = url ? new mongodb.MongoClient(url) : new mongodb.MongoClient(`mongodb://${server}`, auth); // users are known in `admin`
  await client.connect();
  // A URL of one's own may name another database; the program's may name the one that it logs in to.
  const isNamed = isOwnUrl && /^\w+(\+srv)?:\/\/[^/]+\/[^?]/.test(url);
  const db = client.db(isNamed ? undefined : database);
  const textOf = (value) => EJSON.stringify(value, { relaxed: false });
  const valueOf = (text) => EJSON.parse(text, { relaxed: false });
  const exact = { promoteValues: false, promoteLongs: false, bsonRegExp: true };

  return {
    async tables(known) {
      const found = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
      const names = new Set([...known.map(({ name }) => name), ...found.map(({ name }) => name)]);
      return [...names].filter((name) => !name.startsWith('system.')).map((name) => ({ name, key: ['_id'] }));
    },

    async readRows({ name }) {
      const found = await db.collection(name).find({}, exact).toArray();
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
  const { EJSON } = mongodb.BSON?.EJSON ? mongodb.BSON : requireOfSut('bson');
  return { mongodb, EJSON };
}
