export class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export function notFound(what) {
  return new HttpError(404, `no such ${what}`);
}

export function badRequest(message) {
  return new HttpError(400, message);
}

/** A text of the body that is neither empty nor too long, nor one that PostgreSQL refuses. */
export function text(body, name, longest = 200) {
  const value = body?.[name];
  if (typeof value !== 'string' || value.trim() === '' || value.length > longest || value.includes('\0')) {
    throw badRequest(`${name} is missing or too long`);
  }
  return value.trim();
}

/** An id in the body. */
export function reference(body, name) {
  const value = body?.[name];
  if (!Number.isInteger(value) || value < 1 || value > 2147483647) throw badRequest(`${name} is no id`);
  return value;
}
