'use strict';
/** The files in which the agent says which service a connection is for, named by the local port of the connection. */

const fs = require('node:fs');
const path = require('node:path');

const RETRY_MS = 1;
/** The agent writes the file right after it has connected; a process that was killed in between writes none. */
const MAX_RETRIES = 1000;

/**
 * @typedef {object} Service that a connection is for
 * @property {string} host
 * @property {number} port
 * @property {number} pid of the process that has connected
 * @property {string} client the package that has connected, as far as the agent knows it
 */

/**
 * An agent announces a connection before anything is sent over it.
 * @param {string} folder
 * @param {import('node:net').Socket} socket
 * @param {(service: Service | null) => void} done null: nothing was announced
 */
function readAnnouncement(folder, socket, done, retries = 0) {
  const file = path.join(folder, String(socket.remotePort));
  const isLast = socket.readableLength > 0 || retries === MAX_RETRIES;
  let lines = [''];
  try {
    lines = fs.readFileSync(file, 'utf8').split('\n');
  } catch {
    // Not written yet.
  }
  if (lines[4] === '.') {
    fs.rmSync(file, { force: true });
    return done({ host: lines[0], port: Number(lines[1]), pid: Number(lines[2]), client: lines[3] });
  }
  if (isLast) return done(null);
  socket.read(0); // starts reading, and leaves the bytes in the socket
  setTimeout(() => readAnnouncement(folder, socket, done, retries + 1), RETRY_MS);
  return undefined;
}

/**
 * Lets the agent refuse the connections to a service from now on.
 * @param {string} folder
 * @param {Service} service
 */
function refuse(folder, { host, port }) {
  try {
    fs.writeFileSync(path.join(folder, `refused-${host}-${port}`), '');
  } catch {
    // The folder is gone: the core has ended.
  }
}

/**
 * Tells the agent whether a request is left unanswered on purpose, or a slow answer is on its way.
 * @param {string} folder
 * @param {'hanging' | 'cut' | 'slow'} what
 * @param {boolean} isSo
 */
function tell(folder, what, isSo) {
  const file = path.join(folder, what);
  try {
    if (isSo) fs.writeFileSync(file, '');
    else fs.rmSync(file, { force: true });
  } catch {
    // As above.
  }
}

module.exports = { readAnnouncement, refuse, tell };
