'use strict';
/**
 * The table of the tapped files of drivers, ORMs, job queues, schema libraries and web frameworks, by package and path
 * in it, with the functions that tap them.
 */

const { ObjectKeys, getBuiltinModule, hasOwn, reflectApply, startsWith, slice } = require('../../base/intrinsics.cjs');
const { watchBetterSqlite3 } = require('../../databases/drivers/better-sqlite3.cjs');
const { watchIoredis } = require('../../databases/drivers/ioredis.cjs');
const { watchBson, watchMongodb } = require('../../databases/drivers/mongodb.cjs');
const { watchMongodbCore } = require('../../databases/drivers/mongodb-before-4.cjs');
const { watchLibsql } = require('../../databases/drivers/libsql.cjs');
const { watchMariadb } = require('../../databases/drivers/mariadb.cjs');
const { watchMysql } = require('../../databases/drivers/mysql.cjs');
const { watchMysql2 } = require('../../databases/drivers/mysql2.cjs');
const { watchNodeRedis } = require('../../databases/drivers/node-redis.cjs');
const { watchHttp2 } = require('../../external/sent-requests.cjs');
const { watchNodeSqlite } = require('../../databases/drivers/node-sqlite.cjs');
const { watchPg } = require('../../databases/drivers/pg.cjs');
const { watchPglite } = require('../../databases/drivers/pglite.cjs');
const { watchPostgresJs } = require('../../databases/drivers/postgres-js.cjs');
const { watchRedisBefore4 } = require('../../databases/drivers/redis-before-4.cjs');
const { watchSqlJs } = require('../../databases/drivers/sql-js.cjs');
const { watchSqlite3 } = require('../../databases/drivers/sqlite3.cjs');
const { watchClassValidator } = require('../../databases/models/class-validator.cjs');
const { watchDrizzle } = require('../../databases/models/drizzle.cjs');
const { watchMongoose } = require('../../databases/models/mongoose.cjs');
const { watchPrisma } = require('../../databases/models/prisma.cjs');
const { watchSequelize } = require('../../databases/models/sequelize.cjs');
const { watchTypeorm } = require('../../databases/models/typeorm.cjs');
const { watchBull, watchBullmq, watchScripts } = require('../isolation/bull-jobs.cjs');
const { watchArgon2, watchBcrypt, watchBcryptjs } = require('../isolation/known-hashes.cjs');
const { watchNestErrors } = require('./framework-taps.cjs');
const { watchJws } = require('./token-keys.cjs');
const { watchGraphqlSchema } = require('../errors/bound-resolvers.cjs');
const { watchGraphql, watchGraphqlTools } = require('../errors/located-errors.cjs');
const { watchZod } = require('../schemas/zod-patterns.cjs');
const { watchYup } = require('../schemas/yup-errors.cjs');
const { watchClassTransformer } = require('../validators/class-validator-schemas.cjs');
const { watchNestPipes } = require('../validators/nest-pipe-schemas.cjs');
const { watchAccepts } = require('../inputs/accepted-types.cjs');
const { watchHapi } = require('../inputs/hapi-scopes.cjs');
const { watchNest, watchNestCommon } = require('../inputs/nest-parameters.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { watchExpress, watchRouterPackage } = require('../../routes/express-routes.cjs');
const { watchFindMyWay } = require('../../routes/find-my-way-routes.cjs');
const { watchHapiRouter } = require('../../routes/hapi-routes.cjs');
const { watchHono } = require('../../routes/hono-routes.cjs');
const { watchFeathers } = require('../../routes/feathers-routes.cjs');
const { watchLoopback } = require('../../routes/loopback-routes.cjs');
const { watchKoa, watchKoaRouter } = require('../../routes/koa-routes.cjs');
const { watchMoleculer } = require('../../routes/moleculer-routes.cjs');
const { watchNestExpress, watchNestFastify } = require('../../routes/nest-versions.cjs');
const { watchNext } = require('../../routes/next-routes.cjs');
const { watchOpenapiBackend } = require('../../routes/openapi-backend-routes.cjs');
const { watchTrouter } = require('../../routes/polka-routes.cjs');

/** @typedef {import('../../base/patching.cjs').Watch} Watch */

/** Package -> file in it -> function that taps its exports. @type {Record<string, Record<string, Watch>>} */
const TAPPED = {
  accepts: watchAccepts,
  argon2: watchArgon2,
  bcrypt: watchBcrypt,
  bcryptjs: watchBcryptjs,
  'better-sqlite3': watchBetterSqlite3,
  bull: watchBull,
  bullmq: watchBullmq,
  ioredis: { ...watchIoredis, ...watchScripts },
  jws: watchJws,
  '@redis/client': watchNodeRedis,
  redis: watchRedisBefore4,
  bson: watchBson,
  mongodb: watchMongodb,
  'mongodb-core': watchMongodbCore,
  '@electric-sql/pglite': watchPglite,
  pg: watchPg,
  postgres: watchPostgresJs,
  'sql.js': watchSqlJs,
  sqlite3: watchSqlite3,
  libsql: watchLibsql,
  mariadb: watchMariadb,
  mysql: watchMysql,
  mysql2: watchMysql2,
  'class-transformer': watchClassTransformer,
  graphql: watchGraphql,
  '@graphql-tools/schema': watchGraphqlSchema,
  '@graphql-tools/utils': watchGraphqlTools,
  'class-validator': watchClassValidator,
  'drizzle-orm': watchDrizzle,
  mongoose: watchMongoose,
  '.prisma': watchPrisma,
  sequelize: watchSequelize,
  typeorm: watchTypeorm,
  yup: watchYup,
  zod: watchZod,
  express: watchExpress,
  router: watchRouterPackage,
  'find-my-way': watchFindMyWay,
  koa: watchKoa,
  'koa-router': watchKoaRouter,
  '@koa/router': watchKoaRouter,
  hono: watchHono,
  '@feathersjs/feathers': watchFeathers,
  '@loopback/rest': watchLoopback,
  'moleculer-web': watchMoleculer,
  '@nestjs/common': { ...watchNestCommon, ...watchNestPipes },
  '@nestjs/core': { ...watchNest, ...watchNestErrors },
  '@nestjs/platform-express': watchNestExpress,
  '@nestjs/platform-fastify': watchNestFastify,
  next: watchNext,
  '@hapi/call': watchHapiRouter,
  '@hapi/hapi': watchHapi,
  trouter: watchTrouter,
  'openapi-backend': watchOpenapiBackend,
};

/** Built-in modules of Node. @type {Record<string, (exports: any) => void>} */
const BUILT_IN = { 'node:sqlite': watchNodeSqlite, 'node:http2': watchHttp2 };

/** The files by package, for the loader, which reports them as ES modules too. @type {Record<string, string[]>} */
const announced = { __proto__: /** @type {any} */ (null) };
for (const name of ObjectKeys(TAPPED)) announced[name] = ObjectKeys(TAPPED[name]);

/**
 * @param {string} packageName
 * @param {string} folder of the package
 * @param {string} path of a file of it that has run
 * @param {any} module Node's object; for an ES module an object with its exports
 */
function noticePackage(packageName, folder, path, module) {
  if (!hasOwn(TAPPED, packageName) || !startsWith(path, folder)) return;
  const files = TAPPED[packageName];
  const file = slice(path, folder.length + 1);
  if (hasOwn(files, file)) files[file](readData(module, 'exports'), module);
}

/** @param {string} url of a module before the program gets it */
function noticeBuiltIn(url) {
  try {
    if (hasOwn(BUILT_IN, url) && typeof getBuiltinModule === 'function') {
      BUILT_IN[url](reflectApply(getBuiltinModule, process, [url]));
    }
  } catch {
    // The program gets the same error when it loads the module.
  }
}

module.exports = { announced, noticeBuiltIn, noticePackage };
