'use strict';
/**
 * The agent of one process: communicates with the core and keeps the order of evaluations (protocol/README.md).
 *
 * Law: nothing here may throw into the program under test. It calls only functions of the agent, and reads values of
 * the program through data properties.
 */

const { Number, ObjectCreate, isArray, parseJson, setImmediate, slice } = require('../base/intrinsics.cjs');
const { Channel } = require('./channel.cjs');
const { Followed } = require('./followed-call.cjs');
const { keepCode } = require('../loader/compiled-modules.cjs');
const { RawJson, encode } = require('../base/json-text.cjs');
const { log: commandLog, takeCommands } = require('../databases/recorded-commands.cjs');
const { answerQuery } = require('../databases/proxied-queries.cjs');
const { takeModels } = require('../databases/models/seen-models.cjs');
const { noteSchemaIn } = require('../databases/models/prisma.cjs');
const { context: routeContext, noteServer, takeRoutes } = require('../routes/found-routes.cjs');
require('../routes/nitro-routes.cjs');
const { publishServed } = require('../routes/trpc-routes.cjs');
const { releaseTarget, targets: databases } = require('../databases/connected-databases.cjs');
const { expectAnswers, watchParsing } = require('../runtime/answers/parsed-answers.cjs');
const { Causes } = require('../runtime/errors/error-causes.cjs');
const { CallRecords, isAwaited } = require('./call-records.cjs');
const { CrashReports } = require('./crash-reports.cjs');
const { located } = require('../runtime/errors/located-errors.cjs');
const { ResolverPlaces } = require('../runtime/errors/resolver-places.cjs');
const { HANDLE_NAME } = require('../instrument/texts/header.cjs');
const { relay } = require('../runtime/errors/handed-on-answers.cjs');
const { handedOn } = require('../runtime/errors/handed-on-commands.cjs');
const { context: promises } = require('../runtime/errors/missing-awaits.cjs');
const { tidyFatalError } = require('../runtime/errors/fatal-errors.cjs');
const { tracing } = require('../concolic/running-trace.cjs');
const { Files } = require('../runtime/process/instrumented-files.cjs');
const { Activity } = require('../runtime/isolation/outside-activity.cjs');
const { forgetHashes, skipKnownKeys } = require('../runtime/isolation/known-hashes.cjs');
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
const { MAX_GUARD_MS, Sleeps } = require('../runtime/isolation/time-skipping.cjs');
const { Threads } = require('../runtime/isolation/busy-workers.cjs');
const { watchTimers } = require('../runtime/isolation/timers.cjs');
const { forgetThrow } = require('../runtime/errors/latest-throw.cjs');
const { planOutcomes } = require('../external/planned-outcomes.cjs');
const { context: requestSites } = require('../external/request-sites.cjs');
const { lookForHttp2, takeSentRequests } = require('../external/sent-requests.cjs');
const { isOfLoader } = require('../external/unix-sockets.cjs');
const { watchServices } = require('../external/watch-services.cjs');
const { watchListening } = require('../runtime/process/listening-servers.cjs');
const { StandbyGate } = require('./standby-gate.cjs');
const { watchProcess } = require('../runtime/process/process-exit.cjs');
const { clearRecorder, keepHint, noteThrown, recorder, runningCall } = require('../runtime/calls/recorder.cjs');
const { takeSlowest, timeStatements } = require('../runtime/calls/statement-clock.cjs');
const { memory, takeTargets } = require('../base/thread-memory.cjs');
const { watchRequests } = require('../runtime/calls/http-requests.cjs');
const { watchHmacs } = require('../runtime/packages/token-keys.cjs');
const { watchSignatureChecks } = require('../runtime/packages/signature-checks.cjs');
const { watchPrinting } = require('../runtime/packages/printed-errors.cjs');
const { publishApplied, takeApplications, takeDescriptions } = require('../runtime/validators/applied-schemas.cjs');
const { SharedProbes } = require('../runtime/process/worker-files.cjs');
const { currentWork, followPromises, startEvaluation } = require('../runtime/calls/async-attribution.cjs');
const { Workers, shareState } = require('../runtime/process/worker-threads.cjs');

const BOOT = 0;

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
    this.isBootOver = false;
    /** The seq of an `end` that is not answered yet; null: none. @type {number | null} */
    this.ending = null;
    /** @type {any[]} messages that came after such an `end`, or while calls of a library run */
    this.waiting = [];
    /**
     * Set if this process is the host of a library.
     * @type {{ isInvoking: boolean, invoke: (message: any) => void } | null}
     */
    this.library = null;
    /**
     * The core's TCP ports in this evaluation, each with the number of its next call, or NEXT.
     * @type {Record<number, number>}
     */
    this.ports = ObjectCreate(null);
    this.nextCall = 0;
    this.followed = new Followed();
    this.records = new CallRecords(this.causes);
    this.channel = new Channel(socketPath, (message) => this.receive(message));
    this.crashes = new CrashReports(this.channel, this.causes);
    this.gate = new StandbyGate(socketPath);
    this.threads = new Threads();
    const activity = new Activity(this.threads, this.channel.socket);
    this.sleeps = new Sleeps({ activity, isAwaited });
    this.schedules = new Schedules((message) => this.channel.cork(message));
    recorder.trace = (file, line) =>
      this.channel.sendNow({ type: 'trace', file, line, call: recorder.record === null ? null : runningCall() });
  }

  /** @param {import('../loader/source-texts.cjs').Sources} sources */
  setSources(sources) {
    this.sources = sources;
    const places = new ResolverPlaces(this.files, (text) => sources.pathOfFunction(text), HANDLE_NAME);
    located.placeIn = (resolver) => places.placeIn(resolver);
  }

  /** @param {{ isInvoking: boolean, invoke: (message: any) => void }} host Makes this process the host of a library. */
  hostLibrary(host) {
    forgetHashes();
    this.library = host;
    this.crashes.noteLibrary();
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
      onSet: (timer) => this.gate.noteTimer(timer),
      isOwnFile: (path) => this.causes.isOwn(path),
      originalPlace: (file, line, column) => this.files.originalPlace(file, line, column),
    });
    watchHmacs(); // before watchRandomness, which tells ES modules
    watchSignatureChecks(); // likewise
    skipKnownKeys(); // likewise
    watchPrinting();
    watchServices(this.sleeps, () => this.gate.pass()); // likewise
    // The models of traced texts know built-in functions by their identity.
    if (memory.mocks && tracing === null) watchParsing();
    watchRandomness();
    if (bootSeed !== undefined) seedRandomness(Number(bootSeed));
    this.watchDatabases();
    watchRequests({
      onStart: (port, request, response) => this.requestStarted(port, request, response),
      onFinish: (response) => {
        this.workers.poll();
        this.records.noteResponse(response);
      },
    });
    watchListening({
      onBind: (server) => {
        if (!isOfLoader(server)) this.gate.pass();
      },
      onListening: ({ port, address, protocol, server }) => {
        noteServer(server, port);
        this.channel.send({ type: 'listening', port, address, protocol, pid: process.pid });
      },
      onUnbound: () => this.channel.send({ type: 'unbound', pid: process.pid }),
    });
    routeContext.isOwn = (path) => this.causes.isOwn(path);
    routeContext.originalPlace = (file, line, column) => this.files.originalPlace(file, line, column);
    requestSites.isOwn = routeContext.isOwn;
    requestSites.originalPlace = routeContext.originalPlace;
    requestSites.isRelay = relay.isRelay;
    requestSites.unfinishedPlace = relay.unfinishedPlace;
    watchProcess({
      onUncaught: (error, isFatal) => this.crashes.noteCrash(this.crashes.kindOf(error), error, currentWork(), isFatal),
      onUnhandledRejection: (reason, { number, maker, isFatal }) =>
        this.crashes.noteCrash('unhandled-rejection', reason, number, isFatal, this.files.placeOf(maker)),
      onBeforeExit: () => this.channel.flushNow(),
      onWorker: (worker) => this.threads.add(worker),
      onExit: (code) => this.crashes.noteExit(code),
      onFatal: (fatal) => this.tidyFatal(fatal),
    });
  }

  watchDatabases() {
    databases.announce = (message) => this.channel.send(message);
    databases.listen = () => this.channel.drain();
    databases.holds = () => this.isBootOver;
    databases.wouldBeHeld = () => this.gate.isPassed;
    relay.unfinishedPlace = (stamp) => this.files.unfinishedPlace(stamp);
    relay.isRelay = (file, line) => this.files.isRelay(file, line);
    handedOn.callingPlace = (stamp) => this.files.callingPlace(stamp);
    commandLog.place = () => this.files.lastPlace();
    commandLog.unfinishedPlace = (stamp) => this.files.unfinishedPlace(stamp);
    commandLog.unfinishedCaller = (stamp) => this.files.unfinishedCaller(stamp);
    commandLog.isRelay = relay.isRelay;
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
    return mode.guardMs > 0 && this.isRunning && this.sleeps.isEndless();
  }

  /** @param {any} message */
  begin(message) {
    this.workers.poll();
    if (message.mark > 0) this.channel.mark = message.mark;
    this.seq = message.seq;
    this.isRunning = true;
    if (message.seq > BOOT) this.crashes.noteEvaluation();
    this.isFull = message.full === true;
    recorder.isFull = this.isFull;
    recorder.seq = this.seq;
    this.ports = ObjectCreate(null);
    this.ports[message.port] = NEXT;
    this.nextCall = typeof message.next_call === 'number' ? message.next_call : 0;
    recorder.call = this.nextCall;
    recorder.areHintsWanted = message.hints === true;
    recorder.isTracing = message.trace === true;
    timeStatements(message.timed === true);
    commandLog.isWanted = message.commands === true;
    handedOn.isWanted = commandLog.isWanted;
    this.isolate(message.isolate === true, message.guard_ms);
    seedRandomness(message.random_seed);
    biasRandomness(message.random_bias);
    planOutcomes(message.external_outcomes);
    lookForHttp2();
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

  /**
   * @param {boolean} isOn
   * @param {unknown} guardMs
   */
  isolate(isOn, guardMs) {
    mode.guardMs = typeof guardMs === 'number' ? guardMs : isOn ? MAX_GUARD_MS : 0;
    if (mode.isOn === isOn) return;
    mode.isOn = isOn;
    this.applyToSchedules();
  }

  /**
   * Answers `end` once services have answered what the calls have sent, and the timers that they have left have run if
   * time may be skipped.
   * @param {any} end
   */
  finish(end) {
    if (this.ending === null || !(mode.isOn || serviceWaits.isUsed)) return this.answerEnd(end);
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
    const causes = this.records.takeCauses();
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
      calls: this.records.count,
      ...takeCommands(),
      ...takeApplications(),
      ...takeSlowest(),
      ...(countRandomValues() > 0 ? { random_values: countRandomValues() } : {}),
      ...guardedCalls(seq),
      ...sentRequests(seq),
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
    this.records.clear();
    recorder.areHintsWanted = false;
    recorder.isTracing = false;
    commandLog.isWanted = false;
    handedOn.isWanted = false;
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
    // All messages that the core wrote before it sent this request are read first, in particular `begin`. Of a `begin`
    // that replaces the one sent with the last `end`, the mark tells.
    if (!this.isRunning || this.ending !== null || this.ports[port] === undefined) {
      this.channel.drain();
      if (this.ending !== null && this.waiting.length > 0) this.answerEnd(null);
    } else this.channel.drainIfMarked();
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
    this.crashes.noteCall();
    this.followed.noteCall(call);
    this.records.begin(call, request, response);
  }

  /** @param {import('../runtime/errors/fatal-errors.cjs').FatalError} fatal */
  tidyFatal(fatal) {
    try {
      if (this.sources !== null) tidyFatalError(fatal, this.sources);
    } catch {
      // Node then prints the line of the running text.
    }
  }
}

/** @param {number} seq @returns {{ guarded?: number[] }} the field of the result; empty if no service was called */
function guardedCalls(seq) {
  const guarded = takeGuarded(seq);
  return serviceWaits.isUsed && guarded.length > 0 ? { guarded } : {};
}

/** @param {number} seq @returns {{ sent_requests?: object[] }} the field of the result; empty if there are none */
function sentRequests(seq) {
  const sent = takeSentRequests(seq);
  return serviceWaits.isUsed && sent.length > 0 ? { sent_requests: sent } : {};
}

module.exports = { Agent };
