'use strict';
/** Leads the program's connections to services to the mock server, if the core has one. */

const { memory } = require('../base/thread-memory.cjs');
const { watchConnects } = require('./connects.cjs');
const { watchNames } = require('./names.cjs');
const { ServiceRules } = require('./service-rules.cjs');
const { awaitAuthority, watchTrust } = require('./trust.cjs');
const { outcomeOf } = require('./planned-outcomes.cjs');

/** Called once in each thread, before the program runs and before ES modules are told what was replaced. */
function watchServices() {
  const mocks = memory.mocks;
  if (!mocks) return;
  const rules = new ServiceRules(mocks);
  watchNames(rules, (host) => outcomeOf(host, 0));
  watchTrust(mocks.folder);
  watchConnects({ rules, outcomeOf, onRedirect: () => awaitAuthority(mocks.folder) });
}

module.exports = { watchServices };
