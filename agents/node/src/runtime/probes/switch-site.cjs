'use strict';
/** One `switch` of a file's table, prepared for the computation of h. */

const { ObjectCreate, ObjectKeys } = require('../../base/intrinsics.cjs');
const { fromJson } = require('../calls/hint-values.cjs');

const CLAUSE = /** @type {const} */ ({ LITERAL: 0, EXPRESSION: 1, DEFAULT: 2 });

class SwitchSite {
  /** @param {any[]} cases as in the table: literals, `{$expr: true}`, `{$default: true}` */
  constructor(cases) {
    this.count = cases.length;
    /** @type {number[]} */
    this.kinds = [];
    /** @type {unknown[]} */
    this.values = [];
    this.defaultAt = -1;
    this.hasExpressions = false;
    /** The discriminant, as long as clauses with expressions may still match. @type {unknown} */
    this.subject = undefined;
    this.isPending = false;
    /** The clause with a literal that matches unless an earlier expression does; -1: none. */
    this.match = -1;
    for (let at = 0; at < cases.length; at++) this.add(at, cases[at]);
  }

  /**
   * @param {number} at
   * @param {any} entry
   */
  add(at, entry) {
    const isObject = typeof entry === 'object' && entry !== null;
    const isDefault = isObject && entry.$default === true;
    const isExpression = isObject && entry.$expr === true;
    this.kinds[at] = isDefault ? CLAUSE.DEFAULT : isExpression ? CLAUSE.EXPRESSION : CLAUSE.LITERAL;
    this.values[at] = isDefault || isExpression ? undefined : fromJson(entry);
    if (isDefault) this.defaultAt = at;
    if (isExpression) this.hasExpressions = true;
  }

  /** @param {unknown} subject */
  matchOf(subject) {
    for (let at = 0; at < this.count; at++) {
      if (this.kinds[at] === CLAUSE.LITERAL && this.values[at] === subject) return at;
    }
    return -1;
  }

  /** The last clause with an expression that runs before `match` is taken (or before `default`); -1: none. */
  lastExpressionBefore(/** @type {number} */ match) {
    for (let at = match < 0 ? this.count - 1 : match; at >= 0; at--) {
      if (this.kinds[at] === CLAUSE.EXPRESSION) return at;
    }
    return -1;
  }
}

/**
 * @param {Record<string, any[]> | undefined} cases of a file's table
 * @returns {Record<number, SwitchSite>}
 */
function switchSites(cases) {
  const sites = ObjectCreate(null);
  const keys = cases === undefined ? [] : ObjectKeys(cases);
  for (let index = 0; index < keys.length; index++) {
    sites[keys[index]] = new SwitchSite(/** @type {any} */ (cases)[keys[index]]);
  }
  return sites;
}

module.exports = { CLAUSE, SwitchSite, switchSites };
