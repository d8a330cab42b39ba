'use strict';
/*
 * The processes of the system under test (SUT), and the guard that stops them.
 *
 * The SUT runs in a process group of its own below a small guard (this same file, run as a program). The guard holds a
 * pipe to the test process: when the tests end, are interrupted or are killed, the pipe closes and the guard stops the
 * whole group. So npm, shells and workers are stopped too, and nothing is left behind. Where the SUT ends by itself,
 * the guard says so by closing ENDED and waits: files are put back only after the pipe has closed, for until then the
 * tests may have them open.
 */
const { spawn } = require('child_process');
const { createHash } = require('crypto');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { sleep } = require('./sut-http.cjs');
const { isAlive, removeLeftFiles } = require('./sut-left-files.cjs');

const STOP_TIMEOUT_MS = 2_000; // from SIGTERM to SIGKILL
const MAX_OUTPUT = 16_384; // characters of the SUT's output that are kept for messages
const ENDED = 3; // the guard's file descriptor that is open while the SUT runs

/**
 * A start of the SUT. files: those that the SUT writes, which are put back when it has stopped; the names of folders
 * end with a slash.
 */
class SutProcess {
  constructor(command, { cwd, env, files }) {
    this.contents = contentsOf(files);
    this.output = '';
    this.hasStopped = false;
    this.guard = spawn(process.execPath, [__filename, JSON.stringify(files), ...command], {
      cwd,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    });
    const { guard } = this;
    const keep = (chunk) => (this.output = (this.output + chunk).slice(-MAX_OUTPUT));
    guard.stdout.on('data', keep);
    guard.stderr.on('data', keep);
    guard.stdin.on('error', () => {}); // the guard is gone already
    const ended = guard.stdio[ENDED].resume().on('close', () => (this.hasStopped = true));
    this.exited = new Promise((resolve) => guard.on('close', resolve).on('error', resolve));
    // None of these may keep a test process alive whose tests are over.
    for (const handle of [guard, guard.stdin, guard.stdout, guard.stderr, ended]) handle.unref();
  }

  /** The last lines that the SUT has printed. */
  lastOutput() {
    return this.output.trim().split('\n').slice(-20).join('\n') || '(it printed nothing)';
  }

  /** Stops the SUT with all its processes, and puts back its files. */
  async stop() {
    this.guard.ref();
    this.guard.stdin.end();
    const late = setTimeout(() => killGroup(this.guard.pid, 'SIGKILL'), STOP_TIMEOUT_MS + 1_000);
    await this.exited;
    clearTimeout(late);
    putBack(this.contents);
  }
}

/** [file, content]; null for one that is not there, '' for a folder. */
function contentsOf(files) {
  return files.map((file) => {
    if (!fs.existsSync(file)) return [file, null];
    return [file, isFolder(file) ? '' : fs.readFileSync(file)];
  });
}

const isFolder = (file) => file.endsWith(path.sep);

/** A folder has to come before what is in it. */
function putBack(files) {
  const folders = files.filter(([file]) => isFolder(file));
  for (const [folder, content] of folders) if (content !== null) fs.mkdirSync(folder, { recursive: true });
  for (const [file, content] of files) {
    if (isFolder(file)) continue;
    if (content === null) {
      fs.rmSync(file, { force: true });
    } else if (!fs.existsSync(file) || !fs.readFileSync(file).equals(content)) {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      fs.writeFileSync(file, content);
    }
  }
  for (const [folder, content] of folders.reverse()) if (content === null) removeIfEmpty(folder);
}

function removeIfEmpty(folder) {
  try {
    fs.rmdirSync(folder);
  } catch {
    // not empty, or not there
  }
}

function killGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch {
    // gone already
  }
}

// ---- one test file at a time: test runners start several in parallel, but there is one port

const LOCK_FILE = path.join(os.tmpdir(), `wimble-lock-${createHash('sha256').update(__dirname).digest('hex').slice(0, 32)}`);
let hasLock = false;

async function takeLock() {
  removeLeftFiles();
  while (!hasLock) {
    try {
      fs.writeFileSync(LOCK_FILE, String(process.pid), { flag: 'wx' });
      hasLock = true;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      if (!isLockStale()) await sleep(50);
      else if (!isRemoved(LOCK_FILE)) return; // what another user's tests left, which were killed
    }
  }
}

function isRemoved(file) {
  try {
    fs.rmSync(file, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** A lock whose owner is dead, or this very process: it runs its test files one after another. */
function isLockStale() {
  try {
    const owner = parseInt(fs.readFileSync(LOCK_FILE, 'utf8'), 10);
    if (owner) return owner === process.pid || !isAlive(owner);
    return Date.now() - fs.statSync(LOCK_FILE).mtimeMs > 5_000; // empty: just being written, unless it stays so
  } catch {
    return false; // just released
  }
}

function releaseLock() {
  if (hasLock) fs.rmSync(LOCK_FILE, { force: true });
  hasLock = false;
}

/** Runs `command` in this process group until standard input closes; then stops the group, at the latest by SIGKILL. */
function guard([files, program, ...args]) {
  const group = process.pid; // spawned detached, so it leads a group of its own
  const contents = contentsOf(JSON.parse(files)); // put back here too, for the tests may be gone
  const endGroup = () => {
    putBack(contents);
    killGroup(group, 'SIGKILL');
  };
  let isStopping = false;
  let hasEnded = false;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => stopGroup());
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  // If the tests are gone, nobody reads: EPIPE here must not end the guard before its work is done.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  child.stdout.on('data', (chunk) => process.stdout.write(chunk));
  child.stderr.on('data', (chunk) => process.stderr.write(chunk));
  child.on('error', (error) => {
    process.stderr.write(`${program}: ${error.message}\n`);
    process.exitCode = 1;
    process.stdin.destroy();
  });
  // 'close' comes when every process that holds the pipes is gone; 'exit' may come while workers still live.
  child.on('close', () => {
    hasEnded = true;
    if (isStopping) endGroup();
    else fs.closeSync(ENDED);
  });
  const stopGroup = () => {
    if (isStopping) return;
    isStopping = true;
    if (hasEnded) endGroup();
    killGroup(group, 'SIGTERM');
    setTimeout(endGroup, STOP_TIMEOUT_MS);
  };
  process.stdin.on('end', stopGroup).on('error', stopGroup).resume();
}

if (require.main === module) guard(process.argv.slice(2));
else {
  process.on('exit', releaseLock);
  module.exports = { MAX_OUTPUT, SutProcess, releaseLock, takeLock };
}
