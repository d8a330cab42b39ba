'use strict';
/*
 * PostgreSQL, for database.cjs. Without a URL and a login, user and password are what `pg` finds itself: PGUSER, PGPASSWORD, ~/.pgpass.
 * Rows are read as JSON text and put back from it, so every value comes back exactly.
 */

/** Keys from here on no sequence gets to in a test; moving it there might end it. */
const FAR_KEY = 1_000_000_000;

module.exports = async function open(requireOfSut, { url, host, port, database, login: { user, password } }) {
  const { Client } = requireOfSut('pg');
  const client = new Client(url ? { connectionString: url } : { host, port, database, user: user || undefined, password: password || undefined });
  await client.connect();
  const query = async (text, values) => (await client.query(text, values)).rows;

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
      const values = `SELECT ${columns} FROM jsonb_populate_record(NULL::${table.sql}, $1::jsonb)`;
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
      await work();
      await query('COMMIT');
    },

    close: () => client.end(),
  };

  /** Behind the rows with keys of their own, so that what the calls insert gets others. */
  async function moveCounter({ sql, numbered: { column, sequence } }) {
    await query(
      `SELECT setval($1, rows.key)
         FROM (SELECT max(${quoted(column)}) AS key FROM ${sql}) AS rows, ${sequence} AS counter
        WHERE rows.key >= counter.last_value AND rows.key < ${FAR_KEY}`,
      [sequence],
    );
  }
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
