'use strict';
/** Stands in for src/base/own-files.cjs: everything below one folder, node_modules apart. */

const { sep } = require('node:path');

function createOwnFileTest({ root }) {
  return (path) => path.startsWith(root + sep) && !path.includes(`${sep}node_modules${sep}`);
}

module.exports = { createOwnFileTest };
