'use strict';
/** Which file of which driver, ORM, queue of jobs or library of schemas is tapped, and by what: the one table, by package and path in it. */

const { ObjectKeys, getBuiltinModule, hasOwn, reflectApply, startsWith, slice } = require('../../intrinsics.cjs');
const { watchBull, watchBullmq, watchScripts } = require('../../runtime/isolation/repeated-jobs.cjs');
const { watchZod } = require('../../runtime/schema-patterns.cjs');
const { watchYup } = require('../../runtime/schema-refusals.cjs');
const { readData } = require('../../runtime/stacks.cjs');
const { watchClassValidator } = require('../models/class-validator.cjs');
const { watchMongoose } = require('../models/mongoose.cjs');
const { watchSequelize } = require('../models/sequelize.cjs');
const { watchTypeorm } = require('../models/typeorm.cjs');
const { watchBetterSqlite3 } = require('./better-sqlite3.cjs');
const { watchIoredis } = require('./ioredis.cjs');
const { watchBson, watchMongodb } = require('./mongodb.cjs');
const { watchMysql } = require('./mysql.cjs');
const { watchMysql2 } = require('./mysql2.cjs');
const { watchNodeSqlite } = require('./node-sqlite.cjs');
const { watchNodeRedis } = require('./node-redis.cjs');
const { watchPglite } = require('./pglite.cjs');
const { watchPg } = require('./pg.cjs');
const { watchSqlJs } = require('./sql-js.cjs');
const { watchSqlite3 } = require('./sqlite3.cjs');

/** @typedef {(exports: any, module: any) => void} Watch the module is Node's object, from which others take its exports afterwards */

/** Package -> file in it -> what to do with what it exports. @type {Record<string, Record<string, Watch>>} */
const DRIVERS = {
  'better-sqlite3': watchBetterSqlite3,
  bull: watchBull,
  bullmq: watchBullmq,
  ioredis: { ...watchIoredis, ...watchScripts },
  '@redis/client': watchNodeRedis,
  bson: watchBson,
  mongodb: watchMongodb,
  '@electric-sql/pglite': watchPglite,
  pg: watchPg,
  'sql.js': watchSqlJs,
  sqlite3: watchSqlite3,
  mysql: watchMysql,
  mysql2: watchMysql2,
  'class-validator': watchClassValidator,
  mongoose: watchMongoose,
  sequelize: watchSequelize,
  typeorm: watchTypeorm,
  yup: watchYup,
  zod: watchZod,
};

/** Modules of Node's own. @type {Record<string, (exports: any) => void>} */
const BUILT_IN = { 'node:sqlite': watchNodeSqlite };

/** The files by package, for the loader: as ES modules they are noticed too. @type {Record<string, string[]>} */
const announced = { __proto__: /** @type {any} */ (null) };
for (const name of ObjectKeys(DRIVERS)) announced[name] = ObjectKeys(DRIVERS[name]);

/**
 * @param {string} packageName
 * @param {string} folder of the package
 * @param {string} path of a file of it that has run
 * @param {any} module Node's object; of an ES module one with what it exports
 */
function noticeDriver(packageName, folder, path, module) {
  if (!hasOwn(DRIVERS, packageName) || !startsWith(path, folder)) return;
  const files = DRIVERS[packageName];
  const file = slice(path, folder.length + 1);
  if (hasOwn(files, file)) files[file](readData(module, 'exports'), module);
}

/** @param {string} url of a module that is about to be handed to the program */
function noticeBuiltIn(url) {
  try {
    if (hasOwn(BUILT_IN, url) && typeof getBuiltinModule === 'function') BUILT_IN[url](reflectApply(getBuiltinModule, process, [url]));
  } catch {
    // The program will be told the same when it gets there.
  }
}

module.exports = { announced, noticeBuiltIn, noticeDriver };
