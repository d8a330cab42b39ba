'use strict';
/**
 * Caches rewritten files on disk, so that the second start parses nothing.
 *
 * Law: it never throws and never trusts its input. A folder that cannot be written, an incomplete or altered entry and
 * a second process that writes the same entry all count as "not cached".
 */

const { mkdirSync, readFileSync, readdirSync, renameSync, statSync, unlinkSync, writeFileSync } = require('node:fs');
const { join, sep } = require('node:path');
const { Number, String, indexOf, slice } = require('../base/intrinsics.cjs');
const { hashOf } = require('../instrument/texts/text-identity.cjs');

/** @typedef {{code: string, tableText: string}} Entry */

const INSTRUMENTER = join(__dirname, '..', 'instrument');

/**
 * Returns a text that changes whenever the rewriting may change: the version, and the sizes and times of the files,
 * which change during development.
 */
function fingerprint() {
  const { version } = require('../../package.json');
  const parts = [version, process.versions.node.split('.')[0]];
  for (const name of readdirSync(INSTRUMENTER, { encoding: 'utf8', recursive: true })) {
    const { size, mtimeMs } = statSync(join(INSTRUMENTER, name));
    parts.push(name, String(size), String(mtimeMs));
  }
  return hashOf(parts.join('\0'));
}

class DiskCache {
  /** @param {string | null | undefined} folder null: caches nothing */
  constructor(folder) {
    this.folder = folder ?? null;
    this.serial = 0;
    /** @type {string} */
    this.edition = '';
    if (this.folder === null) return;
    try {
      this.edition = fingerprint();
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    } catch {
      this.folder = null;
    }
  }

  /**
   * @param {string} key of the file (text-identity.cjs)
   * @param {boolean} isModule
   */
  pathOf(key, isModule) {
    return this.folder + sep + slice(hashOf(`${this.edition}\0${isModule}\0${key}`), 0, 40);
  }

  /**
   * @param {string} key
   * @param {boolean} isModule
   * @returns {Entry | undefined}
   */
  read(key, isModule) {
    if (this.folder === null) return undefined;
    try {
      const content = readFileSync(this.pathOf(key, isModule), 'utf8');
      const checksumEnd = indexOf(content, ' ');
      const headerEnd = indexOf(content, '\n');
      const payload = slice(content, headerEnd + 1);
      if (hashOf(payload) !== slice(content, 0, checksumEnd)) return undefined;
      const length = Number(slice(content, checksumEnd + 1, headerEnd));
      return { tableText: slice(payload, 0, length), code: slice(payload, length) };
    } catch {
      return undefined;
    }
  }

  /**
   * @param {string} key
   * @param {boolean} isModule
   * @param {Entry} entry
   */
  write(key, isModule, { code, tableText }) {
    if (this.folder === null) return;
    const path = this.pathOf(key, isModule);
    this.serial += 1;
    // Threads share the process id, so the serial number alone would not make the name unique.
    const temporary = `${path}.${process.pid}.${require('node:worker_threads').threadId}.${this.serial}.tmp`;
    try {
      const payload = tableText + code;
      writeFileSync(temporary, `${hashOf(payload)} ${tableText.length}\n${payload}`, { mode: 0o600 });
      renameSync(temporary, path);
    } catch {
      try {
        unlinkSync(temporary);
      } catch {
        // The temporary file was never written.
      }
    }
  }
}

module.exports = { DiskCache };
