'use strict';

/** An error that is the caller's fault and says so with its status. */
class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

const badRequest = (message) => new HttpError(400, message);
const notFound = (message) => new HttpError(404, message);
const conflict = (message) => new HttpError(409, message);

// Express recognises an error handler by its four parameters.
function errorHandler(error, req, res, next) {
  if (res.headersSent) {
    next(error);
    return;
  }
  const status = error.status ?? 500;
  if (status >= 500) {
    console.error(error.stack);
  }
  res.status(status).json({ error: status >= 500 ? 'internal error' : error.message });
}

module.exports = { badRequest, notFound, conflict, errorHandler };
