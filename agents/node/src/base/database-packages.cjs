'use strict';
/** Tells packages that connect to databases: their drivers, and mappers that bring their own. */

const { regExpExec } = require('./intrinsics.cjs');

const DATABASE_DRIVER =
  /^(?:pg|pg-[\w-]+|postgres|mysql|mysql2|mariadb|mongodb|mongodb-core|mongoose|ioredis|redis|@redis\/[\w-]+|tedious|mssql|oracledb|cassandra-driver|neo4j-driver[\w-]*|@mikro-orm\/[\w-]+|knex|sequelize|typeorm)$/;

/** @param {string} name of a package */
const isDatabaseDriver = (name) => regExpExec(DATABASE_DRIVER, name) !== null;

module.exports = { isDatabaseDriver };
