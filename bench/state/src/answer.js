/** What every guard answers that was not passed. */
export const ok = { ok: true };

export function badRequest(message) {
  return Object.assign(new Error(message), { status: 400 });
}

/** Ends a call whose row is not there. */
export function absent() {
  throw Object.assign(new Error('not found'), { status: 404 });
}

/** A whole number that PostgreSQL's `integer` holds, out of a path or a query. */
export function integer(value) {
  const number = Number(value);
  if (typeof value !== 'string' || value === '' || !Number.isInteger(number) || Math.abs(number) > 2147483647) {
    throw badRequest('a whole number is needed');
  }
  return number;
}

/** A text of a path or a query, which no database refuses. */
export function text(value, longest) {
  if (typeof value !== 'string' || value === '' || value.length > longest || value.includes('\0')) {
    throw badRequest('a text is needed');
  }
  return value;
}

/** The field of a JSON body, or a 400 where it has another type. */
export function field(body, name, type) {
  const value = body?.[name];
  if (typeof value !== type) {
    throw badRequest(`${name} must be a ${type}`);
  }
  return value;
}
