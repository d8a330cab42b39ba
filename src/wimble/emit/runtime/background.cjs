'use strict';
/**
 * Lets a test run end although the package that is loaded next keeps servers or timers going. Call `restore` once it is
 * loaded: what tests start themselves is waited for.
 */

const { Socket } = require('node:dgram');
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');
const { Server } = require('node:net');
const timers = require('node:timers');

const replaced = [];

function unref(owner, name) {
  const original = owner[name];
  const descriptors = Object.getOwnPropertyDescriptors(original);
  owner[name] = function (...args) {
    const started = Reflect.apply(original, this, args);
    started?.unref?.();
    return started;
  };
  Object.defineProperties(owner[name], descriptors);
  replaced.push(() => {
    owner[name] = original;
  });
}

for (const owner of [globalThis, timers]) {
  unref(owner, 'setInterval');
  unref(owner, 'setTimeout');
}
unref(Server.prototype, 'listen');
unref(Socket.prototype, 'bind');
unref(fs, 'watch');
unref(fs, 'watchFile');
syncBuiltinESMExports();

exports.restore = () => {
  for (const restore of replaced.splice(0)) restore();
  syncBuiltinESMExports();
};
