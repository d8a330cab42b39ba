'use strict';

const { badRequest } = require('./http');

const DATE = /^\d{4}-\d{2}-\d{2}$/;

function requireText(value, name, maxLength = 200) {
  if (typeof value !== 'string' || value.trim().length === 0 || value.length > maxLength) {
    throw badRequest(`${name} must be a text of 1 to ${maxLength} characters`);
  }
  return value.trim();
}

function optionalText(value, name, maxLength = 200) {
  return value === undefined ? undefined : requireText(value, name, maxLength);
}

function requireInteger(value, name, minimum, maximum) {
  if (!Number.isInteger(value) || value < minimum || value > maximum) {
    throw badRequest(`${name} must be a whole number from ${minimum} to ${maximum}`);
  }
  return value;
}

function requireOneOf(value, name, allowed) {
  if (!allowed.includes(value)) {
    throw badRequest(`${name} must be one of ${allowed.join(', ')}`);
  }
  return value;
}

function requireDate(value, name) {
  if (typeof value !== 'string' || !DATE.test(value) || Number.isNaN(Date.parse(value))) {
    throw badRequest(`${name} must be a date such as 2024-05-31`);
  }
  return value;
}

/** A whole number from a path or a query, where everything arrives as text. */
function integerFromText(text, name, minimum, maximum) {
  return requireInteger(/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN, name, minimum, maximum);
}

module.exports = { requireText, optionalText, requireInteger, requireOneOf, requireDate, integerFromText };
