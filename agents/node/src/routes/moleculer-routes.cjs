'use strict';
/**
 * The gateway of Moleculer, `moleculer-web`: its aliases, which lead requests to actions of services. Those that it
 * makes of the services' own settings (`rest`) are made again whenever a service has come or gone.
 */

const { toUpperCase } = require('../base/intrinsics.cjs');
const { readData } = require('../base/data-properties.cjs');
const {
  addReader,
  callerPlace,
  isObject,
  noteChange,
  pathParts,
  portOf,
  registeredAt,
  tapRegistration,
} = require('./found-routes.cjs');

const MAX_ALIASES = 20_000;

/**
 * @typedef {object} Alias
 * @property {object} gateway
 * @property {string} method `*`: any
 * @property {string} path with those of the gateway and of its route before it
 * @property {import('./found-routes.cjs').Place} place
 */
/** @type {Alias[]} */
const aliases = [];

/** @param {any} schema of the service, whose methods each gateway gets */
function watchGateway(schema) {
  tapRegistration(
    readData(schema, 'methods'),
    'createAlias',
    () => {},
    (gateway, _args, alias) => {
      if (!isObject(alias) || !isObject(gateway) || aliases.length >= MAX_ALIASES) return;
      const [method, path] = [readData(alias, 'method'), readData(alias, 'fullPath')];
      if (typeof method !== 'string' || typeof path !== 'string') return;
      aliases[aliases.length] = { gateway, method, path, place: callerPlace() };
      noteChange();
    },
  );
}

addReader((add) => {
  for (let index = 0; index < aliases.length; index++) {
    const { gateway, method, path, place } = aliases[index];
    add({
      framework: 'moleculer',
      methods: method === '*' ? [] : [toUpperCase(method)],
      path: pathParts(path),
      ...registeredAt(place),
      port: portOf(readData(gateway, 'server')),
      requires: {},
    });
  }
});

const watchMoleculer = { 'src/index.js': watchGateway };

module.exports = { watchMoleculer };
