// A small API by the ORM that ORM names, on PostgreSQL (DATABASE_URL) or SQLite (DATABASE_FILE): finds, makes and deletes animals. No call makes a cat, so only a row that a test brings leads to the fault.
'use strict';
const http = require('http');

const { DATABASE_URL: url, DATABASE_FILE: file } = process.env;
const onKnex = () => require('knex')(file ? { client: 'better-sqlite3', connection: file, useNullAsDefault: true } : { client: 'pg', connection: url });
const columns = { name: 'animals', key: 'chip' };

const orms = {
  async knex() {
    const database = onKnex();
    const animals = () => database(columns.name);
    return { find: (chip) => animals().where({ chip }).first(), all: () => animals(), add: (animal) => animals().insert(animal), clear: () => animals().del() };
  },

  async objection() {
    const { Model } = require('objection');
    class Animal extends Model {
      static tableName = columns.name;
      static idColumn = columns.key;
    }
    Animal.knex(onKnex());
    return {
      find: (chip) => Animal.query().findById(chip),
      all: () => Animal.query(),
      add: (animal) => Animal.transaction((within) => Animal.query(within).insert(animal)),
      clear: () => Animal.query().delete(),
    };
  },

  async drizzle() {
    const { drizzle } = require(file ? 'drizzle-orm/better-sqlite3' : 'drizzle-orm/node-postgres');
    const { pgTable, sqliteTable, text, integer } = require(file ? 'drizzle-orm/sqlite-core' : 'drizzle-orm/pg-core');
    const { eq } = require('drizzle-orm');
    const animals = (pgTable ?? sqliteTable)(columns.name, { chip: text('chip').primaryKey(), kind: text('kind'), breed: text('breed'), age: integer('age') });
    const database = drizzle(file ?? url);
    return {
      find: async (chip) => (await database.select().from(animals).where(eq(animals.chip, chip)))[0],
      all: () => database.select().from(animals),
      add: (animal) => (file ? database.insert(animals).values(animal) : database.transaction((within) => within.insert(animals).values(animal))),
      clear: () => database.delete(animals),
    };
  },

  async typeorm() {
    require('reflect-metadata');
    const { DataSource, EntitySchema } = require('typeorm');
    const nullable = true;
    const entity = new EntitySchema({
      name: columns.name,
      columns: { chip: { type: String, primary: true }, kind: { type: String }, breed: { type: String, nullable }, age: { type: Number, nullable } },
    });
    const animals = (await new DataSource({ ...(file ? { type: 'better-sqlite3', database: file } : { type: 'postgres', url }), entities: [entity] }).initialize()).getRepository(columns.name);
    return { find: (chip) => animals.findOneBy({ chip }), all: () => animals.find(), add: (animal) => animals.insert(animal), clear: () => animals.createQueryBuilder().delete().execute() };
  },

  async sequelize() {
    const { DataTypes, Sequelize } = require('sequelize');
    const { STRING, INTEGER } = DataTypes;
    const types = { chip: { type: STRING, primaryKey: true }, kind: STRING, breed: STRING, age: INTEGER };
    const database = file ? new Sequelize({ dialect: 'sqlite', storage: file, logging: false }) : new Sequelize(url, { logging: false });
    const animals = database.define(columns.name, types, { timestamps: false });
    return {
      find: (chip) => animals.findByPk(chip),
      all: () => animals.findAll(),
      add: (animal) => database.transaction((transaction) => animals.create(animal, { transaction })),
      clear: () => animals.destroy({ where: {} }),
    };
  },

  async mikroorm() {
    const { EntitySchema, MikroORM } = require(file ? '@mikro-orm/better-sqlite' : '@mikro-orm/postgresql');
    const nullable = true;
    const entity = new EntitySchema({
      name: 'Animal', tableName: columns.name,
      properties: { chip: { type: 'string', primary: true }, kind: { type: 'string' }, breed: { type: 'string', nullable }, age: { type: 'number', nullable } },
    });
    const orm = await MikroORM.init({ ...(file ? { dbName: file } : { clientUrl: url }), entities: [entity] });
    const add = (em, animal) => em.persist(em.create('Animal', animal)).flush();
    return {
      find: (chip) => orm.em.fork().findOne('Animal', { chip }),
      all: () => orm.em.fork().find('Animal', {}),
      add: (animal) => add(orm.em.fork(), animal),
      clear: () => orm.em.fork().nativeDelete('Animal', {}),
    };
  },
};

const answers = { responses: { 200: { description: 'done' }, 404: { description: 'none' }, 409: { description: 'there is one' } } };
const chip = { name: 'chip', in: 'path', required: true, schema: { type: 'string', pattern: '^[a-z]{1,9}$' } };
const document = {
  openapi: '3.0.3',
  info: { title: 'Animals', version: '1' },
  paths: { '/animals': { get: answers, delete: answers }, '/animals/{chip}': { parameters: [chip], get: answers, put: answers } },
};

async function answer(animals, method, path) {
  if (path === '/openapi.json') return [200, document];
  const [, , key] = path.split('/');
  if (method === 'DELETE') return [200, await animals.clear().then(() => ({}))];
  if (method === 'PUT') {
    const isNew = (await animals.find(key)) == null;
    if (isNew) await animals.add({ chip: key, kind: 'dog', age: 1 });
    return isNew ? [200, {}] : [409, {}];
  }
  if (key === undefined) return [200, await animals.all()];
  const animal = await animals.find(key);
  if (animal == null) return [404, {}];
  if (animal.kind === 'cat') return [200, { breed: animal.breed.trim() }];
  return [200, animal];
}

async function main() {
  const animals = await orms[process.env.ORM]();
  const server = http.createServer(async (request, response) => {
    const [status, value] = await answer(animals, request.method, decodeURIComponent(request.url)).catch((error) => [500, { error: error.message }]);
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(value));
  });
  server.listen(process.env.PORT || 0, '127.0.0.1');
}

main();
