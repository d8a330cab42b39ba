'use strict';
/** Probes of `switch`: h of every clause is computed from the discriminant. */

const { OPERATOR, closeness, missedDistance } = require('../heuristics/distance.cjs');
const { CLAUSE } = require('./switch-site.cjs');
const { comparison } = require('../calls/hint-kinds.cjs');
const { scalarText } = require('../calls/hint-values.cjs');
const { DONE } = require('./file-targets.cjs');
const { probeTable } = require('./probe-table.cjs');

const switchProbes = probeTable({
  /**
   * @template T
   * @param {number} i
   * @param {T} subject
   */
  sw(i, subject) {
    const site = this.switches[i];
    if (site === undefined) return subject;
    for (let at = 0; at < site.count; at++) {
      if (this.state[i + at] < DONE) {
        this.scoreClauses(i, site, subject);
        break;
      }
    }
    return subject;
  },

  /**
   * @param {number} i
   * @param {import('./switch-site.cjs').SwitchSite} site
   * @param {unknown} subject
   */
  scoreClauses(i, site, subject) {
    const match = site.matchOf(subject);
    for (let at = 0; at < site.count; at++) {
      if (at === match || this.state[i + at] >= DONE) continue;
      if (site.kinds[at] === CLAUSE.LITERAL) this.missClause(i, at, subject, site.values[at]);
      else if (site.kinds[at] === CLAUSE.DEFAULT && match >= 0) this.reach(i + at, closeness(1));
    }
    site.isPending = site.hasExpressions && site.lastExpressionBefore(match) >= 0;
    site.match = match;
    if (site.isPending) site.subject = subject;
    else this.takeClause(i, match >= 0 ? match : site.defaultAt);
  },

  /**
   * @template T
   * @param {number} i
   * @param {number} n
   * @param {T} test
   */
  cs(i, n, test) {
    const site = this.switches[i];
    if (site === undefined || !site.isPending) return test;
    const isMatch = test === site.subject;
    if (isMatch) this.takeClause(i, n);
    else {
      if (this.state[i + n] < DONE) this.missClause(i, n, site.subject, test);
      if (site.lastExpressionBefore(site.match) !== n) return test;
      this.takeClause(i, site.match >= 0 ? site.match : site.defaultAt);
    }
    site.isPending = false;
    site.subject = undefined;
    return test;
  },

  /**
   * @param {number} i
   * @param {number} clause
   * @param {unknown} subject
   * @param {unknown} test
   */
  missClause(i, clause, subject, test) {
    const target = i + clause;
    this.reach(target, closeness(missedDistance(OPERATOR.EQ3, false, subject, test)));
    if (this.wantsHint(target)) {
      this.hint(target, comparison('identical', scalarText(subject), scalarText(test), true, this.nameAt(i)));
    }
  },

  /**
   * @param {number} i
   * @param {number} clause -1: the switch has no `default`
   */
  takeClause(i, clause) {
    if (clause < 0 || this.state[i + clause] >= DONE) return;
    this.state[i + clause] = DONE;
    this.reach(i + clause, 1);
  },
});

module.exports = { switchProbes };
