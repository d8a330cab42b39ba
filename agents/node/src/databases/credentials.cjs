'use strict';
/**
 * Determines where the SUT gets its login for a database from: the names of environment variables, so that tests find
 * the login there, too.
 *
 * Law: values never leave the process, except a user's name. Of the password a digest does, by which the core
 * recognises it in the project's files.
 */

const { ObjectKeys, RegExp, URL, decodeURIComponent, indexOf, regExpExec } = require('../base/intrinsics.cjs');
const { hashOf } = require('../instrument/texts/text-identity.cjs');

/** By scheme of URLs. @type {Record<string, { dialect: string, port: number } | undefined>} */
const SCHEMES = {
  'postgres:': { dialect: 'postgres', port: 5432 },
  'postgresql:': { dialect: 'postgres', port: 5432 },
  'mysql:': { dialect: 'mysql', port: 3306 },
  'mariadb:': { dialect: 'mysql', port: 3306 },
  'redis:': { dialect: 'redis', port: 6379 },
  'rediss:': { dialect: 'redis', port: 6379 },
  'mongodb:': { dialect: 'mongo', port: 27017 },
};
const OF_PASSWORDS = new RegExp('pass|pwd|secret|token|key|cred', 'i');
const OF_USERS = new RegExp('user|login|role|account', 'i');
const MIN_TELLING_UNITS = 8;

/**
 * @typedef {object} Login
 * @property {unknown} [user]
 * @property {unknown} [password]
 */
/**
 * @typedef {object} Place
 * @property {string} dialect
 * @property {string} host the normalised name of the machine, or the path of a socket
 * @property {number} port
 * @property {string} name
 */
/**
 * @typedef {object} Found each field is empty if there is none
 * @property {string} user
 * @property {string} user_variable
 * @property {string} password_variable
 * @property {string} url_variable name of a variable with a URL of this database
 * @property {string} server_variable name of a variable with a URL of another database on the server, with the same
 *   login
 * @property {string} password_digest SHA-256 of the id of the database, a space and the password
 */

/**
 * @param {Login} login
 * @param {Place & { id: string }} place
 * @param {(host: string) => string} hostOf normalises names of this machine
 * @returns {Found}
 */
function credentialsFrom(login, place, hostOf) {
  const user = typeof login.user === 'string' ? login.user : '';
  const password = typeof login.password === 'string' ? login.password : '';
  const password_digest = password === '' ? '' : hashOf(`${place.id} ${password}`);
  const found = {
    user,
    user_variable: '',
    password_variable: '',
    url_variable: '',
    server_variable: '',
    password_digest,
  };
  try {
    const { env } = process;
    const names = ObjectKeys(env);
    for (let index = 0; index < names.length; index++) {
      const value = env[names[index]];
      if (typeof value !== 'string' || value === '') continue;
      if (indexOf(value, '://') > 0) noteUrl(found, names[index], leadsTo(value, { user, password }, place, hostOf));
      else noteValue(found, names[index], value, { user, password });
    }
  } catch {
    // the program has replaced its environment
  }
  return found;
}

/**
 * @param {Found} found
 * @param {string} name
 * @param {'database' | 'server' | null} leads
 */
function noteUrl(found, name, leads) {
  if (leads === 'database' && found.url_variable === '') found.url_variable = name;
  if (leads === 'server' && found.server_variable === '') found.server_variable = name;
}

/**
 * @param {Found} found
 * @param {string} name
 * @param {string} value
 * @param {{ user: string, password: string }} login
 */
function noteValue(found, name, value, { user, password }) {
  const isOfPassword = regExpExec(OF_PASSWORDS, name) !== null;
  if (value === password && found.password_variable === '' && (isOfPassword || value.length >= MIN_TELLING_UNITS)) {
    found.password_variable = name;
  }
  if (value === user && found.user_variable === '' && !isOfPassword && regExpExec(OF_USERS, name) !== null) {
    found.user_variable = name;
  }
}

/**
 * @param {string} path of a URL
 * @param {string} dialect
 * @param {string} name of a database
 */
function isPathOf(path, dialect, name) {
  return path === '/' + name || (dialect === 'redis' && name === '0' && path.length < 2);
}

/**
 * @param {string} text
 * @param {{ user: string, password: string }} login
 * @param {Place} place
 * @param {(host: string) => string} hostOf
 * @returns {'database' | 'server' | null}
 */
function leadsTo(text, { user, password }, { dialect, host, port, name }, hostOf) {
  try {
    const url = new URL(text);
    const scheme = SCHEMES[url.protocol];
    if (scheme === undefined || scheme.dialect !== dialect || (+url.port || scheme.port) !== port) return null;
    if (decodeURIComponent(url.username) !== user || decodeURIComponent(url.password) !== password) return null;
    if (host[0] !== '/' && hostOf(url.hostname) !== hostOf(host)) return null; // sockets are written differently
    return isPathOf(decodeURIComponent(url.pathname), dialect, name) ? 'database' : 'server';
  } catch {
    return null;
  }
}

module.exports = { credentialsFrom };
