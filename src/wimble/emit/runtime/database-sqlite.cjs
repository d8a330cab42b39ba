'use strict';
/*
 * SQLite in a file, for database.cjs. A URL is the file's path, with or without `sqlite:` or `file:` before it.
 * Rows are read as SQL literals and put back from them, so every value comes back exactly. The file is open from
 * `begin` to `restore` only, since it may be another one after the next start of the system under test.
 */
const fs = require('fs');
const { createRequire } = require('module');
const path = require('path');

module.exports = async function open(requireOfSut, { driver, url, folder, file }) {
  const place = path.resolve(folder, url ? url.replace(/^(sqlite|file):(\/\/)?/, '').replace(/\?.*/, '') : file);
  const { all, execute, close } = await handles[driver](requireOfSut, place);
  await execute('PRAGMA busy_timeout = 5000');

  return {
    closesAfterTest: true,

    async readRows(table) {
      const found = await all(`SELECT ${literals(keyOf(table))} AS key, ${literals(table.columns)} AS cells FROM ${table.sql}`);
      return found.map(({ key, cells }) => [key, cells]);
    },

    async insert(table, row) {
      const columns = Object.keys(row).map(quoted).join(', ');
      await all(`INSERT INTO ${table.sql} (${columns}) VALUES (${Object.keys(row).map(() => '?').join(', ')})`, Object.values(row).map(sent));
    },

    async remove(table, keys) {
      for (const key of keys) {
        if (table.key.length > 0) await execute(`DELETE FROM ${table.sql} WHERE ${whereOf(table, key)}`);
        else await all(`DELETE FROM ${table.sql} WHERE _rowid_ = (SELECT _rowid_ FROM ${table.sql} WHERE ${literals(table.columns)} = ? LIMIT 1)`, [key]);
      }
    },

    async removeLike(table, columns, row) {
      const conditions = columns.map((name) => `${quoted(name)} = ?`).join(' AND ');
      await all(`DELETE FROM ${table.sql} WHERE ${conditions}`, columns.map((name) => sent(row[name])));
    },

    async putBack(table, key, cells, isThere) {
      const columns = table.columns.map(quoted);
      const values = JSON.parse(cells);
      if (isThere) {
        await execute(`UPDATE ${table.sql} SET ${columns.map((name, at) => `${name} = ${values[at]}`).join(', ')} WHERE ${whereOf(table, key)}`);
      } else {
        await execute(`INSERT INTO ${table.sql} (${columns.join(', ')}) VALUES (${values.join(', ')})`);
      }
    },

    /** Of AUTOINCREMENT; the numbers of other tables follow from their rows. */
    async readCounters(table) {
      if (!table.numbered) return null;
      const [state] = await all('SELECT quote(seq) AS next FROM sqlite_sequence WHERE name = ?', [table.name]);
      return state ?? { next: null };
    },

    async setCounter(table, state) {
      if (state === null) return;
      if (state.next === null) await all('DELETE FROM sqlite_sequence WHERE name = ?', [table.name]);
      else await all(`UPDATE sqlite_sequence SET seq = ${state.next} WHERE name = ?`, [table.name]);
    },

    async inTransaction(work) {
      await execute('PRAGMA foreign_keys = OFF');
      await execute('BEGIN IMMEDIATE');
      try {
        await work();
      } catch (error) {
        await Promise.resolve().then(() => execute('ROLLBACK')).catch(() => {}); // the connection may be lost
        throw error;
      }
      await execute('COMMIT');
    },

    close,
  };
};

/** What is asked of each driver: rows of a statement, running one, closing the file. */
const handles = {
  'better-sqlite3'(requireOfSut, file) {
    return preparing(new (requireOfSut('better-sqlite3'))(file, { fileMustExist: true }));
  },

  /** It comes with `@libsql/client`, and need not lie beside it. */
  libsql(requireOfSut, file) {
    if (!fs.existsSync(file)) throw new Error(`there is no ${file}`);
    const isBeside = requireOfSut.resolve.paths('libsql').some((folder) => fs.existsSync(path.join(folder, 'libsql')));
    const requireDriver = isBeside ? requireOfSut : createRequire(requireOfSut.resolve('@libsql/client'));
    return preparing(new (requireDriver('libsql'))(file));
  },

  'node:sqlite'(_, file) {
    const database = new ((process.getBuiltinModule ?? require)('node:sqlite').DatabaseSync)(file);
    return { all: (text, values = []) => database.prepare(text).all(...values), execute: (text) => database.exec(text), close: () => database.close() };
  },

  async sqlite3(requireOfSut, file) {
    const { Database, OPEN_READWRITE } = requireOfSut('sqlite3');
    const promised = (start) => new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value))));
    let database;
    await promised((done) => (database = new Database(file, OPEN_READWRITE, done)));
    return {
      all: (text, values = []) => promised((done) => database.all(text, values, done)),
      execute: (text) => promised((done) => database.exec(text, done)),
      close: () => promised((done) => database.close(done)),
    };
  },
};

/** Of a database with synchronous statements. */
function preparing(database) {
  const all = (text, values = []) => {
    const statement = database.prepare(text);
    return statement.reader ? statement.all(values) : (statement.run(values), []);
  };
  return { all, execute: (text) => database.exec(text), close: () => database.close() };
}

/** Of a table without a key, all columns. */
function keyOf(table) {
  return table.key.length > 0 ? table.key : table.columns;
}

/** Their SQL literals, as a JSON array. */
function literals(columns) {
  return `json_array(${columns.map((name) => `quote(${quoted(name)})`).join(', ')})`;
}

function whereOf(table, key) {
  const values = JSON.parse(key);
  return table.key.map((name, at) => `${quoted(name)} IS ${values[at]}`).join(' AND ');
}

/** SQLite has no type for these. */
function sent(value) {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value) ? JSON.stringify(value) : value;
}

function quoted(name) {
  return `"${name.replaceAll('"', '""')}"`;
}
