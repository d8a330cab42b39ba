/** What every guard answers that was not passed. */
export const ok = { ok: true };

/** Reads a whole number of a query; null where it is none. */
export function integer(value) {
  const number = Number(value);
  return typeof value === 'string' && value !== '' && Number.isInteger(number) ? number : null;
}

export function badRequest(message) {
  return Object.assign(new Error(message), { status: 400 });
}

/** The field of a JSON body, or a 400 where it has another type. */
export function field(body, name, type) {
  const value = body?.[name];
  if (typeof value !== type) {
    throw badRequest(`${name} must be a ${type}`);
  }
  return value;
}
