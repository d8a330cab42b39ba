'use strict';
/**
 * Decides which source files are the SUT's own, and so are instrumented.
 *
 * The description is plain data and is made once per process, so that the thread of the ES module hooks can test paths
 * without the main thread.
 */

const path = require('path');
const {
  endsWith,
  existsSync,
  indexOf,
  isArray,
  lastIndexOf,
  parseJson,
  readFileSync,
  realpathSync,
  regExpExec,
  slice,
  startsWith,
} = require('./intrinsics.cjs');

/** Package managers: they only start other processes, so nothing in their own processes is instrumented. */
const PACKAGE_MANAGERS = ['npm', 'npx', 'yarn', 'pnpm', 'corepack', '@yarnpkg/cli-dist'];
/** Their entry scripts outside of a package folder: those of distributions, of corepack and of Yarn. */
const PACKAGE_MANAGER_SCRIPT =
  /(?:\/(?:npm|npx)-cli\.js|\/\.yarn\/releases\/yarn-[^/]+\.c?js|\/corepack\/(?:.*\/)?(?:corepack|npm|npx|pnpm|pnpx|yarn|yarnpkg)\.c?js|\/share\/nodejs\/(?:yarn|yarnpkg|npm|corepack)\/.*)$/;

/** Tools that run the user's program: their own files are not tested. */
const LAUNCHERS = [
  ...[
    'nodemon',
    'ts-node',
    'ts-node-dev',
    'tsx',
    'tsm',
    'esbuild-register',
    '@swc-node/register',
    '@swc/cli',
    '@babel/node',
    'sucrase',
  ],
  ...[
    'cross-env',
    'env-cmd',
    'dotenv-cli',
    'dotenvx',
    '@dotenvx/dotenvx',
    'concurrently',
    'npm-run-all',
    'npm-run-all2',
    'wait-on',
    'start-server-and-test',
  ],
  ...[
    'pm2',
    'forever',
    'node-dev',
    'supervisor',
    'c8',
    'nyc',
    '0x',
    'clinic',
    'node-gyp',
    'husky',
    'rimraf',
    'del-cli',
    'shx',
  ],
  ...[
    '@nestjs/cli',
    'fastify-cli',
    '@adonisjs/core',
    'next',
    'nuxt',
    'nuxi',
    'nitropack',
    '@remix-run/serve',
    '@remix-run/dev',
    '@react-router/serve',
    '@react-router/dev',
    'astro',
    'nx',
    'turbo',
    'lerna',
    'wireit',
    'gulp',
    'gulp-cli',
    'grunt',
    'grunt-cli',
    'tsup',
    'vite-node',
  ],
  ...[
    'typescript',
    'esbuild',
    'webpack',
    'webpack-cli',
    'rollup',
    'vite',
    'mocha',
    'jest',
    'jest-cli',
    'vitest',
    'prisma',
    'sequelize-cli',
    'knex',
  ],
];

/**
 * Files that Prisma copies beside the client that it generates into a project: its runtime, and the loader of its query
 * compiler.
 */
const COPIED_BY_PRISMA = /\/(?:runtime\/[\w.-]+|query_(?:compiler|engine)[\w.-]*)\.m?js$/;

const SEGMENT = '/node_modules/';

/**
 * @typedef {object} OwnFiles
 * @property {string[]} roots folders, each with a trailing slash; files in a node_modules below them are not own
 * @property {string[]} packageNames packages that are instrumented wherever they are installed
 * @property {string[]} excluded folders and files that are never own
 * @property {boolean} isPassive a package manager: nothing is own
 * @property {string | null} main real path of the entry script
 */

/**
 * @param {string} file
 * @returns {string} its real path, or the path itself if the file does not exist
 */
function realPath(file) {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

/** @param {string} folder */
function withSlash(folder) {
  return endsWith(folder, '/') ? folder : folder + '/';
}

/**
 * @param {string} folder
 * @returns {string} the nearest folder upwards with a package.json, or `folder`
 */
function projectFolder(folder) {
  for (let at = folder; ; at = path.dirname(at)) {
    if (existsSync(path.join(at, 'package.json'))) return at;
    if (at === path.dirname(at)) return folder;
  }
}

/**
 * All packages of a workspace are the user's, and refer to each other by links.
 * @param {string} project
 * @returns {string | null} the nearest folder above it that is a workspace (npm, Yarn, pnpm)
 */
function workspaceFolder(project) {
  for (let at = path.dirname(project); at !== path.dirname(at); at = path.dirname(at)) {
    if (existsSync(path.join(at, 'pnpm-workspace.yaml'))) return at;
    try {
      if (parseJson(readFileSync(path.join(at, 'package.json'), 'utf8')).workspaces !== undefined) return at;
    } catch {
      // The file does not exist, or is not JSON.
    }
  }
  return null;
}

/**
 * @param {string} file absolute
 * @returns {{ name: string, folder: string } | null} the innermost package below a node_modules that it belongs to
 */
function installedPackage(file) {
  const start = lastIndexOf(file, SEGMENT);
  if (start < 0) return null;
  const nameStart = start + SEGMENT.length;
  let end = indexOf(file, '/', nameStart);
  if (file[nameStart] === '@' && end >= 0) end = indexOf(file, '/', end + 1);
  if (end < 0) end = file.length;
  return { name: slice(file, nameStart, end), folder: slice(file, 0, end) };
}

/**
 * @template {string} T
 * @param {T[]} list
 * @param {T} wanted
 */
function contains(list, wanted) {
  for (let index = 0; index < list.length; index++) if (list[index] === wanted) return true;
  return false;
}

/** @param {string | null} main */
function isPackageManager(main) {
  if (main === null) return false;
  const owner = installedPackage(main);
  return (
    regExpExec(PACKAGE_MANAGER_SCRIPT, main) !== null || (owner !== null && contains(PACKAGE_MANAGERS, owner.name))
  );
}

/**
 * @param {string | undefined} json of WIMBLE_INCLUDE
 * @returns {string[]}
 */
function included(json) {
  /** @type {string[]} */
  const names = [];
  try {
    const list = parseJson(json || '[]');
    for (let index = 0; isArray(list) && index < list.length; index++) {
      if (typeof list[index] === 'string' && list[index] !== '') names[names.length] = list[index];
    }
  } catch {
    // The agent does not report an invalid value: nothing is included.
  }
  return names;
}

/**
 * @param {{ env?: NodeJS.ProcessEnv, argv?: string[], cwd?: string }} [place] the values of this process if omitted
 * @returns {OwnFiles}
 */
function describeOwnFiles({ env = process.env, argv = process.argv, cwd = process.cwd() } = {}) {
  const main = typeof argv[1] === 'string' && path.isAbsolute(argv[1]) ? realPath(argv[1]) : null;
  const project = projectFolder(realPath(env.WIMBLE_ROOT || cwd));
  /** @type {OwnFiles} */
  const own = {
    roots: [withSlash(project)],
    packageNames: [],
    excluded: [
      withSlash(path.join(__dirname, '..', '..')),
      withSlash(project) + '.pnp.cjs',
      withSlash(project) + '.pnp.loader.mjs',
      withSlash(project) + '.yarn/',
    ],
    isPassive: isPackageManager(main),
    main,
  };
  const workspace = workspaceFolder(project);
  if (workspace !== null) own.roots[own.roots.length] = withSlash(workspace);
  const starter = main === null ? null : installedPackage(main);
  if (starter !== null && !contains(LAUNCHERS, starter.name)) own.roots[own.roots.length] = withSlash(starter.folder);
  if (env.WIMBLE_LIBRARY) own.excluded[own.excluded.length] = env.WIMBLE_LIBRARY;
  include(own, included(env.WIMBLE_INCLUDE), project);
  return own;
}

/**
 * @param {OwnFiles} own
 * @param {string[]} wanted folders (absolute, or starting with a dot) and package names
 * @param {string} project
 */
function include(own, wanted, project) {
  for (let index = 0; index < wanted.length; index++) {
    const entry = wanted[index];
    const isFolder = path.isAbsolute(entry) || startsWith(entry, '.') || existsSync(path.join(project, entry));
    if (isFolder) {
      own.roots[own.roots.length] = withSlash(realPath(path.resolve(project, entry)));
      continue;
    }
    own.packageNames[own.packageNames.length] = entry;
    const installed = path.join(project, 'node_modules', entry);
    // In a workspace a package is a link to a folder that has no node_modules in its path.
    if (existsSync(installed)) own.roots[own.roots.length] = withSlash(realPath(installed));
  }
}

/** @param {string} file */
function isCopiedByPrisma(file) {
  if (regExpExec(COPIED_BY_PRISMA, file) === null) return false;
  const folder = path.dirname(file);
  return existsSync(path.join(endsWith(folder, '/runtime') ? path.dirname(folder) : folder, 'schema.prisma'));
}

/**
 * @param {OwnFiles} own
 * @returns {(file: string) => boolean} for absolute real paths
 */
function createOwnFileTest({ roots, packageNames, excluded, isPassive }) {
  return (file) => {
    if (isPassive) return false;
    for (let index = 0; index < excluded.length; index++) if (startsWith(file, excluded[index])) return false;
    for (let index = 0; index < roots.length; index++) {
      const root = roots[index];
      if (startsWith(file, root) && indexOf(file, SEGMENT, root.length - 1) < 0) return !isCopiedByPrisma(file);
    }
    if (packageNames.length === 0) return false;
    const owner = installedPackage(file);
    return owner !== null && contains(packageNames, owner.name);
  };
}

module.exports = { createOwnFileTest, describeOwnFiles, installedPackage };
