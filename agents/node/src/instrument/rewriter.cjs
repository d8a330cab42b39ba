'use strict';
/**
 * Rewrites one file: walks its tree once, calls every pass for every node, and splices the insertions that the passes
 * request.
 *
 * Law: the walk follows the order of the text, and text is only ever appended at a position. So if several insertions
 * meet at one position, closing text precedes opening text, and outer text encloses inner text. No insertion contains a
 * newline, and no newline is removed, so line numbers do not change.
 */

const { default: MagicString } = require('magic-string');
const { Bindings } = require('./names/bindings.cjs');
const { childFields } = require('./evaluation/child-nodes.cjs');
const { Constants } = require('./texts/harvested-constants.cjs');
const { OptionalChains } = require('./evaluation/optional-chains.cjs');
const { firstEvaluated } = require('./evaluation/first-evaluated.cjs');
const { declaredIdentifiers } = require('./names/file-scopes.cjs');
const { superHomes } = require('./names/super-homes.cjs');
const { bundledCalls, hasCallWithin } = require('./texts/bundled-calls.cjs');
const { TargetTable } = require('./target-table.cjs');
const { usesOfUnawaited } = require('./names/unawaited-names.cjs');

/** @typedef {import('./texts/parse.cjs').Node} Node */
/** @typedef {(node: Node, rewriter: Rewriter) => void} Handler */
/** @typedef {Record<string, Handler>} Pass handlers by type of node */

const PART_OF_NAME = /[\w$\\\u0080-\uffff]/;

class Rewriter {
  /**
   * @param {string} text
   * @param {object} options
   * @param {boolean} options.isModule
   * @param {string} options.handle the name under which the probes are reached
   * @param {Map<string, Handler[]>} options.handlers by type of node, in the order of the passes
   * @param {import('./texts/source-map.cjs').SourceMap | null} [options.sourceMap] the map to the sources from which
   *   the text was compiled
   */
  constructor(text, { isModule, handle, handlers, sourceMap = null }) {
    this.text = text;
    this.isModule = isModule;
    this.handle = handle;
    this.handlers = handlers;
    this.splicer = new MagicString(text);
    this.targets = new TargetTable(text, sourceMap);
    this.constants = new Constants(this.targets);
    /** Positions of calls for which the code of packages in a bundle is visited. */
    this.bundledCalls = sourceMap === null ? [] : bundledCalls(text);
    /** @type {Map<Node, [open: string, close: string][]>} outer first; only for nodes whose visit has not ended */
    this.wraps = new Map();
    /** @type {Set<Node>} see showInErrors */
    this.shown = new Set();
    /** The function (by its target) that begins, or ends, at a statement or expression body whose probes report it. */
    this.functions = {
      /** @type {Map<Node, number>} */
      begins: new Map(),
      /** @type {Map<Node, number>} */
      ends: new Map(),
      /** @type {Map<Node, string>} the name that a function gets from its place */
      names: new Map(),
    };
    /** @type {Set<Node>} loops and labels that are handled with an outer label */
    this.labelled = new Set();
    /** Statements that leave a function out of loops -> what tells so. @type {Map<Node, string>} */
    this.exits = new Map();
    /** Functions that take elements of a kept list. @type {Map<Node, { position: number, kept: number }>} */
    this.callbacks = new Map();
    /** @type {Set<Node>} members that are written or deleted, not read */
    this.targetsOfWrites = new Set();
    /** @type {Set<Node> | null} */
    this.declared = null;
    /** @type {Set<Node> | null} */
    this.unawaited = null;
    /** Logical expressions of which the program keeps only the truth. @type {Set<Node>} */
    this.conditions = new Set();
    /** @type {Map<Node, import('./names/super-homes.cjs').Home> | null} */
    this.homes = null;
    /** Calls of `bind` with probes, so far. */
    this.bindCount = 0;
    /** Calls of parsers with probes, so far. */
    this.parserCount = 0;
    /** Calls of parsers whose probe is around their `await`. @type {Set<Node>} */
    this.awaited = new Set();
    /** @type {Node | null} */
    this.program = null;
    this.chains = new OptionalChains();
    /** @type {Set<Node>} `?.` members whose probes have to record whether the chain has ended there */
    this.earlyEnds = new Set();
    this.bindings = new Bindings();
    /** Members that are called, not read. @type {Set<Node>} */
    this.callees = new Set();
    /** Variables -> the members that they were declared with. @type {Map<string, string>} */
    this.memberNames = new Map();
    /** Calls of `split` all of whose parts get names: how many, and whether as numbers. @type {Map<Node, any[]>} */
    this.wantedParts = new Map();
    /** Names that are read of the value of a member: `b`, `c` for `a` in `x.a.b.c`. @type {Map<Node, string[]>} */
    this.readAfter = new Map();
    /** Declarations in lists of statements. @type {Set<Node>} */
    this.listed = new Set();
    /** Variables that are declared with input. @type {Map<string, any>} */
    this.inputNames = new Map();
    /** Variables -> where in an input their value lies. @type {Map<string, any>} */
    this.inputPlaces = new Map();
    /** Variables that count. @type {Set<string>} */
    this.indexNames = new Set();
    /** Callbacks -> the elements of an input that they are given. @type {Map<Node, any>} */
    this.givenElements = new Map();
    /** @type {Map<Node, number>} operands whose truthness is read, and the first target of the reader */
    this.readers = new Map();
    /**
     * By expression that is evaluated first in a statement: the target of the statement, or of the enclosing operator.
     * @type {Map<Node, {last: number}>}
     */
    this.firsts = new Map();
    this.lastOpening = -1;
  }

  /**
   * Inserts text around a node that has not been visited yet, inside of the text inserted around it before.
   * @param {Node} node
   * @param {string} open
   * @param {string} close
   */
  wrap(node, open, close) {
    const wraps = this.wraps.get(node);
    if (wraps === undefined) this.wraps.set(node, [[open, close]]);
    else wraps.push([open, close]);
  }

  /**
   * Makes a node an argument of a probe: `open` + node + `)`.
   * @param {Node} node
   * @param {string} open
   */
  wrapArgument(node, open) {
    if (node.type === 'SequenceExpression') this.wrap(node, `${open}(`, '))');
    else this.wrap(node, open, ')');
  }

  /**
   * Returns the start of a call of a probe, up to its next argument: `$.NAME(INDEX,`.
   * @param {string} name
   * @param {number} index
   */
  probe(name, index) {
    return `${this.handle}.${name}(${index},`;
  }

  /**
   * @param {number} position
   * @param {string} inserted
   */
  insert(position, inserted) {
    this.splicer.appendLeft(position, inserted);
  }

  /**
   * Inserts statements at the beginning of a function's body or a block, after directives.
   * @param {Node} block
   * @param {string} inserted
   */
  insertAtEntry(block, inserted) {
    let position = block.start + 1;
    let separator = '';
    for (const statement of block.body) {
      if (statement.directive === undefined) break;
      position = statement.end;
      separator = ';';
    }
    this.insert(position, separator + inserted);
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {string} replacement
   */
  replace(start, end, replacement) {
    this.splicer.update(start, end, replacement);
  }

  /**
   * Marks an expression that V8 writes into the message of an error (`x.y is not a function`). It, and all parts that
   * V8 writes with it, must remain as the user wrote them. This has to be called before the expression is visited.
   * @param {Node | null} node
   * @param {boolean} isCallee whether it is a callee: V8 writes a callee with `?:` as `(intermediate value)` whatever
   *   its arms are, but may write the arm of an iterated or destructured value
   */
  showInErrors(node, isCallee) {
    if (!node) return;
    if (node.type === 'ConditionalExpression') {
      if (isCallee) return;
      this.shown.add(node);
      this.showInErrors(node.consequent, false);
      this.showInErrors(node.alternate, false);
      return;
    }
    this.shown.add(node);
    switch (node.type) {
      case 'MemberExpression':
        this.showInErrors(node.object, isCallee);
        if (node.computed) this.showInErrors(node.property, isCallee);
        break;
      case 'CallExpression':
      case 'NewExpression':
        this.showInErrors(node.callee, true);
        break;
      case 'TaggedTemplateExpression':
        this.showInErrors(node.tag, true);
        break;
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
      case 'ClassExpression':
        break;
      default:
        for (const child of this.childrenOf(node)) this.showInErrors(child, isCallee);
    }
  }

  /**
   * Adds to the table whether a statement begins with a site, and which site reads its truthness. A covered site
   * without a reader needs no work.
   * @param {Node} node
   * @param {number} target the first of its two
   */
  noteReader(node, target) {
    this.noteFirst(node, target);
    const reader = this.readers.get(node);
    if (reader !== undefined) this.targets.table.readers.push([target, reader]);
  }

  /**
   * Adds to the table that a site is reached as soon as a statement is entered, if that is the case. Calls are
   * excluded, because only the call itself shows whether it has outcomes: a method may have the name of a known one by
   * chance.
   * @param {Node} node
   * @param {number} target the first of its two
   */
  noteFirst(node, target) {
    const chain = this.firsts.get(node);
    if (chain === undefined || this.targets.table.targets[target][0] === 'method') return;
    this.targets.table.firsts.push([chain.last, target]);
    chain.last = target;
  }

  /**
   * @param {Node} statement
   * @param {number} target
   */
  beginStatement(statement, target) {
    const chain = { last: target };
    for (const node of firstEvaluated(statement)) this.firsts.set(node, chain);
  }

  /**
   * Records that a value is compared: if it is `object[key]`, the probe of the key is needed as long as the comparison
   * is.
   * @param {Node} operand
   * @param {number} reader the comparison's first target
   */
  readKeyed(operand, reader) {
    let node = operand;
    while (node.type === 'ParenthesizedExpression' || node.type === 'ChainExpression') node = node.expression;
    if (node.type === 'MemberExpression' && node.computed) this.readers.set(node, reader);
  }

  /** @param {Node} node */
  isShown(node) {
    return this.shown.has(node);
  }

  /**
   * Handles a call whose receiver gets a probe although the chain may have ended before: in this case the probe returns
   * undefined, and an added `?.` skips the call.
   * @param {Node} callee a member
   * @param {Node} end the last `?.` before it
   */
  leaveOutCall({ object }, end) {
    this.earlyEnds.add(end);
    const dot = this.skipBlanks(object.end);
    if (dot === object.end) return this.wrap(object, '', '?');
    return this.insert(dot, '?');
  }

  /** @param {Node} node @returns {string} its text as the user wrote it */
  textOf(node) {
    return this.text.slice(node.start, node.end);
  }

  /**
   * Returns whether an identifier in `A[B]` or in a comparison refers to a declaration in this text.
   * @param {Node} identifier
   */
  isDeclared(identifier) {
    this.declared ??= declaredIdentifiers(/** @type {Node} */ (this.program), this.isModule);
    return this.declared.has(identifier);
  }

  /**
   * Returns whether the name is a constant with the result of a call that is never awaited, and is tested for truth or
   * asked for a member.
   * @param {Node} identifier
   */
  isUnawaited(identifier) {
    this.unawaited ??= usesOfUnawaited(/** @type {Node} */ (this.program));
    return this.unawaited.has(identifier);
  }

  /**
   * @param {Node} call `super.NAME(...)`
   * @returns {import('./names/super-homes.cjs').Home | undefined}
   */
  homeOf(call) {
    this.homes ??= superHomes(/** @type {Node} */ (this.program));
    return this.homes.get(call);
  }

  /**
   * Returns the position of the operator of a binary or logical expression, or -1 if it is not certain.
   * @param {Node} node
   */
  operatorStart(node) {
    const { text } = this;
    const at = this.skipBlanks(node.left.end);
    // In a script `a <!--b` is `a` followed by a comment.
    if (!this.isModule && text.startsWith('<!--', at)) return -1;
    return text.startsWith(node.operator, at) ? at : -1;
  }

  /**
   * @param {number} from
   * @returns {number} the position at which white space and comments end
   */
  skipBlanks(from) {
    const { text } = this;
    let at = from;
    for (;;) {
      if (/\s/.test(text[at])) at += 1;
      else if (text.startsWith('/*', at)) at = text.indexOf('*/', at) + 2;
      else if (text.startsWith('//', at)) at = endOfLine(text, at);
      else return at;
    }
  }

  /**
   * Returns whether a compiler added this statement (helpers such as `__decorate`). Such a statement has no targets.
   * @param {Node} statement
   */
  isAdded(statement) {
    return this.targets.isAdded(statement.start, statement.end);
  }

  /**
   * Returns whether the node begins in the user's code. If not, it is code of a compiler or bundler and has no targets,
   * even if it has parts that are the user's.
   * @param {Node} node
   */
  startsInSource(node) {
    return this.targets.startsInSource(node.start);
  }

  /**
   * Returns whether nothing in the node needs a visit, as for packages in a bundle.
   * @param {Node} node
   * @param {string} field of its parent
   */
  isForeign(node, field) {
    if (this.targets.sourceMap === null || hasCallWithin(this.bundledCalls, node.start, node.end)) return false;
    return (field === 'body' || !this.startsInSource(node)) && this.isAdded(node);
  }

  /** @param {Node} program */
  rewrite(program) {
    this.program = program;
    this.visit(program);
    this.targets.table.constants = this.constants.list();
  }

  /** @param {Node} node */
  visit(node) {
    const n_asked = this.wraps.get(node)?.length ?? 0;
    const handlers = this.handlers.get(node.type);
    if (handlers !== undefined) for (const handler of handlers) handler(node, this);
    if (this.chains.parts.has(node) || this.chains.starts.has(node)) return this.visitInChain(node, n_asked);
    const wraps = this.wraps.get(node);
    if (wraps !== undefined) this.open(node.start, wraps);
    this.visitChildren(node);
    if (wraps !== undefined) {
      this.close(node.end, wraps);
      this.wraps.delete(node);
    }
  }

  /**
   * Visits a node of a part that is written as a condition, or what is before it.
   * @param {Node} node
   * @param {number} n_asked how many of its wraps were asked for from outside: those enclose what the condition gives
   */
  visitInChain(node, n_asked) {
    const part = this.chains.parts.get(node);
    const start = this.chains.starts.get(node);
    const isEnd = part?.end === node;
    const wraps = this.wraps.get(node) ?? [];
    const outer = part === undefined || isEnd ? wraps.slice(0, n_asked) : [];
    const own = wraps.slice(outer.length);
    this.open(node.start, start === undefined ? outer : [[`(${this.probe('en', start.target)}`, '']]);
    if (part === undefined) this.open(node.start, own);
    else part.opening += openingOf(own);
    this.visitChildren(node);
    this.close(node.end, own);
    if (isEnd) this.insert(node.end, ')');
    if (start !== undefined) {
      this.insert(node.end, `)?void 0:${start.opening}${openingOf(outer)}${this.handle}.go()`);
      const dot = this.skipBlanks(node.end);
      this.splicer.remove(dot, dot + (start.link.computed ? 2 : 1));
    }
    this.close(node.end, outer);
    this.wraps.delete(node);
  }

  /** @param {Node} node */
  visitChildren(node) {
    for (const field of childFields(node.type)) {
      const child = node[field];
      if (!child || (!node.computed && (field === 'property' || field === 'key'))) continue;
      if (Array.isArray(child)) {
        for (const element of child) if (element && !this.isForeign(element, field)) this.visit(element);
      } else if (!this.isForeign(child, '')) this.visit(child);
    }
  }

  /**
   * @param {number} end
   * @param {[open: string, close: string][]} wraps
   */
  close(end, wraps) {
    for (let index = wraps.length - 1; index >= 0; index -= 1) {
      if (wraps[index][1]) this.insert(end, wraps[index][1]);
    }
  }

  /**
   * @param {number} start
   * @param {[open: string, close: string][]} wraps
   */
  open(start, wraps) {
    const opening = openingOf(wraps);
    if (opening !== '') this.insert(start, this.separated(start, opening));
  }

  /**
   * Inserts a space if needed: `return(x)` must not become `return$.r(...)`.
   * @param {number} start
   * @param {string} inserted
   */
  separated(start, inserted) {
    const isFirst = this.lastOpening !== start;
    this.lastOpening = start;
    const isGlued = isFirst && start > 0 && PART_OF_NAME.test(this.text[start - 1]);
    return isGlued ? ` ${inserted}` : inserted;
  }

  /** @param {Node} node @returns {Node[]} */
  childrenOf(node) {
    const children = [];
    for (const field of childFields(node.type)) {
      if ((field === 'property' || field === 'key') && !node.computed) continue;
      if (Array.isArray(node[field])) children.push(...node[field].filter(Boolean));
      else if (node[field]) children.push(node[field]);
    }
    return children;
  }
}

/** @param {[open: string, close: string][]} wraps */
function openingOf(wraps) {
  let opening = '';
  for (const wrap of wraps) opening += wrap[0];
  return opening;
}

/**
 * @param {string} text
 * @param {number} from
 */
function endOfLine(text, from) {
  let at = from;
  while (at < text.length && !/[\n\r\u2028\u2029]/.test(text[at])) at += 1;
  return at;
}

module.exports = { Rewriter };
