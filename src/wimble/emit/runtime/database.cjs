'use strict';
/*
 * The databases behind the tests beside this file: puts in the rows that a test needs, and takes back afterwards what
 * the test and its calls have changed, so that rows which were there before stay as they were. What the system under
 * test writes between two tests, or as it stops (late work of its calls, jobs), is taken back, too.
 *
 * Uses the drivers of the system under test (they are looked for in that one's folder), and of each database the
 * connection that this finds:
 *
 *   ownVariable      an environment variable with a URL of your own
 *   variable         the environment variable that held the URL when the tests were made
 *   serverVariable   that of another database on the same server, with the same user and password
 *   place            else what was seen then: a file, or host, port and name. The user and the password are in the
 *                    variables that held them (userVariable, passwordVariable), the password else in ownPassword, a
 *                    variable for it alone, or where it stands in the project (passwordPlace: after `before`, in the
 *                    line with this number among those that hold it), else where the helper beside this file looks
 *
 * Variables that are not set are looked for in the file .env of the system under test, too.
 */
const { readFileSync } = require('fs');
const path = require('path');
const { createInterface } = require('readline');
const { parseEnv } = require('util');

/** Drivers are loaded by Node itself, not by the loader of a test runner. */
const { createRequire } = (process.getBuiltinModule ?? require)('module');

// <settings>
const WORKING_DIR = path.resolve(__dirname, '.');
const DATABASES = []; // tables: parents before their children; those of `leftAlone` are none of the tests' business
// </settings>
const REDIS_HELPER = './database-redis.cjs';
/** What the databases say of a row with a key that another one has. */
const TAKEN = /23505|ER_DUP_ENTRY|UNIQUE constraint failed|E11000/;
/** What they say where a table, or the file that holds it, is not there, or is just being made. */
const MISSING = /42P01|ER_NO_SUCH_TABLE|no such table|SQLITE_CANTOPEN|unable to open database file|SQLITE_BUSY|database is locked/;
/** A program may listen before it has made its tables. */
const TABLES_LIMIT_MS = 10_000;
const TABLES_PAUSE_MS = 50;

/** Of the environment, or of the file that programs read theirs from. */
function variableOf(name) {
  return name ? process.env[name] || ofFile()[name] || '' : '';
}

function ofFile() {
  try {
    return parseEnv(readFileSync(path.join(WORKING_DIR, '.env'), 'utf8'));
  } catch {
    return {};
  }
}

/** The password that stands in a file of the system under test, by itself or in a URL; '' if the file has changed. */
function passwordAt({ file, before, index }) {
  try {
    const lines = readFileSync(path.join(WORKING_DIR, file), 'utf8').split(/\r?\n/);
    const line = lines.filter((one) => one.includes(before))[index];
    const [, quoted, plain = ''] = /^(?:(["'`].+)|(.*))$/.exec(line.slice(line.indexOf(before) + before.length).trim());
    const text = quoted ? quoted.slice(1, quoted.indexOf(quoted[0], 1)) : plain;
    const ofUrl = /^[\w+.-]+:\/\/[^:@/\s]*:([^@/\s]+)@/.exec(text);
    return ofUrl ? decodeURIComponent(ofUrl[1]) : text;
  } catch {
    return '';
  }
}

/** One database, connected when it is first used. */
class Database {
  constructor({ leftAlone, tables, ...settings }) {
    this.name = settings.name;
    this.settings = settings;
    this.known = tables;
    this.leftAlone = leftAlone;
    this.open = null;
    this.tables = tables;
    this.before = null; // what there was at the first test since the start of the system under test
    this.isInTest = false;
    this.inserted = []; // by the test
  }

  async opened() {
    if (this.open === null) {
      const { driver, helper, ownVariable, packages = '', place, user, userVariable } = this.settings;
      const own = process.env[ownVariable] || '';
      const login = { user: variableOf(userVariable) || user, password: this.password() };
      const requireOfSut = createRequire(path.join(WORKING_DIR, packages, 'package.json'));
      const connection = { driver, url: own || this.url(), isOwnUrl: own !== '', folder: WORKING_DIR, login, ...place };
      try {
        this.open = await require(helper)(requireOfSut, connection);
      } catch (error) {
        throw new Error(`cannot connect to ${this.name}: ${error.message || error.code}; ${this.help(login)}`, { cause: error });
      }
    }
    return this.open;
  }

  password() {
    const { passwordVariable, ownPassword, passwordPlace } = this.settings;
    return variableOf(ownPassword) || variableOf(passwordVariable) || (passwordPlace ? passwordAt(passwordPlace) : '');
  }

  /** What to do where no connection can be made. */
  help({ user, password }) {
    const { ownVariable, ownPassword } = this.settings;
    const other = `${ownVariable} may hold another URL`;
    return ownPassword && !password && !this.url() ? `set ${ownPassword} to the password${user ? ` of ${user}` : ''}, or ${other}` : other;
  }

  url() {
    const { variable, serverVariable, driver, place } = this.settings;
    const server = variableOf(serverVariable);
    if (variableOf(variable) || !server) return variableOf(variable) || '';
    const url = new URL(server);
    if (driver !== 'mongodb') url.pathname = `/${encodeURIComponent(place.database)}`; // there it tells where the user is known
    return url.href;
  }

  /** Some databases make tables as they are written to. */
  async allTables() {
    const { tables: find } = await this.opened();
    return find === undefined ? this.known : (await find(this.known)).filter(({ name }) => !this.leftAlone.includes(name));
  }

  async begin() {
    if (this.before === null) await this.rememberOnceMade();
    else await this.putBack();
    this.inserted = [];
    this.isInTest = true;
  }

  async rememberOnceMade() {
    const end = Date.now() + TABLES_LIMIT_MS;
    for (;;) {
      try {
        await this.remember();
        return;
      } catch (error) {
        this.before = null;
        if (!isMissing(error) || Date.now() > end) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, TABLES_PAUSE_MS));
    }
  }

  async remember() {
    const { readCounters } = await this.opened();
    this.tables = await this.allTables();
    this.before = new Map();
    for (const table of this.tables) this.before.set(table.name, { table, rows: await this.rowsOf(table), counter: await readCounters(table) });
  }

  /** By key; equal rows of a table without a key are told apart by their number. */
  async rowsOf(table) {
    const { readRows } = await this.opened();
    const rows = new Map();
    const copies = new Map();
    for (const [key, row] of await readRows(table)) {
      const n = (copies.get(key) ?? 0) + 1;
      copies.set(key, n);
      rows.set(n > 1 ? `${key} ${n}` : key, { key, row });
    }
    return rows;
  }

  async insert(name, row) {
    const table = this.tables.find((one) => one.name === name) ?? { name };
    const cells = Object.entries(row).map(([column, value]) => [column, isBytes(value) ? Buffer.from(value.$bytes, 'base64') : value]);
    await this.insertCells(table, Object.fromEntries(cells));
  }

  /**
   * A row that is in the way was not there when the test was made: a job of the system under test may have written it
   * since. It stands aside until `restore`.
   */
  async insertCells(table, cells) {
    const { insert, removeLike } = await this.opened();
    try {
      await insert(table, cells);
    } catch (error) {
      const keys = [table.key ?? [], ...(table.unique ?? [])].filter((key) => key.length > 0 && key.every((column) => (cells[column] ?? null) !== null));
      const isOwn = (one) => one.table === table && keys.some((key) => key.every((column) => one.cells[column] === cells[column]));
      if (!this.isInTest || !TAKEN.test(`${error.code} ${error.message}`) || this.inserted.some(isOwn)) throw error;
      try {
        for (const key of keys) await removeLike(table, key, cells);
      } catch {
        throw error; // other rows point to it
      }
      await insert(table, cells);
    }
    this.inserted.push({ table, cells });
  }

  async restore() {
    this.isInTest = false;
    if (this.before === null) return;
    const { closesAfterTest } = await this.opened();
    try {
      await this.putBack();
    } catch (error) {
      if (!closesAfterTest || !isMissing(error)) throw error; // else the file is another one, without what the test wrote
    }
    if (closesAfterTest) await this.close();
  }

  async leave() {
    await this.restore();
    this.before = null;
  }

  /**
   * Children lose rows before their parents, and get them back after. Changed rows of children are put back before
   * their parents lose rows, since they may point to these, unless missing rows have to wait: what is there now may
   * have a value that is unique to them. What triggers do on the way is put back, too.
   */
  async putBack() {
    const { inTransaction, putBack, readCounters, remove, setCounter } = await this.opened();
    const tables = [...this.tables];
    for (const table of await this.allTables()) {
      if (!this.before.has(table.name)) tables.push(table);
    }
    await inTransaction(async () => {
      const found = [];
      for (const table of tables) found.push(await this.changesOf(table));
      const isInTurn = found.every(({ table, missing }) => missing.length === 0 || !hasUnique(table));
      let isWritten = false;
      const write = async (table, rows, isThere) => {
        for (const { key, row } of rows) await putBack(table, key, row, isThere);
        isWritten ||= rows.length > 0;
      };
      if (isInTurn) {
        for (const { table, missing } of found) await write(table, missing, false);
      }
      const late = [];
      for (let at = tables.length - 1; at >= 0; at--) {
        const { table, extra, missing, changed } = isWritten ? await this.changesOf(tables[at]) : found[at];
        const isFirst = isInTurn && !hasUnique(table);
        if (isFirst) await write(table, changed, true);
        if (extra.length > 0) await remove(table, extra);
        isWritten ||= extra.length > 0;
        if (isInTurn && !isFirst) await write(table, changed, true);
        late.unshift({ table, missing, changed: isInTurn ? [] : changed });
      }
      for (const { table, missing, changed } of late) {
        await write(table, missing, false);
        await write(table, changed, true);
      }
    });
    for (const { table, counter } of this.before.values()) {
      if (JSON.stringify(await readCounters(table)) !== JSON.stringify(counter)) await setCounter(table, counter);
    }
  }

  /** The keys of new rows, and the rows that are missing or have other values. */
  async changesOf(table) {
    const old = this.before.get(table.name)?.rows ?? new Map();
    const now = await this.rowsOf(table);
    const extra = [...now].filter(([id]) => !old.has(id)).map(([, { key }]) => key);
    const different = [...old].filter(([id, { row }]) => now.get(id)?.row !== row);
    const [missing, changed] = [false, true].map((isThere) => different.filter(([id]) => now.has(id) === isThere).map(([, one]) => one));
    return { table, extra, missing, changed };
  }

  async close() {
    const { open } = this;
    if (open?.closesAfterTest) this.before = null; // the file may be another one next time
    this.open = null;
    if (open !== null) await open.close();
  }
}

const databases = DATABASES.map((settings) => new Database(settings));

/** Before a test: remembers what is there, or makes the tables hold that again. */
async function begin() {
  for (const database of databases) await database.begin();
}

/**
 * Puts a row into a table; columns that are not named get their defaults. inDatabase: its name, where several have such
 * a table.
 */
async function insert(table, row, inDatabase) {
  const ofTables = databases.filter(({ settings }) => settings.helper !== REDIS_HELPER);
  const found =
    ofTables.find(({ name }) => name === inDatabase) ?? ofTables.find(({ known }) => known.some(({ name }) => name === table)) ?? ofTables[0];
  await found.insert(table, row);
}

/** Runs a command of Redis: `['HSET', 'session:1', 'role', 'admin']`. inDatabase: its name, where there are several. */
async function redis(command, inDatabase) {
  const ofKeys = databases.filter(({ settings }) => settings.helper === REDIS_HELPER);
  const { redis: run } = await (ofKeys.find(({ name }) => name === inDatabase) ?? ofKeys[0]).opened();
  await run(command);
}

/** After a test: makes the tables hold what they held at `begin`. */
async function restore() {
  for (const database of databases) await database.restore();
}

/** After the system under test has stopped: the same, and what its next start writes will stay. */
async function leave() {
  for (const database of databases) await database.leave();
}

async function close() {
  try {
    await leave();
  } finally {
    for (const database of databases) await database.close(); // an open connection keeps the process from ending
  }
}

function hasUnique({ unique = [] }) {
  return unique.length > 0;
}

function isMissing(error) {
  return MISSING.test(`${error.code} ${error.message}`);
}

function isBytes(value) {
  return typeof value === 'object' && value !== null && '$bytes' in value;
}

/** As a program: one command per line of standard input, and for each a line with what went wrong, or an empty text. */
async function serve() {
  const commands = { begin, insert, leave, redis, restore };
  for await (const line of createInterface({ input: process.stdin })) {
    const [name, ...rest] = JSON.parse(line);
    const error = await commands[name](...rest).then(() => '', (reason) => String(reason));
    process.stdout.write(`${JSON.stringify(error)}\n`);
  }
  await close();
}

if (require.main === module) serve();

module.exports = { begin, close, insert, leave, redis, restore };
