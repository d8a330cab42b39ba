'use strict';
/*
 * PostgreSQL, for database.cjs, by `pg` or `postgres`. Without a URL and a login, user and password are what the driver
 * finds itself: PGUSER, PGPASSWORD, with `pg` also ~/.pgpass. Rows are read as JSON text and put back from it, so every
 * value comes back exactly.
 */

/** Keys from here on no sequence gets to in a test; moving it there might end it. */
const FAR_KEY = 1_000_000_000;

module.exports = async function open(requireOfSut, { driver, url, host, port, database, login }) {
  const place = { host, port, database, user: login.user || undefined, password: login.password || undefined };
  const { query, close } = await connections[driver](requireOfSut(driver), url, place);

  return {
    async readRows(table) {
      const found = await query(`SELECT ${keyOf(table)} AS key, to_jsonb(t)::text AS row FROM ${table.sql} AS t`);
      return found.map(({ key, row }) => [key, row]);
    },

    async insert(table, row) {
      const columns = Object.keys(row).map(quoted).join(', ');
      const places = Object.keys(row).map((_, index) => `$${index + 1}`).join(', ');
      await query(`INSERT INTO ${table.sql} (${columns}) ${overriding(table)}VALUES (${places})`, Object.values(row));
      if (table.numbered && table.numbered.column in row) await moveCounter(table);
    },

    async remove(table, keys) {
      if (table.key.length > 0) {
        await query(`DELETE FROM ${table.sql} AS t WHERE ${keyOf(table)} = ANY ($1)`, [keys]);
        return;
      }
      const place = `SELECT tableoid, ctid FROM ${table.sql} AS t WHERE ${keyOf(table)} = $1 LIMIT 1`;
      for (const key of keys) await query(`DELETE FROM ${table.sql} WHERE (tableoid, ctid) = (${place})`, [key]);
    },

    async removeLike(table, columns, row) {
      const conditions = columns.map((name, index) => `${quoted(name)} = $${index + 1}`).join(' AND ');
      await query(`DELETE FROM ${table.sql} WHERE ${conditions}`, columns.map((name) => row[name]));
    },

    async putBack(table, key, row, isThere) {
      const columns = table.columns.map(quoted).join(', ');
      const values = `SELECT ${columns} FROM jsonb_populate_record(NULL::${table.sql}, $1::text::jsonb)`;
      if (isThere) {
        await query(`UPDATE ${table.sql} AS t SET (${columns}) = (${values}) WHERE ${keyOf(table)} = $2`, [row, key]);
      } else {
        await query(`INSERT INTO ${table.sql} (${columns}) ${overriding(table)}${values}`, [row]);
      }
    },

    async readCounters(table) {
      if (!table.numbered) return null;
      const [state] = await query(`SELECT last_value, is_called FROM ${table.numbered.sequence}`);
      return state;
    },

    async setCounter(table, state) {
      if (state !== null) await query('SELECT setval($1, $2, $3)', [table.numbered.sequence, state.last_value, state.is_called]);
    },

    async inTransaction(work) {
      await query('BEGIN');
      try {
        await work();
      } catch (error) {
        await Promise.resolve().then(() => query('ROLLBACK')).catch(() => {}); // the connection may be lost
        throw error;
      }
      await query('COMMIT');
    },

    close,
  };

  /** Behind the rows with keys of their own, so that what the calls insert gets others. */
  async function moveCounter({ sql, numbered: { column, sequence } }) {
    await query(
      `SELECT setval($1, rows.key)
         FROM (SELECT max(${quoted(column)}) AS key FROM ${sql} WHERE ${quoted(column)} < ${FAR_KEY}) AS rows,
              ${sequence} AS counter
        WHERE rows.key >= counter.last_value`,
      [sequence],
    );
  }
};

/** How each driver connects, asks and hangs up. */
const connections = {
  async pg({ Client }, url, place) {
    const client = new Client(url ? { connectionString: url } : place);
    await client.connect();
    return { query: async (text, values) => (await client.query(text, values)).rows, close: () => client.end() };
  },

  async postgres(exported, url, place) {
    // Texts are sent as they are, and not as JSON of a text or as a date in the time zone of this machine.
    const asText = (to, from, write) => ({ to, from, serialize: (value) => (typeof value === 'string' ? value : write(value)), parse: (text) => text });
    const types = {
      json: asText(114, [114, 3802], JSON.stringify),
      jsonb: asText(3802, [3802], JSON.stringify),
      date: asText(1184, [1082, 1114, 1184], (date) => date.toISOString()),
      bytea: asText(17, [17], (bytes) => `\\x${Buffer.from(bytes).toString('hex')}`),
    };
    const settings = { max: 1, prepare: false, onnotice: () => {}, types };
    const connect = exported.default ?? exported;
    const sql = url ? connect(url, settings) : connect({ ...place, ...settings });
    return { query: (text, values) => sql.unsafe(text, values), close: () => sql.end() };
  },
};

/** Of a table without a key, all of the row. */
function keyOf(table) {
  if (table.key.length === 0) return 'to_jsonb(t)::text';
  return `jsonb_build_array(${table.key.map((name) => `t.${quoted(name)}`).join(', ')})::text`;
}

function overriding(table) {
  return table.numbered ? 'OVERRIDING SYSTEM VALUE ' : '';
}

function quoted(name) {
  return `"${name.replaceAll('"', '""')}"`;
}
