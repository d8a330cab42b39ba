import pg from 'pg';

export const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });

/** Rows of a query. */
export async function rows(text, values = []) {
  const result = await pool.query(text, values);
  return result.rows;
}

/** The first row, or undefined. */
export async function row(text, values = []) {
  return (await rows(text, values))[0];
}
