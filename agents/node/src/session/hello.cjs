'use strict';
/** The first message of each process. */

const PROTOCOL = 2;
const AGENT_VERSION = '0.1.0';

/**
 * @param {import('../base/own-files.cjs').OwnFiles} own
 * @param {boolean} [readsMark] whether it reads the mark of the socket before each call
 * @returns {object} the `hello` of this process
 */
function helloMessage(own, readsMark = false) {
  const argv = [];
  for (let index = 0; index < process.argv.length; index++) argv[index] = '' + process.argv[index];
  return {
    type: 'hello',
    protocol: PROTOCOL,
    agent: 'node',
    agent_version: AGENT_VERSION,
    runtime: process.version,
    pid: process.pid,
    ppid: process.ppid,
    argv,
    main: own.main,
    is_passive: own.isPassive,
    reads_mark: readsMark,
  };
}

module.exports = { AGENT_VERSION, PROTOCOL, helloMessage };
