'use strict';

const { tools } = require('./data');

// Tools hardly ever change, so those that have been looked at are kept.
const seen = new Map();

function lookUp(id, callback) {
  if (seen.has(id)) return setImmediate(() => callback(null, seen.get(id)));
  tools.find(id, (err, tool) => {
    if (err) return callback(err);
    seen.set(id, tool);
    callback(null, tool);
  });
}

module.exports = { lookUp };
