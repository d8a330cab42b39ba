'use strict';
/**
 * The agent of one process: communicates with the core and keeps the order of evaluations (protocol/README.md).
 *
 * Law: nothing here may throw into the program under test. It calls only functions of the agent, and reads values of
 * the program through data properties.
 */

const {
  Number,
  ObjectCreate,
  captureStackTrace,
  indexOf,
  isArray,
  parseJson,
  setImmediate,
  slice,
} = require('../base/intrinsics.cjs');
const { Channel } = require('./channel.cjs');
const { Followed } = require('./followed-call.cjs');
const { isUnheard } = require('../library/emitted-errors.cjs');
const { keepCode } = require('../loader/compiled-modules.cjs');
const { RawJson, encode } = require('../base/json-text.cjs');
const { log: commandLog, takeCommands } = require('../databases/recorded-commands.cjs');
const { answerQuery } = require('../databases/proxied-queries.cjs');
const { takeModels } = require('../databases/models/seen-models.cjs');
const { noteSchemaIn } = require('../databases/models/prisma.cjs');
const { context: routeContext, noteServer, takeRoutes } = require('../routes/found-routes.cjs');
const { publishServed } = require('../routes/trpc-routes.cjs');
const { releaseTarget, targets: databases } = require('../databases/connected-databases.cjs');
const { expectAnswers, watchParsing } = require('../runtime/answers/parsed-answers.cjs');
const { Causes, isServerError, isTroubled } = require('../runtime/errors/error-causes.cjs');
const { located } = require('../runtime/errors/located-errors.cjs');
const { context: promises } = require('../runtime/errors/missing-awaits.cjs');
const { tidyFatalError } = require('../runtime/errors/fatal-errors.cjs');
const { tracing } = require('../concolic/running-trace.cjs');
const { Files, stampNow } = require('../runtime/process/instrumented-files.cjs');
const { Activity } = require('../runtime/isolation/outside-activity.cjs');
const { mode } = require('../runtime/isolation/isolation-rules.cjs');
const {
  countRandomValues,
  biasRandomness,
  seedRandomness,
  watchRandomness,
} = require('../runtime/isolation/randomness.cjs');
const { Schedules } = require('../runtime/isolation/scheduled-jobs.cjs');
const { takeGuarded } = require('../runtime/isolation/guarded-calls.cjs');
const { serviceWaits } = require('../runtime/isolation/service-waits.cjs');
const { Sleeps } = require('../runtime/isolation/time-skipping.cjs');
const { Threads } = require('../runtime/isolation/busy-workers.cjs');
const { watchTimers } = require('../runtime/isolation/timers.cjs');
const { forgetThrow } = require('../runtime/errors/latest-throw.cjs');
const { planOutcomes } = require('../external/planned-outcomes.cjs');
const { watchServices } = require('../external/watch-services.cjs');
const { watchListening } = require('../runtime/process/listening-servers.cjs');
const { StandbyGate } = require('./standby-gate.cjs');
const { watchProcess } = require('../runtime/process/process-exit.cjs');
const {
  clearRecorder,
  keepHint,
  noteThrown,
  recorder,
  runningCall,
  runningRecord,
} = require('../runtime/calls/recorder.cjs');
const { AWAITED, CALL, memory, takeTargets } = require('../base/thread-memory.cjs');
const { watchRequests } = require('../runtime/calls/http-requests.cjs');
const { hintKeys, watchHmacs } = require('../runtime/packages/token-keys.cjs');
const { hintRefusals } = require('../runtime/schemas/yup-errors.cjs');
const { publishApplied, takeApplications, takeDescriptions } = require('../runtime/validators/applied-schemas.cjs');
const { hintFailedValidators } = require('../runtime/schemas/ajv-validators.cjs');
const { messageOf } = require('../base/error-stacks.cjs');
const { SharedProbes } = require('../runtime/process/worker-files.cjs');
const {
  currentWork,
  followPromises,
  originOf,
  startCall,
  startEvaluation,
  work,
} = require('../runtime/calls/async-attribution.cjs');
const { Workers, shareState } = require('../runtime/process/worker-threads.cjs');

const BOOT = 0;
/** The origin of work that was set off too long ago to be known. */
const UNKNOWN_ORIGIN = { seq: 0, call: null };
/** The message of an exit without a call of `process.exit`. */
const NOTHING_LEFT = 'the process ended because its event loop was empty';

/** The number of the next call on a connection: that after the newest call. */
const NEXT = -1;

class Agent {
  /**
   * @param {string} socketPath
   * @param {(path: string) => boolean} isOwnFile
   */
  constructor(socketPath, isOwnFile) {
    this.files = new Files();
    /** The texts of the instrumented files. @type {import('../loader/source-texts.cjs').Sources | null} */
    this.sources = null;
    this.causes = new Causes(this.files, isOwnFile);
    located.place = () => this.files.lastPlace();
    promises.lastPlace = located.place;
    promises.unfinishedPlace = (stamp) => this.files.unfinishedPlace(stamp);
    this.seq = BOOT;
    this.workers = new Workers({
      onFile: (file) => this.workerFileRegistered(file),
      onFailure: ({ path, hash, message }) => this.reportFailure(path, hash, message),
      onHint: (seq, text) => {
        if (seq === this.seq) keepHint(text);
      },
      onThrown: (seq, error) => {
        if (seq === this.seq) noteThrown(error);
      },
      onSchedule: (message) => this.schedules.announce(message),
    });
    /** The SUT's start is the first evaluation. */
    this.isRunning = true;
    this.isFull = true;
    this.hasBegun = false;
    this.isBootOver = false;
    this.hasCrashed = false;
    /** The seq of an `end` that is not answered yet; null: none. @type {number | null} */
    this.ending = null;
    /** @type {any[]} messages that came after such an `end`, or while calls of a library run */
    this.waiting = [];
    /** Set if this process is the host of a library. @type {{ isInvoking: boolean, invoke: (message: any) => void } | null} */
    this.library = null;
    /** The core's TCP ports in this evaluation, each with the number of its next call, or NEXT. @type {Record<number, number>} */
    this.ports = ObjectCreate(null);
    this.nextCall = 0;
    this.followed = new Followed();
    this.callCount = 0;
    this.channel = new Channel(socketPath, (message) => this.receive(message));
    this.gate = new StandbyGate(socketPath);
    this.threads = new Threads();
    const activity = new Activity(this.threads, this.channel.socket);
    this.sleeps = new Sleeps({ activity, isAwaited: (number) => isAwaited(number) });
    this.schedules = new Schedules((message) => this.channel.cork(message));
    recorder.trace = (file, line) =>
      this.channel.sendNow({ type: 'trace', file, line, call: recorder.record === null ? null : runningCall() });
  }

  /** @param {import('../loader/source-texts.cjs').Sources} sources */
  setSources(sources) {
    this.sources = sources;
  }

  /** @param {string} path of an instrumented text */
  mapOf(path) {
    return this.sources === null ? null : this.sources.mapOf(path);
  }

  /**
   * Starts to observe this process.
   * @param {string} [bootSeed] of randomness until the first evaluation
   */
  watch(bootSeed) {
    followPromises();
    publishApplied();
    publishServed();
    watchTimers({
      sleeps: this.sleeps,
      schedules: this.schedules,
      isOwnFile: (path) => this.causes.isOwn(path),
      originalPlace: (file, line, column) => this.files.originalPlace(file, line, column),
    });
    watchHmacs(); // before watchRandomness, which tells ES modules
    watchServices(this.sleeps); // likewise
    // The models of traced texts know built-in functions by their identity.
    if (memory.mocks && tracing === null) watchParsing();
    watchRandomness();
    if (bootSeed !== undefined) seedRandomness(Number(bootSeed));
    this.watchDatabases();
    watchRequests({
      onStart: (port, request, response) => this.requestStarted(port, request, response),
      onFinish: (response) => this.responseFinished(response),
    });
    watchListening({
      onBind: () => this.gate.pass(),
      onListening: ({ port, address, protocol, server }) => {
        noteServer(server, port);
        this.channel.send({ type: 'listening', port, address, protocol, pid: process.pid });
      },
    });
    routeContext.isOwn = (path) => this.causes.isOwn(path);
    routeContext.originalPlace = (file, line, column) => this.files.originalPlace(file, line, column);
    watchProcess({
      onUncaught: (error) => this.crashed(this.kindOf(error), error, currentWork()),
      onUnhandledRejection: (reason, number) => this.crashed('unhandled-rejection', reason, number),
      onBeforeExit: () => this.channel.flushNow(),
      onWorker: (worker) => this.threads.add(worker),
      onExit: (code) => this.exiting(code),
      onFatal: (fatal) => this.tidyFatal(fatal),
    });
  }

  watchDatabases() {
    databases.announce = (message) => this.channel.send(message);
    databases.listen = () => this.channel.drain();
    databases.holds = () => this.isBootOver;
    commandLog.place = () => this.files.lastPlace();
  }

  // ---- source files

  /**
   * @param {import('../loader/transform.cjs').Registration} registration
   * @returns {object} the file's handle
   */
  registerFile({ path, hash, tableText, text }) {
    const { probes, isNew } = this.files.register(path, hash, tableText, () => this.mapOf(path));
    if (isNew) {
      this.announce(probes, hash, tableText);
      noteSchemaIn(text);
    }
    return probes;
  }

  /** @param {import('../runtime/process/worker-threads.cjs').WorkerFile} file */
  workerFileRegistered({ path, hash, tableText, arrays, text, isModule }) {
    if (this.sources !== null) this.sources.add({ path, text, isModule });
    const table = parseJson(tableText);
    const probes = new SharedProbes(path, table, arrays);
    this.files.add(probes, table, () => this.mapOf(path));
    this.announce(probes, hash, tableText);
    noteSchemaIn(text);
  }

  /**
   * Sends the `file` message. The table is already JSON and contains the message's `targets` and `parts`; the core
   * ignores its other fields.
   * @param {import('../runtime/probes/file-probes.cjs').FileProbes} probes
   * @param {string} hash
   * @param {string} tableText
   */
  announce({ base, path }, hash, tableText) {
    const head = encode({ type: 'file', base, path, hash, error: null });
    this.channel.cork(new RawJson(slice(head, 0, -1) + ',' + slice(tableText, 1)));
  }

  /**
   * @param {string} path
   * @param {string} hash
   * @param {string} error
   */
  reportFailure(path, hash, error) {
    this.channel.cork({ type: 'file', base: takeTargets(0), path, hash, targets: [], error });
  }

  // ---- the core's messages

  /** @param {any} message */
  receive(message) {
    const isBusy = this.ending !== null || (this.library !== null && this.library.isInvoking);
    if (isBusy) this.waiting[this.waiting.length] = message;
    else this.obey(message);
  }

  receiveWaiting() {
    const { waiting } = this;
    this.waiting = [];
    for (let index = 0; index < waiting.length; index++) this.receive(waiting[index]);
  }

  /** @param {any} message */
  obey(message) {
    switch (message.type) {
      case 'begin':
        return this.begin(message);
      case 'connection':
        this.ports[message.port] = typeof message.next_call === 'number' ? message.next_call : NEXT;
        return undefined;
      case 'end':
        this.ending = message.seq;
        setImmediate(() => this.finish(message));
        return undefined;
      case 'follow':
        return this.followed.expect(message);
      case 'invoke':
        return this.library === null ? undefined : this.library.invoke(message);
      case 'query':
        return answerQuery(message, (answer) => this.channel.send(answer));
      case 'release':
        return releaseTarget(message.database);
      case 'ping':
        return this.channel.send({ type: 'pong', n: message.n, ...(this.isEndless() ? { endless: true } : {}) });
      default:
        return undefined;
    }
  }

  /** Whether a call waits for a service that hangs on purpose, and nothing can end that. */
  isEndless() {
    return mode.isOn && this.isRunning && this.sleeps.isEndless();
  }

  /** @param {any} message */
  begin(message) {
    this.workers.poll();
    this.seq = message.seq;
    this.isRunning = true;
    if (message.seq > BOOT) this.hasBegun = true;
    this.isFull = message.full === true;
    recorder.isFull = this.isFull;
    recorder.seq = this.seq;
    this.ports = ObjectCreate(null);
    this.ports[message.port] = NEXT;
    this.nextCall = typeof message.next_call === 'number' ? message.next_call : 0;
    recorder.call = this.nextCall;
    recorder.areHintsWanted = message.hints === true;
    recorder.isTracing = message.trace === true;
    commandLog.isWanted = message.commands === true;
    this.isolate(message.isolate === true);
    seedRandomness(message.random_seed);
    biasRandomness(message.random_bias);
    planOutcomes(message.external_outcomes);
    expectAnswers(isArray(message.answers) ? message.answers : []);
    this.files.open(false);
    if (isArray(message.covered)) this.files.cover(message.covered);
    this.files.open(this.isFull || recorder.isTracing);
    shareState(this.seq);
  }

  applyToSchedules() {
    try {
      this.schedules.apply();
    } catch {
      // A timer has an unexpected structure: it runs as it was set.
    }
  }

  /** @param {boolean} isOn */
  isolate(isOn) {
    if (mode.isOn === isOn) return;
    mode.isOn = isOn;
    this.applyToSchedules();
  }

  /**
   * Runs the timers that the calls have left, if time may be skipped, and answers `end`.
   * @param {any} end
   */
  finish(end) {
    if (this.ending === null || !mode.isOn) return this.answerEnd(end);
    this.sleeps.finish(() => {
      // Unless it was answered in the meantime, and perhaps another `end` has come.
      if (this.ending === end.seq) this.answerEnd(end);
    });
    return undefined;
  }

  /** @param {any} end the message; null if a call of the next evaluation has already begun */
  answerEnd(end) {
    if (this.ending === null) return;
    const seq = this.ending;
    this.ending = null;
    const isBoot = !this.isBootOver;
    this.isBootOver = true;
    this.workers.poll();
    const causes = [];
    for (let index = 0; index < recorder.records.length; index++) {
      const cause = this.causes.ofCall(recorder.records[index], this.isFull);
      if (cause !== null) causes[causes.length] = cause;
      const { located: errors } = recorder.records[index];
      for (let at = 0; at < errors.length; at++) {
        causes[causes.length] = this.causes.ofLocated(recorder.records[index].call, errors[at]);
      }
    }
    const schemas = takeDescriptions();
    for (let index = 0; index < schemas.length; index++) this.channel.send(schemas[index]);
    const models = takeModels();
    if (models.length > 0) this.channel.send({ type: 'models', tables: models });
    const routes = takeRoutes();
    if (routes.length > 0) this.channel.send({ type: 'routes', routes });
    this.followed.end((path) => this.channel.send({ type: 'path', seq, ...path }));
    this.channel.send({
      type: 'result',
      seq,
      targets: new RawJson(this.files.resultText(this.isFull)),
      hints: recorder.hints,
      causes,
      calls: this.callCount,
      ...takeCommands(),
      ...takeApplications(),
      ...(countRandomValues() > 0 ? { random_values: countRandomValues() } : {}),
      ...guardedCalls(seq),
    });
    if (isBoot) keepCode();
    this.forgetEvaluation();
    if (end && typeof end.isolate === 'boolean') mode.isOn = end.isolate;
    this.applyToSchedules();
    this.receiveWaiting();
  }

  forgetEvaluation() {
    this.isRunning = false;
    startEvaluation();
    this.callCount = 0;
    recorder.areHintsWanted = false;
    recorder.isTracing = false;
    commandLog.isWanted = false;
    this.files.clear();
    this.files.open(false);
    clearRecorder();
    forgetThrow();
    shareState(this.seq);
  }

  // ---- what the process does

  /**
   * @param {number} port of the peer, on this machine
   * @param {any} request
   * @param {any} response
   */
  requestStarted(port, request, response) {
    // All messages that the core wrote before it sent this request are read first, in particular `begin`. A `begin`
    // that replaces the one sent with the last `end` has been read already: the core has waited for that, because a
    // read that finds nothing costs as much as some whole calls of a small program.
    if (!this.isRunning || this.ending !== null || this.ports[port] === undefined) {
      this.channel.drain();
      if (this.ending !== null && this.waiting.length > 0) this.answerEnd(null);
    }
    const first = this.ports[port];
    if (!this.isRunning || first === undefined) return;
    const call = first === NEXT ? this.nextCall : first;
    this.ports[port] = NEXT;
    this.nextCall = call + 1;
    this.callStarted(call, request, response);
  }

  /**
   * @param {number} call
   * @param {any} request null for a call of a library
   * @param {any} response
   */
  callStarted(call, request, response) {
    if (recorder.record !== null) this.settle(recorder.record);
    this.callCount++;
    this.hasCrashed = false;
    this.followed.noteCall(call);
    recorder.call = call;
    recorder.record = {
      call,
      request,
      response,
      startStamp: stampNow(),
      isAnswered: false,
      isWell: false,
      hasError: false,
      error: undefined,
      located: [],
      mistakes: [],
      place: null,
    };
    recorder.records[recorder.records.length] = recorder.record;
    startCall(this.seq, call);
    memory.cells[CALL] = call;
    memory.cells[AWAITED] = work.newest;
  }

  /** @param {any} response */
  responseFinished(response) {
    this.workers.poll();
    hintFailedValidators(memory.last[0]);
    hintRefusals(memory.last[0]);
    hintKeys(memory.last[0]);
    for (let index = recorder.records.length - 1; index >= 0; index--) {
      const record = recorder.records[index];
      if (record.response !== response) continue;
      record.isAnswered = true;
      if (record === recorder.record) memory.cells[AWAITED] = 0;
      if (record.hasError || isServerError(response)) this.causes.pin(record);
      else {
        record.isWell = true;
        if (this.isFull) this.causes.pinAnswer(record);
      }
      return;
    }
  }

  /**
   * Completes a call when the core has begun another one.
   * @param {import('../runtime/calls/recorder.cjs').CallRecord} record
   */
  settle(record) {
    if (isTroubled(record)) this.causes.pin(record);
  }

  /** @param {unknown} error that nothing has caught */
  kindOf(error) {
    return this.library !== null && isUnheard(error) ? 'unheard-error' : 'uncaught-exception';
  }

  /**
   * @param {'uncaught-exception' | 'unhandled-rejection' | 'unheard-error'} kind
   * @param {unknown} error
   * @param {number} number of the work that caused it
   */
  crashed(kind, error, number) {
    const isLate = number !== 0 && number < work.first;
    const record = isLate ? null : runningRecord();
    if (!isLate) noteThrown(error);
    this.hasCrashed = true;
    const cause = this.causes.ofCrash(record, error);
    const call = record === null ? null : record.call;
    this.channel.sendNow({
      type: 'crash',
      kind,
      call,
      cause,
      late: isLate ? originOf(number) || UNKNOWN_ORIGIN : null,
    });
  }

  /** @param {import('../runtime/errors/fatal-errors.cjs').FatalError} fatal */
  tidyFatal(fatal) {
    try {
      if (this.sources !== null) tidyFatalError(fatal, this.sources);
    } catch {
      // Node then prints the line of the running text.
    }
  }

  /**
   * Reports the end of the process, except after a crash.
   * @param {number} code
   */
  exiting(code) {
    try {
      if (!this.hasBegun || this.hasCrashed) return this.channel.flushNow();
      const trail = { name: 'Error', message: '', stack: '' };
      captureStackTrace(trail, this.exiting);
      const number = currentWork();
      const record = runningRecord();
      const cause = this.causes.ofCrash(record, trail);
      cause.message = indexOf(cause.stack, 'process.exit') < 0 ? NOTHING_LEFT : 'process.exit(' + code + ')';
      if (record !== null && record.hasError) cause.message += ' after ' + messageOf(record.error);
      const late = number !== 0 && number < work.first ? originOf(number) || UNKNOWN_ORIGIN : null;
      this.channel.sendNow({
        type: 'crash',
        kind: 'exit',
        call: record === null ? null : record.call,
        exit_code: code,
        cause,
        late,
      });
    } catch {
      // The process ends in any case.
    }
    return undefined;
  }
}

/**
 * @param {number} number of work
 * @returns {boolean} whether it is a call of this evaluation that has not been answered
 */
function isAwaited(number) {
  const record = number < work.first ? undefined : recorder.records[number - work.first];
  return record !== undefined && !record.isAnswered;
}

/** @param {number} seq @returns {{ guarded?: number[] }} the field of the result; empty if no service was called */
function guardedCalls(seq) {
  const guarded = takeGuarded(seq);
  return serviceWaits.isUsed && guarded.length > 0 ? { guarded } : {};
}

module.exports = { Agent };
