'use strict';
/*
 * Removes what earlier test processes have left in the folder for temporary files because they were killed: locks,
 * folders of mocked services, files with a port. Their names, or the text of a lock, say whose they are.
 */
const fs = require('fs');
const os = require('os');
const path = require('path');

const OF_PROCESS = /^wimble-(?:mocks|port)-(\d+)-/;
const LOCK = /^wimble-lock-/;
const MIN_AGE_MS = 60_000; // of a lock: one that was just made anew has another owner than the one that was read

let isDone = false;

/** Once in a process. */
function removeLeftFiles(folder = os.tmpdir()) {
  if (isDone) return;
  isDone = true;
  for (const name of namesIn(folder)) {
    const file = path.join(folder, name);
    try {
      const owner = ownerOf(file, name);
      if (owner > 0 && !isAlive(owner)) fs.rmSync(file, { recursive: true, force: true });
    } catch {
      // another user's, or removed already
    }
  }
}

function namesIn(folder) {
  try {
    return fs.readdirSync(folder).filter((name) => name.startsWith('wimble-'));
  } catch {
    return [];
  }
}

/** The number of the process that has made the file; 0: not known. */
function ownerOf(file, name) {
  const made = OF_PROCESS.exec(name);
  if (made) return Number(made[1]);
  if (!LOCK.test(name) || Date.now() - fs.statSync(file).mtimeMs < MIN_AGE_MS) return 0;
  return parseInt(fs.readFileSync(file, 'utf8'), 10) || 0;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

module.exports = { isAlive, removeLeftFiles };
