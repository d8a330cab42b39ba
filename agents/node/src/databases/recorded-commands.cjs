'use strict';
/**
 * The commands that the SUT has sent to its databases since the last result (protocol/README.md, "Databases").
 *
 * Law: a command is recorded when it is sent, so that a command without a reply is included. Commands beyond the limits
 * are counted, since they may have changed data nevertheless.
 */

const { slice } = require('../base/intrinsics.cjs');
const { RawJson } = require('../base/json-text.cjs');
const { recorder, runningCall } = require('../runtime/calls/recorder.cjs');
const { isLate } = require('../runtime/calls/async-attribution.cjs');
const { takeCommandCaller } = require('../runtime/errors/handed-on-commands.cjs');
const { valuesText } = require('./database-values.cjs');

const MAX_COMMANDS = 500;
const MAX_TEXT_UNITS = 16 * 1024;
/** Limit for all texts and parameters of one result. */
const MAX_TOTAL_UNITS = 1024 * 1024;
const MAX_ERROR_UNITS = 500;

const log = {
  /** @type {Command[]} */
  list: [],
  /** Commands that did not fit. */
  dropped: 0,
  units: 0,
  /** Whether the core asked for parameters and places. */
  isWanted: false,
  /**
   * The place of the program: the statement that was executed last.
   * @type {() => { file: string, line: number } | null}
   */
  place: () => null,
  /**
   * The statement that was entered last, after a stamp, and has not completed.
   * @type {(stamp: number) => { file: string, line: number } | null}
   */
  unfinishedPlace: () => null,
  /**
   * The same, without statements that only hand on a command that their function got.
   * @type {(stamp: number) => { file: string, line: number } | null}
   */
  unfinishedCaller: () => null,
  /** Whether a line only hands on a command that its function got. @type {(file: string, line: number) => boolean} */
  isRelay: () => false,
};

/** One command, as in results. The driver fills in its result. */
class Command {
  /**
   * @param {string} database
   * @param {string} text
   * @param {string} params JSON
   * @param {boolean} isInTransaction
   */
  constructor(database, text, params, isInTransaction) {
    this.database = database;
    this.text = text;
    this.params = params;
    this.isInTransaction = isInTransaction;
    this.call = recorder.record === null || isLate() ? null : runningCall();
    this.site = '';
    /** Who has called the function at the site, if that only hands commands on. */
    this.caller = '';
    this.noteSite(log.isWanted ? log.place() : null, true);
    /** @type {number | null} */
    this.returned = null;
    /** @type {number | null} */
    this.affected = null;
    /** @type {string | null} */
    this.error = null;
  }

  /** @param {unknown} message */
  fail(message) {
    this.error = typeof message === 'string' ? slice(message, 0, MAX_ERROR_UNITS) : 'error';
    // A mapper sends its commands some time after it was called: the statement that was executed last may only have
    // looked up a repository. To find the one that waits takes too long for a command that succeeds.
    const waiting = this.call === null || !log.isWanted ? null : unfinished(this.call);
    this.noteSite(waiting);
  }

  /**
   * @param {{ file: string, line: number } | null} place null if it is not known
   * @param {boolean} [isSent] whether the command is about to be sent
   */
  noteSite(place, isSent = false) {
    if (place === null) return;
    this.site = siteOf(place);
    if (this.call === null || !log.isRelay(place.file, place.line)) {
      this.caller = '';
      return;
    }
    const entered = isSent ? takeCommandCaller(this.call) : null;
    const caller = callerIn(this.call) || entered;
    // When the command has failed, who wrote it may have gone on.
    if (caller !== null) this.caller = siteOf(caller);
  }

  /** Returns the command as in results. */
  toJson() {
    const { database, call, site, caller, text, returned, affected, error } = this;
    return {
      database,
      call,
      site,
      ...(caller !== '' && { caller }),
      text,
      params: new RawJson(this.params),
      returned,
      affected,
      error,
      in_transaction: this.isInTransaction,
    };
  }
}

/** @param {{ file: string, line: number }} place */
function siteOf({ file, line }) {
  return file + ':' + line;
}

/** @param {number} call */
function unfinished(call) {
  const { record } = recorder;
  return record !== null && record.call === call && !isLate() ? log.unfinishedPlace(record.startStamp) : null;
}

/** @param {number} call */
function callerIn(call) {
  const { record } = recorder;
  return record !== null && record.call === call && !isLate() ? log.unfinishedCaller(record.startStamp) : null;
}

/**
 * Records a command before it is sent.
 * @param {string} database id
 * @param {unknown} text
 * @param {unknown} params an array of values, named values in the driver's form, or nothing
 * @param {boolean} isInTransaction
 * @param {boolean} [keepsParams] whether the text alone does not show what is changed
 * @returns {Command} also if it exceeds the limits
 */
function noteCommand(database, text, params, isInTransaction, keepsParams = false) {
  const shown = typeof text === 'string' ? text : '';
  const fits = log.list.length < MAX_COMMANDS && log.units < MAX_TOTAL_UNITS && shown.length <= MAX_TEXT_UNITS;
  const command = new Command(
    database,
    shown,
    (log.isWanted || keepsParams) && fits ? valuesText(params) : '[]',
    isInTransaction,
  );
  if (!fits) {
    log.dropped++;
    return command;
  }
  log.units += shown.length + command.params.length;
  log.list[log.list.length] = command;
  return command;
}

/**
 * @returns {{ commands?: object[], commands_dropped?: number }} the part of a result with the commands, which are then
 *   deleted
 */
function takeCommands() {
  const { list, dropped } = log;
  if (list.length === 0 && dropped === 0) return {};
  const commands = [];
  for (let index = 0; index < list.length; index++) commands[index] = list[index].toJson();
  log.list = [];
  log.dropped = 0;
  log.units = 0;
  return { commands, commands_dropped: dropped };
}

module.exports = { Command, log, noteCommand, takeCommands };
