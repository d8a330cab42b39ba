'use strict';
/*
 * Loaded into the SUT by NODE_OPTIONS: leads its connections to other machines to the mock server of the tests.
 * WIMBLE_MOCKS says where that is (mocks.cjs).
 */
const fs = require('fs');
const { syncBuiltinESMExports } = require('module');
// <modules>
// </modules>

const { ServiceRules, readMocks } = load('external/service-rules.cjs');
const mocks = readMocks(process.env.WIMBLE_MOCKS);

/** How connecting fails, as the test has planned it; port 0: how looking up the name does. */
function outcomeOf(host, port) {
  try {
    return fs.readFileSync(`${mocks.folder}/outcome-${host}${port === 0 ? '' : `-${port}`}`, 'utf8');
  } catch {
    return '';
  }
}

if (mocks) {
  load('external/children.cjs').watchChildren(mocks);
  const rules = new ServiceRules(mocks);
  const { awaitAuthority, watchTrust } = load('external/trust.cjs');
  load('external/names.cjs').watchNames(rules, (host) => outcomeOf(host, 0));
  load('external/datagrams.cjs').watchDatagrams(rules);
  watchTrust(mocks.folder);
  load('external/connects.cjs').watchConnects({ rules, outcomeOf, onRedirect: () => awaitAuthority(mocks.folder) });
  syncBuiltinESMExports();
}
