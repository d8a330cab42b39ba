'use strict';
/**
 * Assigns replies of PostgreSQL to commands, for all drivers that use its protocol.
 *
 * The server answers each simple query and each `sync` with one "ready for query", in order. The commands between two
 * of them are a batch.
 */

const { Number, regExpExec } = require('../../base/intrinsics.cjs');
const { noteCommand } = require('../recorded-commands.cjs');

/** @typedef {import('../recorded-commands.cjs').Command} Command */

/** Settings for the core's own queries: a lock of the SUT must not block them for long, nor one of theirs the SUT. */
const SESSION =
  "SET lock_timeout = '2s'; SET statement_timeout = '20s'; SET idle_in_transaction_session_timeout = '20s'; SET DateStyle = 'ISO'; SET IntervalStyle = 'postgres'; SET extra_float_digits = 1; SET bytea_output = 'hex'; SET client_min_messages = error; SET synchronous_commit = off";

/** Commands that the server answers with one "ready for query". @typedef {{ commands: Command[], at: number }} Batch */

const COUNTS = /^(?:INSERT|UPDATE|DELETE|MERGE|COPY|SELECT|FETCH|MOVE)\b/;

/** The commands of one connection, and their results. */
class Wire {
  /** @param {import('../connected-databases.cjs').Target} target */
  constructor(target) {
    this.target = target;
    /** In order. @type {Batch[]} */
    this.sent = [];
    /** Commands that have been written but not synchronised yet. @type {Batch} */
    this.open = { commands: [], at: 0 };
    /** Texts of prepared statements, by name. @type {Record<string, string>} */
    this.statements = { __proto__: /** @type {any} */ (null) };
    /** The text that was parsed last, unless it has been bound since. @type {string | null} */
    this.unbound = null;
    this.isInTransaction = false;
    /** Number of rows received so far for the present result. */
    this.rows = 0;
  }

  // ---- what the program sends ----

  /** @param {unknown} text of one or several statements, which are one command */
  query(text) {
    this.sent[this.sent.length] = { commands: [this.note(text, undefined)], at: 0 };
  }

  /**
   * @param {string} name empty: the unnamed one
   * @param {string} text
   */
  parse(name, text) {
    this.statements[name] = text;
    this.unbound = text;
  }

  /**
   * @param {string} name of a statement
   * @param {unknown} params
   */
  bind(name, params) {
    const { commands } = this.open;
    commands[commands.length] = this.note(this.statements[name], params);
    this.unbound = null;
  }

  sync() {
    this.sent[this.sent.length] = this.open;
    this.open = { commands: [], at: 0 };
    this.unbound = null;
  }

  /**
   * @param {unknown} text
   * @param {unknown} params
   */
  note(text, params) {
    return noteCommand(this.target.description.id, text, params, this.isInTransaction);
  }

  // ---- what the server answers ----

  /** @returns {Command | null} the command to which the present reply belongs */
  current() {
    const batch = this.sent.length > 0 ? this.sent[0] : this.open;
    return batch.at < batch.commands.length ? batch.commands[batch.at] : null;
  }

  row() {
    this.rows++;
  }

  /** @param {unknown} tag as `UPDATE 3` */
  completed(tag) {
    const command = this.current();
    if (command !== null) complete(command, tag, this.rows);
    this.rows = 0;
    // The statements of a simple query are one command; each bound statement is one.
    if (this.sent.length > 0 && this.sent[0].commands.length > 1) this.sent[0].at++;
  }

  /** @param {unknown} message */
  failed(message) {
    this.rows = 0;
    const command = this.current();
    if (command !== null) command.fail(message);
    else if (this.unbound !== null) this.note(this.unbound, undefined).fail(message);
  }

  /** @param {boolean} isInTransaction */
  ready(isInTransaction) {
    this.isInTransaction = isInTransaction;
    for (let index = 1; index < this.sent.length; index++) this.sent[index - 1] = this.sent[index];
    if (this.sent.length > 0) this.sent.length--;
  }
}

/**
 * @param {Command} command
 * @param {unknown} tag
 * @param {number} rows the number of rows that it returned
 */
function complete(command, tag, rows) {
  if (typeof tag !== 'string' || regExpExec(COUNTS, tag) === null) return;
  const affected = affectedBy(tag);
  if (affected === null || rows > 0) command.returned = (command.returned || 0) + rows;
  if (affected !== null) command.affected = (command.affected || 0) + affected;
}

/**
 * @param {string} tag
 * @returns {number | null} null if it changes nothing
 */
function affectedBy(tag) {
  return regExpExec(/^(?:SELECT|FETCH)\b/, tag) === null && regExpExec(COUNTS, tag) !== null
    ? Number(regExpExec(/\d+$/, tag)?.[0] || 0)
    : null;
}

module.exports = { SESSION, Wire, affectedBy, complete };
