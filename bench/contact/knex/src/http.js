'use strict';

const Joi = require('joi');

const idSchema = Joi.number().integer().min(1).max(2147483647).required();

/** Turns an async function into a handler of Express 4. */
const handle = (work) => (req, res, next) => work(req, res).catch(next);

function refuse(status, message) {
  return Object.assign(new Error(message), { status });
}

function idOf(req) {
  return Joi.attempt(req.params.id, idSchema);
}

module.exports = { handle, idOf, idSchema, refuse };
