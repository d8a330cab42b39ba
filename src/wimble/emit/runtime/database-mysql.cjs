'use strict';
/*
 * MySQL and MariaDB, for database.cjs. Without a URL and a login, user and password are MYSQL_USER and MYSQL_PASSWORD,
 * else DB_USER and DB_PASSWORD.
 */
const EXACT = { dateStrings: true, supportBigNumbers: true, bigNumberStrings: true };
const EXACT_IN_MARIADB = { autoJsonMap: false, bitOneIsBoolean: false }; // options of `mariadb` only
const CONTENT = '(content)';

module.exports = async function open(requireOfSut, { driver, url, host, port, database, login }) {
  const { MYSQL_USER, MYSQL_PASSWORD, DB_USER = 'root', DB_PASSWORD = '' } = process.env;
  const user = { user: login.user || (MYSQL_USER ?? DB_USER), password: login.password || (MYSQL_PASSWORD ?? DB_PASSWORD) };
  const place = host.startsWith('/') ? { socketPath: host } : { host, port };
  const settings = { ...(url ? settingsOf(url, driver) : { ...place, database, ...user }), ...EXACT };
  const client =
    driver === 'mariadb' ? requireOfSut('mariadb/callback').createConnection({ ...settings, ...EXACT_IN_MARIADB }) : requireOfSut(driver).createConnection(settings);
  const query = (text, values = []) =>
    new Promise((resolve, reject) => client.query(text, values.map(sent), (error, found) => (error ? reject(error) : resolve(found))));
  await new Promise((resolve, reject) => client.connect((error) => (error ? reject(error) : resolve())));
  client.on('error', () => {}); // commands tell of a connection that is lost
  await query('SET SESSION information_schema_stats_expiry = 0').catch(() => {}); // MySQL 8 remembers counters for a day; MariaDB does not

  return {
    async readRows(table) {
      const hasKey = table.key.length > 0;
      const columns = [...table.columns.map(quoted), ...(hasKey ? [] : [`${contentOf(table)} AS ${quoted(CONTENT)}`])];
      const found = await query(`SELECT ${columns.join(', ')} FROM ${table.sql}`);
      return found.map(({ [CONTENT]: content, ...row }) => [hasKey ? JSON.stringify(table.key.map((name) => row[name])) : content, JSON.stringify(row)]);
    },

    async insert(table, row) {
      const columns = Object.keys(row).map(quoted).join(', ');
      await query(`INSERT INTO ${table.sql} (${columns}) VALUES (${Object.keys(row).map(() => '?').join(', ')})`, Object.values(row));
    },

    async remove(table, keys) {
      for (const key of keys) {
        if (table.key.length > 0) await query(`DELETE FROM ${table.sql} WHERE ${whereOf(table)}`, valuesOf(key));
        else await query(`DELETE FROM ${table.sql} WHERE ${contentOf(table)} = ? LIMIT 1`, [key]);
      }
    },

    async removeLike(table, columns, row) {
      const conditions = columns.map((name) => `${quoted(name)} = ?`).join(' AND ');
      await query(`DELETE FROM ${table.sql} WHERE ${conditions}`, columns.map((name) => row[name]));
    },

    async putBack(table, key, row, isThere) {
      const values = table.columns.map((name) => JSON.parse(row)[name]);
      const columns = table.columns.map(quoted);
      if (isThere) {
        const changes = columns.map((name) => `${name} = ?`).join(', ');
        await query(`UPDATE ${table.sql} SET ${changes} WHERE ${whereOf(table)}`, [...values, ...valuesOf(key)]);
      } else {
        await query(`INSERT INTO ${table.sql} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`, values);
      }
    },

    async readCounters(table) {
      if (!table.numbered) return null;
      const [state] = await query(
        'SELECT AUTO_INCREMENT AS next FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?',
        [table.name],
      );
      return state?.next ?? null;
    },

    async setCounter(table, state) {
      if (state !== null) await query(`ALTER TABLE ${table.sql} AUTO_INCREMENT = ${Number(state)}`);
    },

    async inTransaction(work) {
      await query('SET @wimble_sql_mode = COALESCE(@wimble_sql_mode, @@SESSION.sql_mode)');
      await query("SET SESSION foreign_key_checks = 0, sql_mode = 'NO_AUTO_VALUE_ON_ZERO'"); // what was there is put back whatever it is
      await query('START TRANSACTION');
      try {
        await work();
      } catch (error) {
        await Promise.resolve().then(() => query('ROLLBACK')).catch(() => {}); // the connection may be lost
        throw error;
      }
      await query('COMMIT');
      await query('SET SESSION foreign_key_checks = 1, sql_mode = @wimble_sql_mode');
    },

    close: () => new Promise((resolve) => client.end(resolve)),
  };
};

function settingsOf(url, driver) {
  if (driver === 'mysql2') return { uri: url };
  const { hostname, port, username, password, pathname } = new URL(url);
  const [user, secret, database] = [username, password, pathname.slice(1)].map(decodeURIComponent);
  return { host: hostname, port: Number(port) || 3306, user, password: secret, database };
}

/** The bytes of a row, by which rows of a table without a key are told apart. */
function contentOf(table) {
  return `CONCAT_WS(',', ${table.columns.map((name) => `IFNULL(HEX(CAST(${quoted(name)} AS BINARY)), 'NULL')`).join(', ')})`;
}

function whereOf(table) {
  return table.key.map((name) => `${quoted(name)} = ?`).join(' AND ');
}

function valuesOf(key) {
  return JSON.parse(key);
}

/** Bytes come back from JSON as `{ type: 'Buffer', data }`; other objects are JSON columns. */
function sent(value) {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return value;
  return value.type === 'Buffer' && Array.isArray(value.data) ? Buffer.from(value.data) : JSON.stringify(value);
}

function quoted(name) {
  return `\`${name.replaceAll('`', '``')}\``;
}
