import { badRequest } from './errors.js';

/** For `router.param`: ids are whole numbers. */
export function wholeNumber(req, res, next, value) {
  if (!/^[0-9]+$/.test(value)) return next(badRequest('ids are whole numbers'));
  return next();
}
