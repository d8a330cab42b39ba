'use strict';
/** Tells which package a file belongs to, and whether that is a driver of a database. */

const { lastIndexOf, regExpExec, slice } = require('./intrinsics.cjs');

const SEGMENT = '/node_modules/';
const DATABASE_DRIVER =
  /^(?:pg|pg-[\w-]+|postgres|mysql|mysql2|mariadb|mongodb|mongodb-core|mongoose|ioredis|redis|@redis\/[\w-]+|tedious|mssql|oracledb|cassandra-driver|neo4j-driver[\w-]*|@mikro-orm\/[\w-]+|knex|sequelize|typeorm)$/;

/** @param {string} file @returns {string} the package that it belongs to; empty: none */
function packageOf(file) {
  const start = lastIndexOf(file, SEGMENT);
  if (start < 0) return '';
  const name = regExpExec(/^(?:@[^/]+\/)?[^/]+/, slice(file, start + SEGMENT.length));
  return name === null ? '' : name[0];
}

/** @param {string} name of a package */
const isDatabaseDriver = (name) => regExpExec(DATABASE_DRIVER, name) !== null;

module.exports = { isDatabaseDriver, packageOf };
