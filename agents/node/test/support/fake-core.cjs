'use strict';
/**
 * A core for tests: listens on a Unix socket, starts a program with the agent inside, and speaks protocol/README.md.
 */

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const net = require('node:net');
const os = require('node:os');
const path = require('node:path');

const AGENT = path.join(__dirname, '..', '..');
const WAIT_MS = 20_000;

/** @param {object} message */
function frame(message) {
  const body = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(4);
  header.writeUInt32LE(body.length);
  return Buffer.concat([header, body]);
}

/** One connected agent: everything it said, and what is told to it. */
class Peer {
  constructor(socket, onMessage) {
    this.socket = socket;
    this.messages = [];
    let unread = Buffer.alloc(0);
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      unread = Buffer.concat([unread, bytes]);
      while (unread.length >= 4 && unread.length >= 4 + unread.readUInt32LE(0)) {
        const end = 4 + unread.readUInt32LE(0);
        const message = JSON.parse(unread.subarray(4, end).toString());
        unread = unread.subarray(end);
        this.messages.push(message);
        onMessage();
      }
    });
  }

  say(...messages) {
    this.socket.write(Buffer.concat(messages.map(frame)));
  }

  ofType(type) {
    return this.messages.filter((message) => message.type === type);
  }
}

class FakeCore {
  /** @param {Record<string, string>} files of the project, by relative path */
  static async start(files) {
    const core = new FakeCore();
    core.folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'agent-test-')));
    fs.writeFileSync(path.join(core.folder, 'package.json'), '{"name":"sut"}');
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(path.join(core.folder, name)), { recursive: true });
      fs.writeFileSync(path.join(core.folder, name), text);
    }
    if (!fs.existsSync(path.join(core.folder, 'node_modules'))) {
      fs.symlinkSync(path.join(AGENT, 'node_modules'), path.join(core.folder, 'node_modules'));
    }
    core.peers = [];
    core.waiters = new Set();
    core.server = net.createServer((socket) => core.peers.push(new Peer(socket, () => core.wake())));
    core.socketPath = path.join(core.folder, 'core.sock');
    await new Promise((resolve) => core.server.listen(core.socketPath, resolve));
    return core;
  }

  wake() {
    for (const waiter of this.waiters) waiter();
  }

  /** Starts `node ...args` in the project. */
  run(args, { env = {}, agent = true } = {}) {
    this.output = { stdout: '', stderr: '' };
    const settings = agent
      ? {
          NODE_OPTIONS: `--require ${path.join(AGENT, 'register.cjs')}`,
          WIMBLE_SOCKET: this.socketPath,
          WIMBLE_ROOT: this.folder,
        }
      : {};
    const child = spawn(process.execPath, args, {
      cwd: this.folder,
      env: { ...process.env, NODE_OPTIONS: '', ...settings, ...env },
    });
    child.stdout.on('data', (text) => (this.output.stdout += text));
    child.stderr.on('data', (text) => (this.output.stderr += text));
    this.exited = new Promise((resolve) => child.on('exit', (code, signal) => resolve({ code, signal })));
    /** When it has exited and all that it printed is in `output`. */
    this.closed = new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal })));
    this.child = child;
    return this;
  }

  /** The first answer of `look` that is not undefined, now or after a later message. */
  until(look, what = String(look)) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiters.delete(attempt);
        reject(
          new Error(
            `waited in vain for ${what}\n${JSON.stringify(this.peers.map((p) => p.messages))}\n${this.output?.stderr}`,
          ),
        );
      }, WAIT_MS);
      timer.unref();
      const attempt = () => {
        const found = look();
        if (found === undefined) return;
        clearTimeout(timer);
        this.waiters.delete(attempt);
        resolve(found);
      };
      this.waiters.add(attempt);
      attempt();
    });
  }

  /** Waits for a server of the SUT; answers the agent that reported it. */
  async listening() {
    const found = await this.until(() => {
      for (const peer of this.peers) for (const message of peer.ofType('listening')) return { peer, message };
      return undefined;
    }, 'listening');
    this.peer = found.peer;
    this.port = found.message.port;
    await this.end(0);
    return found.message;
  }

  async end(seq) {
    this.peer.say({ type: 'end', seq });
    return this.until(() => this.peer.ofType('result').find((message) => message.seq === seq), `result ${seq}`);
  }

  /** Ends as a killed core does: its connections are closed. Returns how the program ended. */
  async goAway() {
    for (const peer of this.peers) peer.socket.destroy();
    return this.closed;
  }

  /** One evaluation over one connection: each of `calls` is `METHOD target`, or `[METHOD target, JSON body]`. */
  async evaluate(seq, calls, options = {}) {
    const connection = net.connect(this.port, '127.0.0.1');
    await new Promise((resolve, reject) => connection.once('connect', resolve).once('error', reject));
    const begin = { covered: [], full: false, hints: true, trace: false, next_call: 0, ...options };
    this.peer.say({ type: 'begin', seq, port: connection.localPort, ...begin });
    const answers = [];
    for (const call of calls) answers.push(await request(connection, ...[call].flat()));
    connection.destroy();
    const result = await this.end(seq);
    return { answers, result, h: this.named(result) };
  }

  /** `path:line kind detail` -> h of a result. */
  named(result) {
    const table = {};
    for (let at = 0; at < result.targets.length; at += 3) {
      table[this.nameOf(result.targets[at])] = result.targets[at + 2];
    }
    return table;
  }

  nameOf(id) {
    for (const file of this.peer.ofType('file')) {
      const target = file.targets[id - file.base];
      if (id >= file.base && target) {
        const source = (file.parts ?? []).filter(([first]) => file.base + first <= id).at(-1)?.[1] ?? file.path;
        return `${path.relative(this.folder, source)}:${target[1]} ${target[0]} ${target[3]}`.trim();
      }
    }
    return `unknown ${id}`;
  }

  async stop() {
    if (this.child && this.child.exitCode === null) {
      this.child.kill('SIGKILL');
      await this.exited;
    }
    for (const peer of this.peers) {
      const { pid } = peer.messages[0] ?? {};
      try {
        if (pid !== undefined && pid !== this.child?.pid) process.kill(pid, 'SIGKILL'); // a child outlives its parent, and holds our pipes
      } catch {
        // gone already
      }
      peer.socket.destroy();
    }
    await new Promise((resolve) => this.server.close(resolve));
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One HTTP/1.1 request on an open connection; null when it is closed without an answer. */
function request(connection, line, body, type = 'application/json') {
  const [method, target] = line.split(' ');
  const text = body === undefined ? '' : type === 'application/json' ? JSON.stringify(body) : body;
  const head = body === undefined ? '' : `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(text)}\r\n`;
  if (connection.destroyed) return Promise.resolve(null);
  return new Promise((resolve) => {
    let answer = '';
    const finish = (value) => {
      connection.off('data', read).off('close', closed).off('error', closed);
      resolve(value);
    };
    const closed = () => finish(null);
    const read = (bytes) => {
      answer += bytes;
      const split = answer.indexOf('\r\n\r\n');
      if (split < 0) return;
      const length = /content-length: (\d+)/i.exec(answer);
      const isDone = length ? answer.length >= split + 4 + Number(length[1]) : answer.endsWith('0\r\n\r\n');
      if (isDone) finish({ status: Number(answer.slice(9, 12)), body: answer.slice(split + 4) });
    };
    connection.on('data', read).on('close', closed).on('error', closed);
    connection.write(`${method} ${target} HTTP/1.1\r\nHost: localhost\r\n${head}\r\n${text}`);
  });
}

module.exports = { AGENT, FakeCore, frame, request };
