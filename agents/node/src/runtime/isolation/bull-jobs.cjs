'use strict';
/**
 * Prevents repeated jobs of Bull and BullMQ in Redis from being handed out during the search, by changing the scripts
 * with which their workers fetch jobs, and records each repeated job. Other jobs are handed out as usual, including
 * delayed ones.
 *
 * Law: nothing is changed in Redis. If a job is held, a worker gets the reply that it would get if the job were not due
 * yet.
 */

const {
  defineProperty,
  getOwnPropertyDescriptor,
  indexOf,
  isArray,
  reflectApply,
  slice,
} = require('../../base/intrinsics.cjs');
const { disguise } = require('../../base/function-text.cjs');
const { tapMethod } = require('../../base/patching.cjs');
const { readData } = require('../../base/data-properties.cjs');
const { hideAgentFrames } = require('../../base/error-stacks.cjs');
const { MAX_EXPRESSION_UNITS } = require('./cron-expressions.cjs');
const { mode } = require('./isolation-rules.cjs');

/** Scripts that make delayed jobs available, or hand one out. */
const HANDING_OUT = { __proto__: null, moveToActive: true, moveToFinished: true, updateDelaySet: true, retryJob: true };
/** Prefix of the name under which the changed variant of a script is temporarily defined. */
const HELD = 'held:';
/** Jobs of one `addBulk` that are inspected. */
const MAX_JOBS = 100;

/**
 * The text around a script: repeated jobs, whose ids begin with `repeat:` in both packages, are removed from the due
 * jobs, and put back when the script has run, all in one atomic step of Redis. Waiting keys are inspected if workers
 * get jobs only by scripts (BullMQ from 4 on, which has a set by priority). The scripts inspect 1000 jobs as well, and
 * the first jobs are those due first.
 */
const TAKE_OUT = `
local sets, lists, byScripts = {}, {}, false
for _, key in ipairs(KEYS) do if string.match(key, ':prioritized$') then byScripts = true end end
for _, key in ipairs(KEYS) do
  local kind = string.match(key, ':(%a+)$')
  if kind == 'delayed' or (byScripts and kind == 'prioritized') then
    local due = redis.call('ZRANGE', key, 0, 999, 'WITHSCORES')
    for at = 1, #due, 2 do
      if string.sub(due[at], 1, 7) == 'repeat:' then
        redis.call('ZREM', key, due[at])
        table.insert(sets, { key, due[at + 1], due[at] })
      end
    end
  elseif byScripts and kind == 'wait' then
    for _, id in ipairs(redis.call('LRANGE', key, -1000, -1)) do
      if string.sub(id, 1, 7) == 'repeat:' then
        redis.call('LREM', key, -1, id)
        table.insert(lists, { key, id })
      end
    end
  end
end
local isWell, result = pcall(function()
`;
const PUT_BACK = `
end)
for _, taken in ipairs(sets) do redis.call('ZADD', taken[1], taken[2], taken[3]) end
for _, taken in ipairs(lists) do redis.call('RPUSH', taken[1], taken[2]) end
if not isWell then error(result, 0) end
return result
`;

const repeatedJobs = {
  /**
   * Called when the program adds a repeated job.
   * @param {{ kind: 'cron' | 'interval', expression: string, periodMs: number }} _about
   */
  onAdd(_about) {},
};

/** @type {Record<string, (exports: any) => void>} */
const watchBull = {
  'lib/queue.js'(exports) {
    tapMethod(exports.prototype, 'add', (self, args) => noteOptions(typeof args[0] === 'string' ? args[2] : args[1]));
    tapMethod(exports.prototype, 'addBulk', (self, args) => noteBulk(args[0]));
  },
};

const watchBullmqQueue = (/** @type {any} */ exports) => {
  const { prototype } = exports.Queue;
  tapMethod(prototype, 'add', (self, args) => noteOptions(args[2]));
  tapMethod(prototype, 'addBulk', (self, args) => noteBulk(args[0]));
  tapMethod(prototype, 'upsertJobScheduler', (self, args) => noteRepeat(args[1]));
};

/** @type {Record<string, (exports: any) => void>} */
const watchBullmq = { 'dist/cjs/classes/queue.js': watchBullmqQueue, 'dist/esm/classes/queue.js': watchBullmqQueue };

/** The file in which ioredis defines methods for scripts. @type {Record<string, (exports: any) => void>} */
const watchScripts = {
  'built/utils/Commander.js'(exports) {
    const define = tapMethod(
      exports.default.prototype,
      'defineCommand',
      () => {},
      (self, args) => {
        if (define !== null) holdScript(self, args[0], args[1], define);
      },
    );
  },
};

/**
 * @param {any} client
 * @param {unknown} name as both packages pass it: BullMQ appends its version after a colon
 * @param {any} definition
 * @param {Function} define ioredis's own
 */
function holdScript(client, name, definition, define) {
  if (typeof name !== 'string' || !(nameBefore(name, ':') in HANDING_OUT)) return;
  const lua = readData(definition, 'lua');
  if (typeof lua !== 'string' || indexOf(lua, 'delayed') < 0) return;
  const original = readData(client, name);
  reflectApply(define, client, [
    HELD + name,
    { numberOfKeys: readData(definition, 'numberOfKeys'), lua: TAKE_OUT + lua + PUT_BACK },
  ]);
  const held = client[HELD + name];
  delete client[HELD + name];
  delete client[HELD + name + 'Buffer'];
  delete client.scriptsSet[HELD + name];
  if (typeof original !== 'function' || typeof held !== 'function') return;
  const chosen = /** @this {any} */ function () {
    try {
      // A pipeline asks Redis beforehand which scripts it knows; it does not know the changed one.
      return reflectApply(
        mode.isOn && readData(this, 'isPipeline') !== true ? held : original,
        this,
        /** @type {any} */ (arguments),
      );
    } catch (error) {
      throw hideAgentFrames(error);
    }
  };
  defineProperty(client, name, {
    ...getOwnPropertyDescriptor(client, name),
    value: disguise(chosen, /** @type {any} */ (original)),
  });
}

/**
 * @param {string} text
 * @param {string} mark
 */
function nameBefore(text, mark) {
  const at = indexOf(text, mark);
  return at < 0 ? text : slice(text, 0, at);
}

/** @param {any} jobs */
function noteBulk(jobs) {
  if (!isArray(jobs)) return;
  for (let index = 0; index < jobs.length && index < MAX_JOBS; index++) noteOptions(readData(jobs[index], 'opts'));
}

/** @param {any} options of a job */
function noteOptions(options) {
  if (typeof options === 'object' && options !== null) noteRepeat(readData(options, 'repeat'));
}

/** @param {any} repeat */
function noteRepeat(repeat) {
  if (typeof repeat !== 'object' || repeat === null) return;
  const expression = readData(repeat, 'pattern') ?? readData(repeat, 'cron');
  const every = readData(repeat, 'every');
  if (typeof expression === 'string' && expression.length <= MAX_EXPRESSION_UNITS) {
    repeatedJobs.onAdd({ kind: 'cron', expression, periodMs: 0 });
  } else if (typeof every === 'number' && every > 0 && every < Infinity) {
    repeatedJobs.onAdd({ kind: 'interval', expression: '', periodMs: every });
  }
}

module.exports = { repeatedJobs, watchBull, watchBullmq, watchScripts };
