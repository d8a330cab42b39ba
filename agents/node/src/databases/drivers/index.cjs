'use strict';
/** Which file of which driver or ORM is tapped, and by what: the one table, by package and path in it. */

const { hasOwn, startsWith, slice } = require('../../intrinsics.cjs');
const { watchClassValidator } = require('../models/class-validator.cjs');
const { watchSequelize } = require('../models/sequelize.cjs');
const { watchTypeorm } = require('../models/typeorm.cjs');
const { watchBetterSqlite3 } = require('./better-sqlite3.cjs');
const { watchIoredis } = require('./ioredis.cjs');
const { watchMysql2 } = require('./mysql2.cjs');
const { watchNodeRedis } = require('./node-redis.cjs');
const { watchPg } = require('./pg.cjs');

/** @typedef {(exports: any) => void} Watch */

/** Package -> file in it, without extension -> what to do with what it exports. @type {Record<string, Record<string, Watch>>} */
const DRIVERS = {
  'better-sqlite3': watchBetterSqlite3,
  ioredis: watchIoredis,
  '@redis/client': watchNodeRedis,
  pg: watchPg,
  mysql2: watchMysql2,
  'class-validator': watchClassValidator,
  sequelize: watchSequelize,
  typeorm: watchTypeorm,
};

/**
 * @param {string} packageName
 * @param {string} folder of the package
 * @param {string} path of a CommonJS file of it that has run
 * @param {any} exports
 */
function noticeDriver(packageName, folder, path, exports) {
  if (!hasOwn(DRIVERS, packageName) || !startsWith(path, folder)) return;
  const files = DRIVERS[packageName];
  const file = slice(path, folder.length + 1);
  if (hasOwn(files, file)) files[file](exports);
}

module.exports = { noticeDriver };
