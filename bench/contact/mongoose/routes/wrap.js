'use strict';

const mongoose = require('mongoose');

/** Passes the rejections of a handler on to Express. */
exports.wrap = (handler) => (req, res, next) => handler(req, res, next).catch(next);

exports.refuse = (status, message) => Object.assign(new Error(message), { status });

exports.objectId = (req, res, next, value) => {
  if (!mongoose.isValidObjectId(value)) return next(exports.refuse(400, 'malformed id'));
  next();
};
