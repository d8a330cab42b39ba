// One way to speak to all of them: `all` answers rows, `run` how many were changed.
import fs from 'node:fs';
import { AsyncLocalStorage } from 'node:async_hooks';

const handles = {
  async 'better-sqlite3'(file) {
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(file);
    return {
      exec: (text) => database.exec(text),
      all: (text, values) => database.prepare(text).all(...values),
      run: (text, values) => database.prepare(text).run(values).changes,
    };
  },

  async 'node:sqlite'(file) {
    const { DatabaseSync } = await import('node:sqlite');
    const database = new DatabaseSync(file);
    return {
      exec: (text) => database.exec(text),
      all: (text, values) => database.prepare(text).all(...values),
      run: (text, values) => Number(database.prepare(text).run(...values).changes),
    };
  },

  async sqlite3(file) {
    const { default: sqlite3 } = await import('sqlite3');
    const database = new sqlite3.Database(file);
    const promised = (start) => new Promise((resolve, reject) => start((error, value) => (error ? reject(error) : resolve(value))));
    return {
      exec: (text) => promised((done) => database.exec(text, done)),
      all: (text, values) => promised((done) => database.all(text, values, done)),
      run: (text, values) => promised((done) => database.prepare(text, values).run(function (error) { done(error, this.changes); }).finalize()),
    };
  },

  async libsql(file) {
    const { createClient } = await import('@libsql/client');
    const database = createClient({ url: `file:${file}` });
    const inside = new AsyncLocalStorage();
    const execute = (sql, values) => {
      const args = values.map((value) => (Number.isNaN(value) ? null : value)); // it refuses what the others take for null
      return (inside.getStore() ?? database).execute({ sql, args });
    };
    return {
      exec: (text) => database.executeMultiple(text),
      all: async (text, values) => (await execute(text, values)).rows,
      run: async (text, values) => (await execute(text, values)).rowsAffected,
      async inTransaction(work) {
        const transaction = await database.transaction('write');
        try {
          const result = await inside.run(transaction, work);
          await transaction.commit();
          return result;
        } finally {
          transaction.close();
        }
      },
    };
  },

  async 'sql.js'() {
    const { default: initSqlJs } = await import('sql.js');
    const { Database } = await initSqlJs();
    const database = new Database();
    return {
      exec: (text) => database.exec(text),
      all(text, values) {
        const statement = database.prepare(text);
        statement.bind(values);
        const rows = [];
        while (statement.step()) rows.push(statement.getAsObject());
        statement.free();
        return rows;
      },
      run: (text, values) => database.run(text, values).getRowsModified(),
    };
  },
};

/** PostgreSQL in the process: `file` is a folder, or nothing. */
handles.pglite = async (folder) => {
  const { PGlite } = await import('@electric-sql/pglite');
  const database = await PGlite.create(folder);
  const text = (plain) => {
    let number = 0;
    return plain.replace(/\?/g, () => `$${++number}`);
  };
  const inside = new AsyncLocalStorage();
  const handle = () => inside.getStore() ?? database;
  return {
    exec: (plain) => handle().exec(plain),
    close: () => database.close(),
    all: async (plain, values) => (await handle().query(text(plain), values)).rows,
    run: async (plain, values) => (await handle().query(text(plain), values)).affectedRows,
    inTransaction: (work) => database.transaction((transaction) => inside.run(transaction, work)),
  };
};

export async function open(driver, file) {
  const database = await handles[driver](file);
  await database.exec(fs.readFileSync(new URL(driver === 'pglite' ? './clinic.postgres.sql' : './clinic.sql', import.meta.url), 'utf8'));
  return {
    async inTransaction(work) {
      await database.exec('BEGIN');
      try {
        return await work();
      } finally {
        await database.exec('COMMIT');
      }
    },
    ...database,
  };
}
