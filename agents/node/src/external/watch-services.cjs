'use strict';
/** Leads the program's connections to services to the mock server, if the core has one. */

const { memory } = require('../base/thread-memory.cjs');
const { serviceWaits } = require('../runtime/isolation/service-waits.cjs');
const { watchChildren } = require('./children.cjs');
const { watchConnects } = require('./connects.cjs');
const { watchDatagrams } = require('./datagrams.cjs');
const { watchGuards } = require('./guards.cjs');
const { watchNames } = require('./names.cjs');
const { noteConnection, watchSentRequests } = require('./sent-requests.cjs');
const { ServiceRules } = require('./service-rules.cjs');
const { awaitAuthority, watchTrust } = require('./trust.cjs');
const { outcomeOf } = require('./planned-outcomes.cjs');
const { watchNativeCode } = require('./native-code.cjs');
const { reportText } = require('./reports.cjs');
const { watchUnixSockets } = require('./unix-sockets.cjs');

const LOOK_MS = 10;

/**
 * Called once in each thread, before the program runs and before ES modules are told what was replaced.
 * @param {import('../runtime/isolation/time-skipping.cjs').Sleeps | null} sleeps null: time is not skipped
 * @param {() => boolean} [onConnect] called before each connection to a server; returns whether time has passed in it
 */
function watchServices(sleeps, onConnect = () => false) {
  const mocks = memory.mocks;
  if (!mocks) return;
  watchChildren(mocks); // takes back proxies, which would count as the program's own
  const rules = new ServiceRules(mocks);
  const outcomeNow = (/** @type {string} */ host, /** @type {number} */ port) => {
    const outcome = outcomeOf(host, port);
    if (outcome !== '') serviceWaits.isUsed = true; // its client may wait before it tries again
    return outcome;
  };
  watchNames(rules, (host) => outcomeNow(host, 0));
  watchDatagrams(rules);
  watchTrust(mocks.folder);
  watchUnixSockets(mocks.folder, onConnect);
  watchNativeCode(mocks.folder);
  watchSentRequests();
  const onRedirect = (/** @type {string} */ host, /** @type {number} */ port) => {
    noteConnection(host, port);
    serviceWaits.isUsed = true;
    if (sleeps !== null) sleeps.lookIn(LOOK_MS); // at time-outs that were set before
    awaitAuthority(mocks.folder);
  };
  if (sleeps !== null) watchGuards(sleeps, mocks.folder);
  const onRefused = (/** @type {string} */ host, /** @type {number} */ port) => {
    reportText(mocks.folder, 'refused', host + ' ' + port);
  };
  watchConnects({ rules, outcomeOf: outcomeNow, onConnect, onRedirect, onRefused });
}

module.exports = { watchServices };
