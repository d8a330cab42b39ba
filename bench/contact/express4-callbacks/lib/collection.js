'use strict';

/** A table in memory with the callbacks of a database driver. */
class Collection {
  constructor(rows) {
    this.rows = new Map(rows.map((row) => [row.id, row]));
    this.nextId = rows.length + 1;
  }

  find(id, callback) {
    setImmediate(() => {
      const row = this.rows.get(id);
      if (!row) return callback(Object.assign(new Error(`no row ${id}`), { status: 404 }));
      callback(null, { ...row });
    });
  }

  all(filter, callback) {
    setImmediate(() => callback(null, [...this.rows.values()].filter(filter).map((row) => ({ ...row }))));
  }

  insert(row, callback) {
    setImmediate(() => {
      const saved = { ...row, id: this.nextId++ };
      this.rows.set(saved.id, saved);
      callback(null, { ...saved });
    });
  }

  update(id, changes, callback) {
    setImmediate(() => {
      if (!this.rows.has(id)) return callback(Object.assign(new Error(`no row ${id}`), { status: 404 }));
      Object.assign(this.rows.get(id), changes);
      callback(null);
    });
  }

  remove(id, callback) {
    setImmediate(() => {
      this.rows.delete(id);
      callback(null);
    });
  }
}

module.exports = Collection;
