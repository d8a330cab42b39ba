'use strict';
/**
 * Next.js: files of the project are routes, `route.ts` in folders of the app router and files below `pages/api`.
 *
 * Their sources tell the methods. Without sources, as in a standalone build, the manifests of the build tell the paths.
 */

const path = require('path');
const {
  ObjectKeys,
  WeakMap,
  WeakRef,
  derefWeak,
  endsWith,
  getOwnPropertyDescriptor,
  indexOf,
  isArray,
  parseJson,
  readFileSync,
  readdirSync,
  reflectApply,
  regExpExec,
  slice,
  startsWith,
  weakMapGet,
  weakMapSet,
} = require('../base/intrinsics.cjs');
const { ownData } = require('../base/data-properties.cjs');
const { addReader, append, isObject, noteChange, tapRegistration } = require('./found-routes.cjs');
const { exportedMethods, handledMethods } = require('./next-sources.cjs');

/** @typedef {{ path: string, methods: string[], file: string, line: number }} FileRoute */

const MAX_SERVERS = 50;
const MAX_FILES = 5000;
const MAX_DEPTH = 30;
const EXTENSIONS = ['tsx', 'ts', 'jsx', 'js'];

/** @type {WeakRef<object>[]} */
const servers = [];
/** @type {WeakMap<object, FileRoute[]>} */
const readFrom = new WeakMap();

const watchNext = {
  /** @param {any} exports */
  'dist/server/base-server.js'(exports) {
    const descriptor = isObject(exports) ? getOwnPropertyDescriptor(exports, 'default') : undefined;
    const Server = descriptor?.get === undefined ? descriptor?.value : reflectApply(descriptor.get, exports, []);
    // A server calls it when it is made, in production and in development.
    tapRegistration(ownData(Server, 'prototype'), 'getAppPathRoutes', (server) => {
      for (let index = 0; index < servers.length; index++) if (derefWeak(servers[index]) === server) return;
      if (isObject(server) && servers.length < MAX_SERVERS) servers[servers.length] = new WeakRef(server);
      noteChange();
    });
  },
};

class FileWalk {
  /** @param {string[]} extensions of files that are routes */
  constructor(extensions) {
    this.extensions = extensions;
    this.fileCount = 0;
    /** @type {FileRoute[]} */
    this.found = [];
  }

  /**
   * Reads a folder of the app router.
   * @param {string} folder
   * @param {string} base path of the routes in it
   * @param {number} depth
   */
  app(folder, base, depth) {
    const entries = entriesOf(folder);
    for (let index = 0; index < entries.length && depth < MAX_DEPTH; index++) {
      const name = entries[index].name;
      if (entries[index].isFolder) {
        // Folders in parentheses, and slots, are no part of the path; those with `_` are private.
        const isUnseen = startsWith(name, '@') || (startsWith(name, '(') && endsWith(name, ')'));
        if (startsWith(name, '_')) continue;
        this.app(path.join(folder, name), isUnseen ? base : base + segmentOf(name), depth + 1);
      } else if (this.stemOf(name) === 'route') this.file(path.join(folder, name), base, exportedMethods);
    }
  }

  /**
   * Reads a folder below `pages/api`.
   * @param {string} folder
   * @param {string} base
   * @param {number} depth
   */
  pages(folder, base, depth) {
    const entries = entriesOf(folder);
    for (let index = 0; index < entries.length && depth < MAX_DEPTH; index++) {
      const name = entries[index].name;
      const stem = entries[index].isFolder ? name : this.stemOf(name);
      if (entries[index].isFolder) this.pages(path.join(folder, name), base + segmentOf(name), depth + 1);
      else if (stem !== null) {
        this.file(path.join(folder, name), stem === 'index' ? base : base + segmentOf(stem), handledMethods);
      }
    }
  }

  /** @param {string} name of a file @returns {string | null} without its extension; null: it is no route */
  stemOf(name) {
    for (let index = 0; index < this.extensions.length; index++) {
      const ending = '.' + this.extensions[index];
      if (endsWith(name, ending) && !endsWith(name, '.d' + ending)) return slice(name, 0, name.length - ending.length);
    }
    return null;
  }

  /**
   * @param {string} file
   * @param {string} route
   * @param {(text: string) => { method: string, line: number }[]} methodsIn
   */
  file(file, route, methodsIn) {
    this.fileCount += 1;
    if (this.fileCount > MAX_FILES) return;
    const handlers = methodsIn(readFileSync(file, 'utf8'));
    for (let index = 0; index < handlers.length; index++) {
      const { method, line } = handlers[index];
      this.found[this.found.length] = { path: route === '' ? '/' : route, methods: [method], file, line };
    }
  }
}

/**
 * @param {string} folder
 * @returns {{ name: string, isFolder: boolean }[]} in order of names; none: there is no folder
 */
function entriesOf(folder) {
  /** @type {{ name: string, isFolder: boolean }[]} */
  const entries = [];
  try {
    const names = readdirSync(folder, { withFileTypes: true });
    for (let index = 0; index < names.length; index++) {
      entries[index] = { name: names[index].name, isFolder: names[index].isDirectory() };
    }
  } catch {
    return [];
  }
  return entries;
}

/** @param {string} name of a folder or file @returns {string} the segment of a path, in the notation of Express 5 */
function segmentOf(name) {
  const match = regExpExec(/^(\[)?\[(\.\.\.)?([^\]]+)\](\])?$/, name);
  if (match === null) return '/' + escaped(name);
  const isWildcard = match[2] !== undefined;
  const parameter = (isWildcard ? '*' : ':') + plainName(match[3]);
  return match[1] === undefined ? '/' + parameter : '{/' + parameter + '}';
}

/** @param {string} name of a parameter @returns {string} */
function plainName(name) {
  let plain = '';
  for (let index = 0; index < name.length; index++) plain += regExpExec(/\w/, name[index]) === null ? '_' : name[index];
  return plain;
}

/** @param {string} text */
function escaped(text) {
  let result = '';
  for (let index = 0; index < text.length; index++) {
    result += (regExpExec(/[:*?(){}\\]/, text[index]) === null ? '' : '\\') + text[index];
  }
  return result;
}

/** @param {any} server @returns {FileRoute[]} */
function routesOf(server) {
  const dir = ownData(server, 'dir');
  const config = ownData(server, 'nextConfig');
  if (typeof dir !== 'string') return [];
  const given = isObject(config) ? ownData(config, 'pageExtensions') : undefined;
  const walk = new FileWalk(isArray(given) && given.length > 0 ? given : EXTENSIONS);
  for (const root of [dir, path.join(dir, 'src')]) {
    walk.app(path.join(root, 'app'), '', 0);
    walk.pages(path.join(root, 'pages', 'api'), '/api', 0);
  }
  const distDir = ownData(server, 'distDir');
  return walk.fileCount === 0 && typeof distDir === 'string' ? builtRoutes(distDir) : walk.found;
}

/** @param {string} distDir folder of the build @returns {FileRoute[]} */
function builtRoutes(distDir) {
  /** @type {FileRoute[]} */
  const found = [];
  const files = manifest(path.join(distDir, 'server', 'app-paths-manifest.json'));
  const names = ObjectKeys(files);
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    if (endsWith(name, '/route')) {
      found[found.length] = builtRoute(slice(name, 0, name.length - '/route'.length));
    }
  }
  const pages = ObjectKeys(manifest(path.join(distDir, 'server', 'pages-manifest.json')));
  for (let index = 0; index < pages.length; index++) {
    if (startsWith(pages[index], '/api/')) found[found.length] = builtRoute(pages[index]);
  }
  return found;
}

/** @param {string} name of a route, with folders in parentheses @returns {FileRoute} */
function builtRoute(name) {
  let route = '';
  let rest = name;
  while (rest !== '') {
    const end = indexOf(rest, '/', 1);
    const segment = slice(rest, 1, end < 0 ? rest.length : end);
    rest = end < 0 ? '' : slice(rest, end);
    if (!(startsWith(segment, '(') && endsWith(segment, ')'))) route += segmentOf(segment);
  }
  return { path: route, methods: [], file: '', line: 0 };
}

/** @param {string} file @returns {Record<string, unknown>} */
function manifest(file) {
  try {
    return parseJson(readFileSync(file, 'utf8'));
  } catch {
    return {};
  }
}

addReader((add) => {
  for (let index = 0; index < servers.length; index++) {
    const server = derefWeak(servers[index]);
    if (server === undefined) continue;
    const routes = weakMapGet(readFrom, server) ?? routesOf(server);
    weakMapSet(readFrom, server, routes);
    const config = ownData(server, 'nextConfig');
    const basePath = isObject(config) ? ownData(config, 'basePath') : undefined;
    for (let at = 0; at < routes.length; at++) {
      const { path: text, methods, file, line } = routes[at];
      /** @type {import('./found-routes.cjs').PathPart[]} */
      const parts = [];
      if (typeof basePath === 'string' && basePath !== '') append(parts, [{ text: escaped(basePath) }]);
      append(parts, [{ text }]);
      add({
        framework: 'next',
        methods,
        path: parts,
        file,
        line,
        package: '',
        handler: '',
        is_mount: false,
        port: null,
        requires: {},
      });
    }
  }
});

module.exports = { watchNext };
