// An API by the driver or ORM that VIA names, on PostgreSQL or MySQL (DATABASE_URL) or SQLite (DATABASE_FILE). Each operation under /raw puts its input into the text of a command; its twin under /safe does not. GET /animals asks once for each animal.
'use strict';
const http = require('http');

const { DATABASE_URL: url, DATABASE_FILE: file, VIA: via } = process.env;
const isMysql = /^mysql/.test(url ?? '');
const columns = ['chip', 'kind', 'breed', 'age'];
const isPostgres = via === 'pglite' || (url && !isMysql);
/** A placeholder by its number. */
const mark = (number) => (isPostgres ? `$${number}` : '?');
/** For databases in memory. */
const SCRIPT = "CREATE TABLE animals (chip varchar(9) PRIMARY KEY, kind varchar(20) NOT NULL, breed varchar(50), age int); INSERT INTO animals VALUES ('bello', 'dog', 'pug', 3), ('rex', 'dog', 'husky', 4)";
const entity = { name: 'animals', columns: { chip: { type: String, primary: true }, kind: { type: String }, breed: { type: String, nullable: true }, age: { type: Number, nullable: true } } };

/** Each answers { run: rows of a text with parameters, find: one animal by its chip } with the means of the library. */
const libraries = {
  async 'better-sqlite3'() {
    const database = require('better-sqlite3')(file);
    return onRun(async (text, params) => (/^insert/i.test(text) ? database.prepare(text).run(...params) : database.prepare(text).all(...params)));
  },

  async 'node:sqlite'() {
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(file);
    return onRun(async (text, params) => (/^insert/i.test(text) ? database.prepare(text).run(...params) : database.prepare(text).all(...params)));
  },

  async sqlite3() {
    const { Database } = require('sqlite3');
    const database = new Database(file);
    await new Promise((resolve, reject) => database.exec(SCRIPT, (error) => (error ? reject(error) : resolve())));
    return onRun((text, params) => new Promise((resolve, reject) => database.all(text, params, (error, rows) => (error ? reject(error) : resolve(rows)))));
  },

  async 'sql.js'() {
    const { Database } = await require('sql.js')();
    const database = new Database();
    database.exec(SCRIPT);
    return onRun(async (text, params) => {
      const statement = database.prepare(text);
      statement.bind(params);
      const rows = [];
      while (statement.step()) rows.push(statement.getAsObject());
      statement.free();
      return rows;
    });
  },

  async pglite() {
    const { PGlite } = require('@electric-sql/pglite');
    const database = await PGlite.create();
    await database.exec(SCRIPT);
    return onRun(async (text, params) => (await database.query(text, params)).rows);
  },

  async prisma() {
    const { PrismaPg } = require('@prisma/adapter-pg');
    const { PrismaClient } = require('./generated');
    const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) });
    return { run: (text, params) => prisma.$queryRawUnsafe(text, ...params), find: (chip) => prisma.animal.findFirst({ where: { chip } }) };
  },

  async pg() {
    const { Pool } = require('pg');
    const pool = new Pool({ connectionString: url });
    return onRun(async (text, params) => (await pool.query(text, params)).rows);
  },

  async postgres() {
    const sql = require('postgres')(url, { onnotice() {} });
    const find = async (chip) => (await sql`SELECT * FROM animals WHERE chip = ${chip}`)[0];
    return { run: (text, params) => sql.unsafe(text, params), find };
  },

  async mysql() {
    const pool = require('mysql').createPool(url);
    return onRun((text, params) => new Promise((resolve, reject) => pool.query(text, params, (error, rows) => (error ? reject(error) : resolve(rows)))));
  },

  async mysql2() {
    const pool = require('mysql2/promise').createPool(url);
    return onRun(async (text, params) => (await pool.query(text, params))[0]);
  },

  async knex() {
    const database = onKnex();
    const run = async (text, params) => {
      const found = await database.raw(text.replace(/\$\d/g, '?'), params);
      return found.rows ?? (isMysql ? found[0] : found);
    };
    return { run, find: (chip) => database('animals').where({ chip }).first() };
  },

  async objection() {
    const { Model } = require('objection');
    class Animal extends Model {
      static tableName = 'animals';
      static idColumn = 'chip';
    }
    const database = onKnex();
    Animal.knex(database);
    const run = async (text, params) => {
      const found = await Animal.knex().raw(text.replace(/\$\d/g, '?'), params);
      return found.rows ?? found;
    };
    return { run, find: (chip) => Animal.query().findOne({ chip }) };
  },

  async drizzle() {
    const { drizzle } = require(file ? 'drizzle-orm/better-sqlite3' : 'drizzle-orm/node-postgres');
    const { pgTable, sqliteTable, text: textColumn, integer } = require(file ? 'drizzle-orm/sqlite-core' : 'drizzle-orm/pg-core');
    const { eq, sql } = require('drizzle-orm');
    const animals = (pgTable ?? sqliteTable)('animals', { chip: textColumn('chip').primaryKey(), kind: textColumn('kind'), breed: textColumn('breed'), age: integer('age') });
    const database = drizzle(file ?? url);
    const run = async (text, params) => {
      const parts = text.split(/\$\d|\?/).flatMap((part, index) => (index === 0 ? [sql.raw(part)] : [sql`${params[index - 1]}`, sql.raw(part)]));
      const query = sql.join(parts, sql.raw(''));
      if (file) return /^insert/i.test(text) ? database.run(query) : database.all(query);
      return (await database.execute(query)).rows;
    };
    return { run, find: async (chip) => (await database.select().from(animals).where(eq(animals.chip, chip)))[0] };
  },

  async typeorm() {
    require('reflect-metadata');
    const { DataSource, EntitySchema } = require('typeorm');
    const source = await new DataSource({ ...(file ? { type: 'better-sqlite3', database: file } : { type: isMysql ? 'mysql' : 'postgres', url }), entities: [new EntitySchema(entity)] }).initialize();
    const animals = source.getRepository('animals');
    return {
      run: (text, params) => source.query(text, params),
      search: (word) => animals.createQueryBuilder('animal').where(`animal.breed LIKE '%${word}%'`).getMany(),
      find: (chip) => animals.findOneBy({ chip }),
    };
  },

  async sequelize() {
    const { DataTypes, QueryTypes, Sequelize } = require('sequelize');
    const { STRING, INTEGER } = DataTypes;
    const database = new Sequelize(url, { logging: false });
    const animals = database.define('animals', { chip: { type: STRING, primaryKey: true }, kind: STRING, breed: STRING, age: INTEGER }, { timestamps: false });
    return {
      run: (text, bind) => database.query(text, { bind, type: QueryTypes.SELECT }),
      find: (chip) => animals.findOne({ where: { chip } }),
    };
  },

  async mikroorm() {
    const { EntitySchema, MikroORM } = require(file ? '@mikro-orm/better-sqlite' : '@mikro-orm/postgresql');
    const nullable = true;
    const animal = new EntitySchema({
      name: 'Animal', tableName: 'animals',
      properties: { chip: { type: 'string', primary: true }, kind: { type: 'string' }, breed: { type: 'string', nullable }, age: { type: 'number', nullable } },
    });
    const orm = await MikroORM.init({ ...(file ? { dbName: file } : { clientUrl: url }), entities: [animal] });
    return {
      run: (text, params) => orm.em.getConnection().execute(text.replace(/\$\d/g, '?'), params),
      find: (chip) => orm.em.fork().findOne('Animal', { chip }),
    };
  },
};

function onKnex() {
  return require('knex')(file ? { client: 'better-sqlite3', connection: file, useNullAsDefault: true } : { client: isMysql ? 'mysql2' : 'pg', connection: url });
}

function onRun(run) {
  return { run, find: async (chip) => (await run(`SELECT * FROM animals WHERE chip = ${mark(1)}`, [chip]))[0] };
}

/** Answers of the operations: [vulnerable, safe]. */
const operations = {
  '/search': ({ run, search }, { word }) => (search ? search(word) : run(`SELECT * FROM animals WHERE breed LIKE '%${word}%'`, [])),
  '/sorted': ({ run }, { by }) => run(`SELECT * FROM animals ORDER BY ${by}`, []),
  '/page': ({ run }, { limit }) => run(`SELECT * FROM animals ORDER BY chip LIMIT ${limit}`, []),
  '/found': async ({ find }, { chip }) => ((await find(chip)) ? [chip] : []),
};
const twins = {
  '/search': ({ run }, { word }) => run(`SELECT * FROM animals WHERE breed LIKE ${mark(1)}`, [`%${word}%`]),
  '/sorted': ({ run }, { by }) => run(`SELECT * FROM animals ORDER BY ${columns.includes(by) ? by : 'chip'}`, []),
  '/page': ({ run }, { limit }) => run(`SELECT * FROM animals ORDER BY chip LIMIT ${Math.max(0, parseInt(limit, 10) || 0)}`, []),
  '/found': async ({ find }, { chip }) => ((await find(String(chip))) ? [chip] : []),
};

async function eachAlone({ run, find }, { most }) {
  const animals = await run(`SELECT chip FROM animals ORDER BY kind LIMIT ${Math.min(3, Math.max(1, parseInt(most, 10) || 3))}`, []);
  const found = [];
  for (const animal of animals) found.push(await find(animal.chip));
  return found;
}

async function add({ run }, { chip }) {
  await run(`INSERT INTO animals (chip, kind) VALUES (${mark(1)}, 'cat')${isPostgres ? ' RETURNING chip' : ''}`, [String(chip)]);
  return { chip };
}

const text = { type: 'string', minLength: 1, maxLength: 30 };
const inputs = { '/search': ['word', text], '/sorted': ['by', text], '/page': ['limit', { type: 'integer', minimum: 1, maximum: 100 }], '/found': ['chip', text] };
const responses = { 200: { description: 'done' }, 400: { description: 'refused' } };
/** Sent as JSON. */
const body = (properties) => ({ required: true, content: { 'application/json': { schema: { type: 'object', required: Object.keys(properties), properties } } } });
const chip = { type: 'string', pattern: '^[a-z]{3,9}$' };
const most = { name: 'most', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 3 } };
const paths = { '/animals': { get: { parameters: [most], responses }, post: { requestBody: body({ chip }), responses: { ...responses, 500: { description: 'taken' } } } } };
for (const [group, table] of [['/raw', operations], ['/safe', twins]]) {
  for (const path of Object.keys(table)) {
    const [name, schema] = inputs[path];
    const operation = path === '/found' ? { post: { requestBody: body({ [name]: schema }), responses } } : { get: { parameters: [{ name, in: 'query', required: true, schema }], responses } };
    paths[group + path] = operation;
  }
}

async function answer(library, method, path, query) {
  if (path === '/openapi.json') return { openapi: '3.0.3', info: { title: 'Animals', version: '1' }, paths };
  if (path === '/animals') return method === 'POST' ? add(library, query) : eachAlone(library, query);
  const [, group, name] = /^(\/[a-z]+)(\/[a-z]+)$/.exec(path);
  return (group === '/raw' ? operations : twins)[name](library, query);
}

libraries[via]().then((library) => {
  const server = http.createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    let status = 200;
    let sent = '';
    for await (const part of request) sent += part;
    const value = await answer(library, request.method, pathname, sent ? JSON.parse(sent) : Object.fromEntries(searchParams)).catch((error) => {
      status = 500;
      return { error: error.message };
    });
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(value ?? null));
  });
  server.listen(process.env.PORT || 0, '127.0.0.1');
});
