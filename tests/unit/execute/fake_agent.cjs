// Speaks protocol/README.md as an agent does, without instrumenting anything. A SUT can reach targets itself:
// global.fakeReach(index, h), and say what it executes: global.fakeTrace(line).
"use strict";
const fs = require("fs");
const http = require("http");
const net = require("net");

const TARGETS = [["file", 0, 0, ""], ["line", 1, 0, ""], ["statement", 1, 0, ""], ["branch", 2, 4, "=== true"], ["branch", 2, 4, "=== false"]];
const socket = net.connect(process.env.WIMBLE_SOCKET);
socket.unref();
socket.on("error", () => {});
const frame = (message) => {
  const text = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(text.length);
  return Buffer.concat([head, text]);
};
const send = (message) => socket.write(frame(message));
const sendNow = (message) => {
  const data = frame(message);
  for (let sent = 0; sent < data.length; ) {
    try { sent += fs.writeSync(socket._handle.fd, data, sent); } catch (error) { if (error.code !== "EAGAIN") return; }
  }
};

let reached = new Map(), covered = new Set(), causes = [], calls = 0;
let ports = new Set(), nextCall = 0, call = null, begin = { full: false, trace: false };
const isCovered = (index) => covered.has(index) && !begin.full;
global.fakeReach = (index, h) => {
  const known = reached.get(index);
  if (!isCovered(index) && (!known || known[1] < h)) reached.set(index, [call ?? 0, h]);
};
global.fakeTrace = (line) => { if (begin.trace) sendNow({ type: "trace", file: __filename, line, call }); };
global.fakeCause = (line, message) => causes.push({ call, file: __filename, line, message, stack: "", statement: `${__filename}:${line}` });

send({ type: "hello", protocol: Number(process.env.FAKE_PROTOCOL ?? 2), agent: "node", agent_version: "0.0.0", runtime: process.version,
  pid: process.pid, ppid: process.ppid, argv: process.argv, main: process.argv[1] ?? null, is_passive: !process.argv[1] || /npm/.test(process.argv[1]) });
send({ type: "file", base: 0, path: __filename, hash: "x", targets: TARGETS, error: null });

const emit = http.Server.prototype.emit;
http.Server.prototype.emit = function (event, request) {
  if (event === "listening") send({ type: "listening", ...this.address(), protocol: "http", pid: process.pid });
  if (event === "request" && ports.has(request.socket.remotePort)) { call = nextCall++; calls++; }
  return emit.apply(this, arguments);
};
process.on("uncaughtExceptionMonitor", (error, origin) =>
  sendNow({ type: "crash", kind: origin === "unhandledRejection" ? "unhandled-rejection" : "uncaught-exception", call,
    cause: { call, file: __filename, line: 7, message: String(error), stack: error.stack, statement: `${__filename}:7` } }));

const hear = {
  begin(message) { begin = message; ports = new Set([message.port]); nextCall = message.next_call; message.covered.forEach((i) => covered.add(i)); },
  connection(message) { ports.add(message.port); nextCall = message.next_call; },
  ping(message) { send({ type: "pong", n: message.n }); },
  end(message) {
    setImmediate(() => {
      send({ type: "result", seq: message.seq, targets: [...reached].flatMap(([id, [c, h]]) => [id, c, h]), hints: [], causes, calls });
      reached = new Map(); causes = []; calls = 0; call = null;
    });
  },
};
let buffer = Buffer.alloc(0);
socket.on("data", (data) => {
  buffer = Buffer.concat([buffer, data]);
  while (buffer.length >= 4 && buffer.length >= 4 + buffer.readUInt32LE(0)) {
    const end = 4 + buffer.readUInt32LE(0);
    const message = JSON.parse(buffer.subarray(4, end).toString());
    buffer = buffer.subarray(end);
    if (hear[message.type]) hear[message.type](message);
  }
});
