'use strict';
/**
 * Serves the connections that the agent leads here: finds out which service each is for and what it speaks, reports
 * every request, and answers it as planned.
 *
 * Law: a request is reported before it is answered; the answer does not depend on the connection that it comes over.
 */

const { randomBytes } = require('node:crypto');
const http = require('node:http');
const http2 = require('node:http2');
const net = require('node:net');
const { readAnnouncement, refuse } = require('./announcements.cjs');
const { Certificates, FAULTS } = require('./certificates.cjs');
const { servePlainly } = require('./plain-http.cjs');
const { PlannedAnswers } = require('./planned-answers.cjs');
const { PROXY, askedOfProxy, isEstablished, isForProxy, refusalFor } = require('./proxies.cjs');
const { DEFAULT_ANSWER, SLOW_MS, reply } = require('./replies.cjs');
const { bracketed, headersOf, placeName, placeOf, replyOf, senderOf } = require('./request-reports.cjs');
const { SMTP_PORTS, replyToMail, serveSmtp } = require('./smtp.cjs');
const { Waits } = require('./waits.cjs');
const { acceptWebSocket } = require('./websocket.cjs');

const TLS_HANDSHAKE = 0x16;
const HTTP2_PREFACE = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
/** The first line of a request in HTTP/1, or how it begins. */
const METHOD = /^[A-Z][A-Z-]{1,30} [^\r\n]*(?: HTTP\/1\.\d\r?(?:\n|$)|$)/;
/** What a client says that does not accept the certificate. */
const DISTRUST = /^ERR_SSL_\w*ALERT_(?:UNKNOWN_CA|BAD_CERTIFICATE|CERTIFICATE_UNKNOWN)$/;
/** A client that is silent for so long waits for the server to speak. */
const SILENCE_MS = 1500;
/** Of a request's body, what is reported; a program may upload without end. */
const MAX_BODY_BYTES = 64 * 1024;
/** An upload that is longer is answered before its end. */
const MAX_UPLOAD_BYTES = 128 * 1024 * 1024;
const MAX_HEADER_BYTES = 256 * 1024;
/** The same for all certificates, so that clients can resume their sessions. */
const TICKET_KEYS = randomBytes(48);

/** @typedef {import('./announcements.cjs').Service} Service */

class MockServer {
  /**
   * @param {object} parts
   * @param {string} parts.folder where the agent announces connections
   * @param {(host: string, fault: import('./certificates.cjs').Fault | null) =>
   *   Promise<import('./certificates.cjs').Pair>} parts.certificateFor
   * @param {(request: object) => void} parts.onRequest
   * @param {(connection: { host: string, port: number, reason: string }) => void} parts.onUnmockable
   * @param {() => void} [parts.beforeAnswer] called before the answer of a request is chosen
   */
  constructor({ folder, certificateFor, onRequest, onUnmockable, beforeAnswer = () => {} }) {
    this.folder = folder;
    this.certificates = new Certificates(certificateFor);
    /**
     * `host:port` -> what is wrong with the certificate there.
     * @type {Map<string, import('./certificates.cjs').Fault>}
     */
    this.faults = new Map();
    /** `host:port` -> why connecting fails there. @type {Map<string, string>} */
    this.down = new Map();
    this.onRequest = onRequest;
    this.onUnmockable = onUnmockable;
    this.beforeAnswer = beforeAnswer;
    this.answers = new PlannedAnswers();
    this.seq = 0;
    this.waits = new Waits(folder);
    /** `host:port` of services that have got a request. @type {Set<string>} */
    this.served = new Set();
    this.nRequests = 0;
    this.nConnections = 0;
    /** By the port of the other end. @type {Map<number, Service & { number: number, socket: net.Socket }>} */
    this.connections = new Map();
    this.plainly = {
      next: (/** @type {any} */ request) => {
        this.beforeAnswer();
        const { origin, target } = placeOf(request, this.connections.get(request.socket.remotePort));
        return this.answers.next(origin, request.method, target).answer ?? DEFAULT_ANSWER;
      },
      report: (/** @type {any} */ request, /** @type {Buffer} */ body) => this.report(request, body),
    };
    this.listener = net.createServer({ noDelay: true, pauseOnConnect: true }, (socket) => this.accept(socket));
    const listen = (/** @type {any} */ server) => this.serve(server);
    const options = { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 };
    this.http = listen(http.createServer(options));
    this.http2 = listen(http2.createServer());
    this.secure = listen(
      http2.createSecureServer({
        ...options,
        allowHTTP1: true,
        ticketKeys: TICKET_KEYS,
        SNICallback: (name, done) => this.certificates.contextOf(name).then((context) => done(null, context), done),
      }),
    );
    this.secure.keepAliveTimeout = 0;
    const [ofHttp2] = this.secure.listeners('secureConnection');
    this.secure.removeAllListeners('secureConnection').on('secureConnection', (/** @type {any} */ socket) => {
      const handOver = () => ofHttp2.call(this.secure, socket);
      return socket.alpnProtocol === 'h2' ? handOver() : this.servePlain(socket, handOver);
    });
    // Without the keys of tickets: a session that is resumed has its certificate checked by nobody.
    this.distrusted = this.serve(http2.createSecureServer({ ...options, allowHTTP1: true }));
    this.distrusted.removeAllListeners('tlsClientError').on('tlsClientError', () => {});
    this.distrusted.keepAliveTimeout = 0;
  }

  /** @param {any} server */
  serve(server) {
    server.timeout = 0;
    server.on('request', (/** @type {any} */ request, /** @type {any} */ response) => this.answer(request, response));
    server.on('upgrade', (/** @type {any} */ request, /** @type {net.Socket} */ socket) => {
      this.answerUpgrade(request, socket);
    });
    server.on('connect', (/** @type {any} */ request, /** @type {any} */ socket) => this.tunnel(request, socket));
    server.on('clientError', (/** @type {Error} */ error, /** @type {net.Socket} */ socket) => {
      if (socket.writable && !socket.destroyed) socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
      void error;
    });
    server.on('sessionError', () => {});
    server.on('tlsClientError', (/** @type {any} */ error, /** @type {any} */ socket) => {
      if (DISTRUST.test(error?.code ?? '')) this.reportDistrust(this.connections.get(socket.remotePort));
    });
    return server;
  }

  // ---- what is planned

  /**
   * @param {number} seq
   * @param {import('./planned-answers.cjs').Answer[]} answers
   * @param {{ host: string, port: number, outcome: string }[]} [down] hosts to which connecting fails
   */
  plan(seq, answers, down = []) {
    this.seq = seq;
    this.faults.clear();
    this.down.clear();
    for (const { host, port, outcome } of down) {
      this.down.set(`${host}:${port}`, outcome);
      if (FAULTS.has(outcome)) this.faults.set(`${host}:${port}`, /** @type {any} */ (outcome));
    }
    this.answers.plan(answers);
    this.waits.forget();
  }

  /**
   * Closes the connections that clients keep to hosts that are down now.
   * @param {{ host: string, port: number }[]} down
   * @param {() => void} onClosed
   */
  closeConnections(down, onClosed) {
    const isDown = (/** @type {Service} */ { host, port }) =>
      down.some((one) => one.host === host && one.port === port);
    const sockets = [...this.connections.values()].filter(isDown).map(({ socket }) => socket);
    let open = sockets.length;
    if (open === 0) onClosed();
    for (const socket of sockets) {
      socket.once('close', () => --open === 0 && onClosed());
      socket.destroy();
    }
  }

  // ---- connections

  /** @param {net.Socket} socket */
  accept(socket) {
    socket.on('error', () => {});
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    readAnnouncement(this.folder, socket, (service) => {
      if (service !== null) this.open(socket, remotePort, service);
      else if (isForProxy(socket)) this.open(socket, remotePort, PROXY);
      else socket.destroy();
    });
  }

  /**
   * @param {net.Socket} socket
   * @param {number} remotePort
   * @param {Service} service
   */
  open(socket, remotePort, service) {
    this.connections.set(remotePort, { ...service, number: this.nConnections++, socket });
    socket.on('close', () => {
      if (this.connections.get(remotePort)?.socket === socket) this.connections.delete(remotePort);
    });
    if (SMTP_PORTS.has(service.port)) this.takeMail(socket, service);
    else this.recognise(socket, service);
  }

  /**
   * @param {net.Socket} socket
   * @param {Service} service
   */
  takeMail(socket, service) {
    const { port, host } = service;
    const onMail = (/** @type {import('./smtp.cjs').Mail} */ mail, /** @type {(reply: string) => void} */ say) => {
      const { answer, reply } = this.reportMail(service, mail);
      switch (answer?.outcome) {
        case 'hang':
          return undefined;
        case 'reset':
          return socket.resetAndDestroy();
        case 'closed':
        case 'truncated':
          return socket.destroy();
        case 'slow':
          return this.delay(socket, () => say(reply));
        default:
          return say(reply);
      }
    };
    serveSmtp(socket, { port, context: () => this.certificates.contextOf(host), onMail });
    socket.resume();
  }

  /**
   * Reports a mail as a request, and chooses its answer.
   * @param {Service} service
   * @param {import('./smtp.cjs').Mail} mail
   */
  reportMail({ host, port, pid, client }, { to, text }) {
    this.beforeAnswer();
    const place = { origin: `smtp://${bracketed(host)}:${port}`, method: 'MAIL', target: `/${to.join(',')}` };
    const { answer, occurrence } = this.take(place);
    const reply = replyToMail(answer?.status ?? 250);
    this.onRequest({
      seq: this.seq,
      n: this.nRequests++,
      connection: 0,
      pid,
      client,
      ...place,
      headers: [],
      body: text,
      matched: answer?.id ?? null,
      occurrence,
      reply: (answer?.outcome ?? 'answer') === 'answer' ? reply.slice(0, 3) : answer?.outcome,
    });
    return { answer, reply };
  }

  /**
   * Finds out what a client speaks by its first bytes, and leaves them in the socket.
   * @param {net.Socket} socket
   * @param {Service} service
   */
  recognise(socket, service) {
    const silence = setTimeout(
      () => this.giveUp(socket, service, 'the client waits for the service to speak first'),
      SILENCE_MS,
    );
    socket.once('close', () => clearTimeout(silence));
    const look = () => {
      const bytes = socket.read();
      if (bytes === null) {
        if (!socket.readableEnded) socket.once('readable', look);
        return;
      }
      clearTimeout(silence);
      socket.unshift(bytes);
      this.handOver(socket, service, bytes);
    };
    socket.once('readable', look);
  }

  /**
   * @param {net.Socket} socket
   * @param {Service} service
   * @param {Buffer} bytes
   */
  handOver(socket, service, bytes) {
    const text = bytes.toString('latin1', 0, 64);
    if (bytes[0] === TLS_HANDSHAKE) {
      this.handOverSecure(socket, service, bytes);
    } else if (HTTP2_PREFACE.startsWith(text.slice(0, HTTP2_PREFACE.length)) && text.length > 4) {
      this.http2.emit('connection', socket);
    } else if (METHOD.test(text)) this.servePlain(socket, () => this.http.emit('connection', socket));
    else this.giveUp(socket, service, `the client speaks no HTTP: ${JSON.stringify(text.slice(0, 16))}`);
  }

  /**
   * @param {net.Socket} socket
   * @param {() => void} handOver to Node's server
   */
  servePlain(socket, handOver) {
    const connection = this.connections.get(socket.remotePort ?? 0);
    if (connection === undefined || connection.pid === PROXY.pid) return handOver();
    return servePlainly(socket, this.plainly, handOver);
  }

  /**
   * A client that names no server (an address has no name) gets the certificate of the one that it connects to.
   * @param {net.Socket} socket
   * @param {Service} service
   * @param {Buffer} hello
   */
  handOverSecure(socket, service, hello) {
    const fault = this.faults.get(placeName(service)) ?? null;
    if (fault === null) socket.once('close', () => this.noteClosed(service));
    this.certificates.of(service.host, fault).then(
      (pair) => {
        const server = fault === null ? this.secure : this.distrusted;
        if (fault !== null) server.setSecureContext(pair);
        else if (hello.indexOf(service.host, 0, 'latin1') < 0) {
          server.setSecureContext({ ...pair, ticketKeys: TICKET_KEYS });
        }
        server.emit('connection', socket);
      },
      () => socket.destroy(),
    );
  }

  /**
   * @param {net.Socket} socket
   * @param {Service} service
   * @param {string} reason
   */
  giveUp(socket, service, reason) {
    refuse(this.folder, service);
    this.onUnmockable({ host: service.host, port: service.port, reason });
    socket.destroy();
  }

  /**
   * A program that compares the certificate itself ends the connection, and says nothing.
   * @param {Service} service to which a connection over TLS was closed
   */
  noteClosed(service) {
    if (!this.served.has(placeName(service))) this.reportDistrust(service);
  }

  /** @param {Service | undefined} service */
  reportDistrust(service) {
    if (service === undefined) return;
    const { host, port } = service;
    this.onUnmockable({ host, port, reason: 'the client does not accept the certificate: it may pin another one' });
  }

  // ---- requests

  /**
   * @param {any} request
   * @param {any} response
   */
  answer(request, response) {
    request.on('error', () => {});
    response.on('error', () => {});
    /** @type {Buffer[]} */
    const parts = [];
    let [nBytes, isAnswered] = [0, false];
    const done = () => {
      if (isAnswered) return;
      isAnswered = true;
      this.beforeAnswer();
      const asked = askedOfProxy(request);
      const refusal = asked === null ? '' : this.refusalOf(asked);
      if (refusal !== '') response.writeHead(Number(refusal.slice(0, 3)), refusal.slice(4)).end();
      else this.answerRead(request, response, Buffer.concat(parts));
    };
    request.on('data', (/** @type {Buffer} */ bytes) => {
      if (nBytes < MAX_BODY_BYTES) parts.push(bytes.subarray(0, MAX_BODY_BYTES - nBytes));
      nBytes += bytes.length;
      if (nBytes > MAX_UPLOAD_BYTES) done();
    });
    request.on('end', done);
  }

  /**
   * @param {any} request
   * @param {any} response
   * @param {Buffer} body
   */
  answerRead(request, response, body) {
    const { answer, socket } = this.report(request, body);
    this.send(response, answer, socket);
  }

  /**
   * @param {any} response
   * @param {import('./planned-answers.cjs').Answer | null} answer
   * @param {net.Socket | undefined} raw the connection below
   */
  send(response, answer, raw) {
    if (answer?.outcome === 'slow') this.waits.noteSlow(response);
    reply(response, answer, () => {
      if (answer?.outcome === 'reset' && raw !== undefined) raw.resetAndDestroy();
      else close(response);
    });
  }

  /**
   * @param {net.Socket} socket
   * @param {() => void} send
   */
  delay(socket, send) {
    this.waits.noteSlow(socket);
    setTimeout(() => {
      send();
      this.waits.endSlow(socket);
    }, SLOW_MS);
  }

  /**
   * Reports a request, and chooses its answer.
   * @param {any} request
   * @param {Buffer} body
   */
  report(request, body) {
    const connection = this.connections.get(request.socket.remotePort);
    if (connection !== undefined) this.served.add(placeName(connection));
    const { origin, target } = placeOf(request, connection);
    const { method } = request;
    const { answer, occurrence } = this.take({ origin, method, target });
    const text = body.toString('utf8');
    this.onRequest({
      seq: this.seq,
      n: this.nRequests++,
      ...senderOf(request, connection),
      origin,
      method,
      target,
      headers: headersOf(request),
      body: Buffer.from(text).equals(body) ? text : '',
      matched: answer?.id ?? null,
      occurrence,
      reply: answer === null && method === 'CONNECT' ? '200' : replyOf(answer),
    });
    return { answer, socket: connection?.socket };
  }

  /**
   * Takes the answer of a request, and tells the agent if there will never be one, or never all of it.
   * @param {{ origin: string, method: string, target: string }} place
   */
  take({ origin, method, target }) {
    const taken = this.answers.take(origin, method, target);
    if (taken.answer?.outcome === 'hang') this.waits.noteHanging();
    else if (taken.answer?.outcome === 'truncated') this.waits.noteCut();
    return taken;
  }

  /**
   * Answers a request for another protocol, such as WebSocket, as one for HTTP.
   * @param {any} request
   * @param {net.Socket} socket
   */
  answerUpgrade(request, socket) {
    socket.on('error', () => {});
    this.beforeAnswer();
    const { answer, socket: raw } = this.report(request, Buffer.alloc(0));
    if (answer?.status === 101) {
      acceptWebSocket(request, socket, answer);
      return;
    }
    this.sendOver(socket, request, answer, raw);
  }

  /**
   * Answers a request whose connection is no one's but ours.
   * @param {net.Socket} socket
   * @param {any} request
   * @param {import('./planned-answers.cjs').Answer | null} answer
   * @param {net.Socket | undefined} raw the connection below
   */
  sendOver(socket, request, answer, raw) {
    const response = new http.ServerResponse(request);
    response.assignSocket(socket);
    response.shouldKeepAlive = false;
    response.on('finish', () => socket.end());
    this.send(response, answer, raw);
  }

  /**
   * Serves what a proxy is asked to pass on. The program's own proxy may refuse that, as is planned; the one that
   * programs get which are not Node is ours.
   * @param {any} request of method CONNECT
   * @param {any} socket
   */
  tunnel(request, socket) {
    const { remotePort } = request.socket;
    const proxy = this.connections.get(remotePort);
    const named = /^\[?([^\]]+?)\]?:(\d+)$/.exec(request.url ?? request.authority ?? '');
    if (proxy === undefined || named === null || socket.write === undefined) return;
    const service = { ...proxy, host: named[1].toLowerCase(), port: Number(named[2]) };
    socket.on('error', () => {});
    this.beforeAnswer();
    if (proxy.port !== PROXY.port) {
      const { answer, socket: raw } = this.report(request, Buffer.alloc(0));
      if (answer !== null && !isEstablished(answer)) {
        this.sendOver(socket, request, answer, raw);
        return;
      }
    }
    const refusal = this.refusalOf(service);
    if (refusal !== '') {
      socket.end(`HTTP/1.1 ${refusal}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`);
      return;
    }
    this.connections.set(remotePort, service);
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n', () => this.recognise(socket, service));
  }

  /** @param {Service} service @returns {string} what a proxy answers that cannot connect to it; empty if it can */
  refusalOf(service) {
    return refusalFor(this.down.get(placeName(service)));
  }
}

/** @param {any} response in the place of which its connection is closed */
function close(response) {
  if (response.stream?.session) response.stream.session.destroy();
  else response.socket?.destroy();
}

module.exports = { MockServer };
