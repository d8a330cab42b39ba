'use strict';
/**
 * Which answer a request gets: that of the template with the most literal segments, then the one for its occurrence.
 */

const WILDCARD = '*';

/**
 * @typedef {object} Answer as in protocol/mocks.md
 * @property {number} id
 * @property {string} origin
 * @property {string} method
 * @property {string} path
 * @property {number | null} [occurrence]
 * @property {string} [outcome]
 * @property {number} [status]
 * @property {[string, string][]} [headers]
 * @property {string} [body]
 * @property {'utf8' | 'base64'} [body_encoding]
 * @property {string[] | null} [chunks]
 * @property {boolean} [is_reply] whether each chunk is sent after a message of the client
 */

/** @typedef {{ path: string, segments: string[], answers: Answer[] }} Template */

/** @param {string} path @returns {string[]} */
const segmentsOf = (path) => path.split('?', 1)[0].split('/').slice(1);

class PlannedAnswers {
  /** By origin and method, the most literal templates first. @type {Map<string, Template[]>} */
  templates = new Map();
  /** Requests so far, by origin, method and template or path. @type {Map<string, number>} */
  counts = new Map();

  /** @param {Answer[]} answers which replace all earlier ones */
  plan(answers) {
    this.templates = new Map();
    this.counts = new Map();
    for (const answer of answers) {
      const key = `${answer.method} ${answer.origin}`;
      const templates = this.templates.get(key) ?? [];
      const known = templates.find(({ path }) => path === answer.path);
      if (known) known.answers.push(answer);
      else templates.push({ path: answer.path, segments: segmentsOf(answer.path), answers: [answer] });
      templates.sort((one, other) => literals(other.segments) - literals(one.segments));
      this.templates.set(key, templates);
    }
  }

  /**
   * @param {string} origin
   * @param {string} method
   * @param {string} target path and query
   * @returns {{ answer: Answer | null, occurrence: number }} occurrence: how many requests to the same template, or
   *   else to the same path, came before
   */
  take(origin, method, target) {
    const { key, ...taken } = this.next(origin, method, target);
    this.counts.set(key, taken.occurrence + 1);
    return taken;
  }

  /**
   * Returns what `take` will.
   * @param {string} origin
   * @param {string} method
   * @param {string} target
   */
  next(origin, method, target) {
    const given = segmentsOf(target);
    const fitting = (this.templates.get(`${method} ${origin}`) ?? []).filter(({ segments }) => fits(segments, given));
    const key = `${method} ${origin} ${fitting.length > 0 ? fitting[0].path : target.split('?', 1)[0]}`;
    const occurrence = this.counts.get(key) ?? 0;
    for (const { answers } of fitting) {
      const answer =
        answers.find((one) => one.occurrence === occurrence) ??
        answers.find((one) => (one.occurrence ?? null) === null);
      if (answer) return { answer, occurrence, key };
    }
    return { answer: null, occurrence, key };
  }
}

/** @param {string[]} segments */
const literals = (segments) => segments.filter((segment) => segment !== WILDCARD).length;

/**
 * @param {string[]} wanted
 * @param {string[]} given
 */
const fits = (wanted, given) =>
  wanted.length === given.length &&
  wanted.every((segment, index) => (segment === WILDCARD ? given[index] !== '' : segment === given[index]));

module.exports = { PlannedAnswers };
